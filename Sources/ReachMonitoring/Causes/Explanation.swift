/// What a cause at a row would explain.
struct Explanation: Sendable {
    let row: RiskIndex.Number
    /// The row itself, or those branches of a position that are down.
    let rows: [RiskIndex.Number]
    /// The targets that are down without a cause and went down together, by slot.
    var slots: [Int32]
    /// The standing causes that this one replaces: they began with it, and all that they explain is behind it.
    var absorbed: [Int32] = []
    /// The number of outages that those explain.
    var absorbedOutages = 0
    /// The span in which all of them may have begun.
    var earliest: Moment
    var latest: Moment
    /// The number of targets behind it that are up.
    let up: Int
    /// The logarithm of the number of ways to choose these branches of the position.
    let logChoices: Double
    /// See ``Candidate/gain``.
    var gain = 0

    /// The number of outages that it explains.
    var outages: Int { slots.count + absorbedOutages }
}

/// A time since the start of the program, in nanoseconds: compared for every outage, which Duration is too slow for.
struct Moment: Sendable, Comparable {
    var nanoseconds: Int64

    static let zero = Moment(nanoseconds: 0)

    init(nanoseconds: Int64) {
        self.nanoseconds = nanoseconds
    }

    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        nanoseconds = seconds * 1_000_000_000 + attoseconds / 1_000_000_000
    }

    var duration: Duration { .nanoseconds(nanoseconds) }

    @inline(__always)
    static func < (one: Moment, other: Moment) -> Bool { one.nanoseconds < other.nanoseconds }
}

/// A span of time in which an outage began.
struct OnsetSpan {
    var earliest: Moment
    var latest: Moment

    /// The moment that the most spans have in common, the latest of several; as the span in which exactly these overlap.
    static func densest(of spans: [OnsetSpan]) -> OnsetSpan {
        let starts = spans.map(\.earliest).sorted()
        let ends = spans.map(\.latest).sorted()
        var (open, most, next) = (0, 0, 0)
        var best = OnsetSpan(earliest: starts[0], latest: ends[0])
        for (place, start) in starts.enumerated() {
            while next < ends.count, ends[next] < start {
                open -= 1
                next += 1
            }
            open += 1
            // The span is complete when the next one starts behind the first end.
            let isComplete = place + 1 == starts.count || starts[place + 1] > ends[next]
            if isComplete, open >= most { (most, best) = (open, OnsetSpan(earliest: start, latest: ends[next])) }
        }
        return best
    }
}
