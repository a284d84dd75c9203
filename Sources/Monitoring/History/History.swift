import DequeModule

/// The bounded recent observations of one target, oldest first.
public struct History: Sendable {
    /// How many samples are kept at the most.
    public private(set) var capacity: Int
    private var samples: Deque<Sample> = []

    /// An empty history.
    ///
    /// - Precondition: `capacity` is positive.
    public init(capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        self.capacity = capacity
        // What every history will hold soon is asked for at once: growing step by step would leave gaps behind.
        samples.reserveCapacity(Swift.min(capacity, Statistics.window))
    }

    /// Appends the newest sample; the oldest one makes room for it.
    public mutating func append(_ sample: Sample) {
        if samples.count == capacity { samples.removeFirst() }
        samples.append(sample)
    }

    /// Keeps another number of samples from now on; the oldest ones go first.
    public mutating func resize(to capacity: Int) {
        precondition(capacity > 0, "a history keeps at least one sample")
        self.capacity = capacity
        if samples.count > capacity { samples.removeFirst(samples.count - capacity) }
    }

    /// Forgets everything.
    public mutating func removeAll() {
        samples.removeAll()
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
    public var endIndex: Int { samples.count }
    /// The sample at a position counted from the oldest.
    public subscript(position: Int) -> Sample { samples[position] }
}
