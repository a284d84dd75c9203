extension RosterEvent {
    /// The event when too many probes are late or skipped, with their share, 0…1.
    public static func scheduleMissedSummary(share: Double) -> String {
        "cannot keep the schedule: \(share.percentText) of the probes are late or skipped – longer intervals, or shards"
    }

    /// The event when probes leave in time again.
    public static let scheduleKeptSummary = "keeps the schedule again"
}
