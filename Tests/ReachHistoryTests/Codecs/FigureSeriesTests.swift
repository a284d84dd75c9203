@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

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
}
