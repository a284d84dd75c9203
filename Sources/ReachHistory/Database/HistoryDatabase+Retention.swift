import Foundation
import GRDB
import ReachBasics
import ReachMonitoring

/// How old rows are removed.
extension HistoryDatabase {
    /// The maximum number of events that one step removes.
    private static let eventsAtOnce = 2_000
    /// The maximum number of pages that one step returns to the system.
    private static let pagesAtOnce = 500
    /// The free pages that are kept for the next hours.
    static let sparePages = 2_000

    /// The maximum number of minutes by which the retention clock advances in a minute.
    private static let maxClockRate = 60

    /// Advances the retention clock, and returns its time: rows are old relative to it, unless the user requests a
    /// removal.
    ///
    /// It follows the wall clock by at most an hour in each minute that the program runs, so that a wrong wall clock
    /// cannot delete everything. After a time without the program, it takes a while to catch up. The newest record is no
    /// substitute, since a wrong clock dates records too.
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
        guard let clock = try Row.fetchOne(database, sql: "SELECT time FROM retention")?.duration(0) else {
            // It begins at the end of the earlier runs.
            let seen = try Row.fetchOne(database, sql: "SELECT max(seen) FROM run WHERE id < ?", arguments: [run])
            let started = try Row.fetchOne(database, sql: "SELECT started FROM run WHERE id = ?", arguments: [run])
            let first = min(now, seen?.duration(0) ?? started?.duration(0) ?? now)
            try setRetentionTime(first, database)
            return first
        }
        let step = max(.zero, lived) * maxClockRate
        let next = clock < now ? min(now, clock + step) : max(now, clock - step)
        try setRetentionTime(next, database)
        return min(now, next)
    }

    /// Sets the retention clock.
    static func setRetentionTime(_ time: Duration, _ database: Database) throws {
        let sql = "INSERT OR REPLACE INTO retention (id, time) VALUES (1, ?)"
        try database.execute(sql: sql, arguments: [time.milliseconds])
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

    /// Removes events before a time, but keeps those that determine a target's state at that time.
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

/// The figures of minutes are stored as they end, some hundred targets in each row: few writes each minute. When an hour
/// is over, they move into rows of one target and hour, from which one target can be read quickly.
extension HistoryDatabase {
    /// Moves figures of the oldest hour that is over from snapshots into the figures of minutes and hours: those of some
    /// hundred targets, so that changes of health do not wait for all of them.
    ///
    /// Each row of snapshots is moved as a whole. So after each step, its figures are in the file once, and the rows that
    /// remain are those to move.
    ///
    /// - Parameter current: the number of the present hour since 1970.
    /// - Returns: whether there may be more.
    static func endHour(before current: Int64, _ database: Database) throws -> Bool {
        let oldest = try Row.fetchOne(
            database,
            sql: "SELECT min(minute) FROM snapshot WHERE minute < ?",
            arguments: [current * 60]
        )
        guard let minute = oldest?.integer(0) else { return false }
        let hour = minute.floorDivided(by: 60)
        var series: [Int64: FigureSeries] = [:]
        var moved: [Int64] = []
        // The quotient of the targets of this step.
        var part: Int64?
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, minute, figures FROM snapshot WHERE minute >= ? AND minute < ?",
            arguments: [hour * 60, hour * 60 + 60]
        )
        while let row = try rows.next() {
            guard let id = row.integer(0), let minute = row.integer(1) else { continue }
            let bytes = row.bytes(2)
            // A damaged row without a target has nothing to move.
            if let first = MinuteSnapshot.firstTarget(in: bytes) {
                part = part ?? first / targetsInRow
                guard part == first / targetsInRow else { continue }
                MinuteSnapshot.read(bytes) { target, figures in
                    series[target, default: FigureSeries(.minute)].add(figures, to: Int(minute - hour * 60))
                }
            }
            moved.append(id)
        }
        for (target, series) in series.sorted(by: { $0.key < $1.key }) {
            try add(series, of: target, in: hour, database)
        }
        let remove = try database.cachedStatement(sql: "DELETE FROM snapshot WHERE id = ?")
        for id in moved { try remove.execute(arguments: [id]) }
        return true
    }

    /// Adds the minutes of an hour of one target, and the figures of the hour.
    static func add(_ minutes: FigureSeries, of target: Int64, in hour: Int64, _ database: Database) throws {
        var minutes = minutes
        if let stored = try series(.minute, hour, target, database) {
            // The hour passed twice: the clock was set back, or two processes watch the target.
            for (minute, figures) in stored.figures { minutes.add(figures, to: minute) }
        }
        try write(minutes, of: target, in: hour, database)
    }

    /// Writes all minutes of an hour of one target, and the figures of the hour.
    private static func write(
        _ minutes: FigureSeries,
        of target: Int64,
        in hour: Int64,
        _ database: Database
    ) throws {
        // From what is stored of the minutes, so that a later sum is the same.
        guard let whole = FigureSeries(.minute, bytes: minutes.bytes).total else { return }
        let day = hour.floorDivided(by: 24)
        var hours = try series(.hour, day, target, database) ?? FigureSeries(.hour)
        hours.figures[Int(hour - day * 24)] = whole
        try replace(minutes, hour, target, database)
        try replace(hours, day, target, database)
    }

    /// The minutes of targets in an hour that has snapshots, as they are stored when it is over, so that figures do not
    /// change then.
    ///
    /// - Returns: the minutes of each target, and which targets have snapshots.
    static func minutes(
        of targets: ClosedRange<Int64>,
        inHourOfSnapshots hour: Int64,
        _ database: Database
    ) throws -> (series: [Int64: FigureSeries], unmoved: Set<Int64>) {
        var series: [Int64: FigureSeries] = [:]
        let snapshots = try Row.fetchCursor(
            database,
            sql: "SELECT minute, figures FROM snapshot WHERE minute >= ? AND minute < ? ORDER BY id",
            arguments: [hour * 60, hour * 60 + 60]
        )
        while let row = try snapshots.next() {
            let bytes = row.bytes(1)
            // The numbers of the targets ascend.
            guard let minute = row.integer(0), let first = MinuteSnapshot.firstTarget(in: bytes),
                first <= targets.upperBound
            else { continue }
            MinuteSnapshot.read(bytes) { target, figures in
                guard targets.contains(target) else { return }
                series[target, default: FigureSeries(.minute)].add(figures, to: Int(minute - hour * 60))
            }
        }
        let unmoved = Set(series.keys)
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT target, figures FROM minutes WHERE hour = ? AND target BETWEEN ? AND ?",
            arguments: [hour, targets.lowerBound, targets.upperBound]
        )
        while let row = try rows.next() {
            guard let target = row.integer(0) else { continue }
            FigureSeries.read(.minute, row.bytes(1)) { minute, figures in
                series[target, default: FigureSeries(.minute)].add(figures, to: minute)
            }
        }
        return (series, unmoved)
    }

    /// The hours of snapshots, which are not in rows of one target yet: usually the present one.
    static func hoursOfSnapshots(_ database: Database) throws -> Set<Int64> {
        let minutes = try Row.fetchAll(database, sql: "SELECT DISTINCT minute FROM snapshot")
        return Set(minutes.compactMap { $0.integer(0) }.map { $0.floorDivided(by: 60) })
    }

    /// Adds the minutes of an hour that the file lacks, or has with fewer probes.
    ///
    /// - Parameter hasSnapshots: whether there are snapshots of the hour.
    /// - Returns: their number.
    static func addMissing(
        _ minutes: FigureSeries,
        of target: Int64,
        in hour: Int64,
        withSnapshots hasSnapshots: Bool,
        _ database: Database
    ) throws -> Int {
        var all = try series(.minute, hour, target, database) ?? FigureSeries(.minute)
        var missing = minutes.figures.filter { $0.value.sent > all.figures[$0.key]?.sent ?? 0 }
        if hasSnapshots {
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT minute, figures FROM snapshot WHERE minute >= ? AND minute < ?",
                arguments: [hour * 60, hour * 60 + 60]
            )
            while let row = try rows.next() {
                guard let minute = row.integer(0) else { continue }
                let has = MinuteSnapshot.figures(in: row.bytes(1)).contains { $0.target == target }
                if has { missing[Int(minute - hour * 60)] = nil }
            }
        }
        guard !missing.isEmpty else { return 0 }
        all.figures.merge(missing) { $1 }
        try write(all, of: target, in: hour, database)
        return missing.count
    }

    /// Adds the figures of an hour, unless the file has as many probes of it.
    ///
    /// - Returns: whether they were added.
    static func addHour(
        _ figures: ProbeFigures,
        _ hour: Int64,
        of target: Int64,
        _ database: Database
    ) throws -> Bool {
        let day = hour.floorDivided(by: 24)
        var hours = try series(.hour, day, target, database) ?? FigureSeries(.hour)
        guard figures.sent > hours.figures[Int(hour - day * 24)]?.sent ?? 0 else { return false }
        hours.figures[Int(hour - day * 24)] = figures
        try replace(hours, day, target, database)
        return true
    }

    private static func series(
        _ slot: FigureSeries.Slot,
        _ number: Int64,
        _ target: Int64,
        _ database: Database
    ) throws -> FigureSeries? {
        let sql =
            switch slot {
            case .minute: "SELECT figures FROM minutes WHERE hour = ? AND target = ?"
            case .hour: "SELECT figures FROM hours WHERE day = ? AND target = ?"
            }
        let row = try Row.fetchOne(try database.cachedStatement(sql: sql), arguments: [number, target])
        return row.map { FigureSeries(slot, bytes: $0.bytes(0)) }
    }

    private static func replace(
        _ series: FigureSeries,
        _ number: Int64,
        _ target: Int64,
        _ database: Database
    ) throws {
        let sql =
            switch series.slot {
            case .minute: "INSERT OR REPLACE INTO minutes (hour, target, figures) VALUES (?, ?, ?)"
            case .hour: "INSERT OR REPLACE INTO hours (day, target, figures) VALUES (?, ?, ?)"
            }
        try database.cachedStatement(sql: sql).execute(arguments: [number, target, Data(series.bytes)])
    }
}
