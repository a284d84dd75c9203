import Foundation
import TestSupport

@testable import ReachMonitoring

/// Feeds a detector with replies of a simulated target.
struct ShiftFeed {
    var shifts = TargetShifts()
    var settings = ShiftSettings()
    var now = Duration.seconds(1000)
    var interval = Duration.seconds(1)
    var random: SplitMix
    /// The hour of the day at time zero; nil to pass none.
    var firstHour: Int?
    var reports: [LevelShift] = []
    var lossReports: [LossShift] = []
    /// The number of probes so far.
    var count = 0

    init(seed: UInt64 = 1, interval: Duration = .seconds(1), firstHour: Int? = nil) {
        (random, self.interval, self.firstHour) = (SplitMix(seed: seed), interval, firstHour)
    }

    /// Feeds one outcome.
    mutating func send(_ roundTrip: Duration?) {
        now += interval
        count += 1
        let hour = firstHour.map { ($0 + Int(now / .seconds(3600))) % 24 }
        let changes = shifts.record(roundTrip: roundTrip, at: now, hour: hour, under: settings)
        if let shift = changes.level {
            if shift.isCorrection { reports.removeLast() }
            reports.append(shift)
        }
        if let shift = changes.loss { lossReports.append(shift) }
    }

    /// Feeds replies with a level in milliseconds and relative noise.
    mutating func send(_ count: Int, level: Double, noise: Double = 0.01, loss: Double = 0) {
        for _ in 0..<count {
            let value = level * (1 + noise * random.normal())
            send(random.uniform() < loss ? nil : .nanoseconds(Int64(value * 1e6)))
        }
    }
}

extension SplitMix {
    mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// A standard normal number, by Box and Muller.
    mutating func normal() -> Double {
        (-2 * Foundation.log(1 - uniform())).squareRoot() * Foundation.cos(2 * .pi * uniform())
    }
}

extension Duration {
    var milliseconds: Double { self / .milliseconds(1) }
}
