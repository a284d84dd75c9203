import ReachMonitoring
import TestSupport
import Testing

/// The outcomes of overlapping probes arrive out of order.
@Suite struct OvertakingTests {
    /// Probes every 200 ms with a timeout of a second, to a target that replies in 10 ms except while it is away.
    private func story(fall: Int, away: [ClosedRange<Int>], until end: Int) -> Story {
        var story = Story(.make(interval: .milliseconds(200), fall: fall))
        var arrivals: [(time: Int, sent: Int, isLoss: Bool)] = stride(from: 0, to: end, by: 200).map { sent in
            let isLoss = away.contains { $0.contains(sent) }
            return (sent + (isLoss ? 1_000 : 10), sent, isLoss)
        }
        arrivals.sort { $0.time < $1.time }
        for arrival in arrivals {
            story.wait(.milliseconds(arrival.time) - story.now)
            let outcome = arrival.isLoss ? Outcome.timeout : .reply(roundTrip: .milliseconds(10))
            story.hear(outcome, sent: .milliseconds(arrival.sent))
        }
        return story
    }

    @Test(arguments: [1, 3, 5])
    func `late losses after a recovery do not split or extend outages`(fall: Int) {
        let outages = [2_000...6_000, 10_000...14_000, 18_000...22_000, 26_000...30_000]
        let story = story(fall: fall, away: outages, until: 40_000)
        let down = ["NAS: up→down", "NAS: down→up"]
        #expect(story.transitions == ["NAS: unknown→up"] + down + down + down + down)
        // The statistics count each of the 21 losses of an outage.
        #expect(story["NAS"]?.totals.sent == 200)
        #expect(story["NAS"]?.totals.received == 116)
    }

    @Test func `a loss sent before the newest reply affects no streak`() {
        var story = Story(.make(rise: 3, fall: 1))
        story.hear("r")
        story.hear("t")
        #expect(story["NAS"]?.health == .down)
        story.hear("rr")
        story.hear(.timeout, sent: story.now - .milliseconds(1))
        #expect(story["NAS"]?.pending == Pending.toward(.up, 2, of: 3))
        story.hear("r")
        #expect(story["NAS"]?.health == .up)
        story.hear(.timeout, sent: story.now - .milliseconds(1))
        #expect(story["NAS"]?.health == .up)
        story.hear(.timeout, sent: story.now)
        #expect(story["NAS"]?.health == .down)
    }

    @Test func `an overtaken loss counts for the loss rate`() {
        var story = Story(.make(lossy: 0.1))
        story.hear(String(repeating: "r", count: 20))
        for _ in 0..<3 { story.hear(.timeout, sent: story.now - .milliseconds(900)) }
        #expect(story.transitions == ["NAS: unknown→up", "NAS: up→degraded"])
    }

    @Test func `a reply sent before all losses of a streak does not end it`() {
        var story = Story(.make())
        story.hear("r xx")
        story.hear(.reply(roundTrip: .seconds(3)), sent: story.now - .seconds(3))
        #expect(story["NAS"]?.pending == Pending.toward(.down, 2, of: 3))
        #expect(story["NAS"]?.failure?.reason == .refused)
        story.hear("x")
        #expect(story["NAS"]?.health == .down)
        story.hear(.reply(roundTrip: .seconds(5)), sent: story.now - .seconds(5))
        #expect(story["NAS"]?.health == .down)
    }

    @Test func `a reply sent amid a streak of losses leaves the newest loss`() {
        var story = Story(.make())
        story.hear("r xx")
        story.hear(.reply(roundTrip: .milliseconds(500)), sent: story.now - .milliseconds(500))
        #expect(story["NAS"]?.pending == Pending.toward(.down, 1, of: 3))
        story.hear("x")
        #expect(story["NAS"]?.pending == Pending.toward(.down, 2, of: 3))
        story.hear("x")
        #expect(story["NAS"]?.health == .down)
        // It was reachable when it replied, and has lost one probe since.
        story.hear(.reply(roundTrip: .milliseconds(500)), sent: story.now - .milliseconds(500))
        #expect(story["NAS"]?.health == .up)
        #expect(story["NAS"]?.pending == Pending.toward(.down, 1, of: 3))
    }

    @Test func `a reply sent amid a streak moves the start of the outage`() {
        var story = Story(.make())
        story.hear("r xx")
        let newest = story.now
        story.wait(.milliseconds(100))
        story.hear(.reply(roundTrip: .milliseconds(600)), sent: newest - .milliseconds(500))
        story.hear("xx")
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.since == newest)
    }

    @Test func `losses reported out of order begin with the earliest one`() {
        var story = Story(.make(fall: 2))
        story.hear("r")
        story.wait(.seconds(5))
        let earliest = story.now - .seconds(3)
        story.hear(.failure(Failure(.refused)), sent: story.now)
        story.hear(.timeout, sent: earliest)
        #expect(story["NAS"]?.health == .down)
        #expect(story["NAS"]?.since == earliest)
    }

    @Test func `a late timeout does not hide the loss of a later probe`() {
        var story = Story(.make())
        story.hear("r")
        story.wait(.seconds(5))
        story.hear(.failure(Failure(.refused)), sent: story.now)
        story.hear(.timeout, sent: story.now - .seconds(3))
        story.hear(.reply(roundTrip: .seconds(1)), sent: story.now - .seconds(1))
        #expect(story["NAS"]?.pending == Pending.toward(.down, 1, of: 3))
    }

    @Test func `a reply sent together with the newest loss ends the streak`() {
        var story = Story(.make())
        story.hear("r xx")
        story.hear(.reply(roundTrip: .milliseconds(10)), sent: story.now)
        #expect(story["NAS"]?.pending == nil)
    }

    @Test func `refusals that overtake replies do not take a target down`() {
        var story = Story(.make(interval: .milliseconds(200)))
        for _ in 0..<50 {
            story.wait(.milliseconds(210))
            story.hear(.failure(Failure(.hostUnreachable)), sent: story.now - .milliseconds(10))
            story.wait(.milliseconds(90))
            story.hear(.reply(roundTrip: .milliseconds(300)), sent: story.now - .milliseconds(300))
            story.wait(.milliseconds(100))
        }
        #expect(story.transitions == ["NAS: unknown→up"])
    }

    @Test func `one reply is enough for the first verdict, even after a refusal`() {
        var story = Story(.make())
        story.hear("x")
        story.hear(.reply(roundTrip: .milliseconds(500)), sent: story.now - .milliseconds(500))
        #expect(story["NAS"]?.health == .up)
        #expect(story["NAS"]?.pending == Pending.toward(.down, 1, of: 3))
    }
}

/// Replies that come after the timeout of their probes.
@Suite struct LateReplyTests {
    private static let text = "timeout, answers after 1.5s: raise timeout"

    /// Records timeouts, known a second after sending, and for each of them a late reply half a second later.
    private func lose(_ count: Int, _ story: inout Story, answersLate: Bool = true) throws -> [Transition] {
        var transitions: [Transition] = []
        let id = try #require(story["NAS"]?.id)
        for _ in 0..<count {
            let sent = story.now
            story.wait(.seconds(1))
            let observation = Observation(target: id, sequence: 1, sent: sent, time: story.now, outcome: .timeout)
            for case .transition(let transition) in story.roster.record([.observation(observation)]).events.map(\.kind)
            {
                transitions.append(transition)
            }
            story.wait(.milliseconds(500))
            if answersLate {
                story.take(story.roster.record([.late(id, roundTrip: .milliseconds(1_500), sent: sent)]))
            }
        }
        return transitions
    }

    @Test func `late replies are named beside the health and in the event`() throws {
        var story = Story(.make())
        story.hear("r")
        let transitions = try lose(5, &story)
        #expect(transitions.map(\.summary) == ["down after 3 losses: \(Self.text)"])
        #expect(transitions.map(\.reason) == ["timeout"])
        #expect(story["NAS"]?.remark == Self.text)
        #expect(story["NAS"]?.lossDetail == Self.text)
        #expect(story["NAS"]?.totals.late == 5)
    }

    @Test func `the text disappears when late replies stop`() throws {
        var story = Story(.make())
        story.hear("r")
        _ = try lose(3, &story)
        _ = try lose(3, &story, answersLate: false)
        #expect(story["NAS"]?.remark == Self.text)
        _ = try lose(1, &story, answersLate: false)
        #expect(story["NAS"]?.remark == "timeout")
        _ = try lose(1, &story)
        #expect(story["NAS"]?.remark == Self.text)
        story.hear("r")
        #expect(story["NAS"]?.lossDetail == nil)
        story.hear("t")
        #expect(story["NAS"]?.remark == "timeout")
    }

    @Test func `a late reply to an earlier loss, or beside another reason, is only counted`() throws {
        var story = Story(.make())
        story.hear("t r t")
        let id = try #require(story["NAS"]?.id)
        story.take(story.roster.record([.late(id, roundTrip: .milliseconds(2_500), sent: .milliseconds(500))]))
        #expect(story["NAS"]?.totals.late == 1)
        #expect(story["NAS"]?.remark == "timeout")
        story.hear("r xxx")
        story.take(story.roster.record([.late(id, roundTrip: .milliseconds(1_500), sent: story.now)]))
        #expect(story["NAS"]?.remark == "refused")
    }

    @Test func `a verdict that waited for a parent names late replies`() throws {
        var story = Story([.make(dependsOn: [.target("Router")]), .make("Router")])
        story.hear("r", from: "Router")
        story.hear("r")
        #expect(try lose(3, &story).isEmpty)
        let id = try #require(story["Router"]?.id)
        let reply = Observation(
            target: id,
            sequence: 2,
            time: story.now,
            outcome: .reply(roundTrip: .milliseconds(1))
        )
        let summaries = story.roster.record([.observation(reply)]).events.compactMap { event -> String? in
            if case .transition(let transition) = event.kind { transition.summary } else { nil }
        }
        #expect(summaries == ["down after 3 losses: \(Self.text)"])
    }
}
