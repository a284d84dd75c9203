import ArgumentParser
import ReachMonitoring
import ReachReporting
import ReachSettings
import Synchronization
import UnixSignals

/// The lists of all sources, as last read.
final class SourceLists: Sendable {
    private let states = Mutex<[DiscoverySource.Kind: SourceState]>([:])
    /// The lists whose targets are in use. A new list counts once its report is handled.
    private let used = Mutex<[DiscoverySource.Kind: DiscoveryList]>([:])

    /// Uses the last good lists of all sources, and returns them.
    func useAll() -> [DiscoverySource.Kind: DiscoveryList] {
        let lists = states.withLock { $0.compactMapValues(\.list) }
        used.withLock { $0 = lists }
        return lists
    }

    /// Uses the last good lists of some sources, and returns all lists in use. The lists of other sources stay as they are.
    func use(of sources: [DiscoverySource]) -> [DiscoverySource.Kind: DiscoveryList] {
        let new = sources.map { ($0.kind, state(of: $0).list) }
        return used.withLock { lists in
            for (kind, list) in new { lists[kind] = list ?? lists[kind] }
            return lists
        }
    }

    /// The state of a source.
    func state(of source: DiscoverySource) -> SourceState {
        states.withLock { $0[source.kind] ?? SourceState() }
    }

    /// Records the result of a refresh, unless the source was removed meanwhile.
    ///
    /// - Returns: The change; nil if there is none.
    func record(
        _ result: Result<DiscoveryList, DiscoveryProblem>,
        of source: DiscoverySource,
        at now: Duration
    ) -> SourceState.Change? {
        states.withLock { $0[source.kind]?.record(result, at: now) ?? nil }
    }

    /// Records the refreshes of these sources from now on, and forgets the lists of all others.
    func keep(only sources: [DiscoverySource]) {
        let kinds = Set(sources.map(\.kind))
        states.withLock { states in
            states = states.filter { kinds.contains($0.key) }
            for kind in kinds where states[kind] == nil { states[kind] = SourceState() }
        }
        used.withLock { $0 = $0.filter { kinds.contains($0.key) } }
    }

    /// Reads the files of sources without a good list, so that their targets are probed from the start. May block.
    func readFiles(of sources: [DiscoverySource], at now: Duration = .zero) {
        for source in sources {
            guard let files = ListFiles(source), state(of: source).list == nil else { continue }
            // A problem is reported with the first refresh.
            guard case .success(let list) = files.result else { continue }
            states.withLock { _ = $0[source.kind, default: SourceState()].record(.success(list), at: now) }
        }
    }

    /// The figures of sources, for the metrics.
    func figures(of sources: [DiscoverySource], wall: WallTime, redaction: Redaction) -> [SourceFigures] {
        var seen: Set<String> = []
        return sources.filter { seen.insert("\($0.type) \($0.name)").inserted }.map { source in
            let state = state(of: source)
            return SourceFigures(
                type: source.type,
                name: redaction.text(source.name),
                isSuccessful: state.list != nil && state.problem == nil,
                lastSuccess: state.lastSuccess.map { wall.start + $0 },
                targets: state.list?.targets.count ?? 0
            )
        }
    }
}

/// The settings of a command that probes a fixed set of targets, with the targets of the lists of sources, and the problems
/// of these lists.
struct ListedSettings {
    /// The settings, with the targets of all lists that were read.
    let settings: Settings
    /// A line for each list that cannot be read, or has no target that can be probed.
    let problems: [String]
    /// A line for each other list with targets that were left out.
    let notes: [String]

    /// Reads the settings after the lists.
    ///
    /// - Parameters:
    ///   - unread: A line for each list that cannot be read.
    ///   - redaction: Gets the secrets of the settings.
    /// - Throws: ``StartupError`` if the settings are invalid, or a target of the command line is in no list.
    init(of source: TargetSource, unread: [String], _ redaction: SharedRedaction) throws(StartupError) {
        do throws(StartupError) {
            settings = try source.settings()
        } catch {
            // A missing target may be in a list that cannot be read.
            throw StartupError(lines: unread + error.lines)
        }
        redaction.update(settings)
        let leftOut = source.updated(settings).leftOut
        var (problems, notes) = (unread, [String]())
        for source in settings.sources {
            guard let part = leftOut[source] else { continue }
            let line = redaction.current.text("\(source.title): \(part.summary)")
            guard !problems.contains(line), !notes.contains(line) else { continue }
            if part.count == part.total { problems.append(line) } else { notes.append(line) }
        }
        (self.problems, self.notes) = (problems, notes)
    }
}

extension TargetSource {
    /// Reads the lists of all sources once, for a command that probes a fixed set of targets.
    ///
    /// - Returns: A line for each list that cannot be read.
    /// - Throws: ``StartupError`` if the settings are invalid, or the exit status of a signal.
    func fetchLists(by fetcher: SourceFetcher) async throws -> [String] {
        let sources = Set(try self.sources())
        guard !sources.isEmpty else { return [] }
        lists.keep(only: Array(sources))
        let signals = await Signals()
        let result: Result<[String], ExitCode> = await withTaskGroup(of: Result<[String], ExitCode>?.self) { group in
            group.addTask { .success(await fetch(sources, by: fetcher)) }
            group.addTask {
                for await signal in signals.sequence where signal.isEnding {
                    return .failure(ExitCode(128 + signal.rawValue))
                }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            return first ?? .success([])
        }
        return try result.get()
    }

    /// Reads the lists of sources at the same time.
    ///
    /// - Returns: The problems.
    private func fetch(_ sources: Set<DiscoverySource>, by fetcher: SourceFetcher) async -> [String] {
        await withTaskGroup(of: String?.self) { group in
            for source in sources {
                group.addTask {
                    let result = await fetcher.fetch(source)
                    _ = lists.record(result.map(\.list), of: source, at: .zero)
                    if case .failure(let problem) = result { return "\(source.title): \(problem)" }
                    return nil
                }
            }
            var problems: [String] = []
            for await problem in group {
                if let problem { problems.append(problem) }
            }
            return problems.sorted()
        }
    }
}
