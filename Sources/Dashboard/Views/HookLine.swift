import Monitoring
import Screen

/// A hook run, or an armed hook, as a line.
struct HookLine {
    private let row: HookRow
    private let model: Model

    /// Selection mark and glyph, and a blank after them.
    private static let margin = 3

    init(_ row: HookRow, model: Model) {
        self.row = row
        self.model = model
    }

    /// Whose hook it is.
    var name: String {
        switch row {
        case .armed(_, let target): target.label
        case .entry(let entry): entry.name
        }
    }

    func draw(row line: Int, by layout: ColumnLayout<HookColumn>, isSelected: Bool, on frame: inout Frame) {
        let look = model.look
        if isSelected {
            frame.write(String(look.glyphs.selection), at: Position(column: 0, row: line), style: look[.text])
        }
        frame.write(String(look.glyphs.hook), at: Position(column: 1, row: line), style: look[role])
        for column in layout.visible {
            guard let range = layout[column] else { continue }
            let segment = segment(of: column)
            let missing = column == .took ? max(0, range.count - segment.text.displayWidth) : 0
            frame.write(
                [segment],
                at: Position(column: Self.margin + range.lowerBound + missing, row: line),
                limit: range.count - missing,
                ellipsis: look.glyphs.ellipsis
            )
        }
        guard isSelected, let name = layout[.name], let action = layout[.action] else { return }
        let columns = Self.margin + name.lowerBound..<Self.margin + action.upperBound
        frame.restyle(row: line, columns: columns) { _ in Style(nil, .reversed) }
    }

    private var role: Role {
        switch row {
        case .armed: .accent
        case .entry(let entry): entry.state.role
        }
    }

    private func segment(of column: HookColumn) -> Segment {
        let look = model.look
        switch (column, row) {
        case (.name, _):
            return Segment(name, look[.text])
        case (.action, _):
            return Segment(row.action, look[.text])
        case (.time, .armed(let hook, _)):
            return Segment(model.wall.timeOfDay(at: hook.since), look[.faint])
        case (.cause, .armed(let hook, _)):
            return Segment(hook.within.map { "armed for \($0.spanText)" } ?? "armed", look[.faint])
        case (.end, .armed(let hook, _)):
            return Segment(
                hook.deadline.map { "\(max(.zero, $0 - model.now).spanText) left" } ?? "waits",
                look[.accent]
            )
        case (.took, .armed):
            return Segment("", look[.faint])
        case (.time, .entry(let entry)):
            return Segment(model.wall.timeOfDay(at: entry.time), look[.faint])
        case (.cause, .entry(let entry)):
            return Segment(entry.cause, look[.faint])
        case (.end, .entry(let entry)):
            return Segment(entry.state.word, look[entry.state.role])
        case (.took, .entry(let entry)):
            guard case .finished(let result, _) = entry.state else { return Segment("", look[.faint]) }
            let took = result.duration
            return Segment(took < .seconds(1) ? took.roundTripText : took.lapseText, look[.text])
        }
    }
}
