/// Which of the last twenty finished probes were lost, one bit each.
struct RecentLosses: Sendable, Hashable {
    private var bits: UInt32 = 0
    private var count: UInt8 = 0

    var isFull: Bool { Int(count) == Thresholds.lossyWindow }

    /// The share that was lost, 0…1; 0 before the first probe.
    var loss: Double {
        count == 0 ? 0 : Double(bits.nonzeroBitCount) / Double(count)
    }

    mutating func record(isLoss: Bool) {
        bits = (bits << 1 | (isLoss ? 1 : 0)) & (1 << UInt32(Thresholds.lossyWindow) - 1)
        count = UInt8(min(Int(count) + 1, Thresholds.lossyWindow))
    }
}
