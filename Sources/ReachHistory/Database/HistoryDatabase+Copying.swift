import Foundation
import GRDB
import ReachBasics
package import ReachMonitoring

extension HistoryDatabase {
    // MARK: Export

    /// Passes all records to a closure: targets and runs before what refers to them.
    package func export(_ body: (StoredRecord) throws -> Void) throws {
        try mappingErrors {
            try queue.read { database in
                try Self.exportTargets(database, body)
                try Self.exportRuns(database, body)
                try Self.exportEvents(database, body)
                try Self.exportFigures(database, body)
            }
        }
    }

    static func exportTargets(_ database: Database, _ body: (StoredRecord) throws -> Void) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT id, name, url, grp FROM target ORDER BY id")
        while let row = try rows.next() {
            guard let id = row.integer(0), let name = row.text(1), let url = row.text(2) else { continue }
            try body(.target(id: id, name: name, url: url, group: row.text(3)))
        }
    }

    static func exportRuns(_ database: Database, _ body: (StoredRecord) throws -> Void) throws {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT id, source, version, started, seen, ended FROM run ORDER BY id"
        )
        while let row = try rows.next() {
            guard let id = row.integer(0), let source = row.text(1), let version = row.text(2),
                let start = row.duration(3), let seen = row.duration(4)
            else { continue }
            let end = row.duration(5)
            try body(.run(id: id, source: source, version: version, start: start, seen: seen, end: end))
        }
    }

    private static func exportEvents(_ database: Database, _ body: (StoredRecord) throws -> Void) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT \(eventColumns), run FROM event ORDER BY id")
        while let row = try rows.next() {
            guard let event = HistoryEvent(row), let run = row.integer(10) else { continue }
            try body(.event(event, target: row.integer(0), run: run))
        }
    }

    private static func exportFigures(_ database: Database, _ body: (StoredRecord) throws -> Void) throws {
        // The hours whose minutes are gone.
        let days = try Row.fetchCursor(database, sql: "SELECT day, target, figures FROM hours ORDER BY day, target")
        let exists = try database.cachedStatement(sql: "SELECT 1 FROM minutes WHERE hour = ? AND target = ?")
        while let row = try days.next() {
            guard let day = row.integer(0), let target = row.integer(1) else { continue }
            for (slot, figures) in FigureSeries(.hour, bytes: row.bytes(2)).figures.sorted(by: { $0.key < $1.key }) {
                let hour = day * 24 + Int64(slot)
                guard try Row.fetchOne(exists, arguments: [hour, target]) == nil else { continue }
                try body(.hour(figures, target: target, number: hour))
            }
        }
        let unmoved = try hoursOfSnapshots(database)
        let hours = try Row.fetchCursor(
            database,
            sql: "SELECT hour, target, figures FROM minutes ORDER BY hour, target"
        )
        while let row = try hours.next() {
            guard let hour = row.integer(0), let target = row.integer(1), !unmoved.contains(hour) else { continue }
            try exportMinutes(FigureSeries(.minute, bytes: row.bytes(2)), of: target, in: hour, body)
        }
        // A restart makes two rows of a minute: a line has their sum, since an import takes the same minute once.
        let last = try Int64.fetchOne(database, sql: "SELECT max(id) FROM target") ?? 0
        for hour in unmoved.sorted() {
            for first in stride(from: 0, through: last, by: Int(targetsInRow)) {
                let targets = first...first + targetsInRow - 1
                let (series, _) = try minutes(of: targets, inHourOfSnapshots: hour, database)
                for (target, minutes) in series.sorted(by: { $0.key < $1.key }) {
                    try exportMinutes(minutes, of: target, in: hour, body)
                }
            }
        }
    }

    private static func exportMinutes(
        _ minutes: FigureSeries,
        of target: Int64,
        in hour: Int64,
        _ body: (StoredRecord) throws -> Void
    ) throws {
        for (slot, figures) in minutes.figures.sorted(by: { $0.key < $1.key }) {
            try body(.minute(figures, target: target, number: hour * 60 + Int64(slot)))
        }
    }

    // MARK: Import

    /// Adds the records that the file lacks, in one transaction: runs with their events, minutes and hours. A run that the
    /// file has goes on with the events after its newest ones.
    ///
    /// - Parameter next: returns the next record; nil at the end.
    /// - Returns: the number of records that were added, and of those whose target or run was not among the records
    ///   before.
    package func add(_ next: () throws -> StoredRecord?) throws -> (added: Int, orphans: Int) {
        try mappingErrors {
            try queue.write { database in
                var addition = Addition(hoursOfSnapshots: try Self.hoursOfSnapshots(database))
                while let record = try next() { try addition.add(record, database) }
                try addition.addMinutes(database)
                return (addition.count, addition.orphans)
            }
        }
    }

    // MARK: Pruning

    /// A record may be so much later than the clock: another machine's clock, or one that was set back by a bit.
    private static let clockTolerance = Duration.seconds(86_400)

    /// Removes what is older than the settings keep, and returns the space to the system, in small steps.
    ///
    /// - Parameters:
    ///   - now: the present wall time, which the user trusts.
    ///   - isWithFuture: whether what is more than a day later is removed too. If not, it is a failure.
    package func prune(
        _ settings: HistorySettings,
        at now: Duration,
        withFuture isWithFuture: Bool = false
    ) throws(HistoryFailure) {
        let limit = now + Self.clockTolerance
        if isWithFuture {
            try write { try Self.removeRows(after: limit, $0) }
        } else if let last = try summary().last, last > limit {
            let clock = WallTime(start: .zero)
            let problem =
                "the newest record is of \(clock.timestamp(at: last)), but the clock says \(clock.timestamp(at: now))"
            let fix = "set the clock; if it is right, remove such records too: reach history --prune --future"
            throw HistoryFailure(.other, "\(problem) – \(fix)")
        }
        try write { try Self.setRetentionTime(now, $0) }
        while try write({ try Self.removeOldRows(settings, at: now, $0) }) {}
        while try write({ try Self.returnFreePages($0, keeping: 0) }) {}
        do {
            _ = try queue.writeWithoutTransaction { try $0.checkpoint(.truncate) }
        } catch {
            throw HistoryFailure(error, path: path)
        }
    }

    /// Runs a closure, and turns errors of SQLite into failures.
    func mappingErrors<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as DatabaseError {
            throw HistoryFailure(error, path: path)
        }
    }
}

/// Adds the records of an export.
private struct Addition {
    private(set) var count = 0
    /// The number of records that refer to a target or a run that is missing.
    private(set) var orphans = 0
    /// The hours whose figures the file has as snapshots.
    private let hoursOfSnapshots: Set<Int64>
    /// The numbers in this file, by those of the export.
    private var targets: [Int64: Int64] = [:]
    private var runs: [Int64: Int64] = [:]
    /// The newest event in this file of each target in a run; 0 if there is none, or the records had it. Those before it
    /// are not added: the file has them, or has removed them as old.
    private var newest: [Int64: [Int64?: Int64]] = [:]
    /// The minutes of an hour and a target, which are written together.
    private var minutes = FigureSeries(.minute)
    private var (hour, target): (Int64, Int64) = (.min, .min)

    init(hoursOfSnapshots: Set<Int64>) {
        self.hoursOfSnapshots = hoursOfSnapshots
    }

    mutating func add(_ record: StoredRecord, _ database: Database) throws {
        switch record {
        case .target(let id, let name, let url, let group):
            let target = StoredTarget(name: name, url: url, group: group)
            targets[id] = try HistoryDatabase.number(of: target, database)
        case .run(let id, let source, let version, let start, let seen, let end):
            let (run, isChanged) = try HistoryDatabase.addRun(
                database,
                of: source,
                version: version,
                from: start,
                seen: seen,
                end: end
            )
            (runs[id], newest[id]) = (run, [:])
            if isChanged { count += 1 }
        case .event(let event, let target, let run):
            let number = target.flatMap { targets[$0] }
            guard let inFile = runs[run], target == nil || number != nil else {
                orphans += 1
                return
            }
            let equal = try HistoryDatabase.number(of: event, of: number, in: inFile, database)
            let last =
                try newest[run]?[number] ?? HistoryDatabase.newestEvent(of: number, in: inFile, database) ?? 0
            newest[run, default: [:]][number] = equal == last ? 0 : last
            guard last == 0, equal == nil else { return }
            try HistoryDatabase.insert(event, of: number, in: inFile, database)
            count += 1
        case .minute(let figures, let target, let number):
            guard let target = targets[target] else {
                orphans += 1
                return
            }
            let hour = number.floorDivided(by: 60)
            if hour != self.hour || target != self.target {
                try addMinutes(database)
                (self.hour, self.target) = (hour, target)
            }
            // Of two exports of a minute, the later one has more probes.
            let slot = Int(number - hour * 60)
            if figures.sent > minutes.figures[slot]?.sent ?? 0 { minutes.figures[slot] = figures }
        case .hour(let figures, let target, let number):
            guard let target = targets[target] else {
                orphans += 1
                return
            }
            if try HistoryDatabase.addHour(figures, number, of: target, database) { count += 1 }
        }
    }

    /// Writes the minutes that were collected, except those that the file has with as many probes.
    mutating func addMinutes(_ database: Database) throws {
        defer { minutes = FigureSeries(.minute) }
        guard !minutes.figures.isEmpty else { return }
        count += try HistoryDatabase.addMissing(
            minutes,
            of: target,
            in: hour,
            withSnapshots: hoursOfSnapshots.contains(hour),
            database
        )
    }
}
