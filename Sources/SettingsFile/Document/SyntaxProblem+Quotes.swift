import Monitoring

extension SyntaxProblem {
    /// Returns the problem of a line `key = text` whose text has no quotes, or whose Boolean is in capital letters; nil for
    /// other lines. The parser itself would take the text for a number, a date or a Boolean.
    ///
    /// - Parameters:
    ///   - number: the number of the line at which the parser stopped.
    ///   - description: the parser's description of the error.
    static func unquoted(inLine number: Int, of text: String, _ description: String) -> SyntaxProblem? {
        // A line of a string may look like this too.
        guard !description.contains("string"), number > 0 else { return nil }
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard number <= lines.count else { return nil }
        var cursor = TextCursor(String(lines[number - 1]))
        cursor.skipBlanks()
        let key = cursor.consume { $0.isPartOfKey }
        cursor.skipBlanks()
        guard !key.isEmpty, cursor.consume("=") else { return nil }
        cursor.skipBlanks()
        let location = Location(line: number, column: cursor.location.column)
        var value = String(String.UnicodeScalarView(cursor.scalars[cursor.index...]))
        // A comment begins with a blank, so that a URL keeps its "#".
        if let comment = value.firstRange(of: " #") { value = String(value[..<comment.lowerBound]) }
        while value.last?.isWhitespace == true { value.removeLast() }
        guard value.isUnquotedText else { return nil }
        if let flag = Bool(value.lowercased()) {
            return SyntaxProblem(message: "not TOML: \(value)", hint: "write \(key) = \(flag)", at: location)
        }
        let quote = value.contains { "\"\\".contains($0) } ? "'" : "\""
        let hint = value.count > 60 ? "a text needs quotes" : "write \(key) = \(quote)\(value)\(quote)"
        return SyntaxProblem(message: "not TOML: text without quotes", hint: hint, at: location)
    }
}

extension String {
    /// Whether this value is a text in no quotes: not empty, neither a string, an array nor a table, and no misspelt number.
    fileprivate var isUnquotedText: Bool {
        guard let first, !"\"'[{#".contains(first), !contains("'") else { return false }
        return contains { $0.isLetter || $0 == "/" } || count { $0 == "." } > 1
    }
}

extension Unicode.Scalar {
    /// Whether a key without quotes, or its path, may contain this scalar.
    fileprivate var isPartOfKey: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_", ".": true
        default: false
        }
    }
}
