extension HTTPOptions {
    /// The place of one value in a JSON document: a singular query of JSONPath (RFC 9535 §2.3.5.1), such as
    /// `$.items[0].name` or `$['a b'][-1]`.
    public struct JSONPath: Sendable, Hashable, CustomStringConvertible {
        /// A step from a value to one of its children.
        public enum Segment: Sendable, Hashable {
            /// The member of an object with this name.
            case name(String)
            /// The element of an array with this index. A negative index counts from the end.
            case index(Int)
        }

        /// The steps from the root; empty for the whole document.
        public let segments: [Segment]
        /// The query as it was written.
        public let description: String

        /// Parses a query.
        ///
        /// - Throws: ``URLProblem`` with the problem and its fix.
        public init(_ text: String) throws(URLProblem) {
            guard text.hasPrefix("$") else {
                let path = text.hasPrefix("[") ? "$\(text)" : "$.\(text)"
                throw URLProblem("a JSON path begins with $", hint: text.isEmpty ? Self.examples : "such as \(path)")
            }
            var segments: [Segment] = []
            var rest = text.unicodeScalars.dropFirst()
            while let first = rest.popFirst() {
                switch first {
                case ".": segments.append(.name(try Self.name(&rest)))
                case "[": segments.append(try Self.bracketed(&rest))
                default: throw URLProblem("unexpected \"\(first.escaped(asASCII: true))\"", hint: Self.examples)
                }
            }
            self.segments = segments
            description = text
        }

        private static let examples = "such as $.status, $.items[0].name or $['a b']"

        /// Parses a name after a dot.
        private static func name(_ rest: inout String.UnicodeScalarView.SubSequence) throws(URLProblem) -> String {
            if let first = rest.first, first == "*" || first == "." { throw several("\(first == "." ? ".." : "*")") }
            let name = rest.prefix(while: \.isPartOfName)
            guard let first = name.first, !("0"..."9" ~= first) else {
                throw URLProblem("no name after \".\"", hint: Self.examples)
            }
            rest = rest[name.endIndex...]
            if rest.first == "-" {
                let whole = name + rest.prefix { $0.isPartOfName || $0 == "-" }
                throw URLProblem("unexpected \"-\"", hint: "write ['\(String(whole))'] in place of .\(String(whole))")
            }
            return String(name)
        }

        /// Parses an index or a quoted name after a bracket, and the bracket after it.
        private static func bracketed(
            _ rest: inout String.UnicodeScalarView.SubSequence
        ) throws(URLProblem) -> Segment {
            let segment: Segment
            switch rest.first {
            case "*", "?", ":":
                throw several(String(rest.prefix(1)))
            case "'", "\"":
                segment = .name(try quoted(&rest))
            default:
                let digits = String(rest.prefix { $0 == "-" || "0"..."9" ~= $0 })
                rest = rest.dropFirst(digits.count)
                // A zero before another digit is not allowed (RFC 9535 §2.3.3.1).
                guard let index = Int(digits), String(index) == digits else {
                    throw URLProblem("no index after \"[\"", hint: Self.examples)
                }
                segment = .index(index)
            }
            if rest.first == "," || rest.first == ":" { throw several(String(rest.prefix(1))) }
            guard rest.popFirst() == "]" else { throw URLProblem("\"[\" without \"]\"", hint: Self.examples) }
            return segment
        }

        /// Parses a name in quotation marks, in which `\` quotes a quotation mark or itself.
        private static func quoted(_ rest: inout String.UnicodeScalarView.SubSequence) throws(URLProblem) -> String {
            let quote = rest.popFirst()
            var name = String.UnicodeScalarView()
            while let scalar = rest.popFirst() {
                if scalar == quote { return String(name) }
                guard scalar == "\\" else {
                    name.append(scalar)
                    continue
                }
                guard let escaped = rest.popFirst(), "\\/'\"".unicodeScalars.contains(escaped) else {
                    throw URLProblem("unknown escape in a name", hint: #"only \\, \' and \" are escapes"#)
                }
                name.append(escaped)
            }
            throw URLProblem("a quotation mark is missing", hint: Self.examples)
        }

        private static func several(_ text: String) -> URLProblem {
            URLProblem("\"\(text)\" selects several values", hint: "select one, \(Self.examples)")
        }
    }
}

extension Unicode.Scalar {
    /// Whether a name after a dot may have this character (RFC 9535 §2.5.1.1).
    fileprivate var isPartOfName: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "_": true
        default: value >= 0x80
        }
    }
}
