import Monitoring
import Testing

@testable import reach

/// The remaining probes of `check`, and when they are due.
struct ProbeQuotaTests {
    private let ids = (0..<2).map { Target.ID($0) }

    private func finding(_ id: Target.ID, at seconds: Int, _ outcome: Outcome = .timeout) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `with a count of one, each target is probed once`() {
        var quota = ProbeQuota(1, of: ids)
        #expect(!quota.isMet && quota.isPending(ids[0]))
        #expect(quota.record([finding(ids[0], at: 1)]) { _ in .zero } == [ids[0]])
        #expect(!quota.isMet && !quota.isPending(ids[0]))
        // A late observation is ignored.
        #expect(quota.record([finding(ids[0], at: 1), finding(ids[1], at: 1)]) { _ in .zero } == [ids[1]])
        #expect(quota.isMet)
    }

    @Test func `each target is probed again after its own pause, and faults count`() {
        var quota = ProbeQuota(2, of: ids)
        let fault = Outcome.fault(Fault(.permission, detail: ""))
        let met = quota.record([finding(ids[0], at: 1, fault), finding(ids[1], at: 1)]) {
            .seconds($0.target == ids[0] ? 1 : 3)
        }
        #expect(met.isEmpty)
        #expect(quota.due(at: .milliseconds(1_999)).isEmpty)
        #expect(quota.due(at: .seconds(2)) == [ids[0]])
        #expect(quota.due(at: .seconds(3)).isEmpty, "each target is due once")
        #expect(quota.due(at: .seconds(9)) == [ids[1]])
        #expect(quota.record([finding(ids[0], at: 9), finding(ids[1], at: 9)]) { _ in .zero } == ids)
        #expect(quota.isMet && quota.due(at: .seconds(99)).isEmpty)
    }

    @Test func `a new target gets the full quota, and a removed one is dropped`() {
        var quota = ProbeQuota(2, of: [ids[0]])
        #expect(quota.record([finding(ids[0], at: 1)]) { _ in .zero }.isEmpty)
        quota.update(to: ids)
        quota.update(to: ids)
        #expect(quota.record([finding(ids[0], at: 2), finding(ids[1], at: 2)]) { _ in .zero } == [ids[0]])
        #expect(!quota.isPending(ids[0]) && quota.isPending(ids[1]))
        quota.update(to: [ids[0]])
        #expect(quota.isMet)
    }

    @Test func `a quota without targets is met`() {
        #expect(ProbeQuota(3, of: []).isMet)
    }
}
