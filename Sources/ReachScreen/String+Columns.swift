extension String {
    /// The width on screen, as ``Frame/write(_:at:style:limit:)`` writes the text.
    public var displayWidth: Int {
        plainColumns ?? reduce(0) { $0 + $1.displayWidth }
    }

    /// The text, truncated with an ellipsis if it is too wide.
    ///
    /// - Parameters:
    ///   - columns: the largest width of the result; it may be one less if a wide character would be cut.
    ///   - ellipsis: the ellipsis.
    /// - Returns: Text of at most `columns` columns.
    public func truncated(toColumns columns: Int, ellipsis: Character = "…") -> String {
        if utf8.count <= columns || displayWidth <= columns { return self }
        var remaining = columns - ellipsis.displayWidth
        guard remaining >= 0 else { return "" }
        var result = ""
        for character in self {
            remaining -= character.displayWidth
            guard remaining >= 0 else { break }
            result.append(character)
        }
        result.append(ellipsis)
        return result
    }

    /// The text, truncated at its start with an ellipsis if it is too wide.
    public func truncatedAtStart(toColumns columns: Int, ellipsis: Character = "…") -> String {
        displayWidth <= columns ? self : "\(ellipsis)\(suffix(toColumns: columns - ellipsis.displayWidth))"
    }

    /// The longest end of the text that fits a width.
    public func suffix(toColumns columns: Int) -> String {
        var remaining = columns
        let suffix = reversed().prefix { character in
            remaining -= character.displayWidth
            return remaining >= 0
        }
        return String(suffix.reversed())
    }

    /// The text padded with blanks to a width. Wider text is unchanged.
    ///
    /// - Parameters:
    ///   - columns: the width.
    ///   - alignment: the position of the text.
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

    /// The width of a text that consists of common narrow scalars; nil for other texts.
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

/// The position of text in a wider field.
public enum Alignment: Sendable, Hashable {
    /// At the start.
    case leading
    /// In the middle; an odd blank goes to the end.
    case center
    /// At the end.
    case trailing
}

extension String {
    /// The text in lines of at most `columns`, wrapped between words.
    ///
    /// - Parameters:
    ///   - columns: the largest width of a line.
    ///   - lines: the largest number of lines; the last one ends in the ellipsis if text is left.
    ///   - ellipsis: the ellipsis.
    public func wrapped(toColumns columns: Int, lines: Int, ellipsis: Character = "…") -> [String] {
        guard columns > 0, lines > 0 else { return [] }
        var result: [String] = []
        var words = split(separator: " ")[...]
        while let first = words.first {
            if result.count == lines - 1 {
                result.append(words.joined(separator: " ").truncated(toColumns: columns, ellipsis: ellipsis))
                break
            }
            words = words.dropFirst()
            var line = String(first).truncated(toColumns: columns, ellipsis: ellipsis)
            while let next = words.first, line.displayWidth + 1 + String(next).displayWidth <= columns {
                line += " \(next)"
                words = words.dropFirst()
            }
            result.append(line)
        }
        return result
    }
}
