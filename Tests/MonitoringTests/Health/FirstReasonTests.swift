import Monitoring
import TestSupport
import Testing

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

    @Test func `the event has the first reason`() throws {
        var story = Story(.make())
        var summaries: [String] = []
        story.hear("r")
        for loss in [Outcome.timeout, Self.unreachable, .timeout] {
            story.wait(.seconds(1))
            let id = try #require(story["NAS"]?.id)
            let observation = Observation(target: id, sequence: 9, time: story.now, outcome: loss)
            for case .transition(_, let transition) in story.roster.record([.observation(observation)]).events {
                summaries.append(transition.summary)
            }
        }
        #expect(summaries == ["down after 3 losses: timeout"])
    }
}
