import Foundation
import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct ProbeFiguresTests {
    @Test func `the sum of one is itself, and the percentiles of several are near those of all probes`() throws {
        var random = TestSupport.SplitMix(seed: 9)
        for spread in [1.0, 1.1, 2, 8] {
            for _ in 0..<10 {
                var sum = FigureSum()
                var all: [Sample] = []
                let median = Double.random(in: 1e-4...1e-1, using: &random)
                for _ in 0..<60 {
                    let samples = (0..<60).map { _ in
                        let deviation = (0..<6).reduce(0.0) { sum, _ in sum + .random(in: -0.5...0.5, using: &random) }
                        return Sample(time: .zero, roundTrip: .seconds(median * pow(spread, deviation)))
                    }
                    all += samples
                    let figures = ProbeFigures(samples)
                    var one = FigureSum()
                    one.add(figures)
                    #expect(one.figures == figures)
                    sum.add(figures)
                }
                let (combined, exact) = (try #require(sum.figures), ProbeFigures(all))
                #expect(combined.sent == exact.sent && combined.lost == exact.lost)
                let (rough, true_) = (try #require(combined.roundTrips), try #require(exact.roundTrips))
                #expect(rough.longest == true_.longest)
                let pairs = [(rough.p50, true_.p50, 2), (rough.p95, true_.p95, 6), (rough.p99, true_.p99, 10)]
                for (one, other, limit) in pairs {
                    #expect(abs(one.number - other.number) <= limit, "\(spread): \(one.roundTrip), \(other.roundTrip)")
                }
                sum.removeAll()
                #expect(sum.figures == nil)
            }
        }
    }

    @Test func `a few slow minutes do not change the median of an hour`() throws {
        var random = TestSupport.SplitMix(seed: 4)
        var sum = FigureSum()
        for minute in 0..<60 {
            let median = minute < 6 ? 1.0 : 0.01
            let samples = (0..<60).map { _ in
                Sample(time: .zero, roundTrip: .seconds(median * .random(in: 0.7...1.5, using: &random)))
            }
            sum.add(ProbeFigures(samples))
        }
        let figures = try #require(sum.figures?.roundTrips)
        let (p50, p95) = (figures.p50.roundTrip.inSeconds, figures.p95.roundTrip.inSeconds)
        #expect((0.0095...0.0125).contains(p50) && (0.9...1.25).contains(p95), "\(p50) \(p95)")
    }
}
