import ReachBasics
import ReachMonitoring

/// Collects the samples of all targets, and returns those of each minute of the wall clock when it is over.
struct MinuteCollector: Sendable {
    /// The samples of one minute.
    struct Minute: Sendable {
        /// The number of the minute since 1970.
        let number: Int64
        /// The wall time of the program's start, from which the times of the samples are counted.
        let start: Duration
        let samples: CompactSamples
    }

    private var minutes: [Int64: CompactSamples] = [:]
    /// The number of samples of the last minute, which the next one is likely to have.
    private var usualCount = 0
    /// The first minute that is not over.
    private var first = Int64.min
    private var start = Duration.zero

    init() {}

    /// Whether there are samples that were not returned.
    var isEmpty: Bool { minutes.isEmpty }

    /// Adds samples. One of a minute that is over counts for the next one.
    ///
    /// - Parameter start: the wall time of the program's start. If it differs from before by more than a second, the
    ///   wall clock was set, and all minutes until now are over.
    /// - Returns: the minutes that are over because the clock was set.
    mutating func add(_ samples: [(target: Target.ID, sample: Sample)], startingAt start: Duration) -> [Minute] {
        var ended: [Minute] = []
        if abs((start - self.start).nanoseconds) > 1_000_000_000 {
            ended = removeAll()
            (self.start, first) = (start, .min)
        }
        let origin = self.start.nanoseconds
        for (target, sample) in samples {
            let minute = max(first, Self.minute(at: origin + sample.timeNanoseconds))
            if minutes[minute] == nil { minutes[minute] = empty(minute) }
            minutes[minute]?.append(sample, of: target)
        }
        return ended
    }

    private func empty(_ minute: Int64) -> CompactSamples {
        CompactSamples(near: .seconds(minute * 60 + 30) - start, expecting: usualCount)
    }

    /// Returns the minutes that ended before a wall time, oldest first.
    mutating func end(before time: Duration) -> [Minute] {
        let current = Self.minute(at: time.nanoseconds)
        let ended = removeMinutes { $0 < current }
        first = max(first, current)
        return ended
    }

    /// Returns all minutes, the last of which is not over.
    mutating func removeAll() -> [Minute] {
        removeMinutes { _ in true }
    }

    private mutating func removeMinutes(where isOver: (Int64) -> Bool) -> [Minute] {
        guard !minutes.isEmpty else { return [] }
        return minutes.keys.filter(isOver).sorted().compactMap { number in
            minutes.removeValue(forKey: number).map { samples in
                usualCount = samples.count
                return Minute(number: number, start: start, samples: samples)
            }
        }
    }

    private static func minute(at nanoseconds: Int64) -> Int64 {
        nanoseconds.floorDivided(by: 60_000_000_000)
    }
}

/// The samples of many targets in a minute, in the order in which they were added, with full precision.
///
/// A minute has up to a million samples, so that each takes twelve bytes, and not the sixteen of a ``Sample``. An array for
/// each target would fragment the heap.
struct CompactSamples: Sendable {
    /// The time from which the times of the samples are counted, in nanoseconds since the start of the program.
    private let origin: Int64
    /// The targets in the order of their first samples, the number of the samples of each, and its index.
    private var targets: [Target.ID] = []
    private var counts: [Int] = []
    private var indices: [Target.ID: Int] = [:]
    // Of each sample: the index of its target, its time, and its round trip or loss. Separate arrays have no padding.
    private var owners: [UInt32] = []
    private var times: [Int32] = []
    private var roundTrips: [PackedRoundTrip] = []

    /// The unit of times, in nanoseconds: two minutes before and after the origin fit.
    private static let unit: Int64 = 64

    /// - Parameters:
    ///   - origin: a time near those of the samples, since the start of the program.
    ///   - count: the expected number of samples.
    init(near origin: Duration, expecting count: Int = 0) {
        self.origin = origin.nanoseconds
        owners.reserveCapacity(count)
        times.reserveCapacity(count)
        roundTrips.reserveCapacity(count)
    }

    var count: Int { owners.count }

    mutating func append(_ sample: Sample, of target: Target.ID) {
        let index = index(of: target)
        counts[index] += 1
        owners.append(UInt32(truncatingIfNeeded: index))
        times.append(Int32(clamping: (sample.timeNanoseconds - origin) / Self.unit))
        roundTrips.append(sample.packed)
    }

    private mutating func index(of target: Target.ID) -> Int {
        if let index = indices[target] { return index }
        indices[target] = targets.count
        targets.append(target)
        counts.append(0)
        return targets.count - 1
    }

    /// The samples of one target; nil without any.
    subscript(target: Target.ID) -> [Sample]? {
        indices[target].map { index in owners.indices.filter { owners[$0] == UInt32(index) }.map(sample) }
    }

    private func sample(_ index: Int) -> Sample {
        Sample(time: origin + Int64(times[index]) * Self.unit, packed: roundTrips[index])
    }

    /// Calls a closure with the samples of each target, in the order of their numbers.
    ///
    /// - Parameter number: the number of a target; nil leaves it out.
    func forEach(
        by number: (Target.ID) -> Int64?,
        _ body: (_ number: Int64, _ samples: [Sample]) throws -> Void
    ) rethrows {
        let groups = targets.indices.compactMap { index in
            number(targets[index]).map { (number: $0, index: index, count: counts[index]) }
        }.sorted { $0.number < $1.number }
        // A counting sort, since a minute has up to a million samples.
        var places = [Int?](repeating: nil, count: targets.count)
        var total = 0
        for group in groups {
            places[group.index] = total
            total += group.count
        }
        var order = [UInt32](repeating: 0, count: total)
        for (sample, owner) in owners.enumerated() {
            guard let place = places[Int(owner)] else { continue }
            order[place] = UInt32(sample)
            places[Int(owner)] = place + 1
        }
        var first = 0
        for group in groups {
            try body(group.number, order[first..<first + group.count].map { sample(Int($0)) })
            first += group.count
        }
    }
}
