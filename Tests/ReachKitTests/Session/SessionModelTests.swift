import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// The states that follow from findings about a session.
struct SessionModelTests {
    private let id = Target.ID(7)
    private let refused = SessionState.Cause.failure(Failure(.refused))

    private func told(_ state: SessionState, address: String? = nil) -> Finding {
        .session(id, state, address: address, at: .zero)
    }

    private func ended(_ outcome: Outcome) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))
    }

    private func model() -> SessionModel {
        SessionModel(.make(), id: id)
    }

    private func startedModel() -> SessionModel {
        var model = model()
        _ = model.start()
        return model
    }

    @Test func `it is in setup until the first subscriber, and then prepares`() {
        var model = model()
        #expect(model.state == .setup)
        #expect(model.record(told(.ready, address: "192.0.2.1")) == nil)
        #expect(model.start() == .preparing)
        #expect(model.start() == nil)
    }

    @Test func `the states of the connection are those of the session`() {
        var model = startedModel()
        let lack = Failure(.noRoute, detail: "eth0 has no carrier")
        let findings = [
            told(.preparing), told(.ready, address: "192.0.2.1"), told(.waiting(lack)), told(.preparing),
            told(.failed(refused)),
        ]
        let states = findings.map { model.record($0) }
        #expect(states == [nil, .ready(address: "192.0.2.1"), .waiting(lack), .preparing, .failed(refused)])
    }

    @Test func `it is online only when ready`() {
        var model = startedModel()
        #expect(!model.isOnline)
        _ = model.record(told(.ready, address: "192.0.2.1"))
        #expect(model.isOnline)
        _ = model.record(told(.failed(.timeout)))
        #expect(!model.isOnline)
    }

    @Test func `a name that leads nowhere fails it, once for each cause`() {
        var model = startedModel()
        let missing = Failure(.nameNotFound)
        #expect(model.record(ended(.failure(missing))) == .failed(.failure(missing)))
        #expect(model.record(ended(.failure(missing))) == nil)
        #expect(model.record(ended(.timeout)) == .failed(.timeout))
        #expect(model.record(told(.preparing)) == .preparing)
    }

    @Test func `a name that cannot be looked up since nothing leads out has it wait`() {
        var model = startedModel()
        #expect(model.record(.link(isUp: false, at: .zero)) == nil)
        _ = model.record(ended(.failure(Failure(.resolverFailed))))
        guard case .waiting = model.state else {
            Issue.record("\(model.state)")
            return
        }
        _ = model.record(.link(isUp: true, at: .zero))
        #expect(model.record(ended(.failure(Failure(.nameNotFound)))) == .failed(.failure(Failure(.nameNotFound))))
    }

    @Test func `what probes find of a connection that stands again is no news`() {
        var model = startedModel()
        _ = model.record(told(.ready, address: "192.0.2.1"))
        #expect(model.record(ended(.failure(Failure(.reset)))) == nil)
        #expect(model.isOnline)
    }

    @Test func `when nobody wants to know any more, it begins anew`() {
        var model = startedModel()
        _ = model.record(told(.ready, address: "192.0.2.1"))
        _ = model.stop(at: .zero)
        #expect(model.state == .setup)
        #expect(model.start() == .preparing)
        #expect(model.record(told(.ready, address: "192.0.2.1")) == nil, "a late finding of the run before")
        let timeout = Observation(target: Target.ID(8), sequence: 1, time: .zero, outcome: .timeout)
        #expect(model.record(.observation(timeout)) == .failed(.timeout))
    }

    @Test func `one that was cancelled stays so`() {
        var model = startedModel()
        #expect(model.cancel().events.first == .cancelled)
        #expect(model.cancel().events.first == nil)
        #expect(model.record(told(.ready, address: "192.0.2.1")) == nil)
        _ = model.stop(at: .zero)
        #expect(model.state == .cancelled)
        #expect(model.start() == nil)
    }
}

extension SessionModel {
    /// Starts a run, and returns the new state; nil where it is the same.
    fileprivate mutating func start() -> Session.State? {
        start(link: nil, at: .zero).events.first
    }

    /// Applies one finding, and returns the new state; nil where it is the same.
    fileprivate mutating func record(_ finding: Finding) -> Session.State? {
        record([finding]).events.first
    }
}
