import Foundation

/// The methods that were tried and rejected, and simple rules for reference. All are online and date changes back.
enum Rivals {
    static var all: [(String, (Trace) -> [Detection])] {
        [
            ("Rule: above minimum + 50 ms", minimumRule),
            ("Rule: three in a row over 1.1 × median", medianRule),
            ("Robust CUSUM of logarithms, median and MAD", { cusum($0) }),
            ("Two windows, Mann–Whitney", { mannWhitney($0) }),
            ("Sliding buffer of 35, Laplace likelihood ratio", { likelihoodRatio($0) }),
        ]
    }

    /// The changes between "at most the minimum + 50 ms" and "above".
    static func minimumRule(_ trace: Trace) -> [Detection] {
        var (least, wasAbove) = (Double.infinity, false)
        var found: [Detection] = []
        for (position, value) in trace.roundTrips.enumerated() where value > 0 {
            let isAbove = value > least + 50
            if isAbove != wasAbove, position >= 30 {
                found.append(Detection(place: position, found: position, before: least, after: value))
            }
            least = min(least, value)
            wasAbove = isAbove
        }
        return found
    }

    /// Three successive samples on the other side of 1.1 × the median of the last hundred.
    static func medianRule(_ trace: Trace) -> [Detection] {
        var window: [Double] = []
        var (run, wasAbove) = (0, false)
        var found: [Detection] = []
        for (position, value) in trace.roundTrips.enumerated() where value > 0 {
            if window.count >= 30 {
                let middle = median(window)
                run = (value > 1.1 * middle) == wasAbove ? 0 : run + 1
                if run == 3 {
                    found.append(Detection(place: position - 2, found: position, before: middle, after: value))
                    (wasAbove, run) = (!wasAbove, 0)
                }
            }
            window.append(value)
            if window.count > 100 { window.removeFirst() }
        }
        return found
    }

    /// CUSUM of residuals, limited to ±2.2 MAD, from a baseline that follows slowly. A change is dated by the best split of
    /// the last 40 samples. Constants by random search on the tuning half.
    static func cusum(_ trace: Trace) -> [Detection] {
        let (clip, drift, floor, threshold, rate, warmup) = (2.233, 0.6614, 0.006554, 7.767, 0.03986, 7)
        var (level, scale, up, down) = (0.0, 1.0, 0.0, 0.0)
        var (upStart, downStart, seen) = (0, 0, 0)
        var first: [Double] = []
        var recent: [(place: Int, value: Double)] = []
        var found: [Detection] = []
        func restart() {
            level = median(first)
            scale = max(floor, 1.4826 * median(first.map { abs($0 - level) }))
        }
        for (position, value) in trace.roundTrips.enumerated() where value > 0 {
            let x = log(value)
            seen += 1
            recent.append((position, x))
            if recent.count > 40 { recent.removeFirst() }
            if first.count < warmup {
                first.append(x)
                restart()
                if first.count < 4 { continue }
            }
            let z = max(-clip, min(clip, (x - level) / scale))
            if up == 0 { upStart = position }
            if down == 0 { downStart = position }
            up = max(0, up + z - drift)
            down = max(0, down - z - drift)
            if first.count >= warmup {
                level += rate * scale * max(-2, min(2, z))
                scale = max(floor, scale + rate * (min(abs(x - level) * 1.2533, 3 * scale) - scale))
            }
            guard up > threshold || down > threshold else { continue }
            let start = up > threshold ? upStart : downStart
            let after = median(recent.filter { $0.place >= start }.map(\.value))
            var (lead, best, place) = (0.0, 0.0, start)
            for sample in recent.reversed() where sample.place >= start - 5 {
                lead += min(3, abs(sample.value - level) / scale) - min(3, abs(sample.value - after) / scale)
                if lead > best { (best, place) = (lead, sample.place) }
            }
            if seen >= 30 {
                found.append(Detection(place: place, found: position, before: exp(level), after: exp(after)))
            }
            first = Array(recent.filter { $0.place >= place }.map(\.value).prefix(warmup))
            restart()
            (up, down) = (0, 0)
        }
        return found
    }

    /// The rank test of the last samples against those before, dated by the best split in absolute deviations.
    static func mannWhitney(_ trace: Trace) -> [Detection] {
        let (before, after, share, least) = (mannWhitneyBefore, mannWhitneyAfter, mannWhitneyShare, mannWhitneyStep)
        var recent: [(place: Int, value: Double)] = []
        var found: [Detection] = []
        var seen = 0
        for (position, value) in trace.roundTrips.enumerated() where value > 0 {
            seen += 1
            recent.append((position, log(value)))
            if recent.count > before + after { recent.removeFirst() }
            guard recent.count >= after + 8 else { continue }
            let (old, new) = (recent.dropLast(after).map(\.value), recent.suffix(after).map(\.value))
            var rank = 0.0
            for a in old { for b in new { rank += b > a ? 1 : b == a ? 0.5 : 0 } }
            let middle = Double(old.count * new.count) / 2
            let (oldLevel, newLevel) = (median(old), median(new))
            guard abs(rank - middle) > share * middle, abs(newLevel - oldLevel) > least else { continue }
            var (lead, best, split) = (0.0, -Double.infinity, recent.count - after)
            for index in stride(from: recent.count - 1, through: 3, by: -1) {
                lead += abs(recent[index].value - oldLevel) - abs(recent[index].value - newLevel)
                if lead > best { (best, split) = (lead, index) }
            }
            if seen >= 30 {
                let place = recent[split].place
                found.append(Detection(place: place, found: position, before: exp(oldLevel), after: exp(newLevel)))
            }
            recent.removeFirst(split)
        }
        return found
    }

    private static let (mannWhitneyBefore, mannWhitneyAfter, mannWhitneyShare, mannWhitneyStep) = (
        29, 7, 0.8967, 0.005_288
    )

    /// The generalized likelihood ratio of a change in the last samples, with Laplace distributions and limited
    /// residuals: one step of PELT in a sliding buffer. Constants by random search on the tuning half.
    static func likelihoodRatio(_ trace: Trace) -> [Detection] {
        let (length, least, threshold, floor, step, clip) = (35, 4, 25.58, 0.000_596_3, 0.004_138, 3.331)
        var recent: [(place: Int, value: Double)] = []
        var found: [Detection] = []
        var seen = 0
        func cost(_ samples: ArraySlice<(place: Int, value: Double)>) -> (cost: Double, level: Double) {
            let level = median(samples.map(\.value))
            let sum = samples.reduce(2 * floor) { $0 + abs($1.value - level) }
            let scale = sum / Double(samples.count + 2) + 1e-5
            let residuals = samples.reduce(0) { $0 + min(abs($1.value - level) / scale, clip) }
            return (Double(samples.count) * log(2 * scale) + residuals, level)
        }
        for (position, value) in trace.roundTrips.enumerated() where value > 0 {
            seen += 1
            recent.append((position, log(value)))
            if recent.count > length { recent.removeFirst() }
            guard recent.count >= 2 * least else { continue }
            var (best, split, before, after) = (Double.infinity, 0, 0.0, 0.0)
            for index in max(least, recent.count - 20)...(recent.count - least) {
                let (old, new) = (cost(recent[..<index]), cost(recent[index...]))
                if old.cost + new.cost < best {
                    (best, split, before, after) = (old.cost + new.cost, index, old.level, new.level)
                }
            }
            guard cost(recent[...]).cost - best > threshold else { continue }
            if seen >= 30, abs(after - before) > step {
                let place = recent[split].place
                found.append(Detection(place: place, found: position, before: exp(before), after: exp(after)))
            }
            recent.removeFirst(split)
        }
        return found
    }
}
