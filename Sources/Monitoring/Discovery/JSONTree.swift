/// A JSON value (RFC 8259). Reading is strict, and bounded in depth, so that no text exhausts the stack.
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
    package struct Failure: Error, Sendable, Hashable {
        /// The problem, as part of a sentence.
        package let message: String
        /// The line, counted from one.
        package let line: Int
    }

    /// The largest depth of arrays and objects.
    package static let depth = 64

    /// Parses a text.
    package init(_ bytes: [UInt8]) throws(Failure) {
        guard String(validating: bytes, as: UTF8.self) != nil else { throw Failure(message: "not UTF-8", line: 1) }
        var reader = JSONReader(bytes)
        self = try reader.document()
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
