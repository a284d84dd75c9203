import Foundation
import GRDB
import ReachBasics
package import ReachMonitoring

/// A target in the file.
package struct TargetRow: Sendable, Hashable {
    package let id: Int64
    package let name: String
    package let url: String
    package let group: String?
    /// The availability that is required of it, from the settings.
    package var sla = ServiceLevel.usual

    /// The number of a target without a record: those of SQLite begin with one.
    package static let unrecorded: Int64 = 0

    package init(id: Int64, name: String, url: String, group: String?, sla: ServiceLevel = .usual) {
        (self.id, self.name, self.url, self.group, self.sla) = (id, name, url, group, sla)
    }
}

/// The numbers and the times of the records in the file.
package struct HistorySummary: Sendable, Hashable {
    /// The number of targets, of runs of the program, and of events.
    package var (targets, runs, events) = (0, 0, 0)
    /// The time of the first and of the last record, since 1970; nil if there is none.
    package var (first, last): (Duration?, Duration?) = (nil, nil)
}

extension HistoryDatabase {
    /// Returns the numbers and the times of the records in the file.
    package func summary() throws(HistoryFailure) -> HistorySummary {
        try read { database in
            var summary = HistorySummary()
            let count = { (table: String) in try Int.fetchOne(database, sql: "SELECT count(*) FROM \(table)") ?? 0 }
            summary.targets = try count("target")
            summary.runs = try count("run")
            summary.events = try count("event")
            let runs = try Row.fetchOne(database, sql: "SELECT min(started), max(seen) FROM run")
            let events = try Row.fetchOne(database, sql: "SELECT min(time), max(time) FROM event")
            let minute = try Row.fetchOne(database, sql: "SELECT max(minute) FROM snapshot")?.integer(0)
            summary.first = [runs?.duration(0), events?.duration(0)].compactMap(\.self).min()
            // A run begins within an hour.
            if let hour = try Self.firstHour(database).map({ Duration.seconds($0 * 3_600) }),
                summary.first.map({ hour + .seconds(3_600) <= $0 }) ?? true
            {
                summary.first = hour
            }
            // The clock may have been set back: a later record is not that of the run that wrote last.
            let lasts = [runs?.duration(1), events?.duration(1), minute.map { .seconds($0 * 60) }]
            summary.last = lasts.compactMap(\.self).max()
            return summary
        }
    }

    /// The number of the first hour that has figures; nil if there is none.
    private static func firstHour(_ database: Database) throws -> Int64? {
        let sql = "SELECT day, figures FROM hours WHERE day = (SELECT min(day) FROM hours)"
        let rows = try Row.fetchCursor(database, sql: sql)
        var first: Int64?
        while let row = try rows.next() {
            let figures = FigureSeries(.hour, bytes: row.bytes(1)).figures
            guard let day = row.integer(0), let slot = figures.keys.min() else { continue }
            first = min(first ?? .max, day * 24 + Int64(slot))
        }
        return first
    }

    /// The longest time between two writes of a run: a minute, and some seconds for the rows of many targets.
    private static let writePause = Duration.seconds(65)

    /// Returns when the runs that go on have all written last, since 1970; nil if none does.
    ///
    /// A run without an end that is followed by a newer one of the same source was killed: only one process at a time
    /// writes. An imported run is newer only if it was also seen later.
    ///
    /// - Parameter now: the present wall time.
    package func lastRecordOfRunning(at now: Duration) throws(HistoryFailure) -> Duration? {
        try read { database in
            let last = try Row.fetchOne(
                database,
                sql: """
                    SELECT min(seen) FROM run WHERE ended IS NULL AND seen > ? AND seen <= ? AND NOT EXISTS
                    (SELECT 1 FROM run AS newer WHERE newer.id > run.id AND newer.source = run.source
                    AND newer.seen >= run.seen)
                    """,
                arguments: [(now - Self.writePause).milliseconds, now.milliseconds]
            )
            return last?.duration(0)
        }
    }

    /// Returns the targets, in the order of their names.
    package func targets() throws(HistoryFailure) -> [TargetRow] {
        try targets("true", [])
    }

    /// Returns the targets with a name or a URL.
    package func targets(named name: String, orURL url: String) throws(HistoryFailure) -> [TargetRow] {
        try targets("name = ? OR url = ?", [name, url])
    }

    /// Returns the targets of a group.
    package func targets(inGroup group: String) throws(HistoryFailure) -> [TargetRow] {
        try targets("grp = ?", [group])
    }

    private func targets(
        _ condition: String,
        _ arguments: StatementArguments
    ) throws(HistoryFailure) -> [TargetRow] {
        try read { database in
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT id, name, url, grp FROM target WHERE \(condition) ORDER BY name, url",
                arguments: arguments
            )
            return try Array(
                rows.compactMap { row in
                    guard let id = row.integer(0), let name = row.text(1), let url = row.text(2) else { return nil }
                    return TargetRow(id: id, name: name, url: url, group: row.text(3))
                }
            )
        }
    }

    /// Returns the targets that have events in the newest run of a source, in the order of their names.
    package func targets(ofNewestRunOf source: String) throws(HistoryFailure) -> [TargetRow] {
        let run = "SELECT max(id) FROM run WHERE source = ?"
        return try targets("id IN (SELECT target FROM event WHERE run = (\(run)))", [source])
    }

    /// Returns the report of targets for a period. Targets without a record in it are left out, unless they are chosen.
    ///
    /// - Parameters:
    ///   - chosen: the targets that are first; nil for none.
    ///   - hasOthers: whether all other targets follow; nil if they do only without chosen ones.
    ///   - order: the order of the targets.
    ///   - axis: the slices of the strips; nil without strips.
    package func report(
        of chosen: [TargetRow]?,
        withOthers hasOthers: Bool? = nil,
        from start: Duration,
        until end: Duration,
        countingUnknownAsDown: Bool = false,
        order: ReportOrder = .name,
        axis: StripAxis? = nil
    ) throws(HistoryFailure) -> HistoryReport {
        let first = chosen ?? []
        let (hasOthers, kept) = (hasOthers ?? (chosen == nil), Set(first.map(\.id)))
        let others = try hasOthers ? self.targets().filter { !kept.contains($0.id) } : []
        let targets = first + others
        let rows = try read { database in
            let ids = hasOthers ? nil : first.map(\.id)
            let spans = try Self.spans(of: ids, from: start, until: end, database)
            let figures = try Self.figures(of: targets.map(\.id), from: start, until: end, database)
            let shifts = try Self.shifts(from: start, until: end, database)
            return targets.compactMap { target -> HistoryReport.Row? in
                let (spans, figures) = (spans[target.id] ?? [], figures[target.id])
                guard kept.contains(target.id) || figures != nil || !spans.isEmpty else { return nil }
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
                    sla: target.sla,
                    figures: figures,
                    shifts: shifts[target.id] ?? ShiftTotals(),
                    strip: axis?.worstStates(of: spans)
                )
            }
        }
        return HistoryReport(
            from: start,
            until: end,
            countingUnknownAsDown: countingUnknownAsDown,
            rows: rows,
            order: order,
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
        let period: StatementArguments = [end.milliseconds, start.milliseconds]
        let rows = try Row.fetchAll(
            database,
            sql: "SELECT id, started, coalesce(ended, seen) FROM run WHERE \(isInPeriod)",
            arguments: period
        )
        var runs: [Int64: StoredSpans] = [:]
        for row in rows {
            guard let id = row.integer(0), let started = row.duration(1), let ended = row.duration(2) else { continue }
            runs[id] = StoredSpans(of: ProgramRun(id: id, from: started, until: ended))
        }
        let events = try events(of: chosen, inRunsIn: period, database)
        while let row = try events.next() {
            guard let run = row.integer(10), let event = HistoryEvent(row) else { continue }
            runs[run]?.add(event, of: row.integer(0))
        }
        var spans: [Int64: [[WatchedSpan]]] = [:]
        for (_, run) in runs.sorted(by: { $0.key < $1.key }) {
            for (target, found) in run.byTarget { spans[target, default: []].append(found) }
        }
        return spans.mapValues(WatchedSpan.joined)
    }

    /// The condition of runs in a period, from its end and its start.
    private static let isInPeriod = "started < ?1 AND coalesce(ended, seen) > ?2"

    /// The events of targets and of the program in the runs of a period, in order, with ``eventColumns`` and the run.
    private static func events(
        of chosen: [Int64]?,
        inRunsIn period: StatementArguments,
        _ database: Database
    ) throws -> RowCursor {
        let runs = "SELECT id FROM run WHERE \(isInPeriod)"
        guard let chosen else {
            // All rows from the first to the last one: the index of runs would read them one by one.
            let ends = try Row.fetchOne(
                database,
                sql: "SELECT min(id), max(id) FROM event WHERE run IN (\(runs))",
                arguments: period
            )
            return try Row.fetchCursor(
                database,
                sql: "SELECT \(eventColumns), run FROM event WHERE id BETWEEN ? AND ? ORDER BY id",
                arguments: [ends?.integer(0), ends?.integer(1)]
            )
        }
        let numbers = chosen.map(String.init).joined(separator: ",")
        return try Row.fetchCursor(
            database,
            sql: """
                SELECT \(eventColumns), run, id FROM event WHERE run IN (\(runs)) AND target IN (\(numbers))
                UNION ALL SELECT \(eventColumns), run, id FROM event WHERE run IN (\(runs)) AND target IS NULL
                ORDER BY id
                """,
            arguments: period
        )
    }

    // MARK: Figures

    /// The targets whose sums are in memory at the same time.
    private static let targetsAtOnce = 1_000
    /// The most rows of other targets that are read to save a query.
    private static let widestGap: Int64 = 64

    /// The figures of targets in a period: of the hours in it, and of the minutes of hours that are partly in it.
    static func figures(
        of targets: [Int64],
        from start: Duration,
        until end: Duration,
        _ database: Database
    ) throws -> [Int64: ProbeFigures] {
        var figures: [Int64: ProbeFigures] = [:]
        var rest = targets.sorted()[...]
        while let low = rest.first {
            // Across a wide gap, the rows of all targets between would be read.
            let near = zip(rest, rest.dropFirst()).prefix(targetsAtOnce - 1).prefix { $1 - $0 <= widestGap }
            let chunk = rest.prefix(near.count + 1)
            let high = chunk.last ?? low
            rest = rest.dropFirst(chunk.count)
            var sums = PeriodFigures(from: start, until: end, of: Array(chunk))
            try sums.addHoursOfSnapshots(low...high, database)
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
    private var sums: [FigureSum]
    /// The targets with snapshots in an hour: their rows of minutes and of the hour are not complete.
    private var unmoved: [Int64: Set<Int64>] = [:]
    /// The index of the sum of each target.
    private let indices: [Int64: Int]

    init(from start: Duration, until end: Duration, of targets: [Int64]) {
        let first = (start.components.seconds + 59).floorDivided(by: 60)
        let last = max(first, (end.components.seconds + 59).floorDivided(by: 60))
        minutes = first..<last
        let firstHour = (first + 59).floorDivided(by: 60)
        hours = firstHour..<max(firstHour, last.floorDivided(by: 60))
        sums = [FigureSum](repeating: FigureSum(), count: targets.count)
        indices = Dictionary(zip(targets, targets.indices)) { first, _ in first }
    }

    var figures: [Int64: ProbeFigures] { indices.compactMapValues { sums[$0].figures } }

    /// Adds the hours that have snapshots, each as if its snapshots had moved.
    mutating func addHoursOfSnapshots(_ targets: ClosedRange<Int64>, _ database: Database) throws {
        for hour in try HistoryDatabase.hoursOfSnapshots(database)
        where hour * 60 < minutes.upperBound && hour * 60 + 60 > minutes.lowerBound {
            let (series, found) = try HistoryDatabase.minutes(of: targets, inHourOfSnapshots: hour, database)
            unmoved[hour] = found
            for target in found {
                guard let index = indices[target], let stored = series[target] else { continue }
                if hours.contains(hour) {
                    if let total = stored.total { sums[index].add(total) }
                } else {
                    for (slot, figures) in stored.figures where minutes.contains(hour * 60 + Int64(slot)) {
                        sums[index].add(figures)
                    }
                }
            }
        }
    }

    mutating func addHours(_ targets: ClosedRange<Int64>, _ database: Database) throws {
        // Together, SQLite would read all rows for them.
        let ends = "SELECT (SELECT min(day) FROM hours), (SELECT max(day) FROM hours)"
        guard !hours.isEmpty, let stored = try Row.fetchOne(database, sql: ends), let oldest = stored.integer(0),
            let newest = stored.integer(1)
        else { return }
        let first = max(oldest, hours.lowerBound.floorDivided(by: 24))
        let last = min(newest, (hours.upperBound - 1).floorDivided(by: 24))
        guard first <= last else { return }
        let statement = try database.cachedStatement(
            sql: "SELECT target, figures FROM hours WHERE day = ? AND target BETWEEN ? AND ?"
        )
        // A range of days would read the rows of all targets.
        for day in first...last {
            let rows = try Row.fetchCursor(statement, arguments: [day, targets.lowerBound, targets.upperBound])
            let isMoved = !unmoved.keys.contains { $0.floorDivided(by: 24) == day }
            while let row = try rows.next() {
                guard let target = row.integer(0), let index = indices[target] else { continue }
                FigureSeries.read(.hour, row.bytes(1)) { slot, figures in
                    let hour = day * 24 + Int64(slot)
                    guard hours.contains(hour), isMoved || unmoved[hour]?.contains(target) != true else { return }
                    sums[index].add(figures)
                }
            }
        }
    }

    mutating func addMinutes(_ targets: ClosedRange<Int64>, _ database: Database) throws {
        let first = minutes.lowerBound.floorDivided(by: 60)
        let last = minutes.upperBound.floorDivided(by: 60)
        for hour in Set([first, last]) where !hours.contains(hour) {
            let rows = try Row.fetchCursor(
                database,
                sql: "SELECT target, figures FROM minutes WHERE hour = ? AND target BETWEEN ? AND ?",
                arguments: [hour, targets.lowerBound, targets.upperBound]
            )
            while let row = try rows.next() {
                guard let target = row.integer(0), let index = indices[target], unmoved[hour]?.contains(target) != true
                else { continue }
                FigureSeries.read(.minute, row.bytes(1)) { slot, figures in
                    if minutes.contains(hour * 60 + Int64(slot)) { sums[index].add(figures) }
                }
            }
        }
    }
}
