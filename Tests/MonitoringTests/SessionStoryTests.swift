import Monitoring
import TestSupport
import Testing

struct SessionStoryTests {
    private let refused = SessionState.failed(.failure(Failure(.refused)))

    /// The summaries of what is told while the session of a target goes through these states.
    private func told(_ states: SessionState..., in story: inout Story) -> [String] {
        let id = story["NAS"]?.id ?? Target.ID(0)
        let findings = states.map { Finding.session(id, $0, at: .seconds(7)) }
        return story.roster.record(findings).events.map { event in
            guard case .session(id, let state, at: .seconds(7)) = event else { return "\(event)" }
            return state.summary
        }
    }

    @Test func `a session is told of when it is ready, waits or has failed`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let told = told(
            .preparing,
            .waiting(Failure(.noRoute)),
            .preparing,
            .ready,
            .failed(.timeout),
            .preparing,
            refused,
            in: &story
        )
        #expect(
            told == [
                "session waiting: no way out", "session ready", "session failed: no answer",
                "session failed: connection refused",
            ]
        )
        #expect(story["NAS"]?.session == refused)
    }

    @Test func `what fails the same way again is no news`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let told = told(.preparing, refused, .preparing, refused, .preparing, .ready, refused, in: &story)
        #expect(
            told == [
                "session failed: connection refused", "session ready", "session failed: connection refused",
            ]
        )
    }

    @Test func `a paused target tells nothing, and tells anew when it is resumed`() throws {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        #expect(told(.preparing, .ready, in: &story) == ["session ready"])
        let id = try #require(story["NAS"]?.id)
        story.take(story.roster.pause([id], at: .seconds(8)))
        #expect(told(.cancelled, in: &story) == [])
        #expect(story["NAS"]?.session == .cancelled)
        story.take(story.roster.resume([id], at: .seconds(9)))
        #expect(told(.preparing, .ready, in: &story) == ["session ready"])
    }

    @Test func `a session is as old as its state, however often that is told`() throws {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let id = try #require(story["NAS"]?.id)
        _ = story.roster.record([.session(id, .ready, at: .seconds(3)), .session(id, .ready, at: .seconds(9))])
        #expect(story["NAS"]?.sessionSince == .seconds(3))
        _ = story.roster.record([.session(id, .failed(.timeout), at: .seconds(11))])
        #expect(story["NAS"]?.sessionSince == .seconds(11))
    }

    @Test func `a session of a removed target is nobody's`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let id = Target.ID(0)
        story.take(story.roster.apply(Settings(targets: []), at: .zero))
        #expect(story.roster.record([.session(id, .cancelled, at: .zero)]).events.isEmpty)
    }
}
