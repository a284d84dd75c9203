import Monitoring
import TestSupport
import Testing

struct BackoffTests {
    @Test func `the limit doubles with each try, up to the cap`() {
        var (backoff, generator) = (Backoff(), Constant.high)
        let pauses = (0..<9).map { _ in backoff.pause(using: &generator) }
        #expect(pauses == [0.5, 1, 2, 4, 8, 16, 30, 30, 30].map { Duration.seconds($0) })
        #expect(backoff.tries == 9)
    }

    @Test func `a pause is between zero and the limit`() {
        var (backoff, generator) = (Backoff(), Constant.low)
        for _ in 0..<9 {
            let pause = backoff.pause(using: &generator)
            #expect(pause >= .zero && pause < .milliseconds(10))
        }
    }

    @Test func `a success resets the pauses`() {
        var (backoff, generator) = (Backoff(base: .seconds(1), cap: .seconds(3)), Constant.high)
        for _ in 0..<5 { _ = backoff.pause(using: &generator) }
        backoff.reset()
        #expect((0..<3).map { _ in backoff.pause(using: &generator) } == [1, 2, 3].map { Duration.seconds($0) })
    }

    @Test func `the limit does not overflow`() {
        var (backoff, generator) = (Backoff(), Constant.high)
        for _ in 0..<1_000 { _ = backoff.pause(using: &generator) }
        #expect(backoff.limit == .seconds(30))
    }
}
