import Monitoring

/// What is seen of the detail view: whose, how much time its chart shows, and from which line on.
struct DetailPlace: Sendable, Hashable {
    let target: Target.ID
    /// The time that the chart shows: one of ``TimeAxis/spans``.
    private(set) var span: Duration
    /// The first line below the head that is seen.
    var scroll = 0

    /// The top of the view; its chart has room for sixty probes.
    init(_ standing: Standing) {
        target = standing.id
        let wanted = standing.target.interval * 60
        span = TimeAxis.spans.first { $0 >= wanted } ?? TimeAxis.spans[TimeAxis.spans.count - 1]
    }

    /// Shows the next longer span, or the next shorter one, if there is one.
    mutating func changeSpan(isLonger: Bool) {
        let next = isLonger ? TimeAxis.spans.first { $0 > span } : TimeAxis.spans.last { $0 < span }
        span = next ?? span
    }
}
