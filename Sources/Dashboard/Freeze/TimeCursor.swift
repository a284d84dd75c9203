import Monitoring
import Screen

extension TimeAxis {
    /// The index of the chart character that shows a time; nil if the time lies outside the chart.
    func cell(of time: Duration) -> Int? {
        let column = column(of: time)
        return (0..<count).contains(column) ? column / columnsPerCell : nil
    }
}

extension [Segment] {
    /// The line with one segment per character.
    var cells: [Segment] {
        flatMap { segment in segment.text.map { Segment(String($0), segment.style) } }
    }

    /// The line of a chart with the time cursor at a character: reversed, or a vertical stroke where the chart is
    /// blank.
    func marked(at cell: Int?, appearance: Appearance) -> [Segment] {
        guard let cell else { return self }
        var cells = cells
        guard cells.indices.contains(cell) else { return self }
        cells[cell] =
            cells[cell].text == " "
            ? Segment(String(appearance.glyphs.edge), appearance[.accent]) : cells[cell].reversed
        return cells
    }
}

extension Segment {
    /// The segment in reverse video.
    var reversed: Segment {
        var style = style
        style.attributes.insert(.reversed)
        return Segment(text, style)
    }
}
