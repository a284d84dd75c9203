import Monitoring
import Testing

@testable import ReachKit

/// What a session's findings make of its state.
struct SessionCourseTests {
    private let id = Target.ID(7)
    private let refused = SessionState.Cause.failure(Failure(.refused))

    private func told(_ state: SessionState, address: String? = nil) -> Finding {
        .session(id, state, address: address, at: .zero)
    }

    private func ended(_ outcome: Outcome) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))
    }

    private func course() -> SessionCourse {
        var course = SessionCourse()
        _ = course.begin()
        return course
    }

    @Test func `it is set up until somebody wants to know, and prepares then`() {
        var course = SessionCourse()
        #expect(course.state == .setup)
        #expect(course.record(told(.ready, address: "192.0.2.1")) == nil)
        #expect(course.begin() == .preparing)
        #expect(course.begin() == nil)
    }

    @Test func `the states of the connection are those of the session`() {
        var course = course()
        let lack = Failure(.noRoute, detail: "eth0 has no carrier")
        let findings = [
            told(.preparing), told(.ready, address: "192.0.2.1"), told(.waiting(lack)), told(.preparing),
            told(.failed(refused)),
        ]
        let states = findings.map { course.record($0) }
        #expect(states == [nil, .ready(address: "192.0.2.1"), .waiting(lack), .preparing, .failed(refused)])
    }

    @Test func `it is online only when ready`() {
        var course = course()
        #expect(!course.isOnline)
        _ = course.record(told(.ready, address: "192.0.2.1"))
        #expect(course.isOnline)
        _ = course.record(told(.failed(.timeout)))
        #expect(!course.isOnline)
    }

    @Test func `a name that leads nowhere fails it, once for each cause`() {
        var course = course()
        let missing = Failure(.nameNotFound)
        #expect(course.record(ended(.failure(missing))) == .failed(.failure(missing)))
        #expect(course.record(ended(.failure(missing))) == nil)
        #expect(course.record(ended(.timeout)) == .failed(.timeout))
        #expect(course.record(told(.preparing)) == .preparing)
    }

    @Test func `a name that cannot be looked up since nothing leads out has it wait`() {
        var course = course()
        #expect(course.record(.link(isUp: false, at: .zero)) == nil)
        _ = course.record(ended(.failure(Failure(.resolverFailed))))
        guard case .waiting = course.state else {
            Issue.record("\(course.state)")
            return
        }
        _ = course.record(.link(isUp: true, at: .zero))
        #expect(course.record(ended(.failure(Failure(.nameNotFound)))) == .failed(.failure(Failure(.nameNotFound))))
    }

    @Test func `what probes find of a connection that stands again is no news`() {
        var course = course()
        _ = course.record(told(.ready, address: "192.0.2.1"))
        #expect(course.record(ended(.failure(Failure(.reset)))) == nil)
        #expect(course.isOnline)
    }

    @Test func `when nobody wants to know any more, it begins anew`() {
        var course = course()
        _ = course.record(told(.ready, address: "192.0.2.1"))
        course.end()
        #expect(course.state == .setup)
        #expect(course.begin() == .preparing)
        #expect(course.record(ended(.timeout)) == .failed(.timeout))
    }

    @Test func `one that was cancelled stays so`() {
        var course = course()
        #expect(course.cancel() == .cancelled)
        #expect(course.cancel() == nil)
        #expect(course.record(told(.ready, address: "192.0.2.1")) == nil)
        course.end()
        #expect(course.state == .cancelled)
        #expect(course.begin() == nil)
    }
}
