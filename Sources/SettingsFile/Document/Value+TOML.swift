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
        do {
            let table = try TOMLTable(string: text)
            var isCut = false
            return (copy(table, depth: depth, isCut: &isCut), isCut)
        } catch let error as TOMLParseError {
            let start = error.source.begin
            throw SyntaxProblem(error.description, at: Location(line: start.line, column: start.column))
        } catch {
            throw SyntaxProblem("\(error)", at: nil)
        }
    }

    private static func copy(_ table: TOMLTable, depth: Int, isCut: inout Bool) -> [String: Value] {
        guard depth > 0 else {
            isCut = isCut || !table.isEmpty
            return [:]
        }
        var copied: [String: Value] = [:]
        for key in table.keys {
            copied[key] = table[key].map { Value($0.tomlValue, depth: depth - 1, isCut: &isCut) }
        }
        return copied
    }

    private init(_ value: TOMLValue, depth: Int, isCut: inout Bool) {
        switch value.type {
        case .string: self = .string(value.string ?? "")
        case .int: self = .integer(value.int ?? 0)
        case .double: self = .number(value.double ?? 0)
        case .bool: self = .boolean(value.bool ?? false)
        case .date, .time, .dateTime: self = .date
        case .array:
            guard depth > 0, let array = value.array else {
                isCut = isCut || value.array?.isEmpty == false
                self = .array([])
                return
            }
            self = .array(array.map { Value($0.tomlValue, depth: depth - 1, isCut: &isCut) })
        case .table: self = .table(value.table.map { Self.copy($0, depth: depth, isCut: &isCut) } ?? [:])
        }
    }
}
