import Monitoring

extension EventLog {
    /// An event for the pane below the table, where the changes of a target while it flaps are one line: the newest of
    /// them, so that one target does not fill the pane.
    struct Folded {
        let entry: LogEntry
        /// The number of changes that the line stands for.
        var changes = 1
        /// When the oldest of them happened, since the start of the program.
        var start: Duration
    }

    /// The newest events, newest first. The changes of a target while it flaps are folded.
    func folded(limit: Int) -> [Folded] {
        var events: [Folded] = []
        var positions: [String: Int] = [:]
        for entry in entries.reversed() {
            let name = entry.subject.name
            if entry.isOfFlapping, let position = positions[name] {
                events[position].changes += 1
                events[position].start = entry.time
                continue
            }
            // Beyond the limit, only folded changes are counted.
            if events.count >= limit, positions.isEmpty { break }
            positions[name] = entry.isOfFlapping && events.count < limit ? events.count : nil
            if events.count < limit { events.append(Folded(entry: entry, start: entry.time)) }
        }
        return events
    }
}
