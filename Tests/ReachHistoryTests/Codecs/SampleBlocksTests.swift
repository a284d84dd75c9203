@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

@Suite struct SampleBlocksTests {
    @Test func `samples keep their times, losses and round trips within the precision of packed ones`() throws {
        var random = TestSupport.SplitMix(seed: 21)
        let samples = (0..<150).map { second -> Sample in
            // A pause of a minute in the middle.
            let time =
                Duration.seconds(second + (second > 70 ? 60 : 0))
                + .milliseconds(Int.random(in: 0..<50, using: &random))
            let roundTrip = Duration.microseconds(Int.random(in: 900...1_500, using: &random))
            return Sample(time: time, roundTrip: second % 10 == 0 ? nil : roundTrip)
        }
        var writer = SampleBlocks.Writer(after: .seconds(100))
        writer.append(samples, of: 7)
        writer.append([samples[0]], of: 9)
        let read = SampleBlocks.samples(in: writer.bytes, after: .seconds(-1_000))
        #expect(read.map(\.target) == [7, 9])
        let found = try #require(read.first?.samples)
        #expect(found.count == samples.count)
        for (new, old) in zip(found, samples) {
            #expect(new.isLoss == old.isLoss)
            let distance = new.time + .seconds(1_100) - old.time
            #expect(abs(distance / .seconds(1)) < 1.6)
            guard let before = old.roundTrip, let after = new.roundTrip else { continue }
            #expect(after >= before && after - before <= .microseconds(100))
        }
        let gap = zip(found, found.dropFirst()).map { $1.time - $0.time }.max()
        #expect(try #require(gap) > .seconds(58))
    }

    @Test func `sixty samples take less than fifty bytes`() {
        let samples = (0..<60).map { Sample(time: .seconds($0), roundTrip: .microseconds(800 + $0)) }
        var writer = SampleBlocks.Writer(after: .seconds(60))
        writer.append(samples, of: 1)
        #expect(writer.bytes.count < 50)
    }
}
