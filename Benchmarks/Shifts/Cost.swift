import Foundation
import ReachMonitoring

/// The cost of the detectors of 10 000 targets: time per reply, and memory.
enum Cost {
    static let targets = 10_000
    static let rounds = 200

    static func print() {
        let before = residentBytes()
        var all = [TargetShifts](repeating: TargetShifts(), count: targets)
        let resident = residentBytes() - before
        var random = SplitMix(state: 1)
        // Levels of 1…200 ms with noise of 0.5 %, a spike in a hundred, a loss in a hundred, a step in a thousand.
        var levels = (0..<targets).map { _ in 1000 * Foundation.exp(random.uniform() * 5.3) }
        var replies: [Duration?] = []
        replies.reserveCapacity(targets)
        var (elapsed, reports) = (Duration.zero, 0)
        var slowest = Duration.zero
        for round in 0..<rounds {
            replies.removeAll(keepingCapacity: true)
            for target in levels.indices {
                let chance = random.uniform()
                if chance < 0.001 { levels[target] *= 0.5 + 1.5 * random.uniform() }
                let noise = 1 + 0.005 * random.normal()
                let spike = chance > 0.99 ? 1 + 3 * random.uniform() : 1
                let value = levels[target] * noise * spike
                replies.append((0.97...0.98).contains(chance) ? nil : .nanoseconds(Int64(value * 1000)))
            }
            let now = Duration.seconds(round)
            let start = ContinuousClock.now
            for target in all.indices {
                let changes = all[target].record(roundTrip: replies[target], at: now, hour: round / 10 % 24)
                if changes.level != nil { reports += 1 }
            }
            let took = ContinuousClock.now - start
            elapsed += took
            slowest = max(slowest, took)
        }
        let perReply = elapsed / (targets * rounds)
        let stride = MemoryLayout<TargetShifts>.stride
        Swift.print("\(targets) targets, \(rounds) replies each, seed 1: \(reports) reports")
        Swift.print(
            "  time per reply: \(perReply / .nanoseconds(1)) ns (slowest round \(slowest / targets / .nanoseconds(1)) ns)"
        )
        Swift.print("  size \(MemoryLayout<TargetShifts>.size), stride \(stride) bytes a target")
        Swift.print("  heap: \(_isPOD(TargetShifts.self) ? "none, it holds no references" : "yes")")
        Swift.print("  resident memory for the array of all targets: \(resident / targets) bytes a target")
    }

    /// The resident memory of the process in bytes, by Linux; zero elsewhere.
    private static func residentBytes() -> Int {
        guard let text = try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8) else { return 0 }
        let fields = text.split(separator: " ")
        return fields.count > 1 ? (Int(fields[1]) ?? 0) * 4096 : 0
    }
}

/// A random number generator with a fixed seed, after Vigna (https://prng.di.unimi.it/splitmix64.c).
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    mutating func uniform() -> Double { Double(next() >> 11) / 9_007_199_254_740_992 }

    /// A standard normal number, by Box and Muller.
    mutating func normal() -> Double {
        (-2 * Foundation.log(1 - uniform())).squareRoot() * Foundation.cos(2 * .pi * uniform())
    }
}
