import Foundation
import ReachMonitoring

/// A change that a method found in a trace.
struct Detection {
    /// The sample at which the change is dated.
    var place: Int
    /// The sample at which it was found.
    var found: Int
    /// The levels in milliseconds.
    var before: Double
    var after: Double

    /// Whether the change passes the default thresholds, 20 % and 5 ms.
    var isLarge: Bool { abs(after - before) >= max(5, 0.2 * before) }
}

/// The comparison of detections with labels over some traces.
struct Score {
    /// A detection matches a label at most this many samples away.
    static let window = 2
    /// The window for the dating error, which would be at most 2 by the other one.
    static let wideWindow = 10

    var matched = 0
    var detections = 0
    var labels = 0
    var large = 0
    var largeMatched = 0
    var lasting = 0
    var lastingMatched = 0
    var weeks = 0.0
    var delays: [Int] = []
    var errors: [Int] = []
    /// Detections without a label: within the window, and within the wide one.
    var unlabelled = 0
    var farFromLabels = 0

    var precision: Double { Double(matched) / Double(max(1, detections)) }
    var recall: Double { Double(matched) / Double(max(1, labels)) }
    var f1: Double { 2 * Double(matched) / Double(max(1, detections + labels)) }

    mutating func add(_ found: [Detection], of trace: Trace) {
        let detections = found.sorted { ($0.place, $0.found) < ($1.place, $1.found) }
        let pairs = Self.pairs(detections, trace.labels, window: Self.window)
        self.detections += detections.count
        labels += trace.labels.count
        matched += pairs.count
        weeks += trace.weeks
        delays += pairs.map { detections[$0.detection].found - trace.labels[$0.label] }
        let matchedLabels = Set(pairs.map(\.label))
        for label in trace.labels.indices where trace.isLarge[label] {
            large += 1
            let isMatched = matchedLabels.contains(label)
            if isMatched { largeMatched += 1 }
            guard trace.isLasting[label] else { continue }
            lasting += 1
            if isMatched { lastingMatched += 1 }
        }
        unlabelled += detections.count - pairs.count
        let widePairs = Self.pairs(detections, trace.labels, window: Self.wideWindow)
        errors += widePairs.map { abs(detections[$0.detection].place - trace.labels[$0.label]) }
        farFromLabels +=
            detections.count { detection in
                !trace.labels.contains { abs($0 - detection.place) <= Self.wideWindow }
            }
    }

    /// Matches detections with labels, in order; each once. For windows of equal width, this finds the most matches.
    private static func pairs(
        _ detections: [Detection],
        _ labels: [Int],
        window: Int
    ) -> [(detection: Int, label: Int)] {
        var pairs: [(detection: Int, label: Int)] = []
        var next = 0
        for (position, label) in labels.enumerated() {
            while next < detections.count, detections[next].place < label - window { next += 1 }
            guard next < detections.count, detections[next].place <= label + window else { continue }
            pairs.append((next, position))
            next += 1
        }
        return pairs
    }

    static let header =
        "                      F1    prec  rec   large lasting   delay(p90)  dating: mean  <=2    "
        + "unlabelled/week (far)"

    /// A line of the table.
    func line(_ name: String) -> String {
        let delays = delays.sorted()
        let errors = errors.sorted()
        let delay = delays.isEmpty ? -1 : delays[delays.count / 2]
        let late = delays.isEmpty ? -1 : delays[delays.count * 9 / 10]
        let mean = Double(errors.reduce(0, +)) / Double(max(1, errors.count))
        let near = Double(errors.count { $0 <= 2 }) / Double(max(1, errors.count))
        return name.padding(toLength: 20, withPad: " ", startingAt: 0)
            + String(
                format: "  %.3f %.3f %.3f %.3f %.3f     %2d (%2d)     %.2f          %.2f   %.2f (%.2f)",
                f1,
                precision,
                recall,
                Double(largeMatched) / Double(max(1, large)),
                Double(lastingMatched) / Double(max(1, lasting)),
                delay,
                late,
                mean,
                near,
                Double(unlabelled) / weeks,
                Double(farFromLabels) / weeks
            )
    }
}

/// The groups of traces of which figures are printed.
enum Group: String, CaseIterable {
    case tuning = "tuning half"
    case heldOut = "held-out half"
    case real = "real"
    case artificial
    case all

    func contains(_ trace: Trace) -> Bool {
        switch self {
        case .tuning: trace.isTuning
        case .heldOut: !trace.isTuning
        case .real: trace.isReal
        case .artificial: !trace.isReal
        case .all: true
        }
    }
}
