import Monitoring
import Screen

/// The line below the wall that describes the selected target.
struct WallCaption {
    private let state: TargetState
    private let neighbours: ArraySlice<Int>
    private let model: Model

    /// Creates the caption of a target, and of the other targets in its cell.
    init(_ state: TargetState, among neighbours: ArraySlice<Int>, model: Model) {
        self.state = state
        self.neighbours = neighbours
        self.model = model
    }

    func segments(columns: Int) -> [Segment] {
        let appearance = model.appearance
        let row = TableRow(
            state: state,
            model: model,
            methodWidth: state.target.question.method.rawValue.count + 1
        )
        let gap = Segment("   ", .plain)
        let name = [
            Segment("\(row.glyph) ", appearance[row.role]),
            Segment(state.target.label, appearance[.title]), gap,
        ]
        let health = row.segments(of: .health, width: 40) + [gap]
        let figures = [("last ", TableColumn.last), ("loss ", .loss), ("for ", .since)].flatMap { label, column in
            [Segment(label, appearance[.faint])] + row.segments(of: column, width: 8) + [gap]
        }
        // On a short line, the health is more important than the address.
        let url = columns < 60 ? [] : row.segments(of: .url, width: 44) + [gap]
        return name + url + health + figures + others
    }

    private var others: [Segment] {
        guard neighbours.count > 1, let first = neighbours.first, let last = neighbours.last else { return [] }
        let states = model.roster.states
        let names = [first, last].map { states[$0].target.label }
        let range = names.joined(separator: " \(model.appearance.glyphs.ellipsis) ")
        return [Segment("one of \(neighbours.count): \(range)", model.appearance[.faint])]
    }
}
