import Monitoring
import Reporting
import Screen
import TerminalIO

/// The result of a check as a table, for people and for tools that process lines.
struct CheckTable {
    /// The lines, the header first.
    let lines: [String]

    /// Creates a table of targets.
    ///
    /// - Parameters:
    ///   - count: The number of probes of each target; above one, there is a column for the loss.
    ///   - color: The colour support of the terminal; nil if standard output is not a terminal.
    ///   - redaction: Removes secrets.
    init(
        _ states: some Collection<TargetState>,
        count: Int,
        color: ColorSupport?,
        redaction: Redaction = .none
    ) {
        let hasLoss = count > 1
        var table = [["TARGET", "URL", "HEALTH", "TIME"] + (hasLoss ? ["LOSS"] : []) + [""]]
        table += states.map { state in
            let cells = [
                state.target.label, state.target.question.url, state.health.rawValue,
                state.statistics.mean?.roundTripText ?? "-",
            ]
            let loss = hasLoss ? [state.totals.loss?.percentText ?? "-"] : []
            return (cells + loss + [state.resultRemark.map(redaction.text) ?? ""]).map(\.printable)
        }
        let last = table[0].count - 1
        let widths = (0..<last).map { column in table.map { $0[column].displayWidth }.max() ?? 0 }
        let styles: [Style] = [.plain] + states.map { Self.style(of: $0.health) }
        lines = zip(table, styles).map { row, style in
            let cells = (0..<last).map { column in
                // Numeric columns are aligned to the right.
                let cell = row[column].padded(
                    toColumns: min(widths[column], column == 1 ? Self.maxURLWidth : Self.maxWidth),
                    column > 2 ? .trailing : .leading
                )
                return column == 2 ? color.map { cell.styled(style, $0) } ?? cell : cell
            }
            let end = row[last].isEmpty ? "" : "  \(row[last].truncated(toColumns: Self.maxRemarkWidth))"
            return (cells.joined(separator: "  ") + end)
        }
    }

    /// The maximum width of a column. A longer name or URL shifts the rest of its own line only.
    private static let maxWidth = 36
    /// The same for the column of URLs.
    private static let maxURLWidth = 80
    /// The maximum width of the text at the end. Other formats have the whole text of a server.
    private static let maxRemarkWidth = 80

    private static func style(of health: Health) -> Style {
        switch health {
        case .unknown: .plain
        case .up: Style(.green)
        case .degraded: Style(.yellow)
        case .down: Style(.red, .bold)
        }
    }
}
