import Screen

/// The headings of the columns of vantage points: their names, shortened so that they stay different if possible.
struct VantageHeadings: Sendable, Hashable {
    let texts: [String]

    /// Shortens names at their ends; if some are then equal, at their beginnings, or in the middle.
    init(_ names: [String], width: Int, ellipsis: Character) {
        let forms: [(String) -> String] = [
            { $0.truncated(toColumns: width, ellipsis: ellipsis) },
            { $0.end(columns: width, ellipsis: ellipsis) },
            { $0.ends(columns: width, ellipsis: ellipsis) },
        ]
        let number = Set(names).count
        let texts = forms.map { names.map($0) }
        self.texts = texts.first { Set($0).count == number } ?? texts[0]
    }
}

extension String {
    /// The end of the text that fits, after an ellipsis.
    fileprivate func end(columns: Int, ellipsis: Character) -> String {
        guard displayWidth > columns else { return self }
        return String(ellipsis) + suffix(fitting: columns - 1)
    }

    /// The beginning and the end of the text, with an ellipsis between them.
    fileprivate func ends(columns: Int, ellipsis: Character) -> String {
        guard displayWidth > columns, columns >= 3 else { return truncated(toColumns: columns, ellipsis: ellipsis) }
        let start = truncated(toColumns: (columns - 1) / 2 + 1, ellipsis: ellipsis)
        return start + suffix(fitting: columns - start.displayWidth)
    }

    private func suffix(fitting columns: Int) -> String {
        var room = columns
        var text: [Character] = []
        for character in reversed() {
            room -= String(character).displayWidth
            guard room >= 0 else { break }
            text.append(character)
        }
        return String(text.reversed())
    }
}
