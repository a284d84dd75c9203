import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct RoundTripSketchTests {
    /// Percentiles of values, and of a sketch of them, in nanoseconds.
    private func percentiles(of values: [Int64]) -> [(exact: Int64, sketched: Int64)] {
        var sketch = RoundTripSketch()
        for value in values { sketch.record(nanoseconds: value) }
        let sorted = values.sorted()
        return (0...100).compactMap { percent in
            let rank = max(1, (percent * sorted.count + 99) / 100)
            return sketch.percentile(percent).map { (sorted[rank - 1], $0) }
        }
    }

    private func random(_ count: Int, _ value: (inout TestSupport.SplitMix) -> Double) -> [Int64] {
        var random = TestSupport.SplitMix(seed: 17)
        return (0..<count).map { _ in Int64(value(&random)) }
    }

    @Test func `percentiles are exact to 1 in 64, for any distribution`() {
        let distributions: [[Int64]] = [
            random(5_000) { .random(in: 1e6...3e6, using: &$0) },
            // Each power of ten is as likely: from 1 µs to 1000 s.
            random(5_000) { random in (0..<9).reduce(1.1e3) { value, _ in value * .random(in: 1...10, using: &random) }
            },
            random(5_000) { .random(in: 0..<1, using: &$0) < 0.98 ? 7e5 : 9e8 },
            random(3) { .random(in: 1e3...1e9, using: &$0) },
            (0..<40).map { 1_100 << ($0 / 2) },
        ]
        for values in distributions {
            let pairs = percentiles(of: values)
            #expect(pairs.count == 101)
            for (exact, sketched) in pairs {
                #expect(abs(Double(sketched - exact)) <= Double(exact) / 64, "\(sketched) for \(exact)")
            }
        }
    }

    @Test func `every bucket of the range is distinct, and the ends hold the rest`() {
        var expected: [Int64] = []
        var lower: Int64 = 1_024
        while lower < 1 << 42 {
            for step in 0..<32 { expected.append(lower + Int64(step) * lower / 32 + lower / 64) }
            lower *= 2
        }
        var sketch = RoundTripSketch()
        for value in expected.reversed() { sketch.record(nanoseconds: value) }
        #expect(expected.count == 1_024)
        for percent in 1...100 {
            let rank = (percent * expected.count + 99) / 100
            #expect(sketch.percentile(percent) == expected[rank - 1])
        }
        sketch = RoundTripSketch()
        for value in [-5, 0, 1, Int64.max, 1 << 42] { sketch.record(nanoseconds: value) }
        #expect(sketch.percentile(50) == expected.first)
        #expect(sketch.percentile(99) == expected.last)
    }

    @Test func `without round trips, there are no percentiles`() {
        #expect(RoundTripSketch().percentile(50) == nil)
        #expect(RoundTripTotals().percentile(50) == nil)
    }

    @Test func `percentiles since the start are between the shortest and the longest round trip`() throws {
        var totals = RoundTripTotals()
        totals.record(.microseconds(700))
        #expect(totals.percentile(50) == .microseconds(700))
        totals.record(.nanoseconds(300))
        // Less than 1.024 µs counts as that.
        #expect(totals.percentile(0) == .nanoseconds(1_040))
        for _ in 0..<9 { totals.record(.nanoseconds(300)) }
        totals.record(.microseconds(703))
        #expect(try #require(totals.percentile(100)) <= .microseconds(703))
    }

    @Test func `percentiles since the start cover more than the last hundred`() throws {
        var totals = RoundTripTotals()
        for _ in 0..<900 { totals.record(.milliseconds(10)) }
        for _ in 0..<100 { totals.record(.milliseconds(80)) }
        for (percent, milliseconds) in [(50, 10.0), (90, 10), (91, 80), (99, 80)] {
            let value = try #require(totals.percentile(percent))
            #expect(abs(value / .milliseconds(1) / milliseconds - 1) <= 1 / 64)
        }
    }

    @Test func `a reset forgets the percentiles`() throws {
        var roster = Roster()
        _ = roster.apply(Settings(targets: [Target(name: "NAS", question: .icmp(host: "192.0.2.1"))]), at: .zero)
        let id = try #require(roster.states.first?.id)
        let reply = Observation(
            target: id,
            sequence: 1,
            time: .seconds(1),
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        _ = roster.record([.observation(reply)])
        #expect(roster[id]?.totals.roundTrips.percentile(99) == .milliseconds(7))
        roster.reset([id], at: .seconds(2))
        #expect(roster[id]?.totals.roundTrips.percentile(99) == nil)
    }
}
