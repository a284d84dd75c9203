import Monitoring
import Screen

/// A hook run, or an armed hook, as a line.
struct HookLine {
    private let row: HookRow
    private let model: Model

    /// The columns of the selection mark, the glyph and a blank.
    private static let margin = 3

    init(_ row: HookRow, model: Model) {
        self.row = row
        self.model = model
    }

    /// The target of the hook.
    var name: String {
        switch row {
        case .armed(_, let target): target.label
        case .entry(let entry): entry.name
        }
    }

    func draw(row line: Int, by layout: ColumnLayout<HookColumn>, isSelected: Bool, on frame: inout Frame) {
        let appearance = model.appearance
        if isSelected {
            frame.write(
                String(appearance.glyphs.selection),
                at: Position(column: 0, row: line),
                style: appearance[.text]
            )
        }
        frame.write(String(mark), at: Position(column: 1, row: line), style: appearance[role])
        for column in layout.visible {
            guard let range = layout[column] else { continue }
            let segment = segment(of: column)
            let missing = column == .duration ? max(0, range.count - segment.text.displayWidth) : 0
            frame.write(
                [segment],
                at: Position(column: Self.margin + range.lowerBound + missing, row: line),
                limit: range.count - missing,
                ellipsis: appearance.glyphs.ellipsis
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

    private var mark: Character {
        switch row {
        case .armed: model.appearance.glyphs.hook
        case .entry(let entry): entry.state.mark(model.appearance.glyphs)
        }
    }

    /// The heading of the output: `NAS at 14:01:58, ok in 1.2s: mount /mnt/nas`.
    var heading: String {
        if case .armed = row { return "\(name), \(segment(of: .cause).text): \(row.action)" }
        let duration = segment(of: .duration).text
        let took = duration.isEmpty ? "" : " in \(duration)"
        return "\(name) at \(segment(of: .time).text), \(segment(of: .status).text)\(took): \(row.action)"
    }

    /// The width of the text in a column.
    func width(of column: HookColumn) -> Int { segment(of: column).text.displayWidth }

    private func segment(of column: HookColumn) -> Segment {
        let appearance = model.appearance
        switch (column, row) {
        case (.name, _):
            return Segment(name, appearance[.text])
        case (.action, _):
            return Segment(row.action, appearance[.text])
        case (.time, .armed(let hook, _)):
            return Segment(model.wall.timeOfDay(at: hook.since), appearance[.faint])
        case (.cause, .armed(let hook, _)):
            return Segment(hook.within.map { "armed for \($0.settingsText)" } ?? "armed", appearance[.faint])
        case (.status, .armed(let hook, _)):
            return Segment(
                hook.deadline.map { "\(max(.zero, $0 - model.now).spanText) left" } ?? "waiting",
                appearance[.accent]
            )
        case (.duration, .armed):
            return Segment("", appearance[.faint])
        case (.time, .entry(let entry)):
            return Segment(model.wall.timeOfDay(at: entry.time), appearance[.faint])
        case (.cause, .entry(let entry)):
            return Segment(entry.cause, appearance[.faint])
        case (.status, .entry(let entry)):
            return Segment(entry.state.statusText, appearance[entry.state.role])
        case (.duration, .entry(let entry)):
            return Segment(entry.duration?.elapsedText ?? "", appearance[.text])
        }
    }
}
