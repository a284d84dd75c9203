import Monitoring
import Screen

extension Model {
    /// Performs an action in the matrix of vantage points. The arrows scroll it sideways; other actions are those of the
    /// table.
    mutating func performInVantagePoints(_ action: Action) -> [Effect] {
        switch action {
        case .fold, .unfold:
            let view = VantageView(model: shown)
            // From where the layout begins, which is not beyond the last columns.
            let step = view.layout.first - vantage.first + (action == .fold ? -1 : 1)
            vantage.scroll(by: step, shown: view.layout.cells.count, of: view.count)
            return []
        default:
            return performInTable(action)
        }
    }

    /// The number of rows for targets in the table, and in the matrix of vantage points.
    var listHeight: Int {
        let list = areas.list
        let caption = navigation.overview == .vantagePoints ? VantageView.captionRows(of: list) : 0
        return max(1, list.rows - caption)
    }

    /// The row at a position of the matrix; nil if there is none.
    func vantageRow(at position: Position) -> Row? {
        let (line, height) = (position.row - areas.list.row, listHeight)
        guard (0..<height).contains(line), !roster.vantage.isEmpty else { return nil }
        let index = TableView(model: shown, width: size.columns).row(atLine: line, of: height)
        return index < rows.count ? rows[index] : nil
    }
}
