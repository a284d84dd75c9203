import ReachMonitoring
import TestSupport
import Testing

/// Outcomes in, transitions out. `r` reply, `s` slow reply, `t` timeout, `x` refused, `f` fault.
struct HealthStory: Sendable, CustomTestStringConvertible {
    let name: String
    var target = Target.make()
    let outcomes: String
    let transitions: [String]

    var testDescription: String { name }
}

@Suite struct JudgeTests {
    static let stories: [HealthStory] = [
        HealthStory(name: "no outcome, no verdict", outcomes: "", transitions: []),
        HealthStory(name: "the first reply is enough", outcomes: "r", transitions: ["NAS: unknown→up"]),
        HealthStory(
            name: "the first reply is enough for any rise",
            target: .make(rise: 5),
            outcomes: "r",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(name: "two losses are no verdict", outcomes: "tt", transitions: []),
        HealthStory(
            name: "three losses take an unknown target down",
            outcomes: "ttt",
            transitions: ["NAS: unknown→down"]
        ),
        HealthStory(
            name: "three losses take a target down",
            outcomes: "r txt",
            transitions: ["NAS: unknown→up", "NAS: up→down"]
        ),
        HealthStory(
            name: "a reply breaks a streak of losses",
            outcomes: "r tt r tt r",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "one reply brings a target back",
            outcomes: "r ttt r",
            transitions: ["NAS: unknown→up", "NAS: up→down", "NAS: down→up"]
        ),
        HealthStory(
            name: "rise replies bring a target back",
            target: .make(rise: 3),
            outcomes: "ttt rr t rrr",
            transitions: ["NAS: unknown→down", "NAS: down→up"]
        ),
        HealthStory(
            name: "fall of one is down at once",
            target: .make(fall: 1),
            outcomes: "r t r",
            transitions: ["NAS: unknown→up", "NAS: up→down", "NAS: down→up"]
        ),
        HealthStory(name: "a fault changes nothing", outcomes: "r ff", transitions: ["NAS: unknown→up"]),
        HealthStory(
            name: "three faults in a row make the target unknown",
            outcomes: "r fffff r",
            transitions: ["NAS: unknown→up", "NAS: up→unknown", "NAS: unknown→up"]
        ),
        HealthStory(
            name: "a fault does not break a streak",
            outcomes: "r tt f t",
            transitions: ["NAS: unknown→up", "NAS: up→down"]
        ),
        HealthStory(
            name: "without a limit nothing is slow",
            outcomes: "ssssss",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "three slow replies degrade",
            target: .make(slow: .milliseconds(500)),
            outcomes: "r sss",
            transitions: ["NAS: unknown→up", "NAS: up→degraded"]
        ),
        HealthStory(
            name: "two slow replies do not degrade",
            target: .make(slow: .milliseconds(500)),
            outcomes: "r ss r ss",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "a loss breaks a streak of slow replies",
            target: .make(slow: .milliseconds(500)),
            outcomes: "r ss t ss",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "three quick replies end degraded",
            target: .make(slow: .milliseconds(500)),
            outcomes: "r sss rr s rrr",
            transitions: ["NAS: unknown→up", "NAS: up→degraded", "NAS: degraded→up"]
        ),
        HealthStory(
            name: "a degraded target goes down like any other",
            target: .make(slow: .milliseconds(500)),
            outcomes: "r sss ttt",
            transitions: ["NAS: unknown→up", "NAS: up→degraded", "NAS: degraded→down"]
        ),
        HealthStory(
            name: "a first verdict of degraded is the first verdict",
            target: .make(slow: .milliseconds(500)),
            outcomes: "sss r sss rrr",
            transitions: ["NAS: unknown→degraded", "NAS: degraded→up"]
        ),
        HealthStory(
            name: "a target that recovers with slow replies is degraded",
            target: .make(rise: 2, slow: .milliseconds(500)),
            outcomes: "ttt ss",
            transitions: ["NAS: unknown→down", "NAS: down→degraded"]
        ),
        HealthStory(
            name: "a target that recovers with one slow reply of two is up",
            target: .make(rise: 2, slow: .milliseconds(500)),
            outcomes: "ttt sr",
            transitions: ["NAS: unknown→down", "NAS: down→up"]
        ),
        HealthStory(
            name: "loss over the limit of the last twenty degrades",
            target: .make(lossy: 0.1),
            outcomes: "rrrrrrrrrr rrrrrrr t r t r t r",
            transitions: ["NAS: unknown→up", "NAS: up→degraded"]
        ),
        HealthStory(
            name: "loss is not judged while the newest probes are lost",
            target: .make(lossy: 0.05),
            outcomes: "rrrrrrrrrr rrrrrrrrrr ttt rrrrrrrrrr rrrrrrrrrr",
            transitions: ["NAS: unknown→up", "NAS: up→down", "NAS: down→up"]
        ),
        HealthStory(
            name: "after an outage, loss is judged by the probes after it",
            target: .make(lossy: 0.05),
            outcomes: "rrrrrrrrrr rrrrrrrrrr ttt rrrrrrrrrr rrrrrrrrrt trr",
            transitions: ["NAS: unknown→up", "NAS: up→down", "NAS: down→up", "NAS: up→degraded"]
        ),
        HealthStory(
            name: "loss at the limit does not degrade",
            target: .make(lossy: 0.1),
            outcomes: "rrrrrrrrrr rrrrrrr t r t",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "loss is not judged before twenty probes",
            target: .make(lossy: 0.1),
            outcomes: "rtrtrtrtrt rtrtrtrt",
            transitions: ["NAS: unknown→up"]
        ),
        HealthStory(
            name: "a lossy target is up again when the window has no losses",
            target: .make(lossy: 0.1),
            outcomes: "rrrrrrrrrrrrrrrrr trtrt rrrrrrrrrrrrrrrrrr",
            transitions: ["NAS: unknown→up", "NAS: up→degraded", "NAS: degraded→up"]
        ),
    ]

    @Test(arguments: stories)
    func `streaks change the health`(_ test: HealthStory) {
        var story = Story(test.target)
        story.hear(test.outcomes)
        #expect(story.transitions == test.transitions)
    }

    @Test func `a running streak is pending`() {
        var story = Story(.make(rise: 2))
        story.hear("r t")
        #expect(story["NAS"]?.pending == Pending.toward(.down, 1, of: 3))
        story.hear("t")
        #expect(story["NAS"]?.pending == Pending.toward(.down, 2, of: 3))
        story.hear("t")
        #expect(story["NAS"]?.pending == nil)
        story.hear("r")
        #expect(story["NAS"]?.pending == Pending.toward(.up, 1, of: 2))
    }

    @Test func `a transition has the length of the previous health and the cause`() throws {
        var story = Story(.make())
        story.hear("rrr ttx")
        var judge = try #require(story["NAS"]).judge
        let transition = judge.record(.reply(roundTrip: .milliseconds(7)), at: .seconds(20), under: Thresholds())
        // The first loss is at 4 s, the verdict at 6 s.
        #expect(transition?.lasted == .seconds(16))
        #expect(transition?.outage == .seconds(16))
        #expect(transition?.cause == .replies(1))
        #expect(transition?.summary == "up after 16s")
    }

    @Test func `a stall and a block end a streak of slow replies`() throws {
        var stalled = Story(.make(slow: .milliseconds(500)))
        stalled.hear("r ss")
        stalled.take(stalled.roster.record([.stalled(gap: .seconds(1), at: stalled.now)]))
        stalled.hear("ss")
        #expect(stalled["NAS"]?.health == .up)
        #expect(stalled["NAS"]?.pending == Pending.toward(.degraded, 2, of: 3))
        stalled.hear("s")
        #expect(stalled["NAS"]?.health == .degraded)

        var blocked = Story(.make(dependsOn: [.link], slow: .milliseconds(500)))
        blocked.hear("r ss")
        for isUp in [false, true] { blocked.take(blocked.roster.record([.link(isUp: isUp, at: blocked.now)])) }
        blocked.hear("ss")
        #expect(blocked["NAS"]?.health == .up)
        blocked.hear("s")
        #expect(blocked["NAS"]?.health == .degraded)
    }

    @Test func `with a slow streak of one, the first verdict is degraded`() {
        var target = Target.make(slow: .milliseconds(500))
        target.thresholds.slowStreak = 1
        var story = Story(target)
        story.hear("s")
        #expect(story.transitions == ["NAS: unknown→degraded"])
        #expect(story["NAS"]?.pending == nil)
        story.hear("r")
        #expect(story.transitions.last == "NAS: degraded→up")
    }

    @Test(arguments: [
        ("s", Health.degraded), ("ss", .degraded), ("ssst", .degraded), ("tss", .degraded), ("stts", .degraded),
        ("r", .up), ("sr", .up), ("rs", .up), ("rts", .up), ("strs", .up), ("rt", .up), ("tttt", .unknown),
        ("ttttt", .down),
    ])
    func `with a slow streak of zero, a target is degraded if all replies are slow`(outcomes: String, health: Health) {
        var target = Target.make(fall: 5, slow: .milliseconds(500))
        target.thresholds.slowStreak = 0
        var story = Story(target)
        story.hear(outcomes)
        #expect(story["NAS"]?.health == health)
    }

    @Test func `the summary of a transition has the first loss`() {
        var judge = Judge(since: .zero)
        _ = judge.record(.reply(roundTrip: .milliseconds(1)), at: .seconds(1), under: Thresholds())
        var last: Transition?
        for outcome in Outcome.picture("xxt") {
            last = judge.record(outcome, at: .seconds(10_922), under: Thresholds())
        }
        #expect(last?.summary == "down after 3 losses: refused")
        #expect(last?.before == "was up 3h02m")
        #expect(last?.reason == "refused")
    }
}

extension Pending {
    static func toward(_ health: Health, _ streak: Int, of threshold: Int) -> Pending {
        Pending(toward: health, streak: streak, threshold: threshold)
    }
}

/// The reason of an outage whose losses have several reasons.
@Suite struct FirstReasonTests {
    private static let unreachable = Outcome.failure(Failure(.hostUnreachable))
    private static let refused = Outcome.failure(Failure(.refused))

    /// The reasons after each of these losses.
    private func reasons(_ losses: [Outcome], fall: Int = 3) -> [String] {
        var story = Story(.make(fall: fall))
        story.hear("r")
        return losses.map { loss in
            story.wait(.seconds(1))
            story.hear(loss)
            return story["NAS"]?.failure?.reason.rawValue ?? "timeout"
        }
    }

    @Test func `the first reason of an outage stays`() {
        let flips = (0..<20).flatMap { _ in [Outcome.timeout, Self.unreachable] }
        #expect(Set(reasons(flips)) == ["timeout"])
        #expect(Set(reasons([Self.unreachable] + flips)) == ["host_unreachable"])
        #expect(Set(reasons(flips, fall: 1)) == ["timeout"])
    }

    @Test func `another reason that lasts takes its place`() {
        let losses = [
            .timeout, Self.refused, Self.refused, .timeout, Self.refused, Self.refused, Self.refused, .timeout,
        ]
        let expected = ["timeout", "timeout", "timeout", "timeout", "timeout", "timeout", "refused", "refused"]
        #expect(reasons(losses) == expected)
        // Two other reasons in turn do not last.
        #expect(Set(reasons([.timeout] + (0..<9).flatMap { _ in [Self.refused, Self.unreachable] })) == ["timeout"])
    }

    @Test func `another reason of any number of losses is counted`() {
        let losses = [Outcome.timeout] + Array(repeating: Self.refused, count: 70_000)
        #expect(Set(reasons(losses, fall: 100_000)) == ["timeout"])
    }

    @Test func `the newest detail of the same reason is shown`() {
        var story = Story(.make())
        for status in [500, 503] {
            story.hear(.failure(Failure(.httpStatus, detail: "HTTP \(status)", httpStatus: status)))
        }
        #expect(story["NAS"]?.failure?.detail == "HTTP 503")
    }

    @Test func `of failures that differ only in their responses, the first one is shown`() {
        var story = Story(.make())
        for (status, response) in [(503, "one"), (503, "two"), (500, "three"), (500, "four")] {
            var failure = Failure(.httpStatus, detail: "HTTP \(status)", httpStatus: status)
            failure.response = response
            story.hear(.failure(failure))
            #expect(story["NAS"]?.failure?.response == (status == 503 ? "one" : "three"))
        }
    }

    @Test func `the event has the first reason`() throws {
        var story = Story(.make())
        var summaries: [String] = []
        story.hear("r")
        for loss in [Outcome.timeout, Self.unreachable, .timeout] {
            story.wait(.seconds(1))
            let id = try #require(story["NAS"]?.id)
            let observation = Observation(target: id, sequence: 9, time: story.now, outcome: loss)
            for case .transition(let transition) in story.roster.record([.observation(observation)]).events.map(\.kind)
            {
                summaries.append(transition.summary)
            }
        }
        #expect(summaries == ["down after 3 losses: timeout"])
    }
}
