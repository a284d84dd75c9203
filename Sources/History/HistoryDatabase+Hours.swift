import Foundation
import GRDB
import Monitoring
import ReachBasics

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
