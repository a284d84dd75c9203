import Monitoring
import Screen

/// What there is to say of the target at the wall's cursor, in a line.
struct WallCaption {
    private let standing: Standing
    private let neighbours: ArraySlice<Int>
    private let model: Model

    /// A caption of a target, and of the others that its cell stands for.
    init(_ standing: Standing, among neighbours: ArraySlice<Int>, model: Model) {
        self.standing = standing
        self.neighbours = neighbours
        self.model = model
    }

    func segments(columns: Int) -> [Segment] {
        let look = model.look
        let row = TableRow(
            standing: standing,
            model: model,
            methodWidth: standing.target.question.method.rawValue.count + 1
        )
        let gap = Segment("   ", .plain)
        let name = [
            Segment("\(row.glyph) ", look[row.role]),
            Segment(standing.target.label, look[.title]), gap,
        ]
        let health = row.segments(of: .health, width: 40) + [gap]
        let figures = [("last ", TableColumn.last), ("loss ", .loss), ("for ", .since)].flatMap { word, column in
            [Segment(word, look[.faint])] + row.segments(of: column, width: 8) + [gap]
        }
        // Where the line is short, the health counts more than the address.
        let url = columns < 60 ? [] : row.segments(of: .url, width: 44) + [gap]
        return name + url + health + figures + others
    }

    private var others: [Segment] {
        guard neighbours.count > 1, let first = neighbours.first, let last = neighbours.last else { return [] }
        let standings = model.roster.standings
        let names = [first, last].map { standings[$0].target.label }
        let range = names.joined(separator: " \(model.look.glyphs.ellipsis) ")
        return [Segment("one of \(neighbours.count): \(range)", model.look[.faint])]
    }
}
