import Foundation
import GRDB
package import Monitoring

/// A target in the file.
package struct TargetRow: Sendable, Hashable {
    package let id: Int64
    package let name: String
    package let url: String
    package let group: String?
}

/// What the file has.
package struct HistorySummary: Sendable, Hashable {
    /// The number of targets, of runs of the program, and of events.
    package var (targets, runs, events) = (0, 0, 0)
    /// The time of the first and of the last record, since 1970; nil if there is none.
    package var (first, last): (Duration?, Duration?) = (nil, nil)
}

extension HistoryDatabase {
    /// Returns what the file has.
    package func summary() throws(HistoryFailure) -> HistorySummary {
        try read { database in
            var summary = HistorySummary()
            let count = { (table: String) in try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            summary.targets = try count("target")
            summary.runs = try count("run")
            summary.events = try count("event")
            let hour = try Row.fetchOne(database, sql: "SELECT min(day) FROM hours")?.integer(0)
            let runs = try Row.fetchOne(database, sql: "SELECT min(started), max(seen) FROM run")
            let events = try Row.fetchOne(database, sql: "SELECT min(time), max(time) FROM event")
            let minute = try Row.fetchOne(database, sql: "SELECT max(minute) FROM snapshot")?.integer(0)
            let firsts = [hour.map { .seconds($0 * 86_400) }, runs?.duration(0), events?.duration(0)]
            // The clock may have been set back: a later record is not that of the run that wrote last.
            let lasts = [runs?.duration(1), events?.duration(1), minute.map { .seconds($0 * 60) }]
            (summary.first, summary.last) = (firsts.compactMap(\.self).min(), lasts.compactMap(\.self).max())
            return summary
        }
    }

    /// Returns the targets, in the order of their names.
    package func targets() throws(HistoryFailure) -> [TargetRow] {
        try read { database in
            let rows = try Row.fetchAll(database, sql: "SELECT id, name, url, grp FROM target ORDER BY name, url")
            return rows.compactMap { row in
                guard let id = row.integer(0), let name = row.text(1), let url = row.text(2) else { return nil }
                return TargetRow(id: id, name: name, url: url, group: row.text(3))
            }
        }
    }

    /// Returns the report of targets for a period. Targets without a record in it are left out, unless they are chosen.
    ///
    /// - Parameters:
    ///   - chosen: the targets; nil for all.
    ///   - axis: the slices of the strips; nil without strips.
    package func report(
        of chosen: [TargetRow]?,
        from start: Duration,
        until end: Duration,
        countingUnknownAsDown: Bool = false,
        axis: StripAxis? = nil
    ) throws(HistoryFailure) -> HistoryReport {
        let targets = if let chosen { chosen } else { try self.targets() }
        let rows = try read { database in
            let ids = chosen.map { $0.map(\.id) }
            let spans = try Self.spans(of: ids, from: start, until: end, database)
            let figures = try Self.figures(of: targets.map(\.id), from: start, until: end, database)
            return targets.compactMap { target -> HistoryReport.Row? in
                let (spans, figures) = (spans[target.id] ?? [], figures[target.id])
                guard chosen != nil || figures != nil || !spans.isEmpty else { return nil }
                let availability = Availability(
                    spans,
                    from: start,
                    until: end,
                    countingUnknownAsDown: countingUnknownAsDown
                )
                return HistoryReport.Row(
                    name: target.name,
                    url: target.url,
                    group: target.group,
                    availability: availability,
                    figures: figures,
                    strip: axis?.worstStates(of: spans)
                )
            }
        }
        return HistoryReport(
            from: start,
            until: end,
            countingUnknownAsDown: countingUnknownAsDown,
            rows: rows,
            axis: axis
        )
    }

    // MARK: Spans

    static func spans(
        of chosen: [Int64]?,
        from start: Duration,
        until end: Duration,
        _ database: Database
    ) throws -> [Int64: [WatchedSpan]] {
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT id, started, coalesce(ended, seen) FROM run WHERE started < ? AND coalesce(ended, seen) > ?",
            arguments: [end.milliseconds, start.milliseconds]
        )
        var spans: [Int64: [[WatchedSpan]]] = [:]
        for row in rows {
            guard let id = row.integer(0), let started = row.duration(1), let ended = row.duration(2) else { continue }
            let run = ProgramRun(id: id, from: started, until: ended)
            for (target, found) in try self.spans(of: chosen, in: run, database) {
                spans[target, default: []].append(found)
            }
        }
        return spans.mapValues(WatchedSpan.joined)
    }

    private static func spans(
        of chosen: [Int64]?,
        in run: ProgramRun,
        _ database: Database
    ) throws -> [Int64: [WatchedSpan]] {
        let numbers = chosen.map { $0.map(String.init).joined(separator: ",") }
        let condition = numbers.map { "AND (target IN (\($0)) OR target IS NULL)" } ?? ""
        let statement = try database.cachedStatement(
            sql: "SELECT \(eventColumns), id FROM event WHERE run = ? \(condition) ORDER BY id"
        )
        let rows = try Row.fetchCursor(statement, arguments: [run.id])
        var events: [Int64: [(order: Int64, event: HistoryEvent)]] = [:]
        var common: [(order: Int64, event: HistoryEvent)] = []
        while let row = try rows.next() {
            guard let event = HistoryEvent(row), let order = row.integer(10) else { continue }
            if let target = row.integer(0) {
                events[target, default: []].append((order, event))
            } else {
                common.append((order, event))
            }
        }
        return events.mapValues { own in
            let all = common.isEmpty ? own : (own + common).sorted { $0.order < $1.order }
            return WatchedSpan.spans(of: all.lazy.map(\.event), in: run)
        }
    }

    // MARK: Figures

    /// The targets whose sums are in memory at the same time.
    private static let targetsAtOnce = 1_000

    /// The figures of targets in a period: of the hours in it, and of the minutes of hours that are partly in it.
    static func figures(
        of targets: [Int64],
        from start: Duration,
        until end: Duration,
        _ database: Database
    ) throws -> [Int64: ProbeFigures] {
        var figures: [Int64: ProbeFigures] = [:]
        let ids = targets.sorted()
        for first in stride(from: 0, to: ids.count, by: targetsAtOnce) {
            let chunk = ids[first..<min(ids.count, first + targetsAtOnce)]
            guard let low = chunk.first, let high = chunk.last else { continue }
            var sums = PeriodFigures(from: start, until: end, of: Set(chunk))
            try sums.addHours(low...high, database)
            try sums.addMinutes(low...high, database)
            figures.merge(sums.figures) { $1 }
        }
        return figures
    }
}

/// Sums the figures of targets in a period.
private struct PeriodFigures {
    /// The period in minutes since 1970, from the first whole one to the one in which it ends.
    private let minutes: Range<Int64>
    /// The hours that are whole in it.
    private let hours: Range<Int64>
    private var sums: [Int64: FigureSum]

    init(from start: Duration, until end: Duration, of targets: Set<Int64>) {
        let first = HistoryDatabase.quotient(start.components.seconds + 59, by: 60)
        let last = max(first, HistoryDatabase.quotient(end.components.seconds + 59, by: 60))
        minutes = first..<last
        let firstHour = HistoryDatabase.quotient(first + 59, by: 60)
        hours = firstHour..<max(firstHour, HistoryDatabase.quotient(last, by: 60))
        sums = Dictionary(uniqueKeysWithValues: targets.map { ($0, FigureSum()) })
    }

    var figures: [Int64: ProbeFigures] { sums.compactMapValues(\.figures) }

    mutating func addHours(_ targets: ClosedRange<Int64>, _ database: Database) throws {
        // Together, SQLite would read all rows for them.
        let ends = "SELECT (SELECT min(day) FROM hours), (SELECT max(day) FROM hours)"
        guard !hours.isEmpty, let stored = try Row.fetchOne(database, sql: ends), let oldest = stored.integer(0),
            let newest = stored.integer(1)
        else { return }
        let first = max(oldest, HistoryDatabase.quotient(hours.lowerBound, by: 24))
        let last = min(newest, HistoryDatabase.quotient(hours.upperBound - 1, by: 24))
        guard first <= last else { return }
        let statement = try database.cachedStatement(
            sql: "SELECT target, figures FROM hours WHERE day = ? AND target BETWEEN ? AND ?"
        )
        // A range of days would read the rows of all targets.
        for day in first...last {
            let rows = try Row.fetchCursor(statement, arguments: [day, targets.lowerBound, targets.upperBound])
            while let row = try rows.next() {
                guard let target = row.integer(0) else { continue }
                FigureSeries.read(.hour, row.bytes(1)) { slot, figures in
                    if hours.contains(day * 24 + Int64(slot)) { sums[target]?.add(figures) }
                }
            }
        }
    }

    mutating func addMinutes(_ targets: ClosedRange<Int64>, _ database: Database) throws {
        let first = HistoryDatabase.quotient(minutes.lowerBound, by: 60)
        let last = HistoryDatabase.quotient(minutes.upperBound, by: 60)
        for hour in Set([first, last]) where !hours.contains(hour) {
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT target, figures FROM minutes WHERE hour = ? AND target BETWEEN ? AND ?",
                arguments: [hour, targets.lowerBound, targets.upperBound]
            )
            while let row = try rows.next() {
                guard let target = row.integer(0) else { continue }
                FigureSeries.read(.minute, row.bytes(1)) { slot, figures in
                    if minutes.contains(hour * 60 + Int64(slot)) { sums[target]?.add(figures) }
                }
            }
        }
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT minute, figures FROM snapshot WHERE minute >= ? AND minute < ?",
            arguments: [minutes.lowerBound, minutes.upperBound]
        )
        while let row = try rows.next() {
            for (target, figures) in MinuteSnapshot.figures(in: row.bytes(1)) { sums[target]?.add(figures) }
        }
    }
}
