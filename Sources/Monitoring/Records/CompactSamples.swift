/// Samples of many targets in twelve bytes each, in the order in which they were added.
package struct CompactSamples: Sendable {
    /// The time from which the times of the samples are counted, in nanoseconds since the start of the program.
    private let origin: Int64
    // Separate arrays have no padding.
    private var targets: [UInt32] = []
    private var times: [Int32] = []
    private var codes: [UInt32] = []

    /// The unit of times, in nanoseconds: two minutes before and after the origin fit.
    private static let unit: Int64 = 64

    /// - Parameters:
    ///   - origin: a time near those of the samples, since the start of the program.
    ///   - count: the expected number of samples.
    package init(near origin: Duration, expecting count: Int = 0) {
        self.origin = origin.nanoseconds
        targets.reserveCapacity(count)
        times.reserveCapacity(count)
        codes.reserveCapacity(count)
    }

    package var count: Int { targets.count }

    package mutating func append(_ sample: TargetSample) {
        targets.append(UInt32(truncatingIfNeeded: sample.target.rawValue))
        times.append(Int32(clamping: (sample.sample.timeNanoseconds - origin) / Self.unit))
        codes.append(sample.sample.packed.code)
    }

    /// The samples of one target; nil without any.
    package subscript(target: Target.ID) -> [Sample]? {
        let found = targets.indices.filter { targets[$0] == UInt32(truncatingIfNeeded: target.rawValue) }
        return found.isEmpty ? nil : found.map(sample)
    }

    private func sample(_ index: Int) -> Sample {
        Sample(time: origin + Int64(times[index]) * Self.unit, packed: PackedRoundTrip(code: codes[index]))
    }

    /// Calls a closure with the samples of each target, in the order of their numbers.
    ///
    /// - Parameter number: the number of a target; nil leaves it out.
    package func forEach(
        by number: (Target.ID) -> Int64?,
        _ body: (_ number: Int64, _ samples: [Sample]) throws -> Void
    ) rethrows {
        var counts: [UInt32: Int] = [:]
        for target in targets { counts[target, default: 0] += 1 }
        let groups = counts.compactMap { target, count in
            number(Target.ID(Int(target))).map { (number: $0, target: target, count: count) }
        }.sorted { $0.number < $1.number }
        // A counting sort, since a minute has up to a million samples.
        var places: [UInt32: Int] = [:]
        var total = 0
        for group in groups {
            places[group.target] = total
            total += group.count
        }
        var order = [UInt32](repeating: 0, count: total)
        for (index, target) in targets.enumerated() {
            guard let place = places[target] else { continue }
            order[place] = UInt32(index)
            places[target] = place + 1
        }
        var first = 0
        for group in groups {
            try body(group.number, order[first..<first + group.count].map { sample(Int($0)) })
            first += group.count
        }
    }
}
