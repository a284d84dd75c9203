import TestSupport
import Testing

@testable import ReachMonitoring

/// What the present run of the program knows about the past of its targets.
@Suite struct RunSpansTests {
    private let wall = WallTime(start: RandomRoster.start)

    /// The spans as text: `up 0-10`.
    private func text(_ spans: [WatchedSpan]?) -> [String] {
        (spans ?? []).map { span in
            let times = [span.start, span.end].map { ($0 - wall.start).components.seconds }
            return "\(span.state) \(times[0])-\(times[1])"
        }
    }

    @Test func `an outage begins with its first lost probe and has its reason`() throws {
        var roster = RandomRoster(["NAS"], seed: 1)
        for letters in ["r", "r", "x", "x", "x", "t", "r"] { roster.probe(0, letters) }
        roster.wait(.seconds(1))
        let spans = roster.spans(wall)[roster.ids[0]]
        #expect(text(spans) == ["unknown 0-1", "up 1-3", "down 3-7", "up 7-8"])
        #expect(spans?[2].cause == "refused")
    }

    /// The probe after a slow reply is sent before that reply arrives: `slow` is known before or after its loss.
    @Test(arguments: [true, false])
    func `an outage of a degraded target begins with its first lost probe`(isLossKnownFirst: Bool) throws {
        var roster = RandomRoster(["NAS"], seed: 1)
        let slow = Outcome.reply(roundTrip: .milliseconds(1_300))
        roster.probe(0, "r")
        for second in 2...3 {
            roster.probe(0, slow, sent: .seconds(second), known: .milliseconds(second * 1_000 + 1_300))
        }
        let refused = Outcome.failure(Failure(.refused))
        let third = { (roster: inout RandomRoster) in
            roster.probe(0, slow, sent: .seconds(4), known: .milliseconds(5_300))
        }
        if !isLossKnownFirst { third(&roster) }
        roster.probe(0, refused, sent: .seconds(5), known: .milliseconds(isLossKnownFirst ? 5_001 : 5_400))
        if isLossKnownFirst { third(&roster) }
        for second in 6...8 {
            roster.probe(0, refused, sent: .seconds(second), known: .milliseconds(second * 1_000 + 1))
        }
        roster.wait(.seconds(2))
        let (shown, stored) = (roster.spans(wall)[roster.ids[0]] ?? [], roster.storedSpans(of: 0, wall))
        #expect(shown.last?.state == .down && shown.last?.start == wall.start + .seconds(5))
        #expect(shown.map(\.start) == stored.map(\.start) && shown.map(\.state) == stored.map(\.state))
        let account = Availability(shown, from: wall.start, until: wall.start + roster.now)
        #expect(roster.roster.states[0].availability(at: roster.now) == account.availability)
    }

    @Test func `a stall is time that was not watched`() {
        var roster = RandomRoster(["NAS"], seed: 1)
        roster.probe(0, "r")
        roster.wait(.seconds(100))
        roster.stall(.seconds(60))
        roster.wait(.seconds(10))
        #expect(
            text(roster.spans(wall)[roster.ids[0]]) == ["unknown 0-1", "up 1-41", "unwatched 41-101", "up 101-111"]
        )
    }

    @Test func `before an earlier time, later events are not known`() {
        var roster = RandomRoster(["NAS"], seed: 1)
        for letters in ["r", "x", "x", "x"] { roster.probe(0, letters) }
        let spans = roster.roster.spans(of: roster.ids, until: .seconds(3), wall: wall)[roster.ids[0]]
        #expect(text(spans) == ["unknown 0-1", "up 1-3"])
    }

    /// 200 random runs: the spans are those that the history would return of the same run.
    @Test func `random runs: the spans equal those of the stored events`() {
        for seed in 0..<200 {
            var roster = RandomRoster(["A", "B", "C"], seed: UInt64(seed), maintenance: 40..<70, 110..<130)
            for _ in 0..<60 {
                roster.performRandomAction()
                roster.updateMaintenance(wall)
            }
            roster.wait(.seconds(1))
            for (index, id) in roster.ids.enumerated() {
                let stored = roster.storedSpans(of: index, wall)
                let spans = roster.spans(wall)[id] ?? []
                #expect(text(spans) == text(stored), "seed \(seed), \(id)")
                #expect(spans.map(\.firstReply) == stored.map(\.firstReply), "seed \(seed), \(id)")
            }
        }
    }

    @Test func `what was blocked or in maintenance during a pause still is after it, unless it has ended`() {
        var roster = RandomRoster(["A", "C"], seed: 1, maintenance: 20..<30)
        roster.probe(1, "r")
        roster.pause(1)
        roster.probe(0, "rxxx")
        roster.resume(1)
        roster.wait(.seconds(2))
        roster.pause(1)
        roster.probe(0, "r")
        roster.resume(1)
        roster.wait(.seconds(2))
        roster.pause(1)
        roster.wait(.seconds(12))
        roster.updateMaintenance(wall)
        roster.resume(1)
        roster.wait(.seconds(10))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(1))
        let expected = [
            "unknown 0-1", "paused 1-5", "blocked 5-7", "paused 7-8", "up 8-10", "paused 10-22",
            "maintenance 22-32", "up 32-33",
        ]
        #expect(text(roster.spans(wall)[roster.ids[1]]) == expected)
        #expect(text(roster.storedSpans(of: 1, wall)) == expected)
    }

    @Test func `an outage keeps its cause over a pause`() {
        var roster = RandomRoster(["NAS"], seed: 1)
        roster.probe(0, "rxxxx")
        roster.pause(0)
        roster.wait(.seconds(2))
        roster.resume(0)
        roster.wait(.seconds(1))
        let causes = roster.spans(wall)[roster.ids[0]]?.filter { $0.state == .down }.map(\.cause)
        #expect(causes == ["refused", "refused"])
    }

    @Test func `a pause during maintenance is maintenance`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 3..<20)
        roster.probe(0, "r")
        roster.wait(.seconds(2))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(2))
        roster.pause(0)
        roster.wait(.seconds(5))
        roster.resume(0)
        roster.wait(.seconds(10))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(2))
        let expected = ["unknown 0-1", "up 1-3", "maintenance 3-20", "up 20-22"]
        #expect(text(roster.spans(wall)[roster.ids[0]]) == expected)
        #expect(text(roster.storedSpans(of: 0, wall)) == expected)
    }

    @Test func `an outage that began during maintenance is down from its end`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 3..<20)
        roster.probe(0, "r")
        roster.wait(.seconds(3))
        roster.updateMaintenance(wall)
        roster.probe(0, "xxx")
        roster.wait(.seconds(13))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(5))
        let expected = ["unknown 0-1", "up 1-4", "maintenance 4-20", "down 20-25"]
        #expect(text(roster.spans(wall)[roster.ids[0]]) == expected)
        #expect(text(roster.storedSpans(of: 0, wall)) == expected)
    }

    @Test func `an outage whose verdict comes during maintenance is down from its first lost probe`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 5..<20)
        roster.probe(0, "rrxx")
        roster.wait(.seconds(1))
        roster.updateMaintenance(wall)
        roster.probe(0, "x")
        roster.wait(.seconds(14))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(5))
        let expected = ["unknown 0-1", "up 1-3", "down 3-5", "maintenance 5-20", "down 20-25"]
        #expect(text(roster.spans(wall)[roster.ids[0]]) == expected)
        #expect(text(roster.storedSpans(of: 0, wall)) == expected)
    }

    @Test func `an outage ends with the first reply, also during maintenance`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 5..<20)
        roster.probe(0, "rxx")
        roster.wait(.seconds(2))
        roster.updateMaintenance(wall)
        roster.probe(0, "xxxrrxxx")
        roster.wait(.seconds(7))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(5))
        let expected = ["unknown 0-1", "up 1-2", "down 2-5", "maintenance 5-20", "down 20-25"]
        for spans in [roster.spans(wall)[roster.ids[0]] ?? [], roster.storedSpans(of: 0, wall)] {
            #expect(text(spans) == expected)
            let end = wall.start + .seconds(25)
            let outages = Availability(spans, from: wall.start, until: end).outages
            // The second one begins during maintenance, and counts from its end.
            #expect(outages.map { ($0.start - wall.start).components.seconds } == [2, 20])
            #expect(outages.map { $0.end.map { ($0 - wall.start).components.seconds } } == [9, nil])
            #expect(outages.map(\.length) == [.seconds(3), .seconds(5)])
            // Before the reply, the outage goes on.
            let early = Availability(spans, from: wall.start, until: wall.start + .seconds(8)).outages
            #expect(early.map(\.end) == [nil] && early.map(\.length) == [.seconds(3)])
        }
    }

    @Test func `an outage whose verdict comes after a short maintenance is down before it too`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 4..<5)
        roster.probe(0, "rrx")
        roster.wait(.seconds(1))
        roster.updateMaintenance(wall)
        roster.probe(0, "x")
        roster.updateMaintenance(wall)
        roster.probe(0, "xr")
        roster.wait(.seconds(1))
        let expected = ["unknown 0-1", "up 1-3", "down 3-4", "maintenance 4-5", "down 5-7", "up 7-8"]
        #expect(text(roster.spans(wall)[roster.ids[0]]) == expected)
        #expect(text(roster.storedSpans(of: 0, wall)) == expected)
    }

    @Test func `a stall during maintenance was not watched`() {
        var roster = RandomRoster(["NAS"], seed: 1, maintenance: 2..<20)
        roster.probe(0, "rr")
        roster.updateMaintenance(wall)
        roster.wait(.seconds(8))
        roster.stall(.seconds(5))
        roster.wait(.seconds(10))
        roster.updateMaintenance(wall)
        roster.wait(.seconds(1))
        let expected = ["unknown 0-1", "up 1-2", "maintenance 2-5", "unwatched 5-10", "maintenance 10-20", "up 20-21"]
        #expect(text(roster.spans(wall)[roster.ids[0]]) == expected)
        #expect(text(roster.storedSpans(of: 0, wall)) == expected)
    }

    @Test func `stored spans end where this run begins`() {
        let span = { (state: WatchedSpan.State, from: Int, until: Int) in
            WatchedSpan(state, from: wall.start + .seconds(from), until: wall.start + .seconds(until))
        }
        let stored = [span(.up, -50, -10), span(.down, -5, 20), span(.up, 20, 30)]
        let present = [span(.unknown, 0, 2), span(.up, 2, 40)]
        let joined = WatchedSpan.joined(stored, with: present)
        #expect(text(joined) == ["up -50--10", "down -5-0", "unknown 0-2", "up 2-40"])
        #expect(WatchedSpan.joined(stored, with: []) == stored)
        #expect(WatchedSpan.joined([], with: present) == present)
    }
}

/// A roster that keeps its past, its events, and random actions.
private struct RandomRoster {
    private(set) var roster = Roster(keepsPast: true)
    private(set) var now = Duration.zero
    private var consequences: [(Consequences, Duration)] = []
    private var random: TestSupport.SplitMix
    private var sequence = 0
    let ids: [Target.ID]
    /// The wall time of the start.
    static let start = Duration.seconds(1_000_000)

    /// - Parameter windows: the maintenance of all targets, in seconds.
    init(_ names: [String], seed: UInt64, maintenance windows: Range<Int>...) {
        random = TestSupport.SplitMix(seed: seed)
        let targets = names.map { name in
            var target = Target.make(name, slow: .milliseconds(500))
            if name == "C" { target.dependsOn = [.target("A")] }
            return target
        }
        var settings = Settings(targets: targets)
        settings.maintenance = windows.map { window in
            let times = Self.start + .seconds(window.lowerBound)..<Self.start + .seconds(window.upperBound)
            return MaintenanceWindow(.once(times))
        }
        consequences = [(roster.apply(settings, at: .zero), .zero)]
        ids = roster.states.map(\.id)
    }

    func spans(_ wall: WallTime) -> [Target.ID: [WatchedSpan]] {
        roster.spans(of: ids, until: now, wall: wall)
    }

    /// The spans of the stored events of a target.
    func storedSpans(of index: Int, _ wall: WallTime) -> [WatchedSpan] {
        let all = consequences.flatMap { TargetEvent.events(of: $0, at: $1, wall: wall, redaction: Redaction()) }
        let events = all.filter { $0.target == ids[index] || $0.target == nil }.map(\.event)
        return WatchedSpan.spans(of: events, in: ProgramRun(id: 1, from: wall.start, until: wall.start + now))
    }

    mutating func pause(_ index: Int) { consequences.append((roster.pause([ids[index]], at: now), now)) }

    mutating func resume(_ index: Int) { consequences.append((roster.resume([ids[index]], at: now), now)) }

    mutating func updateMaintenance(_ wall: WallTime) {
        consequences.append((roster.updateMaintenance(at: now, wall: wall), now))
    }

    mutating func wait(_ time: Duration) { now += time }

    mutating func stall(_ gap: Duration) {
        consequences.append((roster.record([.stalled(gap: gap, at: now)]), now))
    }

    mutating func probe(_ index: Int, _ letters: String) {
        for outcome in Outcome.picture(letters) {
            now += .seconds(1)
            sequence += 1
            let observation = Observation(target: ids[index], sequence: sequence, time: now, outcome: outcome)
            consequences.append((roster.record([.observation(observation)]), now))
        }
    }

    mutating func probe(_ index: Int, _ outcome: Outcome, sent: Duration, known time: Duration) {
        (now, sequence) = (time, sequence + 1)
        let observation = Observation(target: ids[index], sequence: sequence, sent: sent, time: time, outcome: outcome)
        consequences.append((roster.record([.observation(observation)]), now))
    }

    mutating func performRandomAction() {
        let index = Int.random(in: 0..<ids.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        case 0: pause(index)
        case 1: resume(index)
        case 2:
            let gap = Duration.seconds(.random(in: 5...50, using: &random))
            now += gap + .seconds(1)
            stall(gap)
        case 3, 4: probe(index, "xxx")
        case 5: probe(index, "ttt")
        case 6: probe(index, "sssss")
        default: probe(index, "rr")
        }
        now += .seconds(1)
    }
}

@Suite struct StoredSpansTests {
    private let run = ProgramRun(id: 1, from: .seconds(1_000), until: .seconds(2_000))

    private func up(at time: Int) -> HistoryEvent {
        HistoryEvent(.transition, at: .seconds(time), from: .unknown, to: .up, since: .seconds(time))
    }

    @Test func `an event of the program counts for all targets, also for one whose first event is later`() {
        var spans = StoredSpans(of: run)
        spans.add(up(at: 1_100), of: 7)
        spans.add(HistoryEvent(.stalled, at: .seconds(1_300), length: .seconds(100)), of: nil)
        spans.add(up(at: 1_400), of: 8)
        #expect(
            spans.byTarget == [
                7: [
                    WatchedSpan(.unknown, from: .seconds(1_000), until: .seconds(1_100)),
                    WatchedSpan(.up, from: .seconds(1_100), until: .seconds(1_200)),
                    WatchedSpan(.unwatched, from: .seconds(1_200), until: .seconds(1_300)),
                    WatchedSpan(.up, from: .seconds(1_300), until: .seconds(2_000)),
                ],
                8: [
                    WatchedSpan(.unknown, from: .seconds(1_000), until: .seconds(1_200)),
                    WatchedSpan(.unwatched, from: .seconds(1_200), until: .seconds(1_300)),
                    WatchedSpan(.unknown, from: .seconds(1_300), until: .seconds(1_400)),
                    WatchedSpan(.up, from: .seconds(1_400), until: .seconds(2_000)),
                ],
            ]
        )
    }

    @Test func `a run without an event of a target has no spans`() {
        var spans = StoredSpans(of: run)
        spans.add(HistoryEvent(.clock, at: .seconds(1_300), length: .seconds(100)), of: nil)
        #expect(spans.byTarget.isEmpty)
    }
}

struct WallCoverageTests {
    private func text(_ coverage: WallCoverage, until end: Int) -> [String] {
        coverage.ranges(until: .seconds(end)).map {
            "\($0.lowerBound.components.seconds)-\($0.upperBound.components.seconds)"
        }
    }

    @Test func `without a change of the clock, there is one range`() {
        #expect(text(WallCoverage(from: .seconds(100)), until: 500) == ["100-500"])
    }

    @Test func `a clock that is set forward leaves a gap, and one that is set back overlaps`() {
        var coverage = WallCoverage(from: .seconds(1_000))
        coverage.set(from: .seconds(1_600), to: .seconds(5_200))
        #expect(text(coverage, until: 5_300) == ["1000-1600", "5200-5300"])
        coverage.set(from: .seconds(5_300), to: .seconds(1_700))
        // Less than a minute later is the same range.
        #expect(text(coverage, until: 1_750) == ["1000-1600", "1700-1750", "5200-5300"])
        coverage.set(from: .seconds(1_750), to: .seconds(200))
        #expect(text(coverage, until: 950) == ["200-1600", "1700-1750", "5200-5300"])
        #expect(coverage.programStart == .seconds(1_000))
    }

    @Test func `small steps stay one range`() {
        var coverage = WallCoverage(from: .seconds(1_000))
        for second in 0..<1_000 {
            coverage.set(from: .seconds(1_010 + second), to: .seconds(1_010 + second) + .milliseconds(150))
        }
        #expect(text(coverage, until: 3_000) == ["1000-3000"])
    }
}
