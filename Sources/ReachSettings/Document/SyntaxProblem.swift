import ReachMonitoring

/// A syntax error of the TOML parser, reworded and with a hint.
struct SyntaxProblem: Error, Hashable {
    let message: String
    /// The most probable fix.
    let hint: String?
    /// The position at which the parser stopped.
    let location: Location?

    init(_ description: String, at location: Location?) {
        let prefix = "Error while parsing "
        let text = description.hasPrefix(prefix) ? String(description.dropFirst(prefix.count)) : description
        message = "not TOML: \(Self.reworded(text))"
        self.location = location
        hint = Self.hints.first { text.contains($0.pattern) }?.hint
    }

    init(message: String, hint: String?, at location: Location) {
        (self.message, self.hint, self.location) = (message, hint, location)
    }

    /// Tables or arrays that are nested too deeply.
    static func tooDeep(at location: Location) -> SyntaxProblem {
        SyntaxProblem(message: "tables nested too deeply", hint: "settings have at most six levels", at: location)
    }

    /// A NUL character in the text.
    static func null(in text: String) -> SyntaxProblem {
        var cursor = TextCursor(text)
        cursor.consume { $0 != "\0" }
        return SyntaxProblem("NUL character", at: cursor.location)
    }

    private static func reworded(_ text: String) -> String {
        let lineEnd = "saw '\\n'"
        if text.hasSuffix(lineEnd) { return text.dropLast(lineEnd.count) + "found the end of the line" }
        if let range = text.firstRange(of: ": encountered end-of-file") {
            return text[..<range.lowerBound] + ": the file ends in the middle of it"
        }
        guard text.contains("explicitly prohibited"), let colon = text.firstIndex(of: ":") else { return text }
        return text[..<colon] + ": the end of the line, or another control character, inside the quotes"
    }

    private static let hints: [(pattern: String, hint: String)] = [
        ("could not determine value type", "a text needs quotes"),
        ("floating-point: expected '", "a text needs quotes"),
        ("as array-of-tables", "write double brackets each time: [[target]]"),
        ("cannot redefine existing table", "put the keys of both tables below one header"),
        ("cannot redefine", "remove one of the two"),
        ("dangling comma", "remove the last comma"),
        ("integer: expected digit", "a number is digits only; a text or a duration needs quotes"),
        ("floating-point: expected digit", "a number is digits only; a text or a duration needs quotes"),
        ("unknown escape sequence", "write \\\\ for a backslash, or use single quotes"),
        ("inline table: expected key", "an inline table is one line: { a = 1, b = 2 }"),
        ("table header: expected ']'", "a header is [name], or [[name]] for one of several"),
        ("key-value pair: expected '='", "write key = value; a key with other letters needs quotes"),
        ("key-value pair: expected value", "write a value after the ="),
        ("encountered end-of-file", "a value, a quote or a bracket is missing"),
        ("string: control characters", "close the quote on its line, or use three quotes"),
        ("string: unescaped control characters", "close the quote on its line, or use three quotes"),
        ("NUL", "save the file as plain text"),
        ("boolean", "true or false; a text needs quotes"),
    ]
}

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
    /// Whether this value is a text without quotes: not empty, neither a string, an array nor a table, and no misspelt number.
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
