import TestSupport
import Testing

@testable import ReachMonitoring

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
        let bytes = SampleBlocks.bytes(of: [(7, samples), (9, [samples[0]])], after: .seconds(100))
        let read = SampleBlocks.samples(in: bytes, after: .seconds(-1_000))
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
        #expect(SampleBlocks.bytes(of: [(1, samples)], after: .seconds(60)).count < 50)
    }

    @Test func `a history with older samples continues them`() {
        var history = History(capacity: 200)
        for second in 0..<3 { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(1))) }
        // The last of them are samples that it has.
        var older = History(capacity: 3_600)
        for second in -500...1 { older.append(Sample(time: .seconds(second), roundTrip: nil)) }
        history.prepend(older)
        #expect(history.count == 200 && history.capacity == 200)
        #expect(history.first?.time == .seconds(-197) && history.last?.time == .seconds(2))
        older = History(capacity: 3_600)
        for second in -50 ... -5 { older.append(Sample(time: .seconds(second), roundTrip: nil)) }
        history.removeAll()
        for second in 0..<3 { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(1))) }
        history.prepend(older)
        #expect(history.count == 49)
        #expect(history.first?.time == .seconds(-50) && history.last?.time == .seconds(2))
        #expect(history.since(.seconds(-6)).map(\.time) == [-6, -5, 0, 1, 2].map { .seconds($0) })
    }
}
