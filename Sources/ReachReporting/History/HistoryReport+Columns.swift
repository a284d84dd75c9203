import ReachMonitoring

extension HistoryReport {
    /// The title of a report without another one.
    static let usualTitle = "Availability"

    /// The titles of the columns of targets, for a table or a page. Time degraded, maintenance and causes have a column if a
    /// target has some.
    var targetColumns: [String] {
        ["Target", "Availability", "Coverage"] + (hasDegraded ? ["Degraded"] : [])
            + ["Outages", "Longest", "MTTR", "MTBF"] + (hasMaintenance ? ["Maintenance"] : [])
            + ["p50", "p95", "p99", "Probes lost"] + (hasCauses ? [Self.causesTitle] : [])
    }

    /// The title of the column of causes, which is the last one.
    static let causesTitle = "Causes"

    var hasCauses: Bool { rows.contains { !$0.availability.causes.isEmpty } }

    /// The name of a part of the targets; nil if they are not grouped.
    static func heading(of part: (group: String?, rows: ArraySlice<Row>), among count: Int) -> String? {
        part.group ?? (count > 1 ? "other" : nil)
    }

    /// The titles of the columns of common causes.
    static let causeColumns = ["Cause", "Outages", "Targets", "Down"]

    /// The cells of a common cause.
    func cells(of cause: CauseTotal) -> [String] {
        [cause.place, String(cause.outages), String(cause.targets), cause.down.outageText]
    }

    /// The titles of the columns of shifts.
    static let shiftColumns = ["Target", "Of", "Shifts", "Longest", "Newest"]

    /// The cells of a target's shifts after its name.
    static func cells(of total: ShiftTotal, unknown: String, localTime: (Duration) -> String) -> [String] {
        let newest = total.last.map { "\(localTime($0.began)) \($0.words)" }
        return [total.kind, String(total.count), total.longest?.spanText ?? unknown, newest ?? unknown]
    }

    /// The titles of the columns of outages.
    static let outageColumns = ["Target", "From", "Until", "Length", "Reason"]

    /// The cells of a target after its name.
    ///
    /// - Parameter unknown: the text of a figure that is not known.
    func cells(of row: Row, unknown: String) -> [String] {
        let account = row.availability
        let maintenance = account.maintenance > .zero ? account.maintenance.spanText : nil
        let degraded = account.degraded > .zero ? account.degraded.spanText : nil
        let roundTrips = row.figures?.roundTrips
        let cells =
            [account.availability?.precisePercentText, account.coverage.precisePercentText]
            + (hasDegraded ? [degraded] : []) + [
                String(account.outages.count), account.longest?.length.outageText,
                account.meanTimeToRecover?.outageText, account.meanTimeBetweenFailures?.spanText,
            ] + (hasMaintenance ? [maintenance] : [])
            + [roundTrips?.p50, roundTrips?.p95, roundTrips?.p99].map { $0?.roundTrip.roundTripText }
            + [row.figures.map { (Double($0.lost) / Double(max(1, $0.sent))).precisePercentText }]
        return cells.map { $0 ?? unknown } + (hasCauses ? [Self.text(of: account.causes)] : [])
    }

    /// The most frequent causes of outages, each with its number: `timeout (3), switch sw1`.
    private static func text(of causes: [(cause: String, count: Int)]) -> String {
        let shown = causes.prefix(maxCauses).map { $0.count == 1 ? $0.cause : "\($0.cause) (\($0.count))" }
        let more = causes.count > maxCauses ? ["\(causes.count - maxCauses) more"] : []
        return (shown + more).joined(separator: ", ")
    }

    /// The causes that have room in a cell.
    private static let maxCauses = 2
}
