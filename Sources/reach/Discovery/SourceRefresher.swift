import ReachDashboard
import ReachMonitoring
import ReachSettings
import Synchronization

/// Refreshes the lists of sources, each in a task of its own.
final class SourceRefresher: Sendable {
    /// The refreshes that have changed something; the stream has one consumer.
    let reports: AsyncStream<SourceReport>
    private let report: AsyncStream<SourceReport>.Continuation
    private let lists: SourceLists
    private let fetcher: SourceFetcher
    private let now: @Sendable () -> Duration
    private let tasks = Mutex<[DiscoverySource: Task<Void, Never>]>([:])

    init(_ lists: SourceLists, fetcher: SourceFetcher, now: @escaping @Sendable () -> Duration) {
        (self.lists, self.fetcher, self.now) = (lists, fetcher, now)
        (reports, report) = AsyncStream.makeStream()
    }

    /// Refreshes these sources from now on, and no others. Their last good lists stay.
    ///
    /// - Parameter isReload: Whether known sources are refreshed at once, too.
    func use(_ sources: [DiscoverySource], isReload: Bool = false) {
        let sources = Set(sources)
        tasks.withLock { tasks in
            for (source, task) in tasks where isReload || !sources.contains(source) {
                task.cancel()
                tasks[source] = nil
            }
            lists.keep(only: Array(sources))
            for source in sources where tasks[source] == nil {
                tasks[source] = Task { [weak self] in await self?.refresh(source) }
            }
        }
    }

    /// Ends all refreshes. Commands that run are ended.
    func stop() async {
        let tasks = tasks.withLock { tasks in
            defer { tasks = [:] }
            return tasks.values.map(\.self)
        }
        for task in tasks { task.cancel() }
        for task in tasks { await task.value }
    }

    private func refresh(_ source: DiscoverySource) async {
        if let files = ListFiles(source) { return await watch(files, of: source) }
        while !Task.isCancelled {
            let result = await fetcher.fetch(source)
            guard !Task.isCancelled else { return }
            record(result.map(\.list), of: source)
            let lifetime = (try? result.get())?.lifetime
            let pause = lists.state(of: source).pause(refresh: source.refresh, lifetime: lifetime)
            try? await Task.sleep(for: pause, tolerance: .milliseconds(200), clock: .continuous)
        }
    }

    /// Reads files when they have changed. A change counts when the files have stayed the same since the look before, so that
    /// none is read while it is written.
    private func watch(_ files: ListFiles, of source: DiscoverySource) async {
        var detector: FileChangeDetector<ListFiles.Signature>?
        var isFirst = true
        while !Task.isCancelled {
            let signature = files.signature
            var isChanged = true
            if var known = detector {
                isChanged = known.detect(signature)
                detector = known
            } else {
                detector = FileChangeDetector(signature)
            }
            if isChanged || lists.state(of: source).problem != nil {
                // The list was read before the start; what was left out of it is reported now.
                record(files.result, of: source, isFirst: isFirst)
            }
            isFirst = false
            let isWaiting = detector?.isWaiting ?? false
            let pause = isWaiting ? min(source.refresh, .seconds(1)) : source.refresh
            try? await Task.sleep(for: pause, tolerance: .milliseconds(200), clock: .continuous)
        }
    }

    private func record(
        _ result: Result<DiscoveryList, DiscoveryProblem>,
        of source: DiscoverySource,
        isFirst: Bool = false
    ) {
        let change = lists.record(result, of: source, at: now())
        guard let change = change ?? (isFirst ? SourceState.Change(hasNewList: true) : nil) else { return }
        report.yield(SourceReport(source, change, lists.state(of: source)))
    }
}

/// What the refresh of a source has changed.
struct SourceReport: Sendable {
    let source: DiscoverySource
    let change: SourceState.Change
    /// The problem of the source with what follows from it; nil without a problem.
    let problem: String?
    /// The number of targets in its last good list.
    let targetCount: Int

    init(_ source: DiscoverySource, _ change: SourceState.Change, _ state: SourceState) {
        (self.source, self.change) = (source, change)
        problem = state.problemSummary
        targetCount = state.list?.targets.count ?? 0
    }
}

extension SourceNotice {
    /// Creates the notice of a refresh.
    init(_ report: SourceReport, leftOut: String?) {
        self.init(
            name: report.source.name,
            hasNewList: report.change.hasNewList,
            problem: report.problem,
            leftOut: leftOut
        )
    }
}
