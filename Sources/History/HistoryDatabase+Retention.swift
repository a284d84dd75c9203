import GRDB
import Monitoring
import ReachBasics

/// How old rows are removed.
extension HistoryDatabase {
    /// The most events that one step removes.
    private static let eventsAtOnce = 2_000
    /// The most pages that one step returns to the system.
    private static let pagesAtOnce = 500
    /// The free pages that are kept for the next hours.
    static let sparePages = 2_000

    /// The most minutes by which the reference of the removal goes on in a minute.
    private static let minutesPerMinute = 60

    /// The time that old rows are counted back from when they are removed without a request.
    ///
    /// The wall clock may be wrong for a while, at the start or later, and what is removed is gone. So the file has a
    /// reference, which follows the wall clock by at most an hour in each minute that the program runs. After a time
    /// without the program, that takes a while. It is not the newest record, since that has the time of a wrong clock too.
    ///
    /// - Parameters:
    ///   - run: the number of the present run.
    ///   - lived: the time that the program ran since the last call, by a monotonic clock.
    ///   - now: the present wall time.
    static func retentionTime(
        in run: Int64,
        after lived: Duration,
        at now: Duration,
        _ database: Database
    ) throws -> Duration {
        let stored = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
        guard stored > 0 else {
            // It begins with what earlier runs recorded.
            let seen = try Row.fetchOne(database, sql: "SELECT max(seen) FROM run WHERE id < ?", arguments: [run])
            let started = try Row.fetchOne(database, sql: "SELECT started FROM run WHERE id = ?", arguments: [run])
            let first = min(now, seen?.duration(0) ?? started?.duration(0) ?? now)
            try setRetentionTime(first, database)
            return first
        }
        let reference = Duration.seconds(stored * 60)
        let step = max(.zero, lived) * minutesPerMinute
        let next = reference < now ? min(now, reference + step) : max(now, reference - step)
        try setRetentionTime(next, database)
        return min(now, next)
    }

    /// Sets the reference of the removal, in whole minutes since 1970.
    static func setRetentionTime(_ time: Duration, _ database: Database) throws {
        // An integer of the file that SQLite leaves to the program.
        let minutes = min(max(1, time.components.seconds.floorDivided(by: 60)), Int64(Int32.max))
        try database.execute(sql: "PRAGMA user_version = \(minutes)")
    }

    /// Removes what is older than the settings keep, in a small step. Of a run that goes on, the state of each target stays.
    ///
    /// - Returns: whether there may be more.
    static func removeOldRows(_ settings: HistorySettings, at now: Duration, _ database: Database) throws -> Bool {
        let seconds = { (kept: Duration) in (now - kept).components.seconds }
        var removed = try removeEvents(before: (now - settings.events).milliseconds, database)
        var isMore = removed >= eventsAtOnce
        for (table, column, number) in [
            ("minutes", "hour", seconds(settings.minutes).floorDivided(by: 3_600)),
            ("hours", "day", seconds(settings.hours).floorDivided(by: 86_400)),
        ] {
            // The rows of one hour or day are adjacent.
            try database.execute(
                sql: """
                    DELETE FROM \(table) WHERE \(column) = (SELECT min(\(column)) FROM \(table)) AND \(column) < ?
                    """,
                arguments: [number]
            )
            removed += database.changesCount
            isMore = isMore || database.changesCount > 0
        }
        if !isMore {
            // Those of sources that are not watched any more: a writer bounds its own by their number.
            try database.execute(
                sql: "DELETE FROM samples WHERE time < ?",
                arguments: [(now - .seconds(86_400)).milliseconds]
            )
            // A run whose events are all gone is not needed any more.
            try database.execute(
                sql: "DELETE FROM run WHERE seen < ? AND id NOT IN (SELECT run FROM event)",
                arguments: [(now - max(settings.events, settings.hours)).milliseconds]
            )
        }
        return isMore
    }

    /// Removes events before a time, except those that the state of a target at that time follows from.
    ///
    /// - Returns: their number.
    private static func removeEvents(before limit: Int64, _ database: Database) throws -> Int {
        let going = "SELECT id FROM run WHERE coalesce(ended, seen) >= ?1"
        try database.execute(
            sql: """
                DELETE FROM event WHERE id IN (
                    SELECT id FROM event INDEXED BY event_time WHERE time < ?1 AND run NOT IN (\(going)) LIMIT ?2
                )
                """,
            arguments: [limit, eventsAtOnce]
        )
        var removed = database.changesCount
        for row in try Row.fetchAll(database, sql: "\(going) AND started < ?1", arguments: [limit]) {
            guard removed < eventsAtOnce, let run = row.integer(0) else { continue }
            // Events count in the order of their numbers: if the clock was set, their times do not ascend.
            let newest = try Row.fetchOne(
                database,
                sql: """
                    SELECT id FROM event INDEXED BY event_time WHERE time < ? AND run = ? ORDER BY time DESC LIMIT 1
                    """,
                arguments: [limit, run]
            )
            guard let last = newest?.integer(0) else { continue }
            try database.cachedStatement(sql: removalInRun)
                .execute(arguments: [limit, run, last, eventsAtOnce - removed])
            removed += database.changesCount
        }
        return removed
    }

    /// Removes events before a time in a run that goes on after it, until the number of one of them. A clock that was set
    /// counts for all later events.
    private static let removalInRun: String = {
        let list = { (kinds: [HistoryEvent.Kind]) in
            kinds.map { "'\($0.rawValue)'" }.sorted().joined(separator: ", ")
        }
        let kinds = HistoryEvent.Kind.allCases
        let isEnded = kinds.filter { !$0.ended.isEmpty }
            .map { "later.kind = '\($0.rawValue)' AND event.kind IN (\(list(Array($0.ended))))" }
        return """
            DELETE FROM event WHERE id IN (
                SELECT id FROM event INDEXED BY event_time
                WHERE time < ?1 AND run = ?2 AND id <= ?3 AND kind <> 'clock'
                AND (kind NOT IN (\(list(kinds.filter(\.isState)))) OR EXISTS (
                    SELECT 1 FROM event AS later INDEXED BY event_run
                    WHERE later.run = ?2 AND later.target = event.target AND later.id > event.id AND later.id <= ?3
                    AND later.time < ?1 AND (\(isEnded.joined(separator: " OR ")))
                ))
                LIMIT ?4
            )
            """
    }()

    /// Removes what is later than a time: records of a time at which the clock was wrong.
    static func removeRows(after time: Duration, _ database: Database) throws {
        let minute = time.components.seconds.floorDivided(by: 60)
        for (table, column, number) in [
            ("event", "time", time.milliseconds), ("run", "started", time.milliseconds),
            ("samples", "time", time.milliseconds), ("snapshot", "minute", minute),
            ("minutes", "hour", minute.floorDivided(by: 60)), ("hours", "day", minute.floorDivided(by: 1_440)),
        ] {
            try database.execute(sql: "DELETE FROM \(table) WHERE \(column) > ?", arguments: [number])
        }
        try database.execute(sql: "DELETE FROM event WHERE run NOT IN (SELECT id FROM run)")
        try database.execute(
            sql: "UPDATE run SET seen = min(seen, ?1), ended = min(ended, ?1) WHERE seen > ?1",
            arguments: [time.milliseconds]
        )
    }

    /// Returns free pages to the system, a few at a time.
    ///
    /// - Returns: whether there may be more.
    static func returnFreePages(_ database: Database, keeping spare: Int = sparePages) throws -> Bool {
        let free = try Int.fetchOne(database, sql: "PRAGMA freelist_count") ?? 0
        guard free > spare else { return false }
        // Each row is one page.
        _ = try Row.fetchAll(database, sql: "PRAGMA incremental_vacuum(\(min(pagesAtOnce, free - spare)))")
        return free - spare > pagesAtOnce
    }
}
