import ReachReporting
import ReachScreen

/// The columns of the table of a path. On a narrow terminal, names are cut first, then figures are left out, the least
/// important ones first, so that the word after them is whole.
struct PathColumns {
    /// The width of each column; nil for one that is left out.
    private var widths: [Int?]
    /// The columns of texts, which begin at the left.
    private let texts: Range<Int>

    private static let gap = 2
    /// The most columns of a name on a terminal.
    private static let mostName = 40
    /// The least columns of a name. Narrower ones say nothing.
    private static let leastName = 8

    /// Creates the columns.
    ///
    /// - Parameters:
    ///   - rows: The cells of all rows: number, address, name if there are names, loss, and further figures.
    ///   - wordWidth: The width of the longest word.
    ///   - columns: The width of the terminal; nil for any.
    init(_ rows: [[String]], wordWidth: Int, hasNames: Bool, columns: Int?) {
        let count = rows.first?.count ?? 0
        widths = (0..<count).map { column in rows.map { $0[column].printable.displayWidth }.max() ?? 0 }
        texts = 1..<(hasNames ? 3 : 2)
        guard let columns, count > 0 else { return }
        let available = columns - (wordWidth > 0 ? wordWidth + Self.gap : 0)
        if hasNames {
            let name = min(widths[2] ?? 0, Self.mostName)
            let rest = available - (width - (widths[2] ?? 0))
            widths[2] = rest >= name ? name : rest >= Self.leastName ? rest : nil
        }
        // The loss stays.
        let figures = (hasNames ? 4 : 3)..<count
        for figure in figures.reversed() where width > available { widths[figure] = nil }
    }

    /// The width of all columns with the gaps between them.
    private var width: Int {
        let shown = widths.compactMap(\.self)
        return shown.reduce(0, +) + Self.gap * max(0, shown.count - 1)
    }

    /// The text of a row.
    func text(of cells: [String], ellipsis: Character) -> String {
        zip(widths, cells).enumerated().compactMap { column, element in
            element.0.map { width in
                element.1.printable.truncated(toColumns: width, ellipsis: ellipsis)
                    .padded(toColumns: width, texts.contains(column) ? .leading : .trailing)
            }
        }.joined(separator: String(repeating: " ", count: Self.gap))
    }
}
