import ReachMonitoring
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

/// The time between two probes of a target in `check` and `wait`.
struct ProbePausesTests {
    private func observation(_ outcome: Outcome, of target: Int = 0) -> Observation {
        Observation(target: Target.ID(target), sequence: 1, time: .zero, outcome: outcome)
    }

    private let reply = Outcome.reply(roundTrip: .milliseconds(1))

    @Test func `without a backoff, it does not change`() {
        var pauses = ProbePauses(longest: nil)
        for _ in 0..<3 { #expect(pauses.pause(after: observation(.timeout), base: .seconds(1)) == .seconds(1)) }
    }

    @Test func `it doubles after each loss, up to the limit, and a reply resets it`() {
        var pauses = ProbePauses(longest: .seconds(5))
        let losses: [Outcome] = [
            .timeout, .failure(Failure(.refused)), .fault(Fault(.permission, detail: "")), .timeout, .timeout,
        ]
        #expect(
            losses.map { pauses.pause(after: observation($0), base: .seconds(1)) }
                == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5)]
        )
        #expect(pauses.pause(after: observation(.timeout, of: 1), base: .seconds(1)) == .seconds(1), "another target")
        #expect(pauses.pause(after: observation(reply), base: .seconds(1)) == .seconds(1))
        #expect(pauses.pause(after: observation(.timeout), base: .seconds(1)) == .seconds(1))
    }

    @Test func `a longer interval of the target is kept`() {
        var pauses = ProbePauses(longest: .seconds(5))
        for _ in 0..<9 { #expect(pauses.pause(after: observation(.timeout), base: .seconds(8)) == .seconds(8)) }
    }
}
