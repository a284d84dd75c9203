import ReachMonitoring

/// The bytes of ``PackedSamples`` of many targets in the file: about 45 bytes for 60 samples.
enum SampleBlocks {
    /// Writes the samples of targets, one after the other.
    struct Writer: Sendable {
        private let origin: Duration
        private var writer = CompactWriter()
        private var last: Int64 = 0

        /// - Parameter origin: the time from which the times are counted.
        init(after origin: Duration) {
            self.origin = origin
        }

        var bytes: [UInt8] { writer.bytes }

        /// Writes the samples of a target whose number is greater than those before.
        mutating func append(_ samples: [Sample], of target: Int64) {
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

    /// The bytes without the samples of some targets; nil if they have none of them. Damaged bytes end them.
    static func removing(_ removed: Set<Int64>, from bytes: [UInt8]) -> [UInt8]? {
        var reader = CompactReader(bytes)
        var writer = CompactWriter()
        var (target, last, isChanged): (Int64, Int64, Bool) = (0, 0, false)
        while let step = reader.readCount(), let count = reader.readCount() {
            target += Int64(step)
            let start = reader.position
            for _ in 0..<count where PackedSamples.samples(after: 0, from: &reader) == nil {
                return isChanged ? writer.bytes : nil
            }
            if removed.contains(target) {
                isChanged = true
                continue
            }
            writer.write(count: Int(target - last))
            writer.write(count: count)
            writer.append(Array(bytes[start..<reader.position]))
            last = target
        }
        return isChanged ? writer.bytes : nil
    }

    /// Reads samples. Damaged bytes end them.
    static func samples(in bytes: [UInt8], after origin: Duration) -> [(target: Int64, samples: [Sample])] {
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

extension PackedSamples {
    /// Writes the block. Times are in milliseconds.
    ///
    /// - Parameters:
    ///   - count: the number of samples in the block.
    ///   - origin: the time from which its first one is counted, in nanoseconds.
    func write(_ count: Int, after origin: Int64, to writer: inout CompactWriter) {
        writer.write(count: count)
        writer.write(signed: (start - origin) / 1_000_000)
        writer.write(UInt64(max(0, span.nanoseconds ?? 0)) / 1_000_000)
        writer.write(UInt64(shortest.code))
        writer.write(UInt64(longest.code))
        let words = [steps.0, steps.1, steps.2, steps.3]
        for index in stride(from: 0, to: count, by: 2) {
            writer.append([UInt8(truncatingIfNeeded: words[index / 16] >> UInt64(index % 16 * 4))])
        }
    }

    /// Reads the samples of a block; nil for damaged bytes.
    static func samples(after origin: Int64, from reader: inout CompactReader) -> [Sample]? {
        guard let count = reader.readCount(), (1...capacity).contains(count), let first = reader.readSigned(),
            let span = reader.read(), let shortest = reader.read(), let longest = reader.read(),
            let bytes = reader.readBytes((count + 1) / 2), first.magnitude < 1 << 42, span < 1 << 42,
            let low = UInt32(exactly: shortest), let high = UInt32(exactly: longest)
        else { return nil }
        var words: [UInt64] = [0, 0, 0, 0]
        for (index, byte) in bytes.enumerated() { words[index / 8] |= UInt64(byte) << UInt64(index % 8 * 8) }
        let block = PackedSamples(
            start: origin + first * 1_000_000,
            span: PackedRoundTrip(nanoseconds: Int64(span) * 1_000_000),
            shortest: PackedRoundTrip(code: low),
            longest: PackedRoundTrip(code: high),
            steps: (words[0], words[1], words[2], words[3])
        )
        return (0..<count).map { block.sample($0, of: count) }
    }
}
