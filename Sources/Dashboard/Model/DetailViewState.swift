import Monitoring

/// The state of the detail view: its target, the time span of its chart, and the scroll position.
struct DetailViewState: Sendable, Hashable {
    let target: Target.ID
    /// The time span of the chart: one of ``TimeAxis/spans``.
    private(set) var span: Duration
    /// Whether the user selected the span.
    private var isSpanSelected = false
    /// The first visible line below the header.
    var scroll = 0

    /// Creates the state of a view at its top, with a chart that has room for sixty probes.
    init(_ state: TargetState) {
        target = state.id
        let wanted = state.target.interval * 60
        span = TimeAxis.spans.first { $0 >= wanted } ?? TimeAxis.spans[TimeAxis.spans.count - 1]
    }

    /// Returns the state for another target. The scroll position and a span that the user selected stay.
    func moved(to state: TargetState) -> DetailViewState {
        var moved = DetailViewState(state)
        moved.scroll = scroll
        if isSpanSelected { (moved.span, moved.isSpanSelected) = (span, true) }
        return moved
    }

    /// Selects the next longer or shorter span, if there is one.
    mutating func changeSpan(isLonger: Bool) {
        let next = isLonger ? TimeAxis.spans.first { $0 > span } : TimeAxis.spans.last { $0 < span }
        span = next ?? span
        isSpanSelected = true
    }
}
