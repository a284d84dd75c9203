import Foundation
import ReachMonitoring

/// False reports of simulated targets whose level and loss rate do not change, and delays after changes of the loss rate.
enum Stationary {
    /// A week of a probe a second.
    static let replies = 604_800

    static func print() {
        Swift.print(
            "Stationary targets, a probe a second for a week, seed 2, default settings, no hours: false reports"
        )
        let noises: [(String, (inout SplitMix) -> Double)] = [
            ("normal, 1 % of 20 ms", { 20 * (1 + 0.01 * $0.normal()) }),
            ("normal, 20 % of 50 ms", { 50 * max(0.1, 1 + 0.2 * $0.normal()) }),
            ("log-normal, 10 %", { 40 * Foundation.exp(0.1 * $0.normal()) }),
            ("log-normal, 30 %", { 40 * Foundation.exp(0.3 * $0.normal()) }),
            ("20 ms + exponential of 10 ms", { 20 - 10 * Foundation.log(1 - $0.uniform()) }),
            (
                "20 ms, 5 % spikes of 20…200 ms",
                { $0.uniform() < 0.05 ? 20 + 180 * $0.uniform() : 20 + 0.2 * $0.normal() }
            ),
            ("two paths, 20 and 30 ms, by chance", { ($0.uniform() < 0.5 ? 20 : 30) + 0.2 * $0.normal() }),
            ("LAN, 150 µs, log-normal 30 %", { 0.15 * Foundation.exp(0.3 * $0.normal()) }),
        ]
        for (name, noise) in noises {
            var random = SplitMix(state: 2)
            var detector = LevelDetector()
            var reports = 0
            for index in 0..<replies {
                let value = Duration.nanoseconds(Int64(noise(&random) * 1e6))
                if detector.record(roundTrip: value, at: .seconds(index)) != nil {
                    reports += 1
                }
            }
            Swift.print("  \(name): \(reports)")
        }
        for rate in [0.001, 0.01, 0.05, 0.1, 0.3] {
            var random = SplitMix(state: 3)
            var detector = LossDetector()
            var reports = 0
            for index in 0..<replies {
                let isLost = random.uniform() < rate
                if detector.record(isLost: isLost, at: .seconds(index), interval: .seconds(1)) != nil { reports += 1 }
            }
            Swift.print("  loss of \(rate * 100) %: \(reports)")
        }
        Swift.print("Changes of the loss rate, 500 trials each: found within 500 probes, median delay in probes")
        for (before, after) in [(0.0, 0.1), (0.0, 0.3), (0.01, 0.2), (0.05, 0.3), (0.1, 0.0), (0.3, 0.0), (0.3, 0.1)] {
            var delays: [Double] = []
            for trial in 0..<500 {
                var random = SplitMix(state: UInt64(trial))
                var detector = LossDetector()
                for index in 0..<1500 {
                    let isLost = random.uniform() < (index < 1000 ? before : after)
                    let shift = detector.record(isLost: isLost, at: .seconds(index), interval: .seconds(1))
                    guard let shift, index >= 1000, (shift.after > shift.before) == (after > before) else { continue }
                    delays.append(Double(index - 1000))
                    break
                }
            }
            Swift.print("  \(before) → \(after): \(Double(delays.count) / 500), \(median(delays))")
        }
    }
}
