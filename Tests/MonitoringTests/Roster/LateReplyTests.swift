import Monitoring
import TestSupport
import Testing

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
            for case .transition(_, let transition) in story.roster.record([.observation(observation)]).events {
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
            if case .transition(_, let transition) = event { transition.summary } else { nil }
        }
        #expect(summaries == ["down after 3 losses: \(Self.text)"])
    }
}
