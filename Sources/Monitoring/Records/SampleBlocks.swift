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
