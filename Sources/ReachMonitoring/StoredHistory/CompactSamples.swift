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

/// Samples of many targets as bytes, with the precision of ``PackedSamples``: about 45 bytes for 60 samples.
package enum SampleBlocks {
    /// Writes samples of targets, by their numbers in the file.
    ///
    /// - Parameter origin: the time from which their times are counted.
    package static func bytes(of samples: [(target: Int64, samples: [Sample])], after origin: Duration) -> [UInt8] {
        var writer = Writer(after: origin)
        for (target, samples) in samples.sorted(by: { $0.target < $1.target }) { writer.append(samples, of: target) }
        return writer.bytes
    }

    /// Writes the samples of targets, one after the other.
    package struct Writer: Sendable {
        private let origin: Duration
        private var writer = CompactWriter()
        private var last: Int64 = 0

        /// - Parameter origin: the time from which the times are counted.
        package init(after origin: Duration) {
            self.origin = origin
        }

        package var bytes: [UInt8] { writer.bytes }

        /// Writes the samples of a target whose number is greater than those before.
        package mutating func append(_ samples: [Sample], of target: Int64) {
            guard !samples.isEmpty else { return }
            var packed = PastSamples()
            let ordered = samples.sorted { $0.timeNanoseconds < $1.timeNanoseconds }
            for index in stride(from: 0, to: ordered.count, by: PackedSamples.capacity) {
                packed.append(Array(ordered[index..<min(ordered.count, index + PackedSamples.capacity)]))
            }
            let blocks = packed.blocksWithCounts
            writer.write(count: Int(target - last))
            writer.write(count: blocks.count)
            last = target
            for (block, count) in blocks { block.write(count, after: origin.nanoseconds, to: &writer) }
        }
    }

    /// Reads samples. Damaged bytes end them.
    package static func samples(in bytes: [UInt8], after origin: Duration) -> [(target: Int64, samples: [Sample])] {
        var reader = CompactReader(bytes)
        var all: [(target: Int64, samples: [Sample])] = []
        var target: Int64 = 0
        while let step = reader.readCount(), let count = reader.readCount() {
            target += Int64(step)
            var samples: [Sample] = []
            for _ in 0..<count {
                guard let more = PackedSamples.samples(after: origin.nanoseconds, from: &reader) else { return all }
                samples += more
            }
            all.append((target, samples))
        }
        return all
    }
}

/// Writes numbers in few bytes: small ones take one.
package struct CompactWriter: Sendable {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    /// Writes a number, seven bits in each byte, the lowest first (LEB128).
    package mutating func write(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    /// Writes a count, which is not negative.
    package mutating func write(count: Int) {
        write(UInt64(max(0, count)))
    }

    /// Writes a number of either sign: 0, -1, 1, -2 … as 0, 1, 2, 3 … (zigzag).
    package mutating func write(signed number: Int64) {
        write(Self.zigzag(number))
    }

    package mutating func append(_ more: [UInt8]) {
        bytes += more
    }

    /// The number for one of either sign, small if that is near zero.
    package static func zigzag(_ number: Int64) -> UInt64 {
        UInt64(bitPattern: number << 1 ^ number >> 63)
    }
}

/// Reads what a ``CompactWriter`` wrote. Each function returns nil at the end, and for bytes that are damaged.
package struct CompactReader: Sendable {
    private let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    package var isAtEnd: Bool { position == bytes.count }

    package mutating func read() -> UInt64? {
        var number: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            guard shift < 64 else { return nil }
            number |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return number }
            shift += 7
        }
        return nil
    }

    /// Reads a count of at most 2³².
    package mutating func readCount() -> Int? {
        guard let number = read(), number <= 1 << 32 else { return nil }
        return Int(number)
    }

    package mutating func readSigned() -> Int64? {
        read().map(Self.signed)
    }

    package mutating func readBytes(_ count: Int) -> [UInt8]? {
        guard count <= bytes.count - position else { return nil }
        defer { position += count }
        return Array(bytes[position..<position + count])
    }

    /// The number for its zigzag form.
    package static func signed(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }
}
