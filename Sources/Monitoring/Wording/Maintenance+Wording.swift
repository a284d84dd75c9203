extension Maintenance {
    /// The maintenance with the time that is left: `maintenance, 1h58m left: Backups`.
    package func summary(at now: Duration) -> String {
        "maintenance, \(max(.zero, until - now).spanText) left\(name.map { ": \($0)" } ?? "")"
    }
}
