import Screen

/// What a terminal does with runs, with its own idea of wide characters: half of one overwritten, the other goes.
struct ScreenModel {
    private struct Spot: Equatable {
        var text: Character?
        var style: Style

        func looksLike(_ other: Spot) -> Bool {
            guard text == other.text else { return false }
            if text == " ", !isMarked, !other.isMarked { return true }
            return style == other.style
        }

        private var isMarked: Bool {
            !style.attributes.isDisjoint(with: [.underline, .reversed])
        }
    }

    private var rows: [[Spot]]

    init(showing frame: Frame) {
        rows = (0..<frame.size.rows).map { row in
            (0..<frame.size.columns).map { column in
                let cell = frame[column: column, row: row]
                return Spot(text: cell.isContinuation ? nil : cell.character, style: cell.style)
            }
        }
    }

    mutating func paint(_ runs: [Run]) {
        for run in runs {
            var column = run.position.column
            for character in run.text {
                for _ in 0..<character.displayWidth {
                    erase(column: column, row: run.position.row)
                    rows[run.position.row][column] = Spot(text: nil, style: run.style)
                    column += 1
                }
                rows[run.position.row][column - character.displayWidth].text = character
            }
        }
    }

    /// Blanks the whole character that a column belongs to.
    private mutating func erase(column: Int, row: Int) {
        if rows[row][column].text == nil, column > 0, rows[row][column - 1].text != nil {
            rows[row][column - 1].text = " "
        }
        if column + 1 < rows[row].count, rows[row][column + 1].text == nil {
            rows[row][column + 1].text = " "
        }
        rows[row][column].text = " "
    }

    /// Whether a person sees the frame: colour and weight show nothing on a blank.
    func shows(_ frame: Frame) -> Bool {
        let wanted = ScreenModel(showing: frame).rows
        return zip(rows.joined(), wanted.joined()).allSatisfy { $0.looksLike($1) }
    }
}
