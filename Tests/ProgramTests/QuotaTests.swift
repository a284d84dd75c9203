import Monitoring
import Testing

@testable import reach

/// Who `check` asks again, and when.
struct QuotaTests {
    private let ids = (0..<2).map { Target.ID($0) }

    private func ended(_ id: Target.ID, at seconds: Int, _ outcome: Outcome = .timeout) -> Finding {
        .observation(Observation(target: id, sequence: 1, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `once is enough for one`() {
        var quota = Quota(1, of: ids)
        #expect(!quota.isMet && quota.isOpen(ids[0]))
        #expect(quota.record([ended(ids[0], at: 1)]) { _ in .zero } == [ids[0]])
        #expect(!quota.isMet && !quota.isOpen(ids[0]))
        // A probe that was under way still is nobody's.
        #expect(quota.record([ended(ids[0], at: 1), ended(ids[1], at: 1)]) { _ in .zero } == [ids[1]])
        #expect(quota.isMet)
    }

    @Test func `each is asked again after its own pause, faults among the probes`() {
        var quota = Quota(2, of: ids)
        let fault = Outcome.fault(Fault(.permission, detail: ""))
        let met = quota.record([ended(ids[0], at: 1, fault), ended(ids[1], at: 1)]) { .seconds($0 == ids[0] ? 1 : 3) }
        #expect(met.isEmpty)
        #expect(quota.due(at: .milliseconds(1_999)).isEmpty)
        #expect(quota.due(at: .seconds(2)) == [ids[0]])
        #expect(quota.due(at: .seconds(3)).isEmpty, "it is asked once")
        #expect(quota.due(at: .seconds(9)) == [ids[1]])
        #expect(quota.record([ended(ids[0], at: 9), ended(ids[1], at: 9)]) { _ in .zero } == ids)
        #expect(quota.isMet && quota.due(at: .seconds(99)).isEmpty)
    }

    @Test func `a target that becomes two is asked as often at each, and one that is gone no more`() {
        var quota = Quota(2, of: [ids[0]])
        #expect(quota.record([ended(ids[0], at: 1)]) { _ in .zero }.isEmpty)
        quota.update(to: ids)
        quota.update(to: ids)
        #expect(quota.record([ended(ids[0], at: 2), ended(ids[1], at: 2)]) { _ in .zero } == [ids[0]])
        #expect(!quota.isOpen(ids[0]) && quota.isOpen(ids[1]))
        quota.update(to: [ids[0]])
        #expect(quota.isMet)
    }

    @Test func `nobody is asked where there is nobody`() {
        #expect(Quota(3, of: []).isMet)
    }
}
