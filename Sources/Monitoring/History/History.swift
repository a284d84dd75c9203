/// The bounded recent observations of one target, oldest first.
///
/// The newest samples, at least a ``Statistics/window``, are exact, with times to the microsecond, and take eight bytes
/// each. Older ones are packed, in less than a byte each: every probe is kept as a reply or a loss. Its round trip is
/// rounded up by at most a seventh of the range of the round trips around it, except the longest of each 64. Its time is
/// off by at most one and a half intervals. In a small fleet, none are packed, so that a chart does not change its past.
public struct History: Sendable {
    /// The most samples that are kept. In four bytes, since each target has a history.
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
    public init(capacity: Int, reservesMemory: Bool = true) {
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
    public mutating func append(_ sample: Sample) {
        if recent.count == exactLimit { makeRoom() }
        recent.append(sample)
        if past.count > 0, count > capacity { past.removeFirst(count - capacity) }
    }

    private mutating func makeRoom() {
        guard capacity > exactLimit else {
            recent.removeFirst(1)
            return
        }
        if past.count == 0 { past.reserveCapacity(capacity - Statistics.window) }
        past.append((0..<PackedSamples.capacity).map { recent[$0] })
        recent.removeFirst(PackedSamples.capacity)
    }

    /// Selects whether samples are packed. Those that are packed already stay so.
    mutating func setPacking(_ isPacked: Bool) {
        self.isPacked = isPacked
        while recent.count > exactLimit { makeRoom() }
    }

    /// Changes the capacity; the oldest samples are dropped first.
    public mutating func resize(to capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        limit = UInt32(clamping: capacity)
        past.removeFirst(Swift.max(0, count - capacity))
        if recent.count > capacity { recent.removeFirst(recent.count - capacity) }
    }

    /// Adds samples from before the oldest one, as far as the capacity allows.
    package mutating func prepend(_ older: History) {
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
    public mutating func removeAll() {
        recent.removeAll()
        past.removeAll()
    }

    /// The newest `count` samples, oldest of them first.
    public func suffix(_ count: Int) -> Slice<History> {
        self[Swift.max(startIndex, endIndex - count)..<endIndex]
    }

    /// The samples before `time`, oldest first.
    public func before(_ time: Duration) -> Slice<History> {
        self[startIndex..<since(time).startIndex]
    }

    /// The samples from `time` on, oldest first.
    public func since(_ time: Duration) -> Slice<History> {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = (low + high) / 2
            if self[middle].time < time { low = middle + 1 } else { high = middle }
        }
        return self[low..<endIndex]
    }
}

extension History: RandomAccessCollection {
    /// Always zero: the oldest sample.
    public var startIndex: Int { 0 }
    /// One past the newest sample.
    public var endIndex: Int { past.count + recent.count }
    /// The sample at a position counted from the oldest.
    public subscript(position: Int) -> Sample {
        position < past.count ? past[position] : recent[position - past.count]
    }
}
