/// The gaps in a streak of replies, in the order in which the probes were sent: probes before the newest answered one
/// that are lost or still in flight. Outcomes of overlapping probes arrive in any order.
///
/// It covers the 32 newest probes, by their numbers. One bit each: every target has a judge.
struct ReplyGaps: Sendable, Hashable {
    /// The number of probes that are covered.
    private static let window = UInt32(UInt32.bitWidth)

    /// The number of the newest answered probe.
    private var newest: UInt32 = 0
    /// A bit for each probe up to the newest answered one, which has the lowest bit: set if it has no reply.
    private var gaps: UInt32 = 0

    /// Records a reply.
    ///
    /// - Parameters:
    ///   - isFirst: whether the reply begins a streak.
    ///   - isNewest: whether the probe was sent after all other answered ones. The numbers begin again with a change of the
    ///     settings.
    mutating func recordReply(to probe: Int, isFirst: Bool, isNewest: Bool) {
        let number = UInt32(truncatingIfNeeded: probe)
        guard !isFirst, number > newest || !isNewest else { return (newest, gaps) = (number, 0) }
        if number <= newest {
            if newest - number < Self.window { gaps &= ~(1 << (newest - number)) }
        } else {
            let step = number - newest
            // The probes between the two have no reply yet.
            gaps = step < Self.window ? gaps << step | (1 << step - 1) & ~1 : ~1
            newest = number
        }
    }

    /// Records that a probe is no gap, since this machine could not send it.
    mutating func skip(_ probe: Int) {
        if UInt32(truncatingIfNeeded: probe) > newest { recordReply(to: probe, isFirst: false, isNewest: true) }
    }

    /// Records the loss of a probe.
    ///
    /// - Parameter replies: the replies of the streak.
    /// - Returns: those of them whose probes were sent later: at most 32 if the loss is of an older probe.
    mutating func recordLoss(of probe: Int, among replies: Int) -> Int {
        let number = UInt32(truncatingIfNeeded: probe)
        guard number < newest else {
            // The newest answered probe was sent later, whatever the numbers.
            skip(probe)
            return replies
        }
        let age = newest - number
        guard age < Self.window else { return min(replies, Int(Self.window) - gaps.nonzeroBitCount) }
        guard gaps & 1 << age != 0 else { return replies }
        // Older gaps no longer matter.
        gaps &= 1 << age - 1
        return min(replies, Int(age) - gaps.nonzeroBitCount)
    }

    /// The number of consecutive answered probes up to the newest one, in the order of sending.
    ///
    /// - Parameter replies: the replies of the streak.
    func consecutive(of replies: Int) -> Int {
        gaps == 0 ? replies : min(replies, gaps.trailingZeroBitCount)
    }
}
