import Foundation
import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct FigureSeriesTests {
    /// Figures of one minute of a target that is probed once a second.
    private func minute(_ random: inout TestSupport.SplitMix, around median: Double, lossy: Bool = false)
        -> ProbeFigures
    {
        let samples = (0..<Int.random(in: 59...61, using: &random)).map { second -> Sample in
            let isLost = lossy && Int.random(in: 0..<10, using: &random) == 0
            let spike = Int.random(in: 0..<20, using: &random) == 0 ? 3.0 : 1
            let roundTrip = median * Double.random(in: 0.9...1.2, using: &random) * spike
            return Sample(time: .seconds(second), roundTrip: isLost ? nil : .seconds(roundTrip))
        }
        return ProbeFigures(samples)
    }

    @Test(arguments: [FigureSeries.Slot.minute, .hour])
    func `a series is read as it was written`(slot: FigureSeries.Slot) {
        var random = TestSupport.SplitMix(seed: 7)
        for round in 0..<90 {
            var series = FigureSeries(slot)
            for number in 0..<slot.count where round % 3 == 0 || Bool.random(using: &random) {
                switch Int.random(in: 0..<6, using: &random) {
                case 0: series.add(ProbeFigures(sent: 60, lost: 60), to: number)
                case 1: series.add(ProbeFigures(sent: 1, lost: 0), to: number)
                default:
                    let median = Double.random(in: 1e-6...1, using: &random)
                    var figures = minute(&random, around: median, lossy: true)
                    if slot == .minute, let roundTrips = figures.roundTrips {
                        figures.roundTrips?.p99 = roundTrips.longest
                    }
                    series.add(figures, to: number)
                }
            }
            #expect(FigureSeries(slot, bytes: series.bytes) == series)
        }
    }

    @Test func `a minute of a steady target takes about four bytes at most`() {
        var random = TestSupport.SplitMix(seed: 3)
        var bytes = 0
        for _ in 0..<60 {
            let median = Double.random(in: 1e-4...1e-1, using: &random)
            var series = FigureSeries(.minute)
            for number in 0..<60 { series.add(minute(&random, around: median), to: number) }
            bytes += series.bytes.count
        }
        #expect(Double(bytes) / 3_600 < 4)
    }

    @Test func `damaged bytes end a series and never trap`() {
        var random = TestSupport.SplitMix(seed: 11)
        for _ in 0..<4_000 {
            let bytes = (0..<Int.random(in: 0...80, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            _ = FigureSeries(.minute, bytes: bytes)
            _ = FigureSeries(.hour, bytes: bytes)
            _ = MinuteSnapshot.figures(in: bytes)
            _ = SampleBlocks.samples(in: bytes, after: .zero)
        }
    }

    @Test func `a snapshot of a minute is read as it was written`() {
        var random = TestSupport.SplitMix(seed: 5)
        let figures: MinuteSnapshot.Figures = (1...300).map { number in
            var one = minute(&random, around: .random(in: 1e-5...2, using: &random), lossy: number % 2 == 0)
            if let roundTrips = one.roundTrips { one.roundTrips?.p99 = roundTrips.longest }
            return (Int64(number * number), number % 7 == 0 ? ProbeFigures(sent: 3, lost: 3) : one)
        }
        let read = MinuteSnapshot.figures(in: MinuteSnapshot.bytes(of: figures.shuffled(using: &random)))
        #expect(read.map(\.target) == figures.map(\.target))
        #expect(read.map(\.figures) == figures.map(\.figures))
    }

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

@Suite struct MinuteCollectorTests {
    private let id = Target.ID(3)
    /// A program that started half a minute after a full minute, the tenth since 1970.
    private let start = Duration.seconds(630)

    private func samples(_ seconds: Range<Int>) -> [TargetSample] {
        seconds.map { TargetSample(id, Sample(time: .seconds($0), roundTrip: .milliseconds(1))) }
    }

    @Test func `samples are divided by the minutes of the wall clock`() {
        var collector = MinuteCollector()
        #expect(collector.add(samples(0..<100), startingAt: start).isEmpty)
        #expect(collector.end(before: .seconds(659)).isEmpty)
        let ended = collector.end(before: .seconds(721))
        #expect(ended.map(\.number) == [10, 11])
        #expect(ended.map { $0.samples[id]?.count } == [30, 60])
        #expect(collector.removeAll().map { $0.samples[id]?.count } == [10])
        #expect(collector.isEmpty)
    }

    @Test func `a late sample counts for the minute in progress`() {
        var collector = MinuteCollector()
        _ = collector.add(samples(0..<5), startingAt: start)
        #expect(collector.end(before: .seconds(660)).map(\.number) == [10])
        _ = collector.add(samples(29..<31), startingAt: start)
        #expect(collector.end(before: .seconds(720)).map { $0.samples[id]?.count } == [2])
    }

    @Test(arguments: [3_600, -3_600])
    func `when the clock is set, all minutes until then are over`(step: Int) {
        var collector = MinuteCollector()
        _ = collector.add(samples(0..<5), startingAt: start)
        let ended = collector.add(samples(5..<8), startingAt: start + .seconds(step))
        #expect(ended.map(\.number) == [10] && ended.first?.samples[id]?.count == 5)
        let next = collector.end(before: .seconds(660 + step))
        #expect(next.map(\.number) == [10 + Int64(step / 60)] && next.first?.samples[id]?.count == 3)
    }

    @Test func `faults are no samples`() {
        let fault = Outcome.fault(Fault(.permission, detail: "not permitted"))
        #expect(TargetSample(Observation(target: id, sequence: 1, time: .zero, outcome: fault)) == nil)
        let loss = TargetSample(Observation(target: id, sequence: 1, time: .zero, outcome: .timeout))
        #expect(loss?.sample.isLoss == true)
    }
}
