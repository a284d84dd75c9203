import GRDB
import ReachBasics
package import ReachMonitoring

/// What a file about an incident has of the history.
package struct IncidentPeriod: Sendable {
    /// The time of the incident, since 1970.
    package var time: Duration
    /// The time around it whose events are in the file.
    package var range: ClosedRange<Duration>
    /// The numbers of the targets in the history, and whether all of their minutes are in the file. Of the others, it has those
    /// that the screen of the incident shows.
    package var targets: [(number: Int64, hasMinutes: Bool)]

    package init(at time: Duration, in range: ClosedRange<Duration>, of targets: [(number: Int64, hasMinutes: Bool)]) {
        (self.time, self.range, self.targets) = (time, range, targets)
    }
}

extension HistoryDatabase {
    /// Passes the records of a period to a closure, with the earlier events from which the state at its beginning follows:
    /// targets and runs before what refers to them.
    ///
    /// - Returns: the number of events.
    package func export(_ period: IncidentPeriod, _ body: (StoredRecord) throws -> Void) throws -> Int {
        try mappingErrors {
            try queue.read { database in
                let numbers = Set(period.targets.map(\.number))
                try Self.exportTargets(database) { record in
                    if case .target(let id, _, _, _) = record, numbers.contains(id) { try body(record) }
                }
                let runs = try Self.runs(in: period.range, database)
                try Self.exportRuns(database) { record in
                    if case .run(let id, _, _, _, _, _) = record, runs.contains(id) { try body(record) }
                }
                var events = try Self.stateEvents(of: numbers, in: runs, at: period.range.lowerBound, database)
                events.merge(try Self.events(of: numbers, in: runs, period.range, database)) { $1 }
                Self.limitOutput(of: &events, around: period.time)
                for (_, record) in events.sorted(by: { $0.key < $1.key }) { try body(record) }
                try Self.exportMinutes(period, database, body)
                return events.count
            }
        }
    }

    /// The targets that were down or degraded at a time, or became so in the hour before.
    package func failing(at time: Duration, of targets: [Int64]) throws(HistoryFailure) -> [Int64] {
        try read { database in
            let chosen = Set(targets)
            let ids = Dictionary(targets.map { ($0, Target.ID(Int($0))) }) { $1 }
            let numbers = Dictionary(ids.map { ($0.value, $0.key) }) { $1 }
            let moment = try Self.moment(at: time, numbers, database)
            return moment.targets.compactMap { id, target in
                let last = target.events.last { $0.kind == .transition }
                let isFailing = last?.to == .down || last?.to == .degraded
                let isRecent = target.events.contains {
                    $0.kind == .transition && $0.to == .down && $0.time > time - .seconds(3_600)
                }
                return isFailing || isRecent ? numbers[id] : nil
            }.filter(chosen.contains).sorted().prefix(Self.maxWhole).map(\.self)
        }
    }

    /// The most targets of which a file has all minutes without being asked for them.
    private static let maxWhole = 60

    /// The earliest and the last time of which the history has something; nil if it has nothing.
    package func range(at now: Duration) throws(HistoryFailure) -> ClosedRange<Duration>? {
        try read { database in
            let row = try Row.fetchOne(database, sql: "SELECT min(started), max(\(Self.runEnd)) FROM run")
            guard let start = row?.duration(0), let end = row?.duration(1) else { return nil }
            return start...max(start, min(end, now))
        }
    }

    private static func runs(in range: ClosedRange<Duration>, _ database: Database) throws -> [Int64] {
        try Int64.fetchAll(
            database,
            sql: "SELECT id FROM run WHERE started <= ? AND \(runEnd) >= ? ORDER BY id",
            arguments: [range.upperBound.milliseconds, range.lowerBound.milliseconds]
        )
    }

    /// The events, by their numbers, that the state of targets at a time follows from.
    private static func stateEvents(
        of targets: Set<Int64>,
        in runs: [Int64],
        at time: Duration,
        _ database: Database
    ) throws -> [Int64: StoredRecord] {
        let newest = try newestEvent(until: time, database)
        let statement = try database.cachedStatement(
            sql: """
                SELECT \(eventColumns), id FROM event INDEXED BY event_run
                WHERE run = ? AND target = ? AND id <= ? AND time <= ? ORDER BY id DESC LIMIT \(fewestEvents)
                """
        )
        var events: [Int64: StoredRecord] = [:]
        for target in targets {
            for run in runs {
                let rows = try Row.fetchCursor(statement, arguments: [run, target, newest, time.milliseconds])
                var ended: Set<HistoryEvent.Kind> = []
                while let row = try rows.next() {
                    guard let event = HistoryEvent(row), let id = row.integer(10), event.kind.lasts,
                        !ended.contains(event.kind)
                    else { continue }
                    events[id] = .event(event, target: target, run: run)
                    ended.formUnion(event.kind.ended.union([event.kind]))
                }
                guard !ended.contains(.transition),
                    let last = try verdict(of: target, in: run, until: time, newest: newest, database)
                else { continue }
                events[last.number] = .event(last.event, target: target, run: run)
            }
        }
        return events
    }

    /// The events of targets and of the program in a range, by their numbers.
    private static func events(
        of targets: Set<Int64>,
        in runs: [Int64],
        _ range: ClosedRange<Duration>,
        _ database: Database
    ) throws -> [Int64: StoredRecord] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(eventColumns), id, run FROM event INDEXED BY event_time
                WHERE time > ? AND time <= ?
                """,
            arguments: [range.lowerBound.milliseconds, range.upperBound.milliseconds]
        )
        var events: [Int64: StoredRecord] = [:]
        while let row = try rows.next() {
            guard let event = HistoryEvent(row), let id = row.integer(10), let run = row.integer(11),
                runs.contains(run),
                row.integer(0).map(targets.contains) ?? true
            else { continue }
            events[id] = .event(event, target: row.integer(0), run: run)
        }
        return events
    }

    /// Removes the output of the events that are furthest from a time, so that a file stays under a megabyte.
    private static func limitOutput(of events: inout [Int64: StoredRecord], around time: Duration) {
        var left = maxOutput
        let distances = events.compactMapValues { record in
            if case .event(let event, _, _) = record, event.output != nil {
                max(event.time - time, time - event.time)
            } else {
                nil
            }
        }
        for (number, _) in distances.sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard case .event(var event, let target, let run)? = events[number] else { continue }
            left -= event.output?.utf8.count ?? 0
            guard left < 0 else { continue }
            event.output = nil
            events[number] = .event(event, target: target, run: run)
        }
    }

    /// The most bytes of the output of all events in a file.
    private static let maxOutput = 200_000

    /// The part of a period around a time that has few enough events for a file under a megabyte.
    package func limited(
        _ range: ClosedRange<Duration>,
        around time: Duration
    ) throws(HistoryFailure) -> ClosedRange<Duration> {
        try read { database in
            let (most, least) = (Self.mostEventsBefore, Self.mostEventsAfter)
            let first = try Row.fetchOne(
                database,
                sql: "SELECT time FROM event WHERE time > ? AND time <= ? ORDER BY time DESC LIMIT 1 OFFSET \(most)",
                arguments: [range.lowerBound.milliseconds, time.milliseconds]
            )?.duration(0)
            let last = try Row.fetchOne(
                database,
                sql: "SELECT time FROM event WHERE time > ? AND time <= ? ORDER BY time LIMIT 1 OFFSET \(least)",
                arguments: [time.milliseconds, range.upperBound.milliseconds]
            )?.duration(0)
            // The first event beyond the limit is the last one that is not in the file.
            return min(
                time,
                first ?? range.lowerBound
            )...max(time, last.map { $0 - .milliseconds(1) } ?? range.upperBound)
        }
    }

    /// The most events of a file before and after its time.
    private static let (mostEventsBefore, mostEventsAfter) = (1_500, 1_000)

    private static func exportMinutes(
        _ period: IncidentPeriod,
        _ database: Database,
        _ body: (StoredRecord) throws -> Void
    ) throws {
        let whole = Set(period.targets.filter(\.hasMinutes).map(\.number))
        let number = { (time: Duration) in time.flooredSeconds.floorDivided(by: 60) }
        let all = number(period.range.lowerBound)...number(period.range.upperBound)
        let few = number(period.time - StoredMoment.minutesBefore)...number(period.time + StoredMoment.minutesAfter)
        var minutes: [(target: Int64, number: Int64, figures: ProbeFigures)] = []
        let ids = Dictionary(period.targets.map { ($0.number, Target.ID(0)) }) { $1 }
        try readMinutes(from: all.lowerBound, through: all.upperBound, ids, database) { target, number, figures in
            let range = whole.contains(target) ? all : few
            if range.contains(number) { minutes.append((target, number, figures)) }
        }
        for minute in minutes.sorted(by: { ($0.number, $0.target) < ($1.number, $1.target) }) {
            try body(.minute(minute.figures, target: minute.target, number: minute.number))
        }
    }
}

extension HistoryEvent.Kind {
    /// Whether something of the target's state lasts after the event.
    fileprivate var lasts: Bool {
        switch self {
        case .acknowledged, .flapping, .fault, .cause, .address: true
        case .acknowledgementEnded, .flappingEnded, .faultCleared: true
        default: isState || self == .resumed || self == .unblocked || self == .maintenanceEnded || self == .removed
        }
    }
}
