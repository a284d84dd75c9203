@testable import Monitoring
import TestSupport
import Testing

/// What the present run of the program knows about the past of its targets.
@Suite struct RunSpansTests {
    private let wall = WallTime(start: .seconds(1_000_000))

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

    /// 500 random runs: the spans are those that the history would return of the same run.
    @Test func `random runs: the spans equal those of the stored events`() {
        for seed in 0..<500 {
            var roster = RandomRoster(["A", "B", "C"], seed: UInt64(seed))
            for _ in 0..<60 { roster.performRandomAction() }
            roster.wait(.seconds(1))
            let run = ProgramRun(id: 1, from: wall.start, until: wall.start + roster.now)
            for id in roster.ids {
                let events = roster.events(wall).filter { $0.target == id || $0.target == nil }.map(\.event)
                let stored = WatchedSpan.spans(of: events, in: run)
                #expect(text(roster.spans(wall)[id]) == text(stored), "seed \(seed), \(id)")
            }
        }
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

    init(_ names: [String], seed: UInt64) {
        random = TestSupport.SplitMix(seed: seed)
        let targets = names.map { name in
            var target = Target.make(name)
            if name == "C" { target.dependsOn = [.target("A")] }
            return target
        }
        consequences = [(roster.apply(Settings(targets: targets), at: .zero), .zero)]
        ids = roster.states.map(\.id)
    }

    func spans(_ wall: WallTime) -> [Target.ID: [WatchedSpan]] {
        roster.spans(of: ids, until: now, wall: wall)
    }

    func events(_ wall: WallTime) -> [TargetEvent] {
        consequences.flatMap { TargetEvent.events(of: $0, at: $1, wall: wall, redaction: Redaction()) }
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

    mutating func performRandomAction() {
        let index = Int.random(in: 0..<ids.count, using: &random)
        switch Int.random(in: 0..<12, using: &random) {
        // The history has no event for a block that begins or ends during a pause, so C is never paused.
        case 0 where index < 2: consequences.append((roster.pause([ids[index]], at: now), now))
        case 1: consequences.append((roster.resume([ids[index]], at: now), now))
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
