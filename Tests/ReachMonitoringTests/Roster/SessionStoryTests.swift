import ReachMonitoring
import TestSupport
import Testing

struct SessionStoryTests {
    private let refused = SessionState.failed(.failure(Failure(.refused)))

    /// The summaries of the events while a session goes through these states.
    private func summaries(_ states: SessionState..., in story: inout Story) -> [String] {
        let id = story["NAS"]?.id ?? Target.ID(0)
        let findings = states.map { Finding.session(id, $0, at: .seconds(7)) }
        return story.roster.record(findings).events.map { event in
            guard case .session(let state) = event.kind, event.targets == [id], event.time == .seconds(7) else {
                return "\(event)"
            }
            return state.summary
        }
    }

    @Test func `a session is reported when it is ready, waits or failed`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let events = summaries(
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
            events == [
                "session waiting: no route", "session ready", "session failed: timeout",
                "session failed: refused",
            ]
        )
        #expect(story["NAS"]?.session == refused)
    }

    @Test func `a repeated failure is not reported`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let events = summaries(.preparing, refused, .preparing, refused, .preparing, .ready, refused, in: &story)
        #expect(
            events == [
                "session failed: refused", "session ready", "session failed: refused",
            ]
        )
    }

    @Test func `a paused target reports no session states until it is resumed`() throws {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        #expect(summaries(.preparing, .ready, in: &story) == ["session ready"])
        let id = try #require(story["NAS"]?.id)
        story.take(story.roster.pause([id], at: .seconds(8)))
        #expect(summaries(.cancelled, in: &story) == [])
        #expect(story["NAS"]?.session == .cancelled)
        story.take(story.roster.resume([id], at: .seconds(9)))
        #expect(summaries(.preparing, .ready, in: &story) == ["session ready"])
    }

    @Test func `a repeated state does not change the age of a session`() throws {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let id = try #require(story["NAS"]?.id)
        _ = story.roster.record([.session(id, .ready, at: .seconds(3)), .session(id, .ready, at: .seconds(9))])
        #expect(story["NAS"]?.sessionSince == .seconds(3))
        _ = story.roster.record([.session(id, .failed(.timeout), at: .seconds(11))])
        #expect(story["NAS"]?.sessionSince == .seconds(11))
    }

    @Test func `a session of a removed target is ignored`() {
        var story = Story(.make("NAS", url: "session://nas.local:445"))
        let id = Target.ID(0)
        story.take(story.roster.apply(Settings(targets: []), at: .zero))
        #expect(story.roster.record([.session(id, .cancelled, at: .zero)]).events.isEmpty)
    }
}
