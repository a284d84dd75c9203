/// What a report says in words.
extension HistoryReport {
    /// The result in words, a sentence in each line.
    package var summary: [String] {
        let known = rows.filter(\.hasRecord)
        guard !known.isEmpty else { return [] }
        let lines = [outageSummary(of: known), missedSummary(of: known), degradedSummary(of: known)]
        let missing = rows.count - known.count
        let rest = missing == 0 ? nil : "\(missing) of \(rows.count) \(missing == 1 ? "has" : "have") no record."
        let cut = shown.count < rows.count ? "The table has the first \(shown.count), \(order.summary)." : nil
        return (lines + [rest, cut]).compactMap(\.self)
    }

    private func outageSummary(of known: [Row]) -> String {
        let failed = known.filter { !$0.availability.outages.isEmpty }
        let count = known.count == 1 ? "1 target" : "\(known.count) targets"
        guard let worst = ReportOrder.availability.sorted(failed).first else { return "No outage of \(count)." }
        return "\(failed.count) of \(count) had outages; the worst: \(worst.outageText)."
    }

    /// The targets below their service levels.
    private func missedSummary(of known: [Row]) -> String? {
        let missed = known.filter(\.isMissed)
        guard let first = missed.first else { return nil }
        let text = "\(missed.count) \(missed.count == 1 ? "is" : "are") below"
        guard missed.allSatisfy({ $0.sla == first.sla }) else { return "\(text) the required availability." }
        return "\(text) the required availability of \(first.sla.text)."
    }

    private var hasMissed: Bool { rows.contains(where: \.isMissed) }

    private func degradedSummary(of known: [Row]) -> String? {
        let degraded = ReportOrder.degraded.sorted(known.filter { $0.availability.degraded > .zero })
        guard let longest = degraded.first else { return nil }
        let count = "\(degraded.count) \(degraded.count == 1 ? "was" : "were") degraded"
        return "\(count); the longest: \(longest.name), \(longest.availability.degraded.spanText)."
    }

    /// The accounting in words, a sentence in each line.
    package var accounting: [String] {
        let unknown =
            countsUnknownAsDown
            ? "Time unknown, blocked, paused or unwatched counts as down, from the first record of a target on."
            : "Time unknown, blocked, paused or unwatched counts as neither up nor down."
        let maintenance = ["Maintenance counts as neither up nor down; hooks and alerts wait for its end."]
        let levels = Set(rows.map(\.sla))
        let required =
            levels.count == 1
            ? "The required availability is \(rows[0].sla.text)."
            : "The required availability is that of sla in the settings, or \(ServiceLevel.usual.text)."
        let shift =
            "A shift is a lasting change of the usual latency or loss. It lasts until they are as before, or change again."
        return [
            "Availability is the time up or degraded in the time up, degraded or down. \(unknown)"
        ] + (hasMaintenance ? maintenance : []) + [
            "Coverage is the share of the period with a verdict\(hasMaintenance ? ", without maintenance" : "").",
            "An outage begins when its first lost probe was sent, and ends with the first reply.",
            "Its length is the time down: other time in it, such as time unwatched, is left out.",
            "MTTR is the mean length of the outages that ended, MTBF the time up for each outage.",
        ] + (hasMissed ? [required] : []) + (shifts.isEmpty ? [] : [shift]) + [
            "Round trips are percentiles of the stored hours and minutes, rounded up where these do not suffice."
        ]
    }
}

extension HistoryReport.Row {
    /// Whether the target was less available than required.
    fileprivate var isMissed: Bool { grade == .missed || grade == .farMissed }

    /// The outages in words: `NAS, 98.29%, 4 outages`.
    fileprivate var outageText: String {
        let count = availability.outages.count
        let share = availability.availability.map { ", \($0.precisePercentText)" } ?? ""
        return "\(name)\(share), \(count == 1 ? "1 outage" : "\(count) outages")"
    }
}
