import ArgumentParser
import Monitoring
import UnixSignals

extension TargetSource {
    /// Reads the lists of all sources once, for a command that probes a fixed set of targets.
    ///
    /// - Returns: A line for each list that cannot be read.
    /// - Throws: ``StartupError`` if the settings are invalid, or the exit status of a signal.
    func fetchLists(by fetcher: SourceFetcher) async throws -> [String] {
        let sources = Set(try self.sources())
        guard !sources.isEmpty else { return [] }
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

    /// The targets of a new list that cannot be made, as part of a sentence; nil if there are none.
    func leftOut(of report: SourceReport, in settings: Settings) -> String? {
        guard report.change.hasNewList else { return nil }
        var settings = settings
        return settings.discover(lists.lists(with: [report.source]))[report.source]?.summary
    }
}
