import DequeModule

/// The older samples of a history, packed, oldest first.
struct PastSamples: Sendable {
    private var blocks: Deque<PackedSamples> = []
    /// The numbers of the oldest sample and of one past the newest, counted from the first that was ever packed. They
    /// wrap around.
    private var first: UInt32 = 0
    private var end: UInt32 = 0

    /// The number of samples.
    var count: Int { Int(end &- first) }

    /// Packs at most ``PackedSamples/capacity`` samples: into one block if they are evenly spaced, otherwise into
    /// several, so that no time is off by more than one and a half intervals.
    mutating func append(_ samples: [Sample]) {
        let steps = zip(samples, samples.dropFirst()).map { $1.timeNanoseconds - $0.timeNanoseconds }.sorted()
        append(samples[...], step: steps.isEmpty ? 0 : steps[steps.count / 2])
    }

    private mutating func append(_ samples: ArraySlice<Sample>, step usual: Int64) {
        guard let oldest = samples.first, let newest = samples.last else { return }
        let count = samples.count
        let start = oldest.timeNanoseconds
        let step = Double(newest.timeNanoseconds - start) / Double(max(1, count - 1))
        var (worst, cut) = (Double(usual) * 1.5, 0)
        for (offset, sample) in samples.enumerated() {
            let distance = Double(sample.timeNanoseconds - start) - step * Double(offset)
            guard abs(distance) > worst else { continue }
            // A sample that is later than expected follows a gap; one that is too early precedes a gap.
            (worst, cut) = (abs(distance), distance > 0 ? offset : offset + 1)
        }
        guard cut > 0, cut < count else { return pack(samples) }
        append(samples.prefix(cut), step: usual)
        append(samples.dropFirst(cut), step: usual)
    }

    /// Reserves memory for evenly spaced samples; growing step by step would fragment the heap.
    mutating func reserveCapacity(_ samples: Int) {
        blocks.reserveCapacity(samples / PackedSamples.capacity + 2)
    }

    private mutating func pack(_ samples: ArraySlice<Sample>) {
        blocks.append(PackedSamples(samples, ordinal: end))
        end &+= UInt32(samples.count)
    }

    /// Removes the oldest samples.
    mutating func removeFirst(_ number: Int) {
        first &+= UInt32(min(number, count))
        while blocks.count > 1, blocks[1].ordinal &- first > UInt32.max / 2 || blocks[1].ordinal == first {
            blocks.removeFirst()
        }
        if count == 0 { removeAll() }
    }

    /// Removes all samples.
    mutating func removeAll() {
        self = PastSamples()
    }

    /// The sample at a position counted from the oldest.
    subscript(position: Int) -> Sample {
        let ordinal = first &+ UInt32(position)
        let offset = Int(ordinal &- blocks[0].ordinal)
        // For evenly spaced samples, all blocks are full.
        var low = min(offset / PackedSamples.capacity, blocks.count - 1)
        if offset >= start(ofBlock: low + 1) {
            var high = blocks.count
            while high - low > 1 {
                let middle = (low + high) / 2
                if start(ofBlock: middle) <= offset { low = middle } else { high = middle }
            }
        }
        let start = start(ofBlock: low)
        return blocks[low].sample(offset - start, of: self.start(ofBlock: low + 1) - start)
    }

    /// The blocks with their numbers of samples, oldest first.
    var blocksWithCounts: [(block: PackedSamples, count: Int)] {
        blocks.indices.map { (blocks[$0], start(ofBlock: $0 + 1) - start(ofBlock: $0)) }
    }

    /// The number of samples before a block, including those of the first block that were removed.
    private func start(ofBlock index: Int) -> Int {
        Int((index < blocks.count ? blocks[index].ordinal : end) &- blocks[0].ordinal)
    }
}
