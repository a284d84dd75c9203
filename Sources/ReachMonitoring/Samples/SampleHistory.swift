import DequeModule
import ReachBasics

/// The newest samples of one target, oldest first, up to a capacity.
///
/// The newest samples, at least a ``Statistics/window``, are exact, with times to the microsecond, and take eight bytes
/// each. Older ones are packed, in less than a byte each: every probe is kept as a reply or a loss. Its round trip is
/// rounded up by at most a seventh of the range of the round trips around it, except the longest of each 64. Its time is
/// off by at most one and a half intervals. In a small fleet, none are packed, so that a chart does not change its past.
public struct SampleHistory: Sendable {
    /// The maximum number of samples, in four bytes, since each target has a history.
    private var limit: UInt32
    private var isPacked = true
    private var recent = RecentSamples()
    private var past = PastSamples()

    /// The number of exact samples at which the older ones are packed.
    private static let exact = Statistics.window + PackedSamples.capacity

    /// Creates an empty history.
    ///
    /// - Parameter reservesMemory: whether it is soon filled. Of a large fleet, few targets are looked at.
    /// - Precondition: `capacity` is positive.
    package init(capacity: Int, reservesMemory: Bool = true) {
        precondition(capacity > 0, "a history keeps at least one sample")
        limit = UInt32(clamping: capacity)
        guard reservesMemory else { return }
        // Every history soon holds this many, and growing step by step would fragment the heap.
        recent.reserveCapacity(Swift.min(capacity, Self.exact))
    }

    /// The most samples that are kept.
    public var capacity: Int { Int(limit) }

    /// The most samples that are exact.
    private var exactLimit: Int { isPacked ? Swift.min(capacity, Self.exact) : capacity }

    /// Appends a sample, and drops the oldest one at the capacity.
    package mutating func append(_ sample: Sample) {
        if recent.count == exactLimit { packOldest() }
        recent.append(sample)
        if past.count > 0, count > capacity { past.removeFirst(count - capacity) }
    }

    /// Packs the oldest exact samples, or drops the oldest one if none are packed.
    private mutating func packOldest() {
        guard capacity > exactLimit else { return recent.removeFirst(1) }
        if past.count == 0 { past.reserveCapacity(capacity - Statistics.window) }
        past.append((0..<PackedSamples.capacity).map { recent[$0] })
        recent.removeFirst(PackedSamples.capacity)
    }

    /// Selects whether samples are packed. Those that are packed already stay so.
    mutating func setPacking(_ isPacked: Bool) {
        self.isPacked = isPacked
        while recent.count > exactLimit { packOldest() }
    }

    /// Changes the capacity; the oldest samples are dropped first.
    package mutating func resize(to capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        limit = UInt32(clamping: capacity)
        past.removeFirst(Swift.max(0, count - capacity))
        if recent.count > capacity { recent.removeFirst(recent.count - capacity) }
    }

    /// Adds samples from before the oldest one, as far as the capacity allows.
    package mutating func prepend(_ older: SampleHistory) {
        var whole = older
        if let first, let last = older.last, last.time >= first.time {
            whole.removeAll()
            for sample in older.before(first.time) { whole.append(sample) }
        }
        whole.resize(to: capacity)
        whole.setPacking(isPacked)
        for sample in self { whole.append(sample) }
        self = whole
    }

    /// Removes all samples.
    package mutating func removeAll() {
        recent.removeAll()
        past.removeAll()
    }

    /// The newest `count` samples, oldest of them first.
    public func suffix(_ count: Int) -> Slice<SampleHistory> {
        self[Swift.max(startIndex, endIndex - count)..<endIndex]
    }

    /// The samples before `time`, oldest first.
    public func before(_ time: Duration) -> Slice<SampleHistory> {
        self[startIndex..<since(time).startIndex]
    }

    /// The samples from `time` on, oldest first.
    public func since(_ time: Duration) -> Slice<SampleHistory> {
        self[partitioningIndex { $0.time >= time }..<endIndex]
    }
}

extension SampleHistory: RandomAccessCollection {
    /// Always zero: the oldest sample.
    public var startIndex: Int { 0 }
    /// One past the newest sample.
    public var endIndex: Int { past.count + recent.count }
    /// The sample at a position counted from the oldest.
    public subscript(position: Int) -> Sample {
        position < past.count ? past[position] : recent[position - past.count]
    }
}

/// The newest samples, oldest first, in eight bytes each: exact round trips, and times in whole microseconds.
///
/// Only the lower 32 bits of a time are kept, relative to the newest. If the samples span more than these can express,
/// all times are in milliseconds, or in seconds. Times never run backward.
struct RecentSamples: Sendable {
    private struct Entry: Sendable {
        let time: UInt32
        let packed: PackedRoundTrip
    }

    private var entries: Deque<Entry> = []
    /// The newest sample's time.
    private var newest: Int64 = 0
    /// The unit of the times, in nanoseconds.
    private var unit: Int64 = 1_000

    /// The number of samples.
    var count: Int { entries.count }

    /// Reserves memory for a number of samples.
    mutating func reserveCapacity(_ capacity: Int) {
        entries.reserveCapacity(capacity)
    }

    /// Appends the newest sample.
    mutating func append(_ sample: Sample) {
        // A separate case for the default unit: dividing by a constant is several times faster.
        let exact = unit == 1_000 ? sample.timeNanoseconds / 1_000 : sample.timeNanoseconds / unit
        let time = entries.isEmpty ? exact : max(newest, exact)
        if let first = entries.first, time - units(of: first) > Int64(UInt32.max) { return coarsen(for: sample) }
        newest = time
        entries.append(Entry(time: UInt32(truncatingIfNeeded: time), packed: sample.packed))
    }

    private mutating func coarsen(for sample: Sample) {
        for index in entries.indices {
            let time = units(of: entries[index]) / 1_000
            entries[index] = Entry(time: UInt32(truncatingIfNeeded: time), packed: entries[index].packed)
        }
        newest /= 1_000
        unit *= 1_000
        append(sample)
    }

    /// An entry's time.
    private func units(of entry: Entry) -> Int64 {
        newest - Int64(UInt32(truncatingIfNeeded: newest) &- entry.time)
    }

    /// Removes the oldest samples.
    mutating func removeFirst(_ number: Int) {
        entries.removeFirst(number)
        if entries.isEmpty { unit = 1_000 }
    }

    /// Removes all samples.
    mutating func removeAll() {
        removeFirst(count)
    }

    /// The sample at a position counted from the oldest.
    subscript(position: Int) -> Sample {
        Sample(time: units(of: entries[position]) * unit, packed: entries[position].packed)
    }
}

/// The older samples of a history, packed, oldest first.
package struct PastSamples: Sendable {
    private var blocks: Deque<PackedSamples> = []
    /// The numbers of the oldest sample and of one past the newest, counted from the first that was ever packed. They
    /// wrap around.
    private var first: UInt32 = 0
    private var end: UInt32 = 0

    package init() {}

    /// The number of samples.
    var count: Int { Int(end &- first) }

    /// Packs at most ``PackedSamples/capacity`` samples: into one block if they are evenly spaced, otherwise into
    /// several, so that no time is off by more than one and a half intervals.
    package mutating func append(_ samples: [Sample]) {
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
    package var blocksWithCounts: [(block: PackedSamples, count: Int)] {
        blocks.indices.map { (blocks[$0], start(ofBlock: $0 + 1) - start(ofBlock: $0)) }
    }

    /// The number of samples before a block, including those of the first block that were removed.
    private func start(ofBlock index: Int) -> Int {
        Int((index < blocks.count ? blocks[index].ordinal : end) &- blocks[0].ordinal)
    }
}
