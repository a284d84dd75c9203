import Monitoring
import Screen

extension TimeAxis {
    /// The character of a chart that shows a moment; nil when none does.
    func cell(of moment: Duration) -> Int? {
        let column = column(of: moment)
        return (0..<count).contains(column) ? column / columnsPerCell : nil
    }
}

extension [Segment] {
    /// The same, a segment for each character.
    var cells: [Segment] {
        flatMap { segment in segment.text.map { Segment(String($0), segment.style) } }
    }

    /// The line of a chart with the time cursor at one of its characters: over what stands there, and a stroke where
    /// nothing does.
    func marked(at cell: Int?, look: Look) -> [Segment] {
        guard let cell else { return self }
        var cells = cells
        guard cells.indices.contains(cell) else { return self }
        cells[cell] =
            cells[cell].text == " " ? Segment(String(look.glyphs.edge), look[.accent]) : cells[cell].reversed
        return cells
    }
}

extension Segment {
    /// The same with its colours changed about.
    var reversed: Segment {
        var style = style
        style.attributes.insert(.reversed)
        return Segment(text, style)
    }
}
