import Foundation
import TestSupport
import Testing

@testable import ReachMonitoring

@Suite("Properties")
struct ShiftPropertyTests {
    @Test("Logarithms and exponentials agree with those of Foundation")
    func logarithms() {
        var random = SplitMix(seed: 1)
        for _ in 0..<10_000 {
            let x = Float(Foundation.exp(random.uniform() * 40 - 20))
            let exact = Foundation.log(Double(x))
            #expect(abs(Double(Logarithms.log(single: x)) - exact) < 3e-6)
            #expect(abs(Double(Logarithms.log(SIMD8(repeating: x))[3]) - exact) < 3e-6)
            let y = Float(random.uniform() * 40 - 20)
            #expect(abs(Double(Logarithms.exp(single: y)) / Foundation.exp(Double(y)) - 1) < 1e-5)
        }
    }

    @Test("The detectors of a target take at most 272 bytes in their table, without references")
    func size() {
        #expect(MemoryLayout<TargetShifts?>.stride <= 272)
        #expect(_isPOD(TargetShifts.self))
    }

    /// The best place of one change, by the likelihood of two normal distributions over all splits.
    private func offlineSplit(_ values: [Double]) -> Int {
        func cost(_ part: ArraySlice<Double>) -> Double {
            let mean = part.reduce(0, +) / Double(part.count)
            let variance = part.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(part.count)
            return Double(part.count) * Foundation.log(variance + 1e-8)
        }
        let splits = 5...values.count - 5
        return splits.min { cost(values[..<$0]) + cost(values[$0...]) < cost(values[..<$1]) + cost(values[$1...]) } ?? 0
    }

    @Test("Random steps are found once, and dated like the best split of the whole series")
    func offlineReference() {
        var random = SplitMix(seed: 42)
        var near = 0
        let trials = 300
        for trial in 0..<trials {
            let noise = 0.003 + 0.02 * random.uniform()
            // Steps of at least six standard deviations.
            let size = (6 + 20 * random.uniform()) * noise * (random.uniform() < 0.5 ? -1 : 1)
            let place = 60 + Int(random.uniform() * 100)
            let values = (0..<place + 40).map { ($0 < place ? 9 : 9 + size) + noise * random.normal() }
            var detector = StepDetector()
            var steps: [LevelStep] = []
            for (index, value) in values.enumerated() {
                if let step = detector.record(Float(value), at: .seconds(index)) { steps.append(step) }
            }
            #expect(steps.count == 1, "trial \(trial)")
            guard let step = steps.first else { continue }
            #expect(abs(Double(step.after - step.before) - size) < 4 * noise)
            if abs(Int(step.began / .seconds(1)) - offlineSplit(values)) <= 2 { near += 1 }
        }
        #expect(near >= trials * 98 / 100)
    }

    @Test("Stationary noise with spikes has fewer than one step in 10 000 replies")
    func stationary() {
        var random = SplitMix(seed: 9)
        var detector = StepDetector()
        var steps = 0
        for index in 0..<100_000 {
            let spike = random.uniform() < 0.02 ? random.uniform() : 0
            let value = 9 + 0.01 * random.normal() + spike
            if detector.record(Float(value), at: .seconds(index)) != nil { steps += 1 }
        }
        #expect(steps < 10)
    }

    @Test("Outcomes out of order, and extreme round trips, do no harm")
    func extremes() {
        var detector = TargetShifts()
        var random = SplitMix(seed: 11)
        for index in 0..<5000 {
            let disorder = Duration.milliseconds(Int64(random.uniform() * 3000))
            let choices: [Duration?] = [
                nil, .zero, .nanoseconds(1), .microseconds(50), .seconds(300), .seconds(Int64(1) << 50),
            ]
            let changes = detector.record(
                roundTrip: choices[Int(random.uniform() * 6)],
                at: .seconds(index) - disorder,
                hour: index / 100 % 26 - 1
            )
            if let shift = changes.level {
                #expect(shift.before > .zero && shift.after > .zero)
                #expect(shift.began <= shift.found)
            }
        }
    }

    @Test("A copy and its snapshot report the same")
    func snapshots() {
        var feed = ShiftFeed(seed: 12, firstHour: 3)
        feed.send(5000, level: 30)
        var other = feed
        let level = feed.shifts.level.snapshot(at: feed.now)
        other.shifts = TargetShifts(level: level, at: feed.now)
        #expect(other.shifts.level.snapshot(at: feed.now) == level)
        feed.send(100, level: 60)
        other.send(100, level: 60)
        #expect(feed.reports.map(\.began) == other.reports.map(\.began))
        #expect(feed.reports.count == 1)
    }
}
