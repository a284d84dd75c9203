import Monitoring
import Screen

/// The past of one target along the slices of a period.
struct StripRow: Sendable {
    let axis: StripAxis
    /// The worst state of each slice.
    let states: [WatchedSpan.State]
    /// The account of the whole period.
    let account: Availability
    private let spans: [WatchedSpan]

    /// Creates a row from the spans of a target, also those before the period.
    init(_ spans: [WatchedSpan], along axis: StripAxis) {
        self.axis = axis
        self.spans = spans
        states = axis.worstStates(of: spans)
        account = Availability(spans, from: axis.start, until: axis.end)
    }

    /// The availability of a time until the end of the period.
    func availability(ofLast time: Duration) -> Double? {
        Availability(spans, from: axis.end - time, until: axis.end).availability
    }

    /// The outages in a slice, or in all of them, newest first.
    func outages(in slice: Range<Duration>?) -> [Availability.Outage] {
        let all = Array(account.outages.reversed())
        guard let slice else { return all }
        return all.filter { $0.start < slice.upperBound && ($0.end ?? axis.end) > slice.lowerBound }
    }

    /// When the records begin; nil if there are none.
    var recordStart: Duration? { spans.first?.start }

    /// When the records begin, if that is within a slice.
    func recordStart(in slice: Range<Duration>) -> Duration? {
        spans.first.flatMap { $0.start > slice.lowerBound && $0.start < slice.upperBound ? $0.start : nil }
    }

    /// The time of each state in a slice, worst first.
    func times(in slice: Range<Duration>) -> [(state: WatchedSpan.State, length: Duration)] {
        let times = Availability(spans, from: slice.lowerBound, until: slice.upperBound).times
        return WatchedSpan.State.worstFirst.compactMap { state in
            times[state].flatMap { $0 > .zero ? (state, $0) : nil }
        }
    }
}
