import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct AvailabilityTests {
    private let run = ProgramRun(id: 1, from: .seconds(1_000), until: .seconds(2_000))

    private func change(_ from: Health, _ to: Health, at time: Int, since: Int? = nil) -> HistoryEvent {
        let began = Duration.seconds(since ?? time)
        return HistoryEvent(.transition, at: .seconds(time), from: from, to: to, since: began, detail: "refused")
    }

    private func event(_ kind: HistoryEvent.Kind, at time: Int, length: Int? = nil) -> HistoryEvent {
        HistoryEvent(kind, at: .seconds(time), length: length.map { .seconds($0) })
    }

    /// The spans as text: `unknown 1000-1010`.
    private func text(_ spans: [WatchedSpan]) -> [String] {
        spans.map { "\($0.state) \($0.start.components.seconds)-\($0.end.components.seconds)" }
    }

    @Test func `an outage begins with its first lost probe and ends with the first reply`() {
        let spans = WatchedSpan.spans(
            of: [
                change(.unknown, .up, at: 1_010), change(.up, .down, at: 1_103, since: 1_100),
                change(.down, .degraded, at: 1_200), change(.degraded, .up, at: 1_300),
            ],
            in: run
        )
        #expect(
            text(spans) == [
                "unknown 1000-1010", "up 1010-1100", "down 1100-1200", "degraded 1200-1300", "up 1300-2000",
            ]
        )
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(2_000))
        #expect(account.down == .seconds(100) && account.up == .seconds(890))
        #expect(account.availability == 890.0 / 990 && account.coverage == 0.99)
        #expect(account.outages.map(\.start) == [.seconds(1_100)] && account.outages.first?.end == .seconds(1_200))
        #expect(account.outages.first?.cause == "refused")
        #expect(account.meanTimeToRecover == .seconds(100) && account.meanTimeBetweenFailures == .seconds(890))
    }

    @Test func `the cause of an outage has where its path ended, once`() {
        func path(_ reason: String, _ detail: String, at time: Int) -> HistoryEvent {
            HistoryEvent(.path, at: .seconds(time), reason: reason, detail: detail)
        }
        func cause(_ events: [HistoryEvent]) -> String? {
            let all = [change(.unknown, .up, at: 1_010)] + events + [change(.down, .up, at: 1_200)]
            return WatchedSpan.spans(of: all, in: run).first { $0.state == .down }?.cause
        }
        let late = path("silent", "path ends after 10.1.0.1, hop 2 of 5; hops: 10.0.0.1 10.1.0.1", at: 1_105)
        let moved = path("changed", "path changed: 10.9.0.1 is hop 2, was 10.1.0.1", at: 1_104)
        let down = change(.up, .down, at: 1_103)
        #expect(cause([down, moved, late, late]) == "refused, ends after 10.1.0.1, hop 2 of 5")
        var known = down
        known.detail = "timeout, ends after 10.1.0.1, hop 2 of 5"
        #expect(cause([known, late]) == known.detail)
        #expect(cause([late, down]) == "refused")
    }

    @Test func `without time up, there is no mean time between failures`() {
        let account = Availability(
            [WatchedSpan(.down, from: .zero, until: .seconds(9))],
            from: .zero,
            until: .seconds(9)
        )
        #expect(account.outages.count == 1 && account.meanTimeBetweenFailures == nil)
    }

    @Test func `a clock that is far ahead for some seconds hides nothing that comes after`() {
        let spans = WatchedSpan.spans(
            of: [
                change(.unknown, .up, at: 1_010), event(.clock, at: 901_100, length: 900_000),
                change(.up, .down, at: 901_102), event(.clock, at: 1_106, length: -900_000),
                change(.down, .up, at: 1_200),
            ],
            in: run
        )
        #expect(
            text(spans) == [
                "unknown 1000-1010", "up 1010-1100", "unwatched 1100-1106", "down 1106-1200", "up 1200-2000",
            ]
        )
    }

    @Test func `a run that began with a clock that was ahead is watched from the correction on`() {
        let events = [
            change(.unknown, .up, at: 901_010), event(.clock, at: 1_000, length: -900_020),
            change(.up, .down, at: 1_500),
        ]
        #expect(text(WatchedSpan.spans(of: events, in: run)) == ["up 1000-1500", "down 1500-2000"])
    }

    @Test func `a clock that is set back by less than it was set forward leaves the time in between unwatched`() {
        let events = [
            change(.unknown, .up, at: 1_000), event(.clock, at: 1_300, length: 200),
            event(.clock, at: 1_150, length: -160),
        ]
        #expect(
            text(WatchedSpan.spans(of: events, in: run)) == ["up 1000-1100", "unwatched 1100-1150", "up 1150-2000"]
        )
    }

    @Test func `time paused, blocked, unknown and unwatched does not count`() {
        let spans = WatchedSpan.spans(
            of: [
                change(.unknown, .up, at: 1_000), event(.paused, at: 1_100), event(.resumed, at: 1_200),
                change(.up, .unknown, at: 1_200), change(.unknown, .up, at: 1_210), event(.blocked, at: 1_300),
                event(.unblocked, at: 1_400),
                event(.stalled, at: 1_500, length: 50), change(.up, .unknown, at: 1_600),
                change(.unknown, .up, at: 1_650), event(.removed, at: 1_800),
            ],
            in: run
        )
        #expect(
            text(spans) == [
                "up 1000-1100", "paused 1100-1200", "unknown 1200-1210", "up 1210-1300", "blocked 1300-1400",
                "up 1400-1450", "unwatched 1450-1500", "up 1500-1600", "unknown 1600-1650", "up 1650-1800",
                "unwatched 1800-2000",
            ]
        )
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(2_000))
        #expect(account.availability == 1 && account.coverage == 0.49 && account.outages.isEmpty)
        let strict = Availability(spans, from: .zero, until: .seconds(2_000), countingUnknownAsDown: true)
        #expect(strict.availability == 0.49)
    }

    @Test func `a target that was down before its dependency stays down`() {
        let events = [change(.unknown, .down, at: 1_000), event(.blocked, at: 1_100), event(.unblocked, at: 1_200)]
        #expect(text(WatchedSpan.spans(of: events, in: run)) == ["down 1000-2000"])
    }

    @Test func `an outage over a restart is one outage without the time in between`() {
        let later = ProgramRun(id: 2, from: .seconds(5_000), until: .seconds(6_000))
        let spans = WatchedSpan.joined([
            WatchedSpan.spans(of: [change(.unknown, .up, at: 1_000), change(.up, .down, at: 1_900)], in: run),
            WatchedSpan.spans(of: [change(.unknown, .down, at: 5_003), change(.down, .up, at: 5_100)], in: later),
        ])
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(6_000))
        #expect(account.outages.count == 1)
        #expect(account.outages.first?.length == .seconds(197) && account.outages.first?.end == .seconds(5_100))
        #expect(account.times[.unwatched] == .seconds(3_000))
    }

    @Test func `an hour that the clock passes twice counts once, and one that it skips is not watched`() {
        let back = WatchedSpan.spans(
            of: [
                change(.unknown, .up, at: 1_000), event(.clock, at: 1_100, length: -400),
                change(.up, .down, at: 1_400), change(.down, .up, at: 1_600),
            ],
            in: run
        )
        // The clock was at 1500 when it was set to 1100: what happened until 1500 is known already.
        #expect(text(back) == ["up 1000-1500", "down 1500-1600", "up 1600-2000"])
        let forth = WatchedSpan.spans(
            of: [change(.unknown, .up, at: 1_000), event(.clock, at: 1_700, length: 400)],
            in: run
        )
        #expect(text(forth) == ["up 1000-1300", "unwatched 1300-1700", "up 1700-2000"])
    }

    @Test func `of two processes at the same time, an outage that one of them saw counts, and time counts once`() {
        let other = ProgramRun(id: 2, from: .seconds(1_500), until: .seconds(2_500))
        let spans = WatchedSpan.joined([
            WatchedSpan.spans(of: [change(.unknown, .down, at: 1_500)], in: other),
            WatchedSpan.spans(of: [change(.unknown, .up, at: 1_000)], in: run),
        ])
        #expect(text(spans) == ["up 1000-1500", "down 1500-2500"])
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(2_500))
        #expect(account.up == .seconds(500) && account.down == .seconds(1_000) && account.outages.count == 1)
    }

    @Test func `of two processes, the reply to one of them during maintenance ends an outage`() {
        let other = ProgramRun(id: 2, from: .seconds(1_300), until: .seconds(2_500))
        let spans = WatchedSpan.joined([
            WatchedSpan.spans(
                of: [
                    change(.unknown, .up, at: 1_000), change(.up, .down, at: 1_100), event(.maintenance, at: 1_200),
                    change(.down, .up, at: 1_400), event(.maintenanceEnded, at: 1_600), change(.up, .down, at: 1_700),
                ],
                in: run
            ),
            WatchedSpan.spans(of: [event(.maintenance, at: 1_350), event(.maintenanceEnded, at: 1_550)], in: other),
        ])
        #expect(
            text(spans) == [
                "up 1000-1100", "down 1100-1200", "maintenance 1200-1600", "up 1600-1700", "down 1700-2000",
                "unknown 2000-2500",
            ]
        )
        let account = Availability(spans, from: .seconds(1_000), until: .seconds(2_500))
        #expect(account.outages.map(\.end) == [.seconds(1_400), nil])
        #expect(account.outages.map(\.length) == [.seconds(100), .seconds(300)])
    }

    @Test func `time is watched if one of two processes watched it`() {
        let other = ProgramRun(id: 2, from: .seconds(500), until: .seconds(2_500))
        let spans = WatchedSpan.joined([
            WatchedSpan.spans(of: [change(.unknown, .up, at: 600), event(.paused, at: 1_200)], in: other),
            WatchedSpan.spans(of: [change(.unknown, .down, at: 1_000), change(.down, .up, at: 1_100)], in: run),
        ])
        #expect(
            text(spans) == [
                "unknown 500-600", "up 600-1000", "down 1000-1100", "up 1100-2000", "paused 2000-2500",
            ]
        )
    }

    /// The state of each second is that of the span that comes first, in 500 random histories of overlapping runs.
    @Test func `overlapping runs are joined as second by second`() {
        var random = TestSupport.SplitMix(seed: 20)
        for _ in 0..<500 {
            let runs = (0..<Int.random(in: 1...4, using: &random)).map { _ in
                var time = Int.random(in: 0..<40, using: &random)
                return (0..<Int.random(in: 0...6, using: &random)).map { _ in
                    let start = time + Int.random(in: 0..<3, using: &random) / 2
                    time = start + Int.random(in: 1..<20, using: &random)
                    let state = WatchedSpan.State.allCases.randomElement(using: &random) ?? .up
                    return WatchedSpan(state, from: .seconds(start), until: .seconds(time))
                }
            }
            let joined = WatchedSpan.joined(runs)
            for (one, next) in zip(joined, joined.dropFirst()) { #expect(one.end <= next.start) }
            for second in 0..<200 {
                let time = Duration.seconds(second)
                let states = runs.joined().filter { $0.start <= time && time < $0.end }.map(\.state)
                let expected = states.min { $0.precedence < $1.precedence }
                let found = joined.first { $0.start <= time && time < $0.end }?.state
                guard found != expected else { continue }
                Issue.record("\(second): \(String(describing: found)), not \(String(describing: expected))")
            }
        }
    }

    @Test func `an outage counts as far as it lies in the period`() {
        let spans = [
            WatchedSpan(.up, from: .seconds(0), until: .seconds(100)),
            WatchedSpan(.down, from: .seconds(100), until: .seconds(300), because: "timeout"),
            WatchedSpan(.up, from: .seconds(300), until: .seconds(400)),
            WatchedSpan(.down, from: .seconds(400), until: .seconds(500)),
        ]
        let account = Availability(spans, from: .seconds(200), until: .seconds(450))
        #expect(account.outages.map(\.start) == [.seconds(100), .seconds(400)])
        #expect(account.outages.map(\.length) == [.seconds(100), .seconds(50)])
        #expect(account.outages.map(\.end) == [.seconds(300), nil])
        #expect(account.meanTimeToRecover == .seconds(100))
        #expect(account.longest?.cause == "timeout")
    }

    /// 10,000 random histories: the times of all states fill the period, the outages the time down, and no span overlaps.
    @Test func `random histories are accounted for without gaps and overlaps`() {
        var random = TestSupport.SplitMix(seed: 2026)
        for _ in 0..<10_000 {
            let runs = randomRuns(&random)
            let spans = WatchedSpan.joined(runs)
            for (one, next) in zip(spans, spans.dropFirst()) { #expect(one.end <= next.start) }
            let first = Int.random(in: 0..<3_000, using: &random)
            let last = first + Int.random(in: 1..<6_000, using: &random)
            let (start, end) = (Duration.seconds(first), Duration.seconds(last))
            let account = Availability(spans, from: start, until: end)
            let watched = max(start, min(end, spans.first?.start ?? end))
            #expect(account.times.values.reduce(.zero, +) == end - watched)
            #expect(account.outages.reduce(.zero) { $0 + $1.length } == account.times[.down] ?? .zero)
            // The same by another way: the spans are cut to the period.
            let up = spans.filter { $0.state == .up || $0.state == .degraded }.reduce(Duration.zero) { sum, span in
                sum + max(.zero, min(span.end, end) - max(span.start, start))
            }
            #expect(account.up == up)
        }
    }

    private func randomRuns(_ random: inout TestSupport.SplitMix) -> [[WatchedSpan]] {
        var time = Int.random(in: 0..<500, using: &random)
        return (0..<Int.random(in: 1...4, using: &random)).map { number in
            let start = time
            var events: [HistoryEvent] = []
            for _ in 0..<Int.random(in: 0...8, using: &random) {
                time += Int.random(in: 1..<300, using: &random)
                let health = Health.allCases.randomElement(using: &random) ?? .up
                switch Int.random(in: 0..<8, using: &random) {
                case 0: events.append(event(.paused, at: time))
                case 1: events.append(event(.resumed, at: time))
                case 2: events.append(event(.blocked, at: time))
                case 3: events.append(event(.stalled, at: time, length: Int.random(in: 1..<100, using: &random)))
                default:
                    events.append(
                        change(.unknown, health, at: time, since: time - Int.random(in: 0..<5, using: &random))
                    )
                }
            }
            time += Int.random(in: 1..<300, using: &random)
            let run = ProgramRun(id: Int64(number), from: .seconds(start), until: .seconds(time))
            time += Int.random(in: -100..<500, using: &random)
            return WatchedSpan.spans(of: events, in: run)
        }
    }
}
