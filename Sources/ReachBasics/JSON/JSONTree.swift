/// A JSON value (RFC 8259). Reading is strict, and bounded in depth.
package indirect enum JSONTree: Sendable, Hashable {
    case null
    case boolean(Bool)
    /// A number as it is written.
    case number(String)
    case string(String)
    case array([JSONTree])
    /// The members of an object. Of members with one name, the last one counts.
    case object([String: JSONTree])

    /// Why a text is not JSON.
    package struct SyntaxError: Error, Sendable, Hashable {
        /// The problem, as part of a sentence.
        package let message: String
        /// The line, counted from one.
        package let line: Int
    }

    /// The largest depth of arrays and objects.
    package static let maxDepth = 64

    /// Parses a text.
    package init(_ bytes: [UInt8]) throws(SyntaxError) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw SyntaxError(message: "not UTF-8", line: 1) }
        var builder = JSONTreeBuilder()
        do throws(JSONTokenizer.SyntaxError) {
            try JSONTokenizer.read(bytes[...], maxDepth: Self.maxDepth) { builder.add($0) }
        } catch {
            throw SyntaxError(error, in: bytes)
        }
        self = builder.root
    }

    /// The type with its article, for messages.
    package var type: String {
        switch self {
        case .null: "null"
        case .boolean: "true or false"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }

    /// The text of a string; nil for another value.
    package var text: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// The elements of an array; nil for another value.
    package var elements: [JSONTree]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The members of an object; nil for another value.
    package var members: [String: JSONTree]? {
        if case .object(let members) = self { members } else { nil }
    }

    /// The member of an object with this name.
    package subscript(name: String) -> JSONTree? { members?[name] }
}

extension JSONTree.SyntaxError {
    fileprivate init(_ error: JSONTokenizer.SyntaxError, in bytes: [UInt8]) {
        let position: Int
        switch error {
        case .unexpected(let offset):
            position = offset
            let isPrintable = (0x21...0x7E).contains(bytes[offset])
            message =
                "not JSON: unexpected " + (isPrintable ? "'\(Unicode.Scalar(bytes[offset]))'" : "byte \(bytes[offset])")
        case .tooDeep(let offset):
            position = offset
            message = "not JSON: more than \(JSONTree.maxDepth) levels"
        case .tooLong(let offset):
            position = offset
            message = "not JSON: a value is too long"
        case .incomplete:
            position = bytes.count
            message = "not JSON: the text is cut off"
        }
        line = 1 + bytes[..<position].count { $0 == UInt8(ascii: "\n") }
    }
}

/// Builds a value from the tokens of a text.
private struct JSONTreeBuilder {
    /// An array or object that is not complete yet.
    private struct Container {
        var elements: [JSONTree] = []
        var members: [String: JSONTree] = [:]
        /// The name of the next value; nil in an array.
        var key: String?
    }

    private var open: [Container] = []
    /// The complete value.
    private(set) var root = JSONTree.null

    mutating func add(_ token: JSONTokenizer.Token) {
        switch token {
        case .beginObject, .beginArray: open.append(Container())
        case .endObject: append(.object(open.removeLast().members))
        case .endArray: append(.array(open.removeLast().elements))
        case .key(let name): open[open.count - 1].key = name
        case .string(let text): append(.string(text))
        case .number(let text): append(.number(text))
        case .boolean(let flag): append(.boolean(flag))
        case .null: append(.null)
        }
    }

    private mutating func append(_ value: JSONTree) {
        guard let last = open.indices.last else { return root = value }
        if let key = open[last].key {
            open[last].members[key] = value
        } else {
            open[last].elements.append(value)
        }
    }
}
