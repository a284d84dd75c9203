import TestSupport
import Testing

@testable import ReachMonitoring

/// The roster at a past time.
@Suite struct RewindTests {
    /// What the screen shows of a target, apart from its figures.
    private struct Facts: Equatable {
        let health: Health
        let since: Duration
        let pausedSince: Duration?
        let blockedBy: Blocker?
        let fault: Fault?
        let isFlapping: Bool
        let session: SessionState?
        let acknowledgement: Acknowledgement?
        let remark: String?
        let streak: Judge.Streak
        let pending: Pending?
        let address: String?
        let sent: Int
        let received: Int
        let outages: Int
        let longestOutage: Duration
        let availability: Double?
        let window: [Sample]

        /// - Parameter hasThresholds: whether the thresholds are those of the time.
        init(_ state: TargetState, at time: Duration, hasThresholds: Bool) {
            health = state.health
            since = state.since
            pausedSince = state.pausedSince
            blockedBy = state.blockedBy
            fault = state.fault
            isFlapping = state.isFlapping
            session = state.session
            acknowledgement = state.acknowledgement
            remark = state.remark
            streak = state.judge.streak
            pending = hasThresholds ? state.pending : nil
            address = state.address
            sent = state.totals.sent
            received = state.totals.received
            outages = state.totals.outages
            longestOutage = state.totals.longestOutage
            availability = state.availability(at: time)
            window = Array(state.history.suffix(Statistics.window))
        }
    }

    @Test(arguments: StoryTests.names)
    func `a past time shows what was known then`(name: String) throws {
        let hasThresholds = try !StoryTests.text(of: name).contains("reload")
        var moments: [Duration: [Target.ID: Facts]] = [:]
        var last: Story?
        _ = try StoryPlayer.play(StoryTests.text(of: name)) { story in
            last = story
            moments[story.now] = Dictionary(
                uniqueKeysWithValues: story.roster.states.map {
                    ($0.id, Facts($0, at: story.now, hasThresholds: hasThresholds))
                }
            )
        }
        let story = try #require(last)
        // A reset removes the samples from before it.
        let isReset = name.hasPrefix("reset")
        for (time, facts) in moments {
            for state in story.roster.rewound(to: time).states {
                guard !isReset, let known = facts[state.id] else { continue }
                let facts = Facts(state, at: time, hasThresholds: hasThresholds)
                #expect(facts == known, "\(state.target.label) after \(time.spanText)")
            }
        }
    }

    @Test func `before the verdict, the losses are counted as they were then`() throws {
        var story = Story(.make(fall: 3))
        story.hear("rr xxx")
        let past = story.roster.rewound(to: .seconds(4))
        let state = try #require(past.states.first)
        #expect(state.health == .up && state.pending == Pending(toward: .down, streak: 2, threshold: 3))
        #expect(state.remark == "refused" && past.states.healthCounts.up == 1)
        let down = try #require(story.roster.rewound(to: .seconds(5)).states.first)
        #expect(down.health == .down && down.since == .seconds(3))
    }

    @Test func `a certificate is that of the time`() throws {
        var story = Story(.make(url: "https://nas.local/"))
        let id = try #require(story["NAS"]?.id)
        for (second, expiry) in [(1, 1_000), (2, 1_000), (3, 9_000)] as [(Int, Int64)] {
            let reply = Reply(roundTrip: .milliseconds(second), phases: [], certificateExpiry: expiry)
            let time = Duration.seconds(second)
            let observation = Observation(target: id, sequence: second, time: time, outcome: .reply(reply))
            _ = story.roster.record([.observation(observation)])
        }
        let before = try #require(story.roster.rewound(to: .seconds(2)).states.first?.lastReply)
        #expect(before.certificateExpiry == 1_000 && before.roundTrip == .milliseconds(2))
        #expect(story.roster.rewound(to: .seconds(3)).states.first?.lastReply?.certificateExpiry == 9_000)
    }

    @Test func `a target is missing before it was added`() throws {
        var story = Story(.make("Router"))
        story.hear("rrr", from: "Router")
        story.take(story.roster.apply(Settings(targets: [.make("Router"), .make("NAS")]), at: story.now))
        story.hear("r")
        let nas = try #require(story["NAS"]?.id)
        let past = story.roster.rewound(to: .seconds(2))
        #expect(past.states.map(\.health) == [.up])
        #expect(past[nas] == nil && past.states.healthCounts.total == 1)
        #expect(story.roster.start(of: nas) == .seconds(3))
        #expect(story.roster.rewound(to: .seconds(3))[nas]?.health == .unknown)
        #expect(story.roster.rewound(to: .zero).states.count == 1)
    }

    @Test func `the conditions of the past are bounded, and the oldest become unknown`() throws {
        var story = Story(.make("Router", rise: 1, fall: 1), .make(rise: 1, fall: 1))
        story.roster.timeline = Timeline(capacity: 200)
        story.hear("r", from: "Router")
        for _ in 0..<110 { story.hear("xr") }
        let start = story.roster.rewound(to: .seconds(2)).states
        #expect(start.map(\.health) == [.up, .unknown])
        let end = story.roster.rewound(to: story.now - .seconds(1)).states
        #expect(end.map(\.health) == [.up, .down])
    }
}
