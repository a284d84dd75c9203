/// Samples of many targets as bytes, with the precision of ``PackedSamples``: about 45 bytes for 60 samples.
package enum SampleBlocks {
    /// Writes samples of targets, by their numbers in the file.
    ///
    /// - Parameter origin: the time from which their times are counted.
    package static func bytes(of samples: [(target: Int64, samples: [Sample])], after origin: Duration) -> [UInt8] {
        var writer = CompactWriter()
        var last: Int64 = 0
        for (target, samples) in samples.sorted(by: { $0.target < $1.target }) where !samples.isEmpty {
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
        return writer.bytes
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
