extension String {
    /// The columns that the text takes on the screen, as ``Frame/write(_:at:style:limit:)`` writes it.
    public var displayWidth: Int {
        plainColumns ?? reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, or as much of its beginning as fits together with a mark that something is missing.
    ///
    /// - Parameters:
    ///   - columns: the most columns that the result may take; one fewer where a wide character would be cut.
    ///   - ellipsis: the mark.
    /// - Returns: Text of at most `columns` columns.
    public func truncated(toColumns columns: Int, ellipsis: Character = "…") -> String {
        if utf8.count <= columns || displayWidth <= columns { return self }
        var room = columns - ellipsis.displayWidth
        guard room >= 0 else { return "" }
        var result = ""
        for character in self {
            room -= character.displayWidth
            guard room >= 0 else { break }
            result.append(character)
        }
        result.append(ellipsis)
        return result
    }

    /// The text with blanks around it, up to a width. Text that is wider stays as it is.
    ///
    /// - Parameters:
    ///   - columns: the columns to reach.
    ///   - alignment: where the text stands among the blanks.
    /// - Returns: Text of at least `columns` columns.
    public func padded(toColumns columns: Int, _ alignment: Alignment = .leading) -> String {
        let missing = columns - displayWidth
        guard missing > 0 else { return self }
        let before =
            switch alignment {
            case .leading: 0
            case .center: missing / 2
            case .trailing: missing
            }
        return String(repeating: " ", count: before) + self + String(repeating: " ", count: missing - before)
    }

    /// The columns of a text whose every scalar is a character of one column; nil for others, which take a closer look.
    var plainColumns: Int? {
        if utf8.allSatisfy({ $0 >= 0x20 && $0 <= 0x7E }) { return utf8.count }
        var count = 0
        for scalar in unicodeScalars {
            guard scalar.isPlainlyNarrow else { return nil }
            count += 1
        }
        return count
    }
}
