import Testing

@testable import Probing

struct DamperTests {
    /// When it is due while something happens every millisecond, for so long.
    private func times(_ damper: Damper, milliseconds: Int) -> [Duration] {
        var damper = damper
        return (0..<milliseconds).map { .milliseconds($0) }.filter { time in
            damper.ring(at: time)
            return damper.take(at: time)
        }
    }

    @Test func `the first is not kept waiting, and the longer it goes on, the seldomer it is done`() {
        let damper = Damper(pause: .milliseconds(20) ... .milliseconds(100))
        let expected: [Duration] = [0, 20, 60, 140, 240, 340].map { .milliseconds($0) }
        #expect(times(damper, milliseconds: 400) == expected)
    }

    @Test func `after a quiet time nothing is kept waiting again`() {
        var damper = Damper(pause: .milliseconds(20) ... .milliseconds(100))
        for time in [Duration.zero, .milliseconds(20), .milliseconds(60), .seconds(1)] {
            damper.ring(at: time)
            #expect(damper.due == time)
            _ = damper.take(at: time)
        }
        damper.ring(at: .milliseconds(1_001))
        #expect(damper.due == .milliseconds(1_020))
    }

    @Test func `a delay collects what belongs together, and the last is never forgotten`() {
        var damper = Damper(delay: .milliseconds(50), pause: .seconds(1) ... .seconds(1))
        damper.ring(at: .zero)
        damper.ring(at: .milliseconds(49))
        let taken = [49, 50, 50].map { damper.take(at: .milliseconds($0)) }
        #expect(taken == [false, true, false])
        damper.ring(at: .milliseconds(60))
        #expect(damper.due == .milliseconds(1_050))
    }
}
