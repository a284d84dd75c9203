import ReachMonitoring
import ReachSettings
import Synchronization

/// Refreshes the lists of sources, each in a task of its own.
final class SourceRefresher: Sendable {
    /// Yields when there are reports, for one consumer; ``removeReports()`` returns them.
    let arrivals: AsyncStream<Void>
    private let arrival: AsyncStream<Void>.Continuation
    private let lists: SourceLists
    private let fetcher: SourceFetcher
    private let now: @Sendable () -> Duration
    private let state = Mutex(State())

    private struct State {
        var tasks: [DiscoverySource: Task<Void, Never>] = [:]
        /// The changes that wait for the consumer, at most one for each source.
        var changes: [DiscoverySource: SourceState.Change] = [:]
    }

    init(_ lists: SourceLists, fetcher: SourceFetcher, now: @escaping @Sendable () -> Duration) {
        (self.lists, self.fetcher, self.now) = (lists, fetcher, now)
        (arrivals, arrival) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Refreshes these sources from now on, and no others. Their last good lists stay.
    ///
    /// - Parameter isReload: Whether known sources are refreshed at once as well.
    func use(_ sources: [DiscoverySource], isReload: Bool = false) {
        let sources = Set(sources)
        state.withLock { state in
            for (source, task) in state.tasks where isReload || !sources.contains(source) {
                task.cancel()
                state.tasks[source] = nil
            }
            state.changes = state.changes.filter { sources.contains($0.key) }
            lists.keep(only: Array(sources))
            for source in sources where state.tasks[source] == nil {
                state.tasks[source] = Task { [weak self] in await self?.refresh(source) }
            }
        }
    }

    /// Returns and removes the refreshes that have changed something, in the order of the sources' names.
    func removeReports() -> [SourceReport] {
        let changes = state.withLock { state in
            defer { state.changes = [:] }
            return state.changes
        }
        return changes.sorted { $0.key.name < $1.key.name }.map { source, change in
            SourceReport(source: source, change: change, problem: lists.state(of: source).problemSummary)
        }
    }

    /// Ends all refreshes. Commands that run are ended.
    func stop() async {
        let tasks = state.withLock { state in
            defer { state = State() }
            return state.tasks.values.map(\.self)
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

    /// Reads files when they have changed. A change counts when two signatures in a row have it, so that no file is read
    /// while it is written.
    private func watch(_ files: ListFiles, of source: DiscoverySource) async {
        var detector: FileChangeDetector<FileSignatures>?
        var isFirst = true
        while !Task.isCancelled {
            do throws(DiscoveryProblem) {
                let signature = try await fetcher.callFiles(of: source) { files.signature }
                var isChanged = true
                if var known = detector {
                    isChanged = known.detect(signature)
                    detector = known
                } else {
                    detector = FileChangeDetector(signature)
                }
                if isChanged || lists.state(of: source).problem != nil {
                    let list = try await fetcher.callFiles(of: source, files.read)
                    guard !Task.isCancelled else { return }
                    // A list that was read before the start has not changed, but its omissions are reported now.
                    record(.success(list), of: source, isFirst: isFirst)
                }
            } catch {
                guard !Task.isCancelled else { return }
                record(.failure(error), of: source, isFirst: isFirst)
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
        let isInUse = state.withLock { state in
            guard state.tasks[source] != nil else { return false }
            let waiting = state.changes[source]
            var change = change
            change.hasNewList = change.hasNewList || waiting?.hasNewList == true
            change.hasRecovered = change.hasRecovered || waiting?.hasRecovered == true
            state.changes[source] = change
            return true
        }
        if isInUse { arrival.yield() }
    }
}

/// A refresh that has changed the list or the problem of a source.
struct SourceReport: Sendable {
    let source: DiscoverySource
    let change: SourceState.Change
    /// The problem of the source and its consequence; nil without a problem.
    let problem: String?
}
