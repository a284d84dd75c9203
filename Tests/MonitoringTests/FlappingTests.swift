import TestSupport
import Testing

@testable import Monitoring

@Suite struct FlappingTests {
    private func flapping(_ verdicts: String) -> Flapping {
        var flapping = Flapping()
        for letter in verdicts { _ = flapping.record(letter == "u" ? .up : letter == "d" ? .down : .degraded) }
        return flapping
    }

    @Test func `the changes of Nagios's example weigh 34.28 percent`() {
        // Changes at t3, t4, t5, t9, t12, t16 and t19 of t0…t20.
        let flapping = flapping("uuududdddduuudddduuudd".replacing("ddddduuudddduuudd", with: "dddduuudddduuudd"))
        #expect((flapping.share * 10_000).rounded() == 3_428)
    }

    @Test func `a change at every verdict is all of it, and none is nothing`() {
        #expect(abs(flapping("ududududududududududu").share - 1) < 1e-9)
        #expect(flapping(String(repeating: "u", count: 30)).share == 0)
        #expect(flapping("").share == 0)
    }

    @Test func `the oldest change weighs 0,75 and the newest 1,25 of a twentieth`() {
        #expect(abs(flapping("d" + String(repeating: "u", count: 20)).share - 0.75 / 20) < 1e-9)
        #expect(abs(flapping(String(repeating: "u", count: 20) + "d").share - 1.25 / 20) < 1e-9)
        #expect(flapping("d" + String(repeating: "u", count: 21)).share == 0)
    }

    @Test func `before the first verdict there is nothing to change from`() {
        var flapping = Flapping()
        #expect(flapping.record(.unknown) == nil)
        _ = flapping.record(.up)
        #expect(flapping.share == 0)
    }

    @Test func `it begins at 30 percent and ends at 20`() {
        var flapping = flapping("uuuududu")
        var shares: [Double] = []
        for health in [Health.down, .up, .down] where !flapping.isFlapping {
            _ = flapping.record(health)
            shares.append(flapping.share)
        }
        #expect(flapping.isFlapping && shares.last ?? 0 >= 0.3 && shares.dropLast().allSatisfy { $0 < 0.3 })
        var last = flapping.share
        while flapping.record(.down) == nil { last = flapping.share }
        #expect(last > 0.2 && flapping.share <= 0.2)
    }
}
