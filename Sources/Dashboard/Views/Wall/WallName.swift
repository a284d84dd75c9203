import Monitoring
import Screen

/// A target of the wall as its glyph, its name, and its figure.
struct WallName {
    let state: TargetState
    let isSelected: Bool
    /// The width of the name.
    let width: Int
    let hasFigures: Bool

    func draw(in area: Area, on frame: inout Frame, model: Model) {
        let appearance = model.appearance
        let summary = state.targetSummary
        let style = appearance.wallStyle(of: summary)
        let isUp = summary.role == .up
        let figure = hasFigures ? self.figure(of: summary, now: model.now) : nil
        // The mark may take the blanks before the figure, or its place.
        let mark = state.mark(appearance)
        let end = figure.map { width + WallForm.figure - $0.displayWidth - 1 } ?? area.columns - WallForm.frame
        let name = state.target.label
            .shortened(toColumns: min(width, end - mark.displayWidth), ellipsis: appearance.glyphs.ellipsis)
        let shownStyle = isUp ? appearance[.text] : style
        let isChanged = model.isHighlighted(.figure(.health, state.id))
        let nameStyle = isSelected ? Style(nil, .reversed) : isChanged ? shownStyle.highlighted : shownStyle
        let glyph = [
            Segment(isSelected ? String(appearance.glyphs.selection) : " ", appearance[.text]),
            Segment(String(summary.glyph(appearance.glyphs)), isUp ? appearance[.up] : appearance[summary.role]),
            Segment(" ", .plain),
        ]
        frame.write(
            glyph + [Segment(name, nameStyle)] + mark,
            at: Position(column: area.column, row: area.row),
            limit: area.columns,
            ellipsis: appearance.glyphs.ellipsis
        )
        guard let figure else { return }
        let column = area.column + WallForm.frame - 1 + width + WallForm.figure - figure.displayWidth
        frame.write(
            figure,
            at: Position(column: column, row: area.row),
            style: isUp ? appearance[.faint] : appearance[summary.role]
        )
    }

    /// The last round trip; for a target that is down, how long it has been.
    private func figure(of summary: TargetSummary, now: Duration) -> String? {
        switch summary.health {
        case _ where summary.isPausedOrBlocked: nil
        case .down: (now - state.since).spanText
        case .up, .degraded: summary.roundTrip?.roundTripText
        case .unknown: nil
        }
    }
}

extension String {
    /// The text, shortened in the middle: names of machines often differ only at their ends.
    fileprivate func shortened(toColumns columns: Int, ellipsis: Character) -> String {
        guard displayWidth > columns, columns >= 5 else { return truncated(toColumns: columns, ellipsis: ellipsis) }
        var (end, room) = ("", columns / 2)
        for character in reversed() {
            room -= character.displayWidth
            guard room >= 0 else { break }
            end.insert(character, at: end.startIndex)
        }
        return (self + " ").truncated(toColumns: columns - end.displayWidth, ellipsis: ellipsis) + end
    }
}
