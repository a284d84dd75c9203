extension Frame {
    /// What a person reads: the rows, joined by newlines, without the blanks at their ends.
    public var text: String {
        rows { $0.isContinuation ? nil : $0.character }
    }

    /// The looks as text: one letter for each column, in the shape of ``text``.
    ///
    /// - Parameter letter: names a style; a blank for what is not worth telling.
    /// - Returns: The rows, joined by newlines, without the blanks at their ends.
    public func map(_ letter: (Style) -> Character) -> String {
        rows { letter($0.style) }
    }

    private func rows(_ character: (Cell) -> Character?) -> String {
        var text = ""
        for row in 0..<size.rows {
            if row > 0 { text.append("\n") }
            // Blanks wait until something follows them.
            var blanks = 0
            for cell in cells[row * size.columns..<(row + 1) * size.columns] {
                guard let shown = character(cell) else { continue }
                if shown == " " {
                    blanks += 1
                } else {
                    text.append(String(repeating: " ", count: blanks))
                    text.append(shown)
                    blanks = 0
                }
            }
        }
        return text
    }
}
