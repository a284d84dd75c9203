import ReachHistory
import ReachMonitoring
import ReachSettings

/// The targets of the settings, to be found in the history.
struct KnownTargets {
    private let source: TargetSource
    private let settings: Settings
    /// The targets as the history has them.
    private let stored: [StoredTarget]

    /// Reads the settings; nil without a file if none is given, and without a valid one.
    ///
    /// - Parameter isNeeded: Whether the problem of a file that is not given is reported.
    /// - Throws: ``StartupError`` if a given file is invalid.
    init?(of config: String?, isNeeded: Bool) throws(StartupError) {
        do throws(StartupError) {
            guard let source = try TargetSource.located(config) else { return nil }
            (self.source, settings) = (source, try source.settings())
        } catch {
            guard config == nil else { throw error }
            if isNeeded, let problem = error.lines.first {
                StandardStreams.printMessage("\(problem) (the report has all targets of the history)")
            }
            return nil
        }
        stored = settings.targets.map { [redaction = settings.redaction] in StoredTarget($0, redaction: redaction) }
    }

    /// The renamed targets, by their names before.
    var formerTargets: [String: StoredTarget] {
        Dictionary(stored.compactMap { target in target.formerly.map { ($0, target) } }) { first, _ in first }
    }

    /// Targets of the history in the order of the settings; others are last.
    func inOrder(_ rows: [TargetRow]) -> [TargetRow] {
        let order = Dictionary(stored.enumerated().map { (Key($1.name, $1.url), $0) }) { first, _ in first }
        return rows.enumerated().sorted { one, other in
            let (first, second) = (
                order[Key(one.element.name, one.element.url)], order[Key(other.element.name, other.element.url)]
            )
            return (first ?? .max, one.offset) < (second ?? .max, other.offset)
        }.map(\.element)
    }

    /// A target of the history with the availability that the settings require of it.
    func requiring(_ row: TargetRow) -> TargetRow {
        let index = stored.firstIndex { $0.name == row.name && $0.url == row.url }
        var row = row
        if let index { row.sla = settings.targets[index].sla }
        return row
    }

    /// The targets in the order of the settings, also those without a record; nil if there are none.
    ///
    /// Lists that are not in files are not fetched: their targets are those of the newest run of these settings.
    func rows(in database: HistoryDatabase) throws(HistoryFailure) -> [TargetRow]? {
        let all = try database.targets()
        let numbers = Dictionary(all.map { (Key($0.name, $0.url), $0.id) }) { first, _ in first }
        var rows: [TargetRow] = []
        for (target, stored) in zip(settings.targets, stored) {
            let number =
                numbers[Key(stored.name, stored.url)]
                ?? stored.formerly.flatMap { numbers[Key($0, stored.url)] }
            let ofAddresses = target.addresses == .each ? all.filter { $0.isAddress(of: stored) } : []
            if number != nil || ofAddresses.isEmpty {
                let id = number ?? TargetRow.unrecorded
                rows.append(TargetRow(id: id, name: stored.name, url: stored.url, group: stored.group, sla: target.sla))
            }
            rows += ofAddresses.map { row in
                TargetRow(id: row.id, name: row.name, url: row.url, group: stored.group, sla: target.sla)
            }
        }
        if !settings.prometheus.isEmpty || settings.sources.contains(where: { !$0.isInFiles }) {
            let found = Set(rows.map(\.id))
            rows += try database.targets(ofNewestRunOf: source.identity).filter { !found.contains($0.id) }
        }
        guard rows.contains(where: { $0.id != TargetRow.unrecorded }) else {
            // The history may be that of a service with other settings.
            if !rows.isEmpty, !all.isEmpty {
                let fix = "the report has all others; --config FILE names other settings"
                StandardStreams.printMessage("\(source.name): none of its targets is in the history – \(fix)")
            }
            return nil
        }
        return rows
    }

    /// A target in the history.
    private struct Key: Hashable {
        let name: String
        let url: String

        init(_ name: String, _ url: String) {
            (self.name, self.url) = (name, url)
        }
    }
}

extension TargetRow {
    /// Whether this is the row of an address of a target with a row for each.
    fileprivate func isAddress(of target: StoredTarget) -> Bool {
        guard name.hasPrefix("\(target.name) ") else { return false }
        return Family(ofAddress: String(name.dropFirst(target.name.count + 1))) != nil
    }
}

extension DiscoverySource {
    /// Whether the list is in files, which are read with the settings.
    fileprivate var isInFiles: Bool {
        if case .files = kind { true } else { false }
    }
}
