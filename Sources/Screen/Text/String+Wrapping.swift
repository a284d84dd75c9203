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
