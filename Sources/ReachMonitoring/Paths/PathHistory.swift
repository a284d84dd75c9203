/// The result of one probe of a hop, in eight bytes: some hundred thousand are kept.
public struct PathResult: Sendable, Hashable {
    /// The time of sending in tenths of a second: enough for 13 years.
    private let tenths: UInt32
    /// The round trip in microseconds; `UInt32.max` for a lost probe.
    private let microseconds: UInt32

    /// Creates a result of a probe that was sent at `sent`; the round trip is nil if it is lost.
    public init(sent: Duration, roundTrip: Duration?) {
        tenths = Self.tenths(of: sent)
        microseconds = roundTrip.map { UInt32(clamping: min($0.nanoseconds / 1_000, Int64(UInt32.max) - 1)) } ?? .max
    }

    /// When the probe was sent, in tenths of a second.
    public var sent: Duration { .milliseconds(Int64(tenths) * 100) }

    /// The round trip in microseconds; nil if the probe is lost.
    public var roundTrip: Duration? {
        isLost ? nil : .microseconds(Int64(microseconds))
    }

    /// Whether the probe is lost.
    public var isLost: Bool { microseconds == .max }

    static func tenths(of time: Duration) -> UInt32 {
        UInt32(clamping: time.nanoseconds / 100_000_000)
    }

    /// Whether the probe was sent at this time.
    func wasSent(at time: Duration) -> Bool { tenths == Self.tenths(of: time) }
}

extension Duration {
    /// The time with the precision of ``PathResult/sent``.
    var roundedDownToTenths: Duration { .milliseconds(Int64(PathResult.tenths(of: self)) * 100) }
}

/// The newest results of a hop, the oldest first: the cells of a heat row.
public struct PathHistory: Sendable, Equatable, RandomAccessCollection {
    private var results: [PathResult] = []
    /// The index of the oldest result once the ring is full.
    private var oldest = 0

    init() {}

    /// The position of the oldest result.
    public var startIndex: Int { 0 }
    /// The position after the newest result.
    public var endIndex: Int { results.count }

    /// The result at a position.
    public subscript(position: Int) -> PathResult {
        results[index(of: position)]
    }

    private func index(of position: Int) -> Int {
        let index = oldest + position
        return index < results.count ? index : index - results.count
    }

    /// Adds a result; the oldest ones beyond `limit` are dropped.
    mutating func append(_ result: PathResult, limit: Int) {
        if results.count > limit { keep(limit) }
        if results.count < limit {
            straighten()
            results.append(result)
        } else {
            results[oldest] = result
            oldest = oldest + 1 == results.count ? 0 : oldest + 1
        }
    }

    /// Replaces a loss by the late answer to the same probe. Returns whether the loss was found.
    mutating func replaceLoss(sent: Duration, roundTrip: Duration) -> Bool {
        for position in indices.reversed() where self[position].isLost && self[position].wasSent(at: sent) {
            results[index(of: position)] = PathResult(sent: sent, roundTrip: roundTrip)
            return true
        }
        return false
    }

    /// Drops all but the newest results, and the memory of the others.
    mutating func keep(_ limit: Int) {
        guard results.count > limit else { return }
        results = Array(suffix(limit))
        oldest = 0
    }

    private mutating func straighten() {
        guard oldest > 0 else { return }
        results = Array(self)
        oldest = 0
    }
}
