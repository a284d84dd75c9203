import TOMLKit

extension Value {
    /// How many steps lead to the deepest value that is read; settings need six.
    static let depth = 32

    /// The document as a value of our own: TOMLKit's are pointers into a parser's memory. What is deeper than
    /// ``depth`` is left out, so that no text exhausts the stack; `isCut` says whether something was.
    ///
    /// - Throws: the first mistake in the syntax; the parser stops there.
    static func document(_ text: String) throws(SyntaxProblem) -> ([String: Value], isCut: Bool) {
        // The parser takes a C string, which a NUL would silently end.
        if text.utf8.contains(0) { throw SyntaxProblem.null(in: text) }
        switch ParserGuard.danger(in: text) {
        case nil: break
        case .tooDeep(let line): throw SyntaxProblem.tooDeep(at: Location(line: line, column: 1))
        case .mistake(let message, let location, let offset):
            // An earlier mistake is the one to report.
            _ = try document(String(decoding: text.utf8.prefix(offset), as: UTF8.self))
            throw SyntaxProblem(message, at: location)
        }
        do {
            let table = try TOMLTable(string: text)
            var copy = DocumentCopy()
            let document = copy.table(table, depth: depth)
            // TOMLKit never frees a table; this leaves no more of it than an empty one. Too deep a one would exhaust
            // the stack.
            if !copy.isCut { table.clear() }
            return (document, copy.isCut)
        } catch let error as TOMLParseError {
            let start = error.source.begin
            throw SyntaxProblem(error.description, at: Location(line: start.line, column: start.column))
        } catch {
            throw SyntaxProblem("\(error)", at: nil)
        }
    }
}
