import Foundation
import GRDB
import ReachBasics
package import ReachMonitoring

extension HistoryDatabase {
    /// The span and the number of events that a new run shows.
    static let (eventSpan, maxEvents) = (Duration.seconds(86_400), 1_000)
    /// The number of paths of the last hour that a new run shows.
    private static let maxPaths = 50_000

    /// Reads what a new run of the program shows of the runs before it.
    ///
    /// - Parameters:
    ///   - source: what the targets are from.
    ///   - run: the number of the new run; nil if it writes nothing.
    ///   - start: the wall time of the program's start.
    ///   - now: the present wall time.
    ///   - hasSamples: whether the samples are read.
    func past(
        of targets: [Target.ID: StoredTarget],
        from source: String,
        before run: Int64?,
        startingAt start: Duration,
        at now: Duration,
        withSamples hasSamples: Bool = true
    ) throws(HistoryFailure) -> StoredPast {
        try read { database in
            let ids = try Self.ids(of: targets, database)
            var past = StoredPast()
            past.events = try Self.events(since: now - Self.eventSpan, before: run, ids, database)
            if hasSamples {
                past.samples = try Self.samples(
                    of: targets,
                    since: now - Self.sampleSpan,
                    startingAt: start,
                    ids,
                    database
                )
                past.paths = try Self.paths(before: run, startingAt: start, ids, database)
            }
            past.levels = try Self.levels(at: now, ids, database)
            past.lastSeen = try Self.lastSeen(from: source, before: run, ids, database)
            past.acknowledgements = try Self.acknowledgements(before: run, at: now, ids, database)
            past.finishedHooks = try Self.finishedHooks(of: targets, from: source, before: run, ids, database)
            return past
        }
    }

    /// The hook runs of actions whose rules have `cooldown` or `once`, in runs of the program for the same source. Of runs
    /// with equal results, only the newest is returned.
    private static func finishedHooks(
        of targets: [Target.ID: StoredTarget],
        from source: String,
        before run: Int64?,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [StoredPast.FinishedHook] {
        guard targets.values.contains(where: { !$0.limitedActions.isEmpty }) else { return [] }
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT target, reason, substr(detail, 1, instr(detail || char(10), char(10)) - 1) AS first, max(since), max(success)
                FROM event
                WHERE kind = 'hook' AND since IS NOT NULL AND run IN (SELECT id FROM run WHERE source = ? AND id < ?)
                GROUP BY target, reason, first ORDER BY max(since)
                """,
            arguments: [source, run ?? Int64.max]
        )
        var hooks: [StoredPast.FinishedHook] = []
        while let row = try rows.next() {
            guard let id = row.integer(0).flatMap({ ids[$0] }), let actions = targets[id]?.limitedActions,
                let event = row.text(1).flatMap({ HookEvent(rawValue: $0) }), let detail = row.text(2),
                let time = row.duration(3)
            else { continue }
            for (text, action) in actions where HookAction.isAction(text, of: detail) {
                let isSuccess = row.integer(4) == 1
                hooks.append(.init(action, of: id, on: event, at: time, isSuccess: isSuccess))
            }
        }
        return hooks
    }

    /// The identities of targets by their numbers in the file.
    private static func ids(
        of targets: [Target.ID: StoredTarget],
        _ database: Database
    ) throws -> [Int64: Target.ID] {
        var byName: [String: (id: Target.ID, url: String)] = [:]
        for (id, target) in targets { byName[target.name] = (id, target.url) }
        var ids: [Int64: Target.ID] = [:]
        let rows = try Row.fetchCursor(database, sql: "SELECT id, name, url FROM target")
        while let row = try rows.next() {
            guard let number = row.integer(0), let name = row.text(1), let target = byName[name],
                row.text(2) == target.url
            else { continue }
            ids[number] = target.id
        }
        return ids
    }

    static func events(
        since time: Duration,
        before run: Int64?,
        kind: String = "kind NOT IN ('added', 'removed', 'traced')",
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [TargetEvent] {
        let rows = try Row.fetchCursor(
            database,
            sql: """
                SELECT \(eventColumns) FROM event WHERE time >= ? AND run < ? AND \(kind)
                ORDER BY id DESC LIMIT ?
                """,
            arguments: [time.milliseconds, run ?? Int64.max, maxEvents]
        )
        var events: [TargetEvent] = []
        while let row = try rows.next() {
            guard let id = row.integer(0).flatMap({ ids[$0] }), let event = HistoryEvent(row) else { continue }
            events.append(TargetEvent(id, event))
        }
        return events.reversed()
    }

    /// The paths of targets in the time of the samples, oldest first: the newest one before that time, if it is of the last
    /// day, and all later ones.
    private static func paths(
        before run: Int64?,
        startingAt start: Duration,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [Target.ID: [StoredPath]] {
        let (first, run) = ((start - sampleSpan).milliseconds, run ?? Int64.max)
        let from = "FROM event INDEXED BY event_time WHERE kind = 'traced' AND run < ?"
        var paths: [Target.ID: [StoredPath]] = [:]
        // With max(), the other columns are those of its row.
        for (sql, arguments) in [
            (
                "SELECT \(eventColumns), max(id) \(from) AND time >= ? AND time < ? GROUP BY target",
                [run, (start - eventSpan).milliseconds, first]
            ),
            ("SELECT \(eventColumns) \(from) AND time >= ? ORDER BY id LIMIT \(maxPaths)", [run, first]),
        ] as [(String, StatementArguments)] {
            let rows = try Row.fetchCursor(database, sql: sql, arguments: arguments)
            while let row = try rows.next() {
                guard let id = row.integer(0).flatMap({ ids[$0] }), let event = HistoryEvent(row),
                    let path = StoredPath(event)
                else { continue }
                paths[id, default: []].append(path)
            }
        }
        return paths
    }

    /// The samples of targets, packed row by row.
    private static func samples(
        of targets: [Target.ID: StoredTarget],
        since time: Duration,
        startingAt start: Duration,
        _ ids: [Int64: Target.ID],
        _ database: Database
    ) throws -> [Target.ID: SampleHistory] {
        let rows = try Row.fetchCursor(
            database,
            sql: "SELECT time, blocks FROM samples WHERE time >= ? ORDER BY id",
            arguments: [time.milliseconds]
        )
        var samples: [Target.ID: SampleHistory] = [:]
        while let row = try rows.next() {
            guard let written = row.duration(0) else { continue }
            for (target, more) in SampleBlocks.samples(in: row.bytes(1), after: written - start) {
                guard let id = ids[target], let capacity = targets[id]?.maxSamples else { continue }
                var history = samples.removeValue(forKey: id) ?? SampleHistory(capacity: capacity)
                // Samples of the present run are in memory.
                for sample in more where sample.time < .zero { history.append(sample) }
                if !history.isEmpty { samples[id] = history }
            }
        }
        return samples
    }

    /// The columns of ``HistoryEvent/init(_:)``, after the target.
    static let eventColumns = "target, time, kind, old, new, since, reason, detail, length, success"
}

extension HistoryEvent {
    /// The event of a row with ``HistoryDatabase/eventColumns``; nil for a damaged one, or one of a kind that is not
    /// known.
    init?(_ row: Row) {
        guard let time = row.duration(1), let kind = row.text(2).flatMap({ Kind(rawValue: $0) }) else { return nil }
        self.init(
            kind,
            at: time,
            from: row.text(3).flatMap { Health(rawValue: $0) },
            to: row.text(4).flatMap { Health(rawValue: $0) },
            since: row.duration(5),
            reason: row.text(6),
            length: row.duration(8),
            isSuccess: row.integer(9).map { $0 != 0 }
        )
        setText(row.text(7))
    }
}

extension HistoryDatabase {
    /// Reads what the screen requests.
    ///
    /// - Parameters:
    ///   - start: the wall time of the program's start, since 1970.
    ///   - now: the present wall time.
    ///   - redaction: removes secrets, as in the stored targets.
    package func answer(
        _ request: HistoryRequest,
        startingAt start: Duration,
        at now: Duration,
        redaction: Redaction
    ) throws(HistoryFailure) -> HistoryAnswer {
        try read { database in
            switch request {
            case .pasts(let assignments):
                let numbers = try Self.numbers(of: assignments, redaction, database)
                let spans = try Self.spans(
                    of: Array(numbers.values),
                    from: now - HistoryRequest.span,
                    until: now,
                    database
                )
                let pasts = assignments.map { ($0.id, TargetPast(numbers[$0.id].flatMap { spans[$0] } ?? [])) }
                return .pasts(Dictionary(pasts) { _, new in new })
            case .figures(let assignment, let ran):
                let number = try Self.numbers(of: [assignment], redaction, database)[assignment.id]
                guard let number else { return .figures(assignment.id, TargetPast([])) }
                let first = now - HistoryRequest.span
                var past = TargetPast(try Self.spans(of: [number], from: first, until: now, database)[number] ?? [])
                let ran = ran.isEmpty ? [start..<max(start, now)] : ran
                past.figures = try Self.figures(of: number, from: first, until: now, without: ran, database)
                return .figures(assignment.id, past)
            case .availability(let assignments):
                let numbers = try Self.numbers(of: assignments, redaction, database)
                let spans = try Self.spans(of: nil, from: now - HistoryRequest.span, until: now, database)
                let all = numbers.compactMapValues { number in
                    spans[number].map { PeriodAvailability($0, at: now) }
                }
                return .availability(all)
            case .hookRuns(let assignments):
                let numbers = try Self.numbers(of: assignments, redaction, database)
                let ids = Dictionary(numbers.map { ($0.value, $0.key) }) { first, _ in first }
                var past = StoredPast()
                past.events = try Self.events(
                    since: now - Self.eventSpan,
                    before: nil,
                    kind: "kind = 'hook'",
                    ids,
                    database
                )
                return .hookRuns(past)
            case .chart(let assignment, let period):
                let number = try Self.numbers(of: [assignment], redaction, database)[assignment.id]
                return .chart(assignment.id, try Self.chart(of: number, period, database))
            case .moment(let time, let assignments):
                return .moment(
                    try Self.moment(at: time, try Self.numbers(of: assignments, redaction, database), database)
                )
            }
        }
    }

    /// The figures of a target in a period, without the minutes that are in other times.
    private static func figures(
        of target: Int64,
        from first: Duration,
        until now: Duration,
        without others: [Range<Duration>],
        _ database: Database
    ) throws -> ProbeFigures? {
        var sum = FigureSum()
        var start = first
        // A clock that was set back has records later than now.
        let end = max(now, others.last?.upperBound ?? now)
        for other in others + [end..<end] {
            // The minutes in which the other time begins and ends have probes of it, too.
            let until = Duration.seconds(other.lowerBound.components.seconds.floorDivided(by: 60) * 60)
            if start < until, let figures = try figures(of: [target], from: start, until: until, database)[target] {
                sum.add(figures)
            }
            start = max(start, .seconds((other.upperBound.components.seconds.floorDivided(by: 60) + 1) * 60))
        }
        return sum.figures
    }

    /// The numbers of targets in the file; those without a record are absent.
    private static func numbers(
        of assignments: [ProbeRequest.Assignment],
        _ redaction: Redaction,
        _ database: Database
    ) throws -> [Target.ID: Int64] {
        let find = try database.cachedStatement(sql: "SELECT id FROM target WHERE name = ? AND url = ?")
        var numbers: [Target.ID: Int64] = [:]
        for assignment in assignments {
            let target = StoredTarget(assignment.target, redaction: redaction)
            numbers[assignment.id] = try Row.fetchOne(find, arguments: [target.name, target.url])?.integer(0)
        }
        return numbers
    }
}
