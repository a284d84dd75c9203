import Foundation
import ReachMonitoring

/// A trace of the data set with the labels of its change points.
struct Trace {
    let name: String
    let isReal: Bool
    /// Whether it is in the half on which constants were tuned: every other trace by name.
    var isTuning = false
    /// The time of each sample since the first, in seconds. The traces have time stamps: a sample each 4 min.
    var times: [Double] = []
    /// The hour of the day of each sample, UTC.
    var hours: [Int] = []
    /// The round trips in milliseconds; negative for a lost probe.
    var roundTrips: [Double] = []
    /// The positions of the first samples of new levels.
    var labels: [Int] = []
    /// Which labels are changes of at least 20 % and 5 ms, by the medians of the segments on both sides.
    var isLarge: [Bool] = []
    /// Which of these have at least five samples on both sides until the next label.
    var isLasting: [Bool] = []

    /// The length of the trace in weeks.
    var weeks: Double { (times.last ?? 0) / 604_800 }

    /// Reads all traces below a folder with the sub-folders `real` and `artificial`.
    static func all(in folder: String) throws -> [Trace] {
        try ["real", "artificial"].flatMap { kind in
            let path = folder + "/" + kind
            let names = try FileManager.default.contentsOfDirectory(atPath: path).filter { $0.hasSuffix(".csv") }
                .sorted()
            return try names.enumerated().map { position, name in
                let text = try String(contentsOfFile: path + "/" + name, encoding: .utf8)
                var trace = Trace(name: kind + "/" + name.dropLast(4), isReal: kind == "real", text: text)
                trace.isTuning = position.isMultiple(of: 2)
                return trace
            }
        }
    }

    private init(name: String, isReal: Bool, text: String) {
        (self.name, self.isReal) = (name, isReal)
        var clock: [Double] = []
        for line in text.split(whereSeparator: \.isNewline).dropFirst() {
            let fields = line.split(separator: ";", omittingEmptySubsequences: false)
            guard fields.count >= 3, let time = Self.seconds(fields[0]) else { continue }
            let value = Double(fields[1].replacingOccurrences(of: ",", with: ".")) ?? -1
            if let label = Double(fields[2]), label != 0 { labels.append(roundTrips.count) }
            clock.append(time)
            hours.append(Int(time / 3600) % 24)
            roundTrips.append(value)
        }
        // Clocks were set back by an hour in some traces. Such a step counts as the usual interval.
        var time = 0.0
        for (position, now) in clock.enumerated() {
            if position > 0 {
                let step = now - clock[position - 1]
                time += step > 0 ? step : 240
            }
            times.append(time)
        }
        // The generator of the artificial traces produced levels below zero. Such traces are moved up: the changes in
        // milliseconds stay.
        if !isReal, let least = roundTrips.min(), least <= 0 {
            roundTrips = roundTrips.map { $0 - least + 10 }
        }
        classifyLabels()
    }

    private mutating func classifyLabels() {
        let ends = [0] + labels + [roundTrips.count]
        let levels = zip(ends, ends.dropFirst()).map { median(roundTrips[$0..<$1].filter { $0 > 0 }) }
        for position in labels.indices {
            let (before, after) = (levels[position], levels[position + 1])
            let change = abs(after - before)
            isLarge.append(change >= 5 && change >= 0.2 * before)
            let shortest = min(ends[position + 1] - ends[position], ends[position + 2] - ends[position + 1])
            isLasting.append(shortest >= 5)
        }
    }

    /// Seconds since 1970 of `2016-11-25 13:16:19` or `25/11/2016 13:16`.
    private static func seconds(_ text: Substring) -> Double? {
        let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
        guard numbers.count >= 5 else { return nil }
        let isYearFirst = text.contains("-")
        let (year, month, day) = (
            isYearFirst ? numbers[0] : numbers[2], numbers[1], isYearFirst ? numbers[2] : numbers[0]
        )
        // Days from civil, by Howard Hinnant.
        let y = month <= 2 ? year - 1 : year
        let era = y / 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let days =
            era * 146_097 + (y - era * 400) * 365 + (y - era * 400) / 4 - (y - era * 400) / 100 + dayOfYear - 719_468
        return Double(days * 86_400 + numbers[3] * 3600 + numbers[4] * 60 + (numbers.count > 5 ? numbers[5] : 0))
    }
}

/// The upper median; NaN for no values.
func median(_ values: [Double]) -> Double {
    values.isEmpty ? .nan : values.sorted()[values.count / 2]
}
