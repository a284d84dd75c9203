/// What is shown of the graphs: how much time, and from which line on.
struct GraphsPlace: Sendable {
    /// The time that the graphs show: one of ``TimeAxis/spans``.
    private(set) var span = TimeAxis.spans[0]
    /// The first line of graphs that is shown.
    private(set) var scroll = 0

    /// Shows the next longer or shorter span, if there is one.
    mutating func changeSpan(isLonger: Bool) {
        let index = TimeAxis.spans.firstIndex(of: span) ?? 0
        span = TimeAxis.spans[max(0, min(TimeAxis.spans.count - 1, index + (isLonger ? 1 : -1)))]
    }

    /// Scrolls so that a line is shown.
    mutating func reveal(line: Int, of lines: Int, height: Int) {
        scroll = max(0, min(scroll, line, lines - height))
        if line >= scroll + height { scroll = line - height + 1 }
    }
}
