/// The times of the wall clock at which this run of the program has run: one range, or several where the clock was set.
package struct WallCoverage: Sendable, Hashable {
    /// The wall time of the program's start, by the clock of that time.
    package let programStart: Duration
    /// The ranges before the clock was last set, in ascending order, with a gap of a minute at least.
    private var earlier: [Range<Duration>] = []
    /// The wall time at which the clock was last set.
    private var start: Duration

    /// - Parameter start: the wall time of the program's start.
    package init(from start: Duration) {
        (programStart, self.start) = (start, start)
    }

    /// Notes that the clock was set.
    ///
    /// - Parameters:
    ///   - old: the wall time until then.
    ///   - new: the wall time from then on.
    package mutating func set(from old: Duration, to new: Duration) {
        earlier = ranges(until: old)
        start = new
    }

    /// The ranges until a wall time. Those with less than a minute between them are one.
    package func ranges(until end: Duration) -> [Range<Duration>] {
        let present = min(start, end)..<max(start, end)
        return (earlier + [present]).sorted { $0.lowerBound < $1.lowerBound }.reduce(into: []) { joined, range in
            guard let last = joined.last, range.lowerBound < last.upperBound + .seconds(60) else {
                return joined.append(range)
            }
            joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
        }
    }
}
