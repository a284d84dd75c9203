import GRDB
import ReachBasics
import ReachMonitoring

extension HistoryDatabase {
    /// Reads all targets at a moment: what their state follows from, and their probes in the minutes around it.
    ///
    /// - Parameter numbers: the numbers of the targets in the file.
    static func moment(
        at time: Duration,
        _ numbers: [Target.ID: Int64],
        _ database: Database
    ) throws -> StoredMoment {
        var moment = StoredMoment(at: time)
        moment.start = try Row.fetchOne(database, sql: "SELECT min(started) FROM run")?.duration(0)
        let ids = Dictionary(numbers.map { ($0.value, $0.key) }) { first, _ in first }
        moment.events = try events(around: time, ids, database)
        let runs = try Int64.fetchAll(
            database,
            sql: "SELECT id FROM run WHERE started <= ?1 AND \(runEnd) >= ?1 ORDER BY id DESC",
            arguments: [time.milliseconds]
        )
        let newest = try newestEvent(until: time, database)
        for (id, number) in numbers {
            for run in runs {
                let found = try targetMoment(of: number, in: run, until: time, newest: newest, database)
                guard let found else { continue }
                moment.targets[id] = found
                break
            }
        }
        try addMinutes(to: &moment, ids, database)
        return moment
    }

    /// When a run ended. One that goes on, or was killed, wrote something a minute ago at most.
    static let runEnd = "coalesce(ended, seen + 61000)"

    /// The number of the newest event until a time.
    static func newestEvent(until time: Duration, _ database: Database) throws -> Int64 {
        let row = try Row.fetchOne(
            database,
            sql: "SELECT id FROM event WHERE time <= ? ORDER BY time DESC, id DESC LIMIT 1",
            arguments: [time.milliseconds]
        )
        // Processes that write at the same time write their events in any order.
        return (row?.integer(0) ?? 0) + 1_000
    }

    /// The number of events of a target that are read at least, and at most: those that its state may follow from.
    static let (fewestEvents, mostEvents) = (30, 500)

    /// Reads the events of a target in a run that its state follows from; nil if it was not watched then.
    ///
    /// - Parameter newest: the number of the newest event that may be meant.
    private static func targetMoment(
        of target: Int64,
        in run: Int64,
        until time: Duration,
        newest: Int64,
        _ database: Database
    ) throws -> StoredMoment.TargetMoment? {
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(eventColumns) FROM event INDEXED BY event_run
                WHERE run = ? AND target = ? AND id <= ? AND time <= ? ORDER BY id DESC
                """
        )
        let rows = try Row.fetchCursor(statement, arguments: [run, target, newest, time.milliseconds])
        var moment = StoredMoment.TargetMoment()
        var (count, hasVerdict, hasReached) = (0, false, false)
        while count < mostEvents, !(hasVerdict && count >= fewestEvents), let row = try rows.next() {
            guard let event = HistoryEvent(row) else { continue }
            if count == 0, event.kind == .removed { return nil }
            count += 1
            if let path = StoredPath(event) {
                let isReached = path.path.end.isReached
                if moment.paths.isEmpty || isReached && !hasReached { moment.paths.append(path) }
                hasReached = hasReached || isReached
                continue
            }
            hasVerdict = hasVerdict || event.kind == .transition
            moment.events.append(event)
        }
        guard count > 0 else { return nil }
        if !hasVerdict, count == mostEvents {
            moment.events +=
                try verdict(of: target, in: run, until: time, newest: newest, database).map { [$0.event] } ?? []
        }
        moment.events.reverse()
        moment.paths.reverse()
        return moment
    }

    /// The newest change of a target's health until a time, with its number; nil without one.
    static func verdict(
        of target: Int64,
        in run: Int64,
        until time: Duration,
        newest: Int64,
        _ database: Database
    ) throws -> (number: Int64, event: HistoryEvent)? {
        let row = try Row.fetchOne(
            database,
            sql: """
                SELECT \(eventColumns), id FROM event INDEXED BY event_run
                WHERE run = ? AND target = ? AND id <= ? AND time <= ? AND kind = 'transition' ORDER BY id DESC LIMIT 1
                """,
            arguments: [run, target, newest, time.milliseconds]
        )
        guard let row, let number = row.integer(10), let event = HistoryEvent(row) else { return nil }
        return (number, event)
    }

    /// Adds the probes of the minutes around a moment.
    private static func addMinutes(to moment: inout StoredMoment, _ ids: [Int64: Target.ID], _ database: Database)
        throws
    {
        let first = (moment.time - StoredMoment.minutesBefore).flooredSeconds.floorDivided(by: 60)
        let last = (moment.time + StoredMoment.minutesAfter).flooredSeconds.floorDivided(by: 60)
        var minutes: [Target.ID: [StoredMinute]] = [:]
        try readMinutes(from: first, through: last, ids, database) { target, number, figures in
            guard (first...last).contains(number), let id = ids[target] else { return }
            minutes[id, default: []].append(StoredMinute(figures, number: number))
        }
        for (id, minutes) in minutes {
            moment.targets[id]?.minutes = minutes.sorted { $0.number < $1.number }
        }
    }

    /// The events of targets in the day before a moment and in the day after it, oldest first.
    private static func events(
        around time: Duration,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [TargetEvent] {
        let select =
            "SELECT \(eventColumns) FROM event INDEXED BY event_time WHERE kind NOT IN ('added', 'removed', 'traced')"
        let span = StoredMoment.eventSpan
        var events: [TargetEvent] = []
        for (sql, bounds) in [
            (
                "\(select) AND time > ? AND time <= ? ORDER BY time DESC, id DESC LIMIT \(maxEvents)",
                (time - span, time)
            ),
            ("\(select) AND time > ? AND time <= ? ORDER BY time, id LIMIT \(maxEvents)", (time, time + span)),
        ] {
            let rows = try Row.fetchCursor(
                database,
                sql: sql,
                arguments: [bounds.0.milliseconds, bounds.1.milliseconds]
            )
            while let row = try rows.next() {
                guard let id = row.integer(0).flatMap({ ids[$0] }), let event = HistoryEvent(row) else { continue }
                events.append(TargetEvent(id, event))
            }
            if bounds.1 == time { events.reverse() }
        }
        return events
    }
}
