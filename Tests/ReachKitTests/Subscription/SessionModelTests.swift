import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// The states of a session for findings.
struct SessionModelTests {
    private let id = Target.ID(7)
    private let refused = Outcome.failure(Failure(.refused))

    private func reported(_ state: SessionState, address: String? = nil) -> Finding {
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
        #expect(model.record(reported(.ready, address: "192.0.2.1")) == nil)
        #expect(model.start() == .preparing)
        #expect(model.start() == nil)
    }

    @Test func `the states of the connection are those of the session`() {
        var model = startedModel()
        let lack = Failure(.noRoute, detail: "eth0 has no carrier")
        let findings = [
            reported(.preparing), reported(.ready, address: "192.0.2.1"), reported(.waiting(lack)),
            reported(.preparing),
            reported(.failed(refused)),
        ]
        let states = findings.map { model.record($0) }
        #expect(states == [nil, .ready(address: "192.0.2.1"), .waiting(lack), .preparing, .failed(refused)])
    }

    @Test func `it is online only when ready`() {
        var model = startedModel()
        #expect(!model.isOnline)
        _ = model.record(reported(.ready, address: "192.0.2.1"))
        #expect(model.isOnline)
        _ = model.record(reported(.failed(.timeout)))
        #expect(!model.isOnline)
    }

    @Test func `a missing name fails it, once for each cause`() {
        var model = startedModel()
        let missing = Failure(.nameNotFound)
        #expect(model.record(ended(.failure(missing))) == .failed(.failure(missing)))
        #expect(model.record(ended(.failure(missing))) == nil)
        #expect(model.record(ended(.timeout)) == .failed(.timeout))
        #expect(model.record(reported(.preparing)) == .preparing)
    }

    @Test func `it waits when a lookup fails without an uplink`() {
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

    @Test func `an observation about an earlier connection is ignored`() {
        var model = startedModel()
        _ = model.record(reported(.ready, address: "192.0.2.1"))
        #expect(model.record(ended(.failure(Failure(.reset)))) == nil)
        #expect(model.isOnline)
    }

    @Test func `after a stop, it starts again from setup`() {
        var model = startedModel()
        _ = model.record(reported(.ready, address: "192.0.2.1"))
        _ = model.stop(at: .zero)
        #expect(model.state == .setup)
        #expect(model.start() == .preparing)
        #expect(model.record(reported(.ready, address: "192.0.2.1")) == nil, "a late finding of the earlier run")
        let timeout = Observation(target: Target.ID(8), sequence: 1, time: .zero, outcome: .timeout)
        #expect(model.record(.observation(timeout)) == .failed(.timeout))
    }

    @Test func `a cancelled session stays cancelled`() {
        var model = startedModel()
        #expect(model.cancel().events.first == .cancelled)
        #expect(model.cancel().events.first == nil)
        #expect(model.record(reported(.ready, address: "192.0.2.1")) == nil)
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
