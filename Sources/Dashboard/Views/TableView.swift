import Monitoring
import Screen

/// The targets, a line each, below the heads of their groups.
///
/// ```
///    TARGET          URL                   HEALTH          LAST    P95  LOSS  JITTER  LAST 60 s               FOR
///  ▾ Home ──────────────────────────────────────────────────────────────────────────────────────── 2/3 up ──
///  ● Router          icmp 192.168.1.1      up             1.2ms  2.1ms    0%   0.3ms  ▁▁▂▁▁▁▃▁▁▁▁▁▂▁▁     2h14m
/// ▸○ NAS             tcp  nas.local:445    down  refused      –  0.9ms   31%       –  ▁▁▁▁▁▁▁▁▁××××××       12s
/// ```
struct TableView: View {
    let model: Model
    var hasSelection = true
    var scroll: Int
    private let layout: ColumnLayout<TableColumn>
    /// The time that the sparklines show; where there is no room for them, what the narrowest would.
    let axis: TimeAxis

    /// Selection mark and health glyph, and a blank after them.
    private static let margin = 3

    init(model: Model, width: Int) {
        self.model = model
        scroll = model.selection.scroll
        layout = TableColumn.layout(
            width: max(1, width - Self.margin - 1),
            nameWidth: model.list.texts.nameWidth,
            urlWidth: model.list.texts.methodWidth + model.list.texts.authorityWidth
        )
        let cells = layout[.chart].map { $0.count - TableColumn.chart.indent } ?? Sparkline.widths[0]
        axis = TimeAxis(Sparkline.span, until: model.now, cells: cells)
    }

    /// The headings; the one that the rows are sorted by says in which direction.
    func drawHeadings(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        for column in layout.visible {
            var heading = column.heading
            if column.sort == model.list.sort, column.sort != nil {
                let glyphs = model.look.glyphs
                let room = layout[column]?.count ?? 0
                // Where the column has no room for the blank, the mark alone.
                if heading.displayWidth + 2 <= room { heading += " " }
                heading.append(model.list.isReversed ? glyphs.ascending : glyphs.descending)
            }
            place([Segment(heading, model.look[.faint])], in: column, row: area.row, on: &frame)
        }
    }

    /// The column whose heading stands there; the blanks behind it are its own.
    func column(at place: Int) -> TableColumn? {
        layout.visible.first { layout[$0].map { place - Self.margin <= $0.upperBound } ?? false }
    }

    func draw(in area: Area, on frame: inout Frame) {
        guard !area.isEmpty else { return }
        if model.rows.isEmpty {
            frame.write(model.emptiness, at: Position(column: 3, row: area.row), style: model.look[.faint])
            return
        }
        for (index, row) in model.rows.dropFirst(scroll).prefix(area.rows).enumerated() {
            let line = area.row + index
            let isSelected = hasSelection && row.id == model.selection.id
            if isSelected {
                let mark = String(model.look.glyphs.selection)
                frame.write(mark, at: Position(column: 0, row: line), style: model.look[.text])
            }
            switch row {
            case .group(let name, let members, let isFolded):
                drawHead(name, members, isFolded: isFolded, row: line, columns: area.columns, on: &frame)
            case .target(_, let position):
                let standing = model.roster.standings[position]
                let cells = TableRow(
                    standing: standing,
                    model: model,
                    methodWidth: model.list.texts.methodWidth,
                    axis: axis
                )
                frame.write(String(cells.glyph), at: Position(column: 1, row: line), style: model.look[cells.role])
                for column in layout.visible {
                    place(
                        cells.segments(of: column, width: (layout[column]?.count ?? 0) - column.indent),
                        in: column,
                        row: line,
                        on: &frame
                    )
                }
            }
            if isSelected { highlight(row, line: line, on: &frame) }
        }
    }

    private func drawHead(
        _ name: String?,
        _ members: Range<Int>,
        isFolded: Bool,
        row: Int,
        columns: Int,
        on frame: inout Frame
    ) {
        let glyphs = model.look.glyphs
        let head = GroupHead(
            name: name,
            members: model.list.order.positions[members],
            of: model.roster.standings,
            mark: isFolded ? glyphs.folded : glyphs.unfolded
        )
        frame.write(
            head.segments(columns: columns - 3, look: model.look),
            at: Position(column: 1, row: row),
            limit: columns - 2,
            ellipsis: glyphs.ellipsis
        )
    }

    /// The selection: name and URL reversed, so that the rest of the row keeps its colours.
    private func highlight(_ row: Row, line: Int, on frame: inout Frame) {
        let columns: Range<Int>
        switch row {
        case .group(let name, _, _):
            columns = 1..<(4 + (name ?? "other").displayWidth)
        case .target:
            let name = layout[.name] ?? 0..<0
            columns = (Self.margin + name.lowerBound)..<(Self.margin + (layout[.url] ?? name).upperBound)
        }
        frame.restyle(row: line, columns: columns) { _ in
            Style(nil, .reversed)
        }
    }

    private func place(_ segments: [Segment], in column: TableColumn, row: Int, on frame: inout Frame) {
        guard let range = layout[column] else { return }
        let missing =
            column.alignment == .trailing ? max(0, range.count - segments.displayWidth) : column.indent
        frame.write(
            segments,
            at: Position(column: Self.margin + range.lowerBound + missing, row: row),
            limit: range.count - missing,
            ellipsis: model.look.glyphs.ellipsis
        )
    }
}
