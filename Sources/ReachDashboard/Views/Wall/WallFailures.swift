import ReachMonitoring
import ReachScreen

/// The names of failing targets below a wall of dots, where rows are left.
///
/// ```
///  Failing ───────────────────────────────────────────────────────────────────────────
///  ○ web-07  refused          ○ cache-21  HTTP 503       ◐ lab-25  > 40ms
///  ○ db-13  timeout           ○ edge-30  refused           and 12 more
/// ```
struct WallFailures: View {
    /// The failing targets, by their positions in the target states: down before degraded.
    private let positions: [Int]
    private let context: ViewContext
    /// The columns of the names.
    private let nameWidth: Int

    /// The fewest rows: a blank line, the heading, and a line of targets.
    static let minimumRows = 3
    /// The columns of a name at most, and those of its glyph and mark, its cause and the blanks between them.
    private static let (maxNameWidth, besides) = (24, 22)
    /// The columns of the glyph and the mark, with the blanks after them.
    private static let gap = 6
    /// The fewest columns of a target, so that the count of the others fits.
    private static let minimumWidth = 16

    init(context: ViewContext, order: RowOrder, nameWidth: Int) {
        self.context = context
        self.nameWidth = min(nameWidth, Self.maxNameWidth)
        let summaries = context.roster.states.targetSummaries
        var (down, degraded): ([Int], [Int]) = ([], [])
        for position in order.positions {
            switch summaries[position].role {
            case .down: down.append(position)
            case .degraded: degraded.append(position)
            default: break
            }
        }
        positions = down + degraded
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard area.rows >= Self.minimumRows, !positions.isEmpty else { return }
        let appearance = context.appearance
        var heading = area
        heading.row += 1
        frame.writeHeading("Failing", in: heading, appearance: appearance)
        // If not all targets fit with their causes, their names alone.
        let forms = [nameWidth + Self.besides, max(Self.minimumWidth, nameWidth + Self.gap)].map { width in
            let perLine = max(1, (area.columns - 2) / width)
            return (width: min(width, area.columns - 2), perLine: perLine, capacity: (area.rows - 2) * perLine)
        }
        guard let form = forms.first(where: { positions.count <= $0.capacity }) ?? forms.last else { return }
        let (width, perLine, capacity) = form
        let shown = positions.count <= capacity ? positions.count : capacity - 1
        for (index, position) in positions.prefix(shown).enumerated() {
            write(target(context.roster.states[position], width: width), index, width, perLine, in: area, on: &frame)
        }
        guard shown < positions.count else { return }
        let more = Segment("  and \(positions.count - shown) more", appearance[.faint])
        write([more], shown, width, perLine, in: area, on: &frame)
    }

    /// The glyph and the name of a target, and its cause in the rest of the width.
    private func target(_ state: TargetState, width: Int) -> [Segment] {
        let appearance = context.appearance
        let style = appearance[state.role]
        let name = state.target.label.truncated(toColumns: nameWidth, ellipsis: appearance.glyphs.ellipsis)
        let segments = [Segment("\(state.glyph(appearance.glyphs)) \(name)", style)] + state.mark(appearance)
        // The causes begin in one column.
        let gap = String(repeating: " ", count: max(1, nameWidth + Self.gap - segments.displayWidth))
        let available = width - nameWidth - Self.gap - 2
        guard available >= 6, let cause = state.cause(fitting: available, at: context.now) else { return segments }
        let text = cause.truncated(toColumns: available, ellipsis: appearance.glyphs.ellipsis)
        return segments + [Segment("\(gap)\(text)", appearance[.faint])]
    }

    private func write(
        _ segments: [Segment],
        _ index: Int,
        _ width: Int,
        _ perLine: Int,
        in area: Area,
        on frame: inout Frame
    ) {
        let (line, column) = index.quotientAndRemainder(dividingBy: perLine)
        frame.write(
            segments,
            at: Position(column: 1 + column * width, row: area.row + 2 + line),
            limit: width - 1,
            ellipsis: context.appearance.glyphs.ellipsis
        )
    }
}
