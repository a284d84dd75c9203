extension Maintenance {
    /// The maintenance with the time that is left: `maintenance, 1h58m left: Backups`.
    package func summary(at now: Duration) -> String {
        "maintenance, \(max(.zero, until - now).spanText) left\(name.map { ": \($0)" } ?? "")"
    }
}

extension RosterEvent {
    /// The event when planned work begins, as the rest of a sentence that begins with the target's name: `maintenance for
    /// 2h00m: Backups`.
    package static func maintenanceSummary(_ name: String?, for length: Duration) -> String {
        "maintenance for \(length.spanText)\(name.map { ": \($0)" } ?? "")"
    }

    /// The event when planned work ends.
    package static let maintenanceEndedSummary = "maintenance ended"
}
