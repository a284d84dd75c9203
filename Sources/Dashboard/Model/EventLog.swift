import Monitoring

/// The bounded list of what happened, oldest first.
struct EventLog: Sendable {
    /// Enough for a day of trouble, and no more memory than that.
    static let capacity = 2_000

    private(set) var entries: [LogEntry] = []

    /// Appends the newest entry.
    mutating func append(_ entry: LogEntry) {
        entries.append(entry)
        // Dropping a quarter at a time keeps the cost of making room off every single entry.
        if entries.count > Self.capacity { entries.removeFirst(Self.capacity / 4) }
    }
}
