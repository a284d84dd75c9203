extension Value {
    /// The largest depth of a value that is read. Settings need six levels.
    static let depth = 32

    /// Parses a document and copies it.
    ///
    /// Values deeper than ``depth`` are left out, so that no text can exhaust the stack.
    ///
    /// - Returns: The document, and whether values were left out.
    /// - Throws: The first syntax error; the parser stops there.
    static func document(_ text: String) throws(SyntaxProblem) -> ([String: Value], isCut: Bool) {
        // The parser reads a C string, which ends at a NUL.
        if text.utf8.contains(0) { throw SyntaxProblem.null(in: text) }
        switch ParserGuard.rejection(of: text) {
        case nil: break
        case .tooDeep(let line): throw SyntaxProblem.tooDeep(at: Location(line: line, column: 1))
        case .mistake(let message, let location, let offset):
            // Report an earlier mistake instead, if the parser finds one.
            _ = try document(String(decoding: text.utf8.prefix(offset), as: UTF8.self))
            throw SyntaxProblem(message, at: location)
        }
        do {
            return try ParserNode.withDocument(text) { table in
                var copy = DocumentCopy()
                return (copy.table(table, depth: depth), copy.isCut)
            }
        } catch {
            throw .unquoted(inLine: error.line, of: text, error.description)
                ?? SyntaxProblem(error.description, at: Location(line: error.line, column: error.column))
        }
    }
}
