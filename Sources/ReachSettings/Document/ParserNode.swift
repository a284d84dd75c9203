import CReachDelete
import CTOML
import ReachSystem

/// A value in the memory of the TOML parser.
///
/// It calls the C functions of TOMLKit. Their results are copies, which TOMLKit's own types never free: each reload of
/// the settings would leak every string, number and key.
struct ParserNode {
    /// A syntax error, with the line and column where the parser stopped.
    struct SyntaxError: Error {
        let description: String
        let line: Int
        let column: Int
    }

    private let pointer: OpaquePointer

    /// Parses a document, and frees it when `body` has returned.
    static func withDocument<Result>(
        _ text: String,
        _ body: (_ table: ParserNode) -> Result
    ) throws(SyntaxError) -> Result {
        let error = UnsafeMutablePointer<CTOMLParseError>.allocate(capacity: 1)
        defer { error.deallocate() }
        guard let table = text.withCString({ tableCreateFromString($0, error) }) else {
            let begin = error.pointee.source.begin
            throw SyntaxError(
                description: string(error.pointee.description),
                line: Int(begin.line),
                column: Int(begin.column)
            )
        }
        let document = ParserNode(pointer: nodeFromTable(table))
        defer { document.delete() }
        return body(document)
    }

    /// The type of the value. The properties below are nil for all other types.
    var type: CTOMLNodeType { nodeType(pointer) }

    var string: String? { nodeAsString(pointer).map(Self.string) }
    var integer: Int64? { nodeAsInt(pointer).map(Self.value) }
    var double: Double? { nodeAsDouble(pointer).map(Self.value) }
    var boolean: Bool? { nodeAsBool(pointer).map(Self.value) }
    var date: CTOMLDate? { nodeAsDate(pointer).map(Self.value) }
    var time: CTOMLTime? { nodeAsTime(pointer).map(Self.value) }

    /// A date with a time, and the minutes from UTC if they are given.
    var dateTime: (date: CTOMLDate, time: CTOMLTime, offset: Int?)? {
        guard let value = nodeAsDateTime(pointer).map(Self.value) else { return nil }
        defer { reach_delete(value.offset) }
        return (value.date, value.time, value.offset.map { Int($0.pointee.minutes) })
    }

    /// The elements of an array; empty for other types.
    var elements: [ParserNode] {
        guard let array = nodeAsArray(pointer) else { return [] }
        return (0..<arraySize(array)).map { ParserNode(pointer: arrayGetNode(array, Int64($0))) }
    }

    /// The keys and values of a table; empty for other types.
    var entries: [(key: String, value: ParserNode)] {
        guard let table = nodeAsTable(pointer) else { return [] }
        let (keys, values) = (tableGetKeys(table), tableGetValues(table))
        defer {
            free(UnsafeMutableRawPointer(mutating: keys))
            free(UnsafeMutableRawPointer(mutating: values))
        }
        return (0..<tableSize(table)).map { (Self.string(keys[$0]), ParserNode(pointer: values[$0])) }
    }

    /// Frees a document.
    private func delete() {
        // The innermost are cleared first: clearing a table recurses into the tables below it, which could exhaust the
        // stack.
        var containers = [self]
        var next = 0
        while next < containers.count {
            let node = containers[next]
            next += 1
            containers += (node.elements + node.entries.map(\.value)).filter { [.table, .array].contains($0.type) }
        }
        for container in containers.reversed() {
            if let table = nodeAsTable(container.pointer) { tableClear(table) }
            if let array = nodeAsArray(container.pointer) { arrayClear(array) }
        }
        // Without values, it needs no destructor.
        reach_delete(UnsafeMutableRawPointer(pointer))
    }

    /// Copies a string that the parser has allocated, and frees the original.
    private static func string(_ original: UnsafePointer<CChar>) -> String {
        defer { free(UnsafeMutableRawPointer(mutating: original)) }
        return String(cString: original)
    }

    /// Copies a value that the parser has allocated, and frees the original.
    private static func value<Value>(_ original: UnsafePointer<Value>) -> Value {
        defer { free(UnsafeMutableRawPointer(mutating: original)) }
        return original.pointee
    }
}
