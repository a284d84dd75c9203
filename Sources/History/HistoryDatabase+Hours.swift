import Foundation
import GRDB
import Monitoring

/// The figures of minutes are stored as they end, all targets in one row: one write each minute. When an hour is over,
/// they move into rows of one target and hour, from which one target can be read quickly.
extension HistoryDatabase {
    /// The targets whose hour is in memory at the same time: five kilobytes each.
    private static let hoursAtOnce = 1_000

    /// Moves the oldest hour that is over from snapshots into the figures of minutes and hours.
    ///
    /// - Parameter current: the number of the present hour since 1970.
    /// - Returns: whether there was one.
    static func endHour(before current: Int64, _ database: Database) throws -> Bool {
        let oldest = try Row.fetchOne(
            database,
            sql: "SELECT min(minute) FROM snapshot WHERE minute < ?",
            arguments: [
                current * 60
            ]
        )
        guard let minute = oldest?.integer(0) else { return false }
        let hour = quotient(minute, by: 60)
        let range: StatementArguments = [hour * 60, hour * 60 + 60]
        var snapshots: [(minute: Int64, bytes: [UInt8])] = []
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT minute, figures FROM snapshot WHERE minute >= ? AND minute < ?",
            arguments: range
        )
        while let row = try rows.next() {
            if let minute = row.integer(0) { snapshots.append((minute, row.bytes(1))) }
        }
        let targets = Set(snapshots.flatMap { MinuteSnapshot.figures(in: $0.bytes).map(\.target) }).sorted()
        for first in stride(from: 0, to: targets.count, by: hoursAtOnce) {
            let chunk = targets[first]...targets[min(first + hoursAtOnce, targets.count) - 1]
            var series: [Int64: FigureSeries] = [:]
            for (minute, bytes) in snapshots {
                for (target, figures) in MinuteSnapshot.figures(in: bytes) where chunk.contains(target) {
                    series[target, default: FigureSeries(.minute)].add(figures, to: Int(minute - hour * 60))
                }
            }
            for (target, series) in series.sorted(by: { $0.key < $1.key }) {
                try add(series, of: target, in: hour, database)
            }
        }
        try database.execute(sql: "DELETE FROM snapshot WHERE minute >= ? AND minute < ?", arguments: range)
        return true
    }

    /// Adds the minutes of an hour of one target, and the figures of the hour.
    static func add(_ minutes: FigureSeries, of target: Int64, in hour: Int64, _ database: Database) throws {
        var minutes = minutes
        if let stored = try series(.minute, hour, target, database) {
            // The hour passed twice: the clock was set back, or two processes watch the target.
            for (minute, figures) in stored.figures { minutes.add(figures, to: minute) }
        }
        var sum = FigureSum()
        for figures in minutes.figures.values { sum.add(figures) }
        guard let whole = sum.figures else { return }
        let day = quotient(hour, by: 24)
        var hours = try series(.hour, day, target, database) ?? FigureSeries(.hour)
        hours.figures[Int(hour - day * 24)] = whole
        try replace(minutes, hour, target, database)
        try replace(hours, day, target, database)
    }

    /// Adds the minutes of an hour that the file lacks.
    ///
    /// - Returns: their number.
    static func addMissing(
        _ minutes: FigureSeries,
        of target: Int64,
        in hour: Int64,
        _ database: Database
    ) throws -> Int {
        let stored = try series(.minute, hour, target, database)?.figures ?? [:]
        var missing = FigureSeries(.minute)
        missing.figures = minutes.figures.filter { stored[$0.key] == nil }
        // The present hour is not in rows of one target yet.
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT minute, figures FROM snapshot WHERE minute >= ? AND minute < ?",
            arguments: [hour * 60, hour * 60 + 60]
        )
        while let row = try rows.next() {
            guard let minute = row.integer(0) else { continue }
            let has = MinuteSnapshot.figures(in: row.bytes(1)).contains { $0.target == target }
            if has { missing.figures[Int(minute - hour * 60)] = nil }
        }
        guard !missing.figures.isEmpty else { return 0 }
        try add(missing, of: target, in: hour, database)
        return missing.figures.count
    }

    /// Adds the figures of an hour, unless the file has some.
    ///
    /// - Returns: whether they were added.
    static func addHour(
        _ figures: ProbeFigures,
        _ hour: Int64,
        of target: Int64,
        _ database: Database
    ) throws -> Bool {
        let day = quotient(hour, by: 24)
        var hours = try series(.hour, day, target, database) ?? FigureSeries(.hour)
        guard hours.figures[Int(hour - day * 24)] == nil else { return false }
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

    /// The quotient, rounded down also for negative numbers.
    static func quotient(_ number: Int64, by divisor: Int64) -> Int64 {
        let rest = number % divisor
        return (number - (rest < 0 ? rest + divisor : rest)) / divisor
    }
}
