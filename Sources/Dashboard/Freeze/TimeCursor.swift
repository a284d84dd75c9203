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

    /// The line of a chart with the time cursor at a character: in the colour of the cursor, or a vertical stroke where
    /// the chart is blank. In reverse video, a low bar would look like a high one.
    func marked(at cell: Int?, appearance: Appearance) -> [Segment] {
        guard let cell else { return self }
        var cells = cells
        guard cells.indices.contains(cell) else { return self }
        let character = cells[cell].text == " " ? String(appearance.glyphs.edge) : cells[cell].text
        cells[cell] = Segment(character, appearance[.accent])
        return cells
    }
}
