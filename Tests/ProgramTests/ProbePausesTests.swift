import Monitoring
import Testing

@testable import reach

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
