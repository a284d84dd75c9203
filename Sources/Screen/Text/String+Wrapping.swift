extension String {
    /// The text in lines that are no wider than `columns`, broken between words.
    ///
    /// - Parameters:
    ///   - columns: the most columns of a line.
    ///   - lines: the most lines; the last one ends in the mark when more is left.
    ///   - ellipsis: the mark that something is missing.
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
