/// The state of the graphs: their time span and the scroll position.
struct GraphsViewState: Sendable, Hashable {
    /// The time span of the graphs: one of ``TimeAxis/spans``.
    private(set) var span = TimeAxis.spans[0]
    /// The first visible line of graphs.
    private(set) var scroll = 0

    /// Selects the next longer or shorter span, if there is one.
    mutating func changeSpan(isLonger: Bool) {
        let index = TimeAxis.spans.firstIndex(of: span) ?? 0
        span = TimeAxis.spans[max(0, min(TimeAxis.spans.count - 1, index + (isLonger ? 1 : -1)))]
    }

    /// Scrolls so that a line of graphs is visible.
    mutating func reveal(line: Int, of lines: Int, height: Int) {
        scroll = max(0, min(scroll, line, lines - height))
        if line >= scroll + height { scroll = line - height + 1 }
    }
}
