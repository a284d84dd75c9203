import GRDB
import ReachMonitoring

extension HistoryDatabase {
    /// The targets that had a verdict at the end of the newest run that has one: a run may have ended before its first, or
    /// have only other events. An outage may have begun in an earlier run, and so has the time up, if the program ran again soon.
    static func lastSeen(
        from source: String,
        before run: Int64?,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [Target.ID: StoredPast.LastSeen] {
        let runs = try Row.fetchCursor(
            database,
            sql: """
                SELECT id, seen, started FROM run WHERE source = ? AND id < ?
                AND EXISTS (SELECT 1 FROM event WHERE run = run.id AND kind = 'transition')
                ORDER BY id DESC LIMIT ?
                """,
            arguments: [source, run ?? Int64.max, maxRuns]
        )
        var lastSeen: [Target.ID: StoredPast.LastSeen] = [:]
        // The targets whose health may have begun earlier; nil before the newest run. When the run after began.
        var open: Set<Int64>?
        var next = Duration.zero
        while open?.isEmpty != true, let row = try runs.next() {
            guard let number = row.integer(0), let seen = row.duration(1), let start = row.duration(2) else { continue }
            let isSoon = open != nil && next - seen <= StoredPast.LastSeen.longestGap
            let ends = try ends(ofRun: number, open, database)
            var earlier = open ?? []
            for (target, end) in ends {
                earlier.remove(target)
                guard let id = ids[target] else { continue }
                let last = open == nil ? StoredPast.LastSeen(end.health, at: seen, since: end.since) : lastSeen[id]
                guard let last, end.health == last.health, open == nil || isSoon || end.health == .down else {
                    continue
                }
                lastSeen[id] = StoredPast.LastSeen(last.health, at: last.time, since: end.since ?? last.since)
                if end.mayBeEarlier { earlier.insert(target) }
            }
            // A target without a verdict in a run may have been down in it, and not up.
            open = earlier.filter { ends[$0] != nil || ids[$0].flatMap { lastSeen[$0]?.health } == .down }
            next = start
        }
        return lastSeen
    }

    /// The runs that are searched for the beginning of an outage.
    private static let maxRuns = 50

    /// The state of targets with a verdict at the end of a run.
    ///
    /// - Parameter chosen: the targets; nil for all.
    private static func ends(
        ofRun run: Int64,
        _ chosen: Set<Int64>?,
        _ database: Database
    ) throws -> [Int64: RunEnd] {
        let choice = chosen.map { " AND target IN (\($0.sorted().map(String.init).joined(separator: ",")))" } ?? ""
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT target, new, coalesce(since, time) FROM event WHERE run = ? AND kind = 'transition'\(choice)
                ORDER BY id
                """,
            arguments: [run]
        )
        var ends: [Int64: RunEnd] = [:]
        while let row = try rows.next() {
            guard let target = row.integer(0), let health = row.text(1).flatMap({ Health(rawValue: $0) })
            else { continue }
            var end = ends[target] ?? RunEnd()
            end.record(health, since: row.duration(2))
            ends[target] = end
        }
        return ends
    }

    /// The acknowledgements of the last month that have not ended.
    static func acknowledgements(
        before run: Int64?,
        at now: Duration,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [Target.ID: HistoryEvent] {
        // With max(), the other columns are those of its row.
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(eventColumns), max(id) FROM event INDEXED BY event_time
                WHERE time >= ? AND run < ? AND kind IN ('acknowledged', 'acknowledgement_ended') GROUP BY target
                """,
            arguments: [(now - acknowledgementSpan).milliseconds, run ?? Int64.max]
        )
        var events: [Target.ID: HistoryEvent] = [:]
        while let row = try rows.next() {
            guard let id = row.integer(0).flatMap({ ids[$0] }), let event = HistoryEvent(row) else { continue }
            if event.kind == .acknowledged { events[id] = event }
        }
        return events
    }

    /// The time after which an acknowledgement is not restored.
    private static let acknowledgementSpan = Duration.seconds(31 * 86_400)
}

/// The state of a target at the end of a run.
private struct RunEnd {
    private(set) var health = Health.unknown
    /// When that began, since 1970.
    private(set) var since: Duration?
    /// The number of verdicts, and whether the target replied in that run, so that an outage began in it.
    private var verdicts = 0
    private var hasReply = false

    /// Whether the health may have begun in an earlier run.
    var mayBeEarlier: Bool { health == .down ? !hasReply : verdicts == 1 }

    /// Continues with a change of health.
    mutating func record(_ health: Health, since time: Duration?) {
        if health.isReachable { hasReply = true }
        if health != .unknown { verdicts += 1 }
        (self.health, since) = (health, time)
    }
}
