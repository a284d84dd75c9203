import GRDB
package import Monitoring
import ReachBasics

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
