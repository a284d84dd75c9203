import Monitoring

extension Samples {
    /// Adds the number of targets of each group by health. Targets that are not judged now count as unknown.
    mutating func addGroups(of rows: [Exposition.Row]) {
        var counts: [String: [Health: Int]] = [:]
        for row in rows {
            counts[row.tally.group, default: [:]][row.isBlocked || row.isPaused ? .unknown : row.health, default: 0] +=
                1
        }
        for (group, healths) in counts.sorted(by: { $0.key < $1.key }) {
            for health in Health.allCases {
                add(healths[health] ?? 0, "group=\"\(group)\"", #",health="\#(health.rawValue)""#)
            }
        }
    }

    /// Adds since when a target fails, if it does. Few targets fail, so that a query about them reads few series.
    mutating func addFailure(of row: Exposition.Row) {
        guard let since = row.failingSince else { return }
        add(
            since.millisecondPrecision,
            row.tally.labels,
            #",health="\#(row.health.rawValue)",reason="\#(row.failureReason ?? "")""#
        )
    }
}
