extension Frame {
    /// The text: the rows joined by newlines, without trailing blanks.
    public var text: String {
        rows { $0.isContinuation ? nil : $0.character }
    }

    /// The styles as text: one letter for each column.
    ///
    /// - Parameter letter: the letter for a style; a blank for one that is left out.
    /// - Returns: The rows joined by newlines, without trailing blanks.
    public func map(_ letter: (Style) -> Character) -> String {
        rows { letter($0.style) }
    }

    private func rows(_ character: (Cell) -> Character?) -> String {
        var text = ""
        for row in 0..<size.rows {
            if row > 0 { text.append("\n") }
            // Blanks are appended when a character follows.
            var blanks = 0
            for cell in lines[row] {
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
