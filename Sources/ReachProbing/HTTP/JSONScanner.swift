import ReachBasics
import ReachMonitoring

/// Finds single values of a JSON text (RFC 8259) by their paths.
///
/// It builds no tree: a text of a megabyte can have half a million values, and a check needs one of them.
struct JSONScanner {
    /// A value. Objects and arrays are found, but not read.
    enum Value: Sendable, Hashable {
        case scalar(HTTPOptions.Value)
        case null
        case object
        case array
    }

    /// The first mistake in a text.
    struct SyntaxError: Error, Hashable {
        let message: String
    }

    /// The maximum depth of nested objects and arrays.
    static let maxDepth = 128

    private let text: ArraySlice<UInt8>

    /// Checks the syntax of a whole text.
    init(_ bytes: [UInt8]) throws(SyntaxError) {
        // A byte order mark may be ignored (RFC 8259 §8.1).
        text = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        do throws(JSONTokenizer.SyntaxError) {
            try JSONTokenizer.read(text, maxDepth: Self.maxDepth) { _ in }
        } catch {
            throw SyntaxError(error, in: text)
        }
    }

    /// Returns the value at a path; nil if there is none. Of several members with one name, the last one counts, as for
    /// most parsers.
    func value(at path: HTTPOptions.JSONPath) -> Value? {
        var segments = path.segments
        // A negative index counts from the end of its array, so the elements are counted first.
        for (position, segment) in segments.enumerated() {
            guard case .index(let index) = segment, index < 0 else { continue }
            segments[position] = .index(index + lookUp(Array(segments[..<position])).elementCount)
        }
        return lookUp(segments).value
    }

    private func lookUp(_ path: [HTTPOptions.JSONPath.Segment]) -> JSONLookup {
        var lookup = JSONLookup(path: path)
        // The syntax was checked.
        try? JSONTokenizer.read(text, maxDepth: Self.maxDepth) { lookup.accept($0) }
        return lookup
    }
}

extension JSONScanner.SyntaxError {
    fileprivate init(_ error: JSONTokenizer.SyntaxError, in text: ArraySlice<UInt8>) {
        switch error {
        case .unexpected(let offset), .tooLong(let offset):
            let position = text.startIndex + offset
            let quotation = String(quoting: text[position...].prefix(12), limit: 8)
            message = "unexpected \"\(quotation)\" at byte \(position + 1)"
        case .tooDeep: message = "nested more than \(JSONScanner.maxDepth) levels"
        case .incomplete: message = "it ends too early"
        }
    }
}

/// Follows the tokens of a text to the value at a path.
private struct JSONLookup {
    /// An object or array that has not ended.
    fileprivate struct Container {
        /// Whether the path leads to it, or through it.
        let isOnPath: Bool
        /// The name of the next value; nil in an array.
        var key: String?
        /// The number of elements of an array so far.
        var count = 0
    }

    let path: [HTTPOptions.JSONPath.Segment]
    private var open: [Container] = []
    private(set) var value: JSONScanner.Value?
    /// The number of elements, if the value is an array.
    private(set) var elementCount = 0

    init(path: [HTTPOptions.JSONPath.Segment]) {
        self.path = path
    }

    mutating func accept(_ token: JSONTokenizer.Token) {
        switch token {
        case .beginObject: open.append(Container(isOnPath: follow(.object)))
        case .beginArray: open.append(Container(isOnPath: follow(.array)))
        case .endObject, .endArray: open.removeLast()
        case .key(let name): open[open.count - 1].key = name
        case .string(let text): _ = follow(.scalar(.string(text)))
        case .number(let text): _ = follow(.scalar(.number(Double(text) ?? .nan)))
        case .boolean(let flag): _ = follow(.scalar(.boolean(flag)))
        case .null: _ = follow(.null)
        }
    }

    /// Keeps a value if it is the one at the path. Returns whether the path leads to it, or through it.
    private mutating func follow(_ next: JSONScanner.Value) -> Bool {
        let depth = open.count
        if depth > 0 {
            let parent = open[depth - 1]
            if parent.key == nil { open[depth - 1].count += 1 }
            guard parent.isOnPath else { return false }
            guard depth <= path.count else {
                elementCount = open[depth - 1].count
                return false
            }
            guard path[depth - 1].isNext(in: parent) else { return false }
        }
        // A later member of the same name replaces the earlier one.
        value = depth == path.count ? next : nil
        elementCount = 0
        return true
    }
}

extension HTTPOptions.JSONPath.Segment {
    /// Whether it is the name or the index of the next value.
    fileprivate func isNext(in container: JSONLookup.Container) -> Bool {
        switch (self, container.key) {
        // Strings are equal in Swift if they look the same, but names are compared by their characters.
        case (.name(let name), let key?): name.unicodeScalars.elementsEqual(key.unicodeScalars)
        case (.index(let index), nil): index == container.count
        default: false
        }
    }
}
