import Testing

@testable import ReachMonitoring

/// The cases of Icinga's SLA tests (https://github.com/Icinga/icingadb/blob/main/tests/sql/sla_test.go) as data: our
/// accounting of the same times, with Icinga's rules for what counts, gives Icinga's figures.
///
/// In Icinga, a downtime counts as OK, a pending state does not count at all, and without a record the object was OK.
@Suite struct SLACaseTests {
    struct Case: Sendable, CustomStringConvertible {
        let description: String
        /// The changes: time, new state, and the state before; 0 is OK, 2 critical, 99 pending.
        var changes: [(time: Int, state: Int, before: Int)] = []
        /// The planned downtimes.
        var downtimes: [Range<Int>] = []
        /// The state now, as far as it is known.
        var current: Int?
        var end = 2_000
        let expected: Double
    }

    static let cases: [Case] = [
        Case(description: "EmptyHistory", expected: 100),
        Case(
            description: "MultipleStateChanges",
            changes: [
                (1_000, 2, 99), (1_100, 0, 2), (1_300, 2, 0), (1_400, 0, 2), (1_600, 2, 0), (1_700, 0, 2),
                (1_900, 2, 0),
            ],
            expected: 60
        ),
        Case(
            description: "MultipleStateChangesDecimalsOddNumbers",
            changes: [
                (1_000, 2, 99), (1_023, 0, 2), (1_100, 2, 0), (1_242, 0, 2), (1_300, 2, 0), (1_307, 0, 2),
                (1_400, 2, 0),
                (1_666, 0, 2),
            ],
            expected: 56.2
        ),
        Case(
            description: "MultipleStateChangesDecimalsFractionOneThird",
            changes: [(1_000, 2, 99), (1_100, 0, 2)],
            end: 1_300,
            expected: 66.6667
        ),
        Case(
            description: "MultipleStateChangesDecimalsFractionSeventhPart",
            changes: [(1_000, 2, 99), (1_600, 0, 2)],
            end: 1_700,
            expected: 14.2857
        ),
        Case(
            description: "OverlappingDowntimesAndProblems",
            changes: [(1_200, 2, 0), (1_500, 0, 2)],
            downtimes: [1_100..<1_300, 1_400..<1_600],
            expected: 90
        ),
        Case(description: "CriticalBeforeInterval", changes: [(0, 2, 99)], expected: 0),
        Case(
            description: "CriticalBeforeIntervalWithDowntime",
            changes: [(800, 2, 99)],
            downtimes: [600..<1_800],
            expected: 80
        ),
        Case(
            description: "CriticalBeforeIntervalWithOverlappingDowntimes",
            changes: [(800, 2, 99)],
            downtimes: [600..<1_000, 800..<1_200, 1_000..<1_400, 1_600..<2_000, 1_800..<2_200],
            expected: 80
        ),
        Case(description: "FallbackToPreviousState", changes: [(1_200, 0, 2)], expected: 80),
        Case(description: "FallbackToCurrentState", current: 2, expected: 0),
        Case(
            description: "PreferInitialStateFromBeforeOverLaterState",
            changes: [(800, 2, 99), (1_200, 0, 0)],
            expected: 80
        ),
        Case(
            description: "PreferInitialStateFromBeforeOverCurrentState",
            changes: [(800, 2, 99)],
            current: 0,
            expected: 0
        ),
        Case(description: "PreferLaterStateOverCurrentState", changes: [(1_200, 0, 2)], current: 2, expected: 80),
        Case(
            description: "InitialUnknownReducesTotalTime",
            changes: [(1_500, 2, 99), (1_700, 0, 2)],
            current: 0,
            expected: 60
        ),
        Case(
            description: "IntermediateUnknownReducesTotalTime",
            changes: [(1_000, 0, 2), (1_100, 2, 0), (1_600, 0, 99), (1_800, 2, 0)],
            current: 0,
            expected: 60
        ),
    ]

    @Test(arguments: cases) func `the accounting gives the figures of Icinga`(row: Case) {
        let account = Availability(Self.spans(of: row), from: .seconds(1_000), until: .seconds(row.end))
        let downtime = account.maintenance
        let judged = account.up + account.down + downtime
        let percent = judged > .zero ? (account.up + downtime) / judged * 100 : 100
        #expect((percent * 10_000).rounded() / 10_000 == row.expected)
    }

    /// Icinga's cases `Invalid/ZeroDuration` and `Invalid/NegativeDuration`: there, an error of SQL. Here, such a period has
    /// no figures, and `reach report` refuses it.
    @Test(arguments: [1_000, 0]) func `a period without a length has no availability`(end: Int) {
        let spans = [WatchedSpan(.down, from: .zero, until: .seconds(2_000))]
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(end))
        #expect(account.availability == nil && account.coverage == 0 && account.outages.isEmpty)
        #expect(account.length == .zero && account.times.values.allSatisfy { $0 == .zero })
    }

    /// The spans of a case. Pending time reaches back to the change before.
    private static func spans(of row: Case) -> [WatchedSpan] {
        let state = { (number: Int) -> WatchedSpan.State in number == 99 ? .unknown : number == 2 ? .down : .up }
        var spans: [WatchedSpan] = []
        var (time, present) = (0, state(row.changes.first?.before ?? row.current ?? 0))
        for change in row.changes {
            if change.before == 99 { present = .unknown }
            spans.append(WatchedSpan(present, from: .seconds(time), until: .seconds(change.time)))
            (time, present) = (change.time, state(change.state))
        }
        spans.append(WatchedSpan(present, from: .seconds(time), until: .seconds(row.end)))
        // Each second of a downtime is one, whatever the state.
        return spans.flatMap { span in
            (Int(span.start.components.seconds)..<Int(span.end.components.seconds)).map { second in
                let isDowntime = row.downtimes.contains { $0.contains(second) }
                return WatchedSpan(
                    isDowntime ? .maintenance : span.state,
                    from: .seconds(second),
                    until: .seconds(second + 1)
                )
            }
        }
    }
}
