import Monitoring
import Reporting
import SettingsFile
import Synchronization

/// The lists of all sources, as last read.
final class SourceLists: Sendable {
    private let states = Mutex<[DiscoverySource.Kind: SourceState]>([:])
    /// The lists whose targets are in use. A list that was just read is not one of them until its report was handled.
    private let used = Mutex<[DiscoverySource.Kind: DiscoveryList]>([:])

    /// Uses the last good lists of all sources, and returns them.
    func useAll() -> [DiscoverySource.Kind: DiscoveryList] {
        let lists = states.withLock { $0.compactMapValues(\.list) }
        used.withLock { $0 = lists }
        return lists
    }

    /// Uses the last good lists of some sources, and returns all that are in use: those of the others stay as they were.
    func use(of sources: [DiscoverySource]) -> [DiscoverySource.Kind: DiscoveryList] {
        let lists = lists(with: sources)
        used.withLock { $0 = lists }
        return lists
    }

    /// The lists in use, with the last good ones of some sources in place of theirs.
    func lists(with sources: [DiscoverySource]) -> [DiscoverySource.Kind: DiscoveryList] {
        var lists = used.withLock { $0 }
        for source in sources {
            if let list = state(of: source).list { lists[source.kind] = list }
        }
        return lists
    }

    /// What is known about a source.
    func state(of source: DiscoverySource) -> SourceState {
        states.withLock { $0[source.kind] ?? SourceState() }
    }

    /// Records the result of a refresh.
    ///
    /// - Returns: What it has changed; nil if nothing.
    func record(
        _ result: Result<DiscoveryList, DiscoveryProblem>,
        of source: DiscoverySource,
        at now: Duration
    ) -> SourceState.Change? {
        states.withLock { $0[source.kind, default: SourceState()].record(result, at: now) }
    }

    /// Forgets the lists of all other sources.
    func keep(only sources: [DiscoverySource]) {
        let kinds = Set(sources.map(\.kind))
        states.withLock { $0 = $0.filter { kinds.contains($0.key) } }
        used.withLock { $0 = $0.filter { kinds.contains($0.key) } }
    }

    /// Reads the files of sources without a good list, so that their targets are probed from the start.
    func readFiles(of sources: [DiscoverySource], at now: Duration = .zero) {
        for source in sources {
            guard let files = ListFiles(source), state(of: source).list == nil else { continue }
            // A problem is reported with the first refresh.
            let result = files.result
            if case .success = result { _ = record(result, of: source, at: now) }
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

extension ListFiles {
    /// The files of a source; nil for another source.
    init?(_ source: DiscoverySource) {
        guard case .files(let pattern, let directory) = source.kind else { return nil }
        self.init(pattern: pattern, directory: directory)
    }

    /// The list in the files, or the reason why it cannot be read.
    var result: Result<DiscoveryList, DiscoveryProblem> {
        do throws(DiscoveryProblem) {
            return .success(try read())
        } catch {
            return .failure(error)
        }
    }
}
