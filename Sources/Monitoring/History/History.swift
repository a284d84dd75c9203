/// The bounded recent observations of one target, oldest first.
///
/// The newest ones, a ``Statistics/window`` at least, are exact, their times to the microsecond. The older ones take less
/// than a byte each: every probe is there, lost or answered as it was, but its round trip is rounded up by up to a seventh
/// of what the round trips around it differ, the longest of each 64 excepted, and its time is off by up to a probe and a
/// half.
public struct History: Sendable {
    /// How many samples are kept at the most.
    public private(set) var capacity: Int
    private var recent = Recent()
    private var past = Past()

    /// How many of the newest are exact at the most: when there are so many, the older ones of them are packed.
    private static let exact = Statistics.window + PackedSamples.capacity

    /// An empty history.
    ///
    /// - Precondition: `capacity` is positive.
    public init(capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        self.capacity = capacity
        // What every history will hold soon is asked for at once: growing step by step would leave gaps behind.
        recent.reserveCapacity(Swift.min(capacity, Self.exact))
    }

    /// Appends the newest sample; the oldest one makes room for it.
    public mutating func append(_ sample: Sample) {
        if recent.count == Swift.min(capacity, Self.exact) { makeRoom() }
        recent.append(sample)
        if past.count > 0, count > capacity { past.removeFirst(count - capacity) }
    }

    private mutating func makeRoom() {
        guard capacity > Self.exact else {
            recent.removeFirst(1)
            return
        }
        if past.count == 0 { past.reserveCapacity(capacity - Statistics.window) }
        past.append((0..<PackedSamples.capacity).map { recent[$0] })
        recent.removeFirst(PackedSamples.capacity)
    }

    /// Keeps another number of samples from now on; the oldest ones go first.
    public mutating func resize(to capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        self.capacity = capacity
        past.removeFirst(Swift.max(0, count - capacity))
        if recent.count > capacity { recent.removeFirst(recent.count - capacity) }
    }

    /// Forgets everything.
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
