/// Samples of many targets in twelve bytes each, in the order in which they were added.
package struct CompactSamples: Sendable {
    /// The time from which the times of the samples are counted, in nanoseconds since the start of the program.
    private let origin: Int64
    /// The targets in the order of their first samples, the number of the samples of each, and its index.
    private var targets: [Target.ID] = []
    private var counts: [Int] = []
    private var indices: [Target.ID: Int] = [:]
    // Of each sample: the index of its target, its time and outcome. Separate arrays have no padding.
    private var owners: [UInt32] = []
    private var times: [Int32] = []
    private var codes: [UInt32] = []

    /// The unit of times, in nanoseconds: two minutes before and after the origin fit.
    private static let unit: Int64 = 64

    /// - Parameters:
    ///   - origin: a time near those of the samples, since the start of the program.
    ///   - count: the expected number of samples.
    package init(near origin: Duration, expecting count: Int = 0) {
        self.origin = origin.nanoseconds
        owners.reserveCapacity(count)
        times.reserveCapacity(count)
        codes.reserveCapacity(count)
    }

    package var count: Int { owners.count }

    package mutating func append(_ sample: TargetSample) {
        let index = index(of: sample.target)
        counts[index] += 1
        owners.append(UInt32(truncatingIfNeeded: index))
        times.append(Int32(clamping: (sample.sample.timeNanoseconds - origin) / Self.unit))
        codes.append(sample.sample.packed.code)
    }

    private mutating func index(of target: Target.ID) -> Int {
        if let index = indices[target] { return index }
        indices[target] = targets.count
        targets.append(target)
        counts.append(0)
        return targets.count - 1
    }

    /// The samples of one target; nil without any.
    package subscript(target: Target.ID) -> [Sample]? {
        indices[target].map { index in owners.indices.filter { owners[$0] == UInt32(index) }.map(sample) }
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
