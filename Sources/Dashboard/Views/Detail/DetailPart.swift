import Monitoring
import Screen

/// A part of the detail view: a heading, and lines that fit a width.
protocol DetailPart {
    /// The heading.
    var title: String { get }

    /// Returns the lines below the heading. If there are none, the heading is omitted too.
    func lines(width: Int) -> [[Segment]]
}

extension DetailPart {
    /// Returns the heading, the lines, and a blank line.
    func block(width: Int, appearance: Appearance) -> [[Segment]] {
        let lines = lines(width: width)
        guard !lines.isEmpty else { return [] }
        return [.heading(title, width: width, appearance: appearance)] + lines + [[]]
    }
}

extension [Segment] {
    /// The heading of a part: its title, a note if it fits, and a rule to the edge.
    static func heading(_ title: String, note: String? = nil, width: Int, appearance: Appearance) -> [Segment] {
        let room = width - title.displayWidth - 1
        let text = note.map { " \($0) " } ?? ""
        let shown = text.displayWidth < room ? text : ""
        let rule = String(repeating: appearance.glyphs.rule, count: Swift.max(0, room - shown.displayWidth))
        return [Segment("\(title) ", appearance[.title]), Segment(shown + rule, appearance[.faint])]
    }

    /// A line with a name and a value. All values are aligned in one column.
    static func field(_ name: String, _ value: [Segment], appearance: Appearance) -> [Segment] {
        [Segment(name.padded(toColumns: 13), appearance[.faint])] + value
    }
}

extension [[Segment]] {
    /// Lays out the pieces in lines, as many per line as fit, with `gap` blanks between them.
    func flowing(width: Int, gap: Int = 3) -> [[Segment]] {
        var lines: [[Segment]] = []
        for piece in self {
            let width = width - gap - piece.displayWidth
            if let last = lines.last, last.displayWidth <= width {
                lines[lines.count - 1] += [Segment(String(repeating: " ", count: gap), .plain)] + piece
            } else {
                lines.append(piece)
            }
        }
        return lines
    }
}
