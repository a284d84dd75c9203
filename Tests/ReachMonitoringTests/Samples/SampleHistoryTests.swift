@testable import ReachMonitoring
import TestSupport
import Testing

@Suite struct SampleHistoryTests {
    private func history(_ seconds: ClosedRange<Int>, capacity: Int) -> SampleHistory {
        var history = SampleHistory(capacity: capacity)
        for second in seconds { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(second))) }
        return history
    }

    @Test func `the newest sample replaces the oldest`() {
        let history = history(1...10, capacity: 4)
        #expect(history.map(\.time) == [7, 8, 9, 10].map { .seconds($0) })
    }

    @Test func `since returns the samples from a time on`() {
        let history = history(1...10, capacity: 100)
        #expect(history.since(.seconds(8)).map(\.time) == [8, 9, 10].map { .seconds($0) })
        #expect(history.since(.zero).count == 10)
        #expect(history.since(.seconds(11)).isEmpty)
    }

    @Test func `a smaller capacity drops the oldest`() {
        var history = history(1...10, capacity: 100)
        history.resize(to: 3)
        #expect(history.map(\.time) == [8, 9, 10].map { .seconds($0) })
    }

    @Test func `a sample keeps nanoseconds and losses`() {
        let sample = Sample(time: .nanoseconds(1_234_567_891), roundTrip: .nanoseconds(41))
        #expect(sample.time == .nanoseconds(1_234_567_891))
        #expect(sample.roundTrip == .nanoseconds(41))
        #expect(Sample(time: .zero, roundTrip: nil).roundTrip == nil)
    }
}

/// Compares the history of an hour with an array of all samples.
@Suite struct PackedHistoryTests {
    /// Samples once a second, with a spread of a twentieth. A tenth are losses, reported a second later. Some replies
    /// have no round trip, a few are far slower than the rest, and there are gaps of a minute.
    private func samples(_ count: Int, seed: UInt64) -> [Sample] {
        var random = SplitMix(seed: seed)
        var start = Duration.zero
        return (0..<count).map { _ in
            start += .seconds(Int.random(in: 0..<400, using: &random) == 0 ? 60 : 1)
            let time = start + .microseconds(Int.random(in: 0..<50_000, using: &random))
            switch Int.random(in: 0..<100, using: &random) {
            case 0..<10: return Sample(time: time + .seconds(1), roundTrip: nil)
            case 10: return Sample(replyWithoutRoundTripAt: time)
            case 11:
                let spike = Duration.milliseconds(Int.random(in: 20...3_000, using: &random))
                return Sample(time: time, roundTrip: spike)
            default:
                return Sample(time: time, roundTrip: .nanoseconds(Int.random(in: 200_000..<900_000, using: &random)))
            }
        }
        .sorted { $0.time < $1.time }
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `every probe of an hour is kept, and no round trip is shortened`(seed: UInt64) {
        let all = samples(5_000, seed: seed)
        var history = SampleHistory(capacity: 3_600)
        for (index, sample) in all.enumerated() {
            history.append(sample)
            let kept = all[...index].suffix(3_600)
            #expect(history.count == kept.count)
            guard index % 997 == 0 || index == all.count - 1 else { continue }
            #expect(Array(history.suffix(Statistics.window)) == kept.suffix(Statistics.window))
            #expect(history.map(\.isLoss) == kept.map(\.isLoss))
            #expect(history.map { $0.roundTrip == nil } == kept.map { $0.roundTrip == nil })
            for (packed, sample) in zip(history, kept) {
                guard let shown = packed.roundTrip, let real = sample.roundTrip else { continue }
                #expect(shown >= real)
            }
            #expect(zip(history, kept).allSatisfy { abs($0.time / .seconds(1) - $1.time / .seconds(1)) < 2 })
            #expect(zip(history, history.dropFirst()).allSatisfy { $0.time <= $1.time })
            #expect(history.compactMap(\.roundTrip).max() == kept.compactMap(\.roundTrip).max())
        }
    }

    @Test func `older round trips are rounded up slightly, and the longest are exact`() {
        var history = SampleHistory(capacity: 1_000)
        for second in 0..<1_000 {
            history.append(Sample(time: .seconds(second), roundTrip: .microseconds(10_000 + second % 61 * 100)))
        }
        for (second, sample) in history.enumerated() {
            let real = Duration.microseconds(10_000 + second % 61 * 100)
            #expect((real...real + .microseconds(900)).contains(sample.roundTrip ?? .zero), "second \(second)")
            #expect(sample.time == .seconds(second))
        }
    }

    @Test func `a gap between probes stays a gap`() {
        var history = SampleHistory(capacity: 1_000)
        let times = (0..<400).map { Duration.seconds($0 < 40 ? $0 : $0 + 10) }
        for time in times { history.append(Sample(time: time, roundTrip: .milliseconds(1))) }
        #expect(history.map(\.time) == times)
        #expect(history.since(.seconds(40)).first?.time == .seconds(50))
        #expect(history.before(.seconds(45)).last?.time == .seconds(39))
    }

    @Test func `a loss among slow replies keeps its position`() {
        var history = SampleHistory(capacity: 600)
        for second in 0..<600 {
            let roundTrip: Duration? = second == 77 ? nil : second == 300 ? .seconds(2) : .milliseconds(3)
            history.append(Sample(time: .seconds(second), roundTrip: roundTrip))
        }
        #expect(history.firstIndex(where: \.isLoss) == 77)
        #expect(history[300].roundTrip == .seconds(2))
        #expect(Statistics(history).loss == 1.0 / 600)
    }

    @Test func `a changed capacity keeps the newest samples`() {
        var history = SampleHistory(capacity: 1_000)
        for second in 0..<1_500 { history.append(Sample(time: .seconds(second), roundTrip: nil)) }
        #expect(history.first?.time == .seconds(500))
        history.resize(to: 450)
        #expect(history.map(\.time) == (1_050..<1_500).map { .seconds($0) })
        history.resize(to: 10)
        #expect(history.map(\.time) == (1_490..<1_500).map { .seconds($0) })
        history.resize(to: 300)
        for second in 1_500..<2_000 { history.append(Sample(time: .seconds(second), roundTrip: nil)) }
        #expect(history.map(\.time) == (1_700..<2_000).map { .seconds($0) })
        history.removeAll()
        #expect(history.isEmpty && history.since(.zero).isEmpty)
    }

    @Test func `times never run backward`() {
        var history = SampleHistory(capacity: 400)
        for second in (0..<400).reversed() { history.append(Sample(time: .seconds(second), roundTrip: nil)) }
        #expect(history.map(\.time) == Array(repeating: .seconds(399), count: 400))
    }

    @Test(arguments: [10, 60, 3_600, 86_400, 30 * 86_400])
    func `probes that are far apart keep their times`(seconds: Int) {
        var history = SampleHistory(capacity: 100)
        let times = (0..<250).map { Duration.seconds(seconds) * $0 }
        for time in times { history.append(Sample(time: time, roundTrip: .milliseconds(1))) }
        #expect(history.map(\.time) == times.suffix(100))
        history.removeAll()
        history.append(Sample(time: .microseconds(8_000_000_000_000_001), roundTrip: nil))
        #expect(history.first?.time == .microseconds(8_000_000_000_000_001))
    }

    @Test func `a round trip of any length is exact to eight digits`() throws {
        for nanoseconds in [0, 1, 134_217_727, 134_217_729, 1_000_000_007, 86_400_000_000_123, Int64.max] {
            var history = SampleHistory(capacity: 1)
            history.append(Sample(time: .zero, roundTrip: .nanoseconds(nanoseconds)))
            let kept = try #require(history.last?.roundTrip)
            let expected = min(nanoseconds, 1 << 57)
            #expect(abs(Double(kept.nanoseconds) - Double(expected)) <= Double(expected) / 67_108_864)
        }
    }

    @Test func `no round trip of a small fleet changes with its age, and packing begins with a large one`() throws {
        func targets(_ count: Int) -> [Target] {
            (0..<count).map { .make("t\($0)", interval: .milliseconds(200)) }
        }
        var roster = Roster()
        _ = roster.apply(Settings(targets: targets(1)), at: .zero)
        let id = roster.states[0].id
        var random = SplitMix(seed: 4)
        let real = (1...1_000).map { _ in Duration.microseconds(Int.random(in: 10_000..<50_000, using: &random)) }
        for (index, roundTrip) in real.enumerated() {
            let time = Duration.milliseconds(200 * (index + 1))
            let outcome = Outcome.reply(roundTrip: roundTrip)
            let observation = Observation(target: id, sequence: index + 1, time: time, outcome: outcome)
            _ = roster.record([.observation(observation)])
        }
        #expect(roster.states[0].history.map(\.roundTrip) == real)
        // 18,000 samples each.
        _ = roster.apply(Settings(targets: targets(55)), at: .seconds(200))
        #expect(roster.states[0].history.map(\.roundTrip) == real)
        _ = roster.apply(Settings(targets: targets(56)), at: .seconds(200))
        let packed = roster.states[0].history.map(\.roundTrip)
        #expect(packed.count == 1_000 && packed != real && packed.suffix(100) == real.suffix(100))
        #expect(zip(packed, real).allSatisfy { $0 ?? .zero >= $1 })
    }

    @Test func `a history with older samples continues them`() {
        var history = SampleHistory(capacity: 200)
        for second in 0..<3 { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(1))) }
        // The last of them are samples that it has.
        var older = SampleHistory(capacity: 3_600)
        for second in -500...1 { older.append(Sample(time: .seconds(second), roundTrip: nil)) }
        history.prepend(older)
        #expect(history.count == 200 && history.capacity == 200)
        #expect(history.first?.time == .seconds(-197) && history.last?.time == .seconds(2))
        older = SampleHistory(capacity: 3_600)
        for second in -50 ... -5 { older.append(Sample(time: .seconds(second), roundTrip: nil)) }
        history.removeAll()
        for second in 0..<3 { history.append(Sample(time: .seconds(second), roundTrip: .milliseconds(1))) }
        history.prepend(older)
        #expect(history.count == 49)
        #expect(history.first?.time == .seconds(-50) && history.last?.time == .seconds(2))
        #expect(history.since(.seconds(-6)).map(\.time) == [-6, -5, 0, 1, 2].map { .seconds($0) })
    }

    @Test func `faults are no samples`() {
        let fault = Outcome.fault(Fault(.permission, detail: "not permitted"))
        #expect(Sample(Observation(target: Target.ID(3), sequence: 1, time: .zero, outcome: fault)) == nil)
        let loss = Sample(Observation(target: Target.ID(3), sequence: 1, time: .zero, outcome: .timeout))
        #expect(loss?.isLoss == true)
    }
}
