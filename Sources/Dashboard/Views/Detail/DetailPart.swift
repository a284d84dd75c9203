import Monitoring
import Screen

/// A part of the detail view: a head, and lines below it that fit a width.
protocol DetailPart {
    /// What the head says.
    var title: String { get }

    /// The lines below the head; none where there is nothing to say, and then the head is left out too.
    func lines(width: Int) -> [[Segment]]
}

extension DetailPart {
    /// The lines with their head above and a blank line below.
    func block(width: Int, look: Look) -> [[Segment]] {
        let lines = lines(width: width)
        guard !lines.isEmpty else { return [] }
        return [.head(title, width: width, look: look)] + lines + [[]]
    }
}

extension [Segment] {
    /// The head of a part: its title, and a rule to the edge.
    static func head(_ title: String, width: Int, look: Look) -> [Segment] {
        let rule = String(repeating: look.glyphs.rule, count: Swift.max(0, width - title.displayWidth - 1))
        return [Segment("\(title) ", look[.title]), Segment(rule, look[.faint])]
    }

    /// A line that begins with what the rest is about, so that all rests stand in one column.
    static func field(_ name: String, _ rest: [Segment], look: Look) -> [Segment] {
        [Segment(name.padded(toColumns: 13), look[.faint])] + rest
    }
}

extension [[Segment]] {
    /// The pieces one after the other, as many in each line as fit, `gap` blanks between them.
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
