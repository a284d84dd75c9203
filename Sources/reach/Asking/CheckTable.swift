import Monitoring
import Reporting
import Screen
import TerminalIO

/// What a check has found, as a table for a person, or for what takes lines apart.
struct CheckTable {
    /// The lines, headings first.
    let lines: [String]

    /// A table of targets.
    ///
    /// - Parameters:
    ///   - count: how often each was asked; above one, there is a column for what was lost.
    ///   - color: what the terminal can show of the health's colour; nil where there is none.
    init(_ standings: some Collection<Standing>, count: Int, color: ColorSupport?) {
        let losses = count > 1
        var table = [["TARGET", "URL", "HEALTH", "TIME"] + (losses ? ["LOSS"] : []) + [""]]
        table += standings.map { standing in
            let cells = [
                standing.target.label, standing.target.question.url, standing.health.rawValue,
                standing.statistics.mean?.roundTripText ?? "-",
            ]
            let loss = losses ? [standing.totals.loss?.percentText ?? "-"] : []
            return (cells + loss + [standing.remark ?? ""]).map(\.printable)
        }
        let last = table[0].count - 1
        let widths = (0..<last).map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        let styles: [Style] = [.plain] + standings.map { Self.style(of: $0.health) }
        lines = zip(table, styles).map { row, style in
            let cells = (0..<last).map { column in
                // Figures stand below each other.
                let cell = row[column].padded(
                    toColumns: min(widths[column], Self.widest),
                    column > 2 ? .trailing : .leading
                )
                return column == 2 ? color.map { cell.styled(style, $0) } ?? cell : cell
            }
            let end = row[last].isEmpty ? "" : "  \(row[last])"
            return (cells.joined(separator: "  ") + end)
        }
    }

    /// A longer name or URL than this moves what follows, in its own line only.
    private static let widest = 36

    private static func style(of health: Health) -> Style {
        switch health {
        case .unknown: .plain
        case .up: Style(.green)
        case .degraded: Style(.yellow)
        case .down: Style(.red, .bold)
        }
    }
}
