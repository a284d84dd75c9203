import Foundation
import GRDB
import ReachBasics
package import ReachMonitoring

extension HistoryDatabase {
    /// The changes of the usual round trips and losses that were found in a period, by target.
    static func shifts(
        from start: Duration,
        until end: Duration,
        _ database: Database
    ) throws -> [Int64: ShiftTotals] {
        var totals: [Int64: ShiftTotals] = [:]
        try readShifts(from: start, until: end, database) { totals[$0, default: ShiftTotals()].add($1) }
        return totals
    }

    private static func readShifts(
        from start: Duration,
        until end: Duration,
        _ database: Database,
        _ body: (Int64, StoredShift) -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(eventColumns) FROM event INDEXED BY event_time
                WHERE time >= ? AND time < ? AND kind = 'shift' ORDER BY id
                """,
            arguments: [start.milliseconds, end.milliseconds]
        )
        while let row = try rows.next() {
            if let target = row.integer(0), let shift = HistoryEvent(row).flatMap({ StoredShift($0) }) {
                body(target, shift)
            }
        }
    }

    /// The round-trip levels of targets: of the hours of the last week, and of the newest minutes.
    static func levels(
        at now: Duration,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [Target.ID: StoredLevels] {
        var levels: [Int64: StoredLevels] = [:]
        let minute = (now - StoredLevels.minuteSpan).flooredSeconds.floorDivided(by: 60)
        let day = (now - StoredLevels.span).flooredSeconds.floorDivided(by: 86_400)
        let hours = try Row.fetchCursor(
            database,
            sql: "SELECT day, target, figures FROM hours WHERE day >= ? ORDER BY day",
            arguments: [day]
        )
        while let row = try hours.next() {
            guard let day = row.integer(0), let target = row.integer(1), ids[target] != nil else { continue }
            var own = levels.removeValue(forKey: target) ?? StoredLevels()
            FigureSeries.read(.hour, row.bytes(2)) { own.add($1, ofHour: day * 24 + Int64($0)) }
            levels[target] = own
        }
        try readMinutes(from: minute, ids, database) { target, number, figures in
            if number >= minute { levels[target, default: StoredLevels()].add(figures, ofMinute: number) }
        }
        try readShifts(from: now - StoredLevels.span, until: now, database) { target, shift in
            if shift.change.isOfLevel, ids[target] != nil { levels[target, default: StoredLevels()].lastShift = shift }
        }
        let found = levels.compactMap { number, levels in
            ids[number].flatMap { levels.isEmpty ? nil : ($0, levels) }
        }
        return Dictionary(found) { $1 }
    }

    /// Reads the figures of minutes, by their numbers since 1970, from the hour of the first one on to that of the last one.
    /// Those of the present hour are in snapshots.
    static func readMinutes(
        from first: Int64,
        through last: Int64 = .max,
        _ ids: [Int64: Target.ID],
        _ database: Database,
        _ body: (Int64, Int64, ProbeFigures) -> Void
    ) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT hour, target, figures FROM minutes WHERE hour BETWEEN ? AND ?",
            arguments: [first.floorDivided(by: 60), last.floorDivided(by: 60)]
        )
        while let row = try rows.next() {
            guard let hour = row.integer(0), let target = row.integer(1), ids[target] != nil else { continue }
            FigureSeries.read(.minute, row.bytes(2)) { slot, figures in body(target, hour * 60 + Int64(slot), figures) }
        }
        let snapshots = try Row.fetchCursor(
            database,
            sql: "SELECT minute, figures FROM snapshot WHERE minute BETWEEN ? AND ?",
            arguments: [first, last]
        )
        while let row = try snapshots.next() {
            guard let minute = row.integer(0) else { continue }
            MinuteSnapshot.read(row.bytes(1)) { target, figures in
                if ids[target] != nil { body(target, minute, figures) }
            }
        }
    }

    /// The figures of the minutes of a target in a period, oldest first, by their numbers since 1970.
    package func minutes(
        of target: TargetRow,
        from start: Duration,
        until end: Duration
    ) throws(HistoryFailure) -> [(number: Int64, figures: ProbeFigures)] {
        try read { database in
            try Self.minutes(of: target.id, from: start, until: end, database).sorted { $0.key < $1.key }
                .map { (number: $0.key, figures: $0.value) }
        }
    }

    /// The figures of the minutes of a target in a period, by their numbers since 1970.
    private static func minutes(
        of target: Int64,
        from start: Duration,
        until end: Duration,
        _ database: Database
    ) throws -> [Int64: ProbeFigures] {
        let first = start.flooredSeconds.floorDivided(by: 60)
        let last = end.flooredSeconds.floorDivided(by: 60)
        var minutes: [Int64: ProbeFigures] = [:]
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT hour, figures FROM minutes WHERE hour BETWEEN ? AND ? AND target = ?",
            arguments: [first.floorDivided(by: 60), last.floorDivided(by: 60), target]
        )
        while let row = try rows.next() {
            guard let hour = row.integer(0) else { continue }
            FigureSeries.read(.minute, row.bytes(1)) { minutes[hour * 60 + Int64($0)] = $1 }
        }
        for hour in try hoursOfSnapshots(database) where hour * 60 <= last && hour * 60 + 60 > first {
            let (series, _) = try Self.minutes(of: target...target, inHourOfSnapshots: hour, database)
            for (slot, figures) in series[target]?.figures ?? [:] { minutes[hour * 60 + Int64(slot)] = figures }
        }
        return minutes.filter { (first...last).contains($0.key) }
    }

    /// The probes of a target in the columns of a chart.
    ///
    /// - Parameter target: its number; nil if the file has no record of it.
    static func chart(of target: Int64?, _ period: ChartPeriod, _ database: Database) throws -> StoredChart {
        guard let target else { return StoredChart(period, minutes: [:], hours: [:]) }
        let minutes = try minutes(of: target, from: period.start, until: period.end, database)
        var hours: [Int64: ProbeFigures] = [:]
        let days = try Row.fetchCursor(
            database,
            sql: "SELECT day, figures FROM hours WHERE day BETWEEN ? AND ? AND target = ?",
            arguments: [
                period.start.flooredSeconds.floorDivided(by: 86_400),
                period.end.flooredSeconds.floorDivided(by: 86_400),
                target,
            ]
        )
        while let row = try days.next() {
            guard let day = row.integer(0) else { continue }
            FigureSeries.read(.hour, row.bytes(1)) { hours[day * 24 + Int64($0)] = $1 }
        }
        return StoredChart(period, minutes: minutes, hours: hours)
    }
}
