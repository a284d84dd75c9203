import Monitoring
import TestSupport
import Testing

/// Times that no target can have.
struct TargetLimitTests {
    private static let times: [Duration] = [
        .zero, .seconds(-1), .seconds(Int64.min), .nanoseconds(1), .seconds(Int64.max),
    ]

    @Test(arguments: times) func `the times of a target are limited`(_ time: Duration) {
        var target = Target.make("NAS")
        (target.interval, target.timeout, target.retryInterval, target.downInterval) = (time, time, time, time)
        var roster = Roster()
        let requests = roster.apply(Settings(targets: [target], history: .seconds(60)), at: .zero).requests
        guard case .watch(let assignments)? = requests.first, let probed = assignments.first?.target else {
            return #expect(Bool(false), "\(requests)")
        }
        let limited: Duration = time > .seconds(1) ? .seconds(365 * 86_400) : .milliseconds(1)
        for time in [probed.interval, probed.timeout, probed.retryInterval, probed.downInterval] {
            #expect(time == limited)
        }
        #expect(ProbeRequest.Assignment(id: Target.ID(0), target: target).target == probed)
    }

    @Test(arguments: times) func `any span of a history is limited`(_ span: Duration) {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [.make("NAS")], history: span), at: .zero)
        #expect((1...100_000).contains(roster.states[0].history.capacity))
    }
}
