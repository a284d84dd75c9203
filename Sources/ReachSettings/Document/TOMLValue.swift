import CTOML

/// A value of a TOML document.
indirect enum TOMLValue: Hashable, Sendable {
    case string(String)
    case integer(Int)
    case number(Double)
    case boolean(Bool)
    /// A date, a time of day or both, as text: `2026-12-01T22:00:00Z`.
    case date(String)
    case array([TOMLValue])
    case table([String: TOMLValue])

    /// The type with its article, for messages.
    var type: String {
        switch self {
        case .string: "a string"
        case .integer: "an integer"
        case .number: "a number"
        case .boolean: "true or false"
        case .date: "a date"
        case .array: "an array"
        case .table: "a table"
        }
    }
}

extension TOMLValue {
    /// The largest depth of a value that is read. Settings need six levels.
    static let depth = 32

    /// Parses a document and copies it.
    ///
    /// Values deeper than ``depth`` are left out, so that no text can exhaust the stack.
    ///
    /// - Returns: The document, and whether values were left out.
    /// - Throws: The first syntax error; the parser stops there.
    static func document(_ text: String) throws(SyntaxProblem) -> ([String: TOMLValue], isCut: Bool) {
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

/// Copies values of the parser, which point into its memory, into ``TOMLValue``s.
struct DocumentCopy {
    /// Whether tables or arrays were cut off because they are nested too deeply.
    private(set) var isCut = false

    /// Copies the values of a table, down to `depth` levels below it.
    mutating func table(_ table: ParserNode, depth: Int) -> [String: TOMLValue] {
        let entries = table.entries
        guard depth > 0 else {
            isCut = isCut || !entries.isEmpty
            return [:]
        }
        var copied = [String: TOMLValue](minimumCapacity: entries.count)
        for (key, node) in entries { copied[key] = value(node, depth: depth - 1) }
        return copied
    }

    private mutating func value(_ node: ParserNode, depth: Int) -> TOMLValue {
        switch node.type {
        case .string: return .string(node.string ?? "")
        case .integer: return .integer(node.integer.map(Int.init) ?? 0)
        case .floatingPoint: return .number(node.double ?? 0)
        case .boolean: return .boolean(node.boolean ?? false)
        case .date: return .date(node.date.map(Self.text) ?? "")
        case .timeType: return .date(node.time.map(Self.text) ?? "")
        case .dateTime: return .date(node.dateTime.map(Self.text) ?? "")
        case .array:
            let elements = node.elements
            guard depth > 0 else {
                isCut = isCut || !elements.isEmpty
                return .array([])
            }
            return .array(elements.map { value($0, depth: depth - 1) })
        case .table:
            return .table(table(node, depth: depth))
        }
    }

    private static func text(_ date: CTOMLDate) -> String {
        "\(digits(date.year, 4))-\(digits(date.month, 2))-\(digits(date.day, 2))"
    }

    private static func text(_ time: CTOMLTime) -> String {
        "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
    }

    private static func text(_ time: (date: CTOMLDate, time: CTOMLTime, offset: Int?)) -> String {
        let offset = time.offset.map {
            $0 == 0 ? "Z" : "\($0 < 0 ? "-" : "+")\(digits(abs($0) / 60, 2)):\(digits(abs($0) % 60, 2))"
        }
        return "\(text(time.date))T\(text(time.time))\(offset ?? "")"
    }

    private static func digits(_ number: some BinaryInteger, _ count: Int) -> String {
        let text = String(number)
        return String(repeating: "0", count: max(0, count - text.count)) + text
    }
}
