import ReachBasics

/// An HTTP request and the expected reply.
public struct HTTPOptions: Sendable, Hashable {
    /// A header field.
    public struct Header: Sendable, Hashable {
        /// The field's name, which is case-insensitive.
        public var name: String
        /// The field's value.
        public var value: String

        /// Pairs a name with its value.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The most bytes of a body that are read.
    public static let maxBodyLength = 1_048_576

    /// The request's method: `GET`.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [Header]
    /// The request's body; nil for none.
    public var bodySent: String?
    /// The status codes that are expected; any of 200…299 when empty.
    public var status: [Int]
    /// A regular expression that must match somewhere in the body; nil accepts any body.
    public var body: String?
    /// A regular expression that must match nowhere in the body.
    public var bodyNot: String?
    /// The checks of values in the body, which must be JSON if there are any.
    public var json: [JSONCheck]
    /// The checks of header fields of the response.
    public var responseHeaders: [HeaderCheck]
    /// The number of redirects that are followed; the reply after the last one is judged.
    public var follow: Int
    /// The number of retries of a probe within its timeout.
    public var retries: Int

    /// The proxies that requests are sent by.
    package var proxies = Proxies.none

    /// Creates options; by default a GET that expects a status of 200…299 and follows no redirects.
    public init(
        method: String = "GET",
        headers: [Header] = [],
        bodySent: String? = nil,
        status: [Int] = [],
        body: String? = nil,
        bodyNot: String? = nil,
        json: [JSONCheck] = [],
        responseHeaders: [HeaderCheck] = [],
        follow: Int = 0,
        retries: Int = 0
    ) {
        self.method = method
        self.headers = headers
        self.bodySent = bodySent
        self.status = status
        self.body = body
        self.bodyNot = bodyNot
        self.json = json
        self.responseHeaders = responseHeaders
        self.follow = follow
        self.retries = retries
    }
}

extension HTTPOptions {
    /// The value of `User-Agent` in every request, unless the user sets another one.
    package static let userAgent = "reach/\(ReachVersion.current)"

    /// The fields that frame a request, in lower case. They follow from the request and cannot be set.
    package static let framingFields: Set<String> = ["connection", "content-length", "transfer-encoding"]
}

extension StringProtocol {
    /// Whether the text is a `token`, the form of methods and field names (RFC 9110 §5.6.2).
    package var isHTTPToken: Bool {
        !isEmpty
            && utf8.allSatisfy { $0.isASCIILetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}

extension HTTPOptions {
    /// What a value in a response must be.
    public enum Condition: Sendable, Hashable {
        /// Any value, as long as there is one.
        case exists
        /// This value.
        case equals(Value)
        /// A text that this regular expression matches somewhere.
        case matches(String)
    }

    /// A single value. Numbers are compared as in JSON: 1 and 1.0 are equal.
    public enum Value: Sendable, Hashable {
        /// A text.
        case string(String)
        /// A number.
        case number(Double)
        /// True or false.
        case boolean(Bool)
    }

    /// A check of one value in a JSON body.
    public struct JSONCheck: Sendable, Hashable {
        /// The place of the value.
        public var path: JSONPath
        /// What the value must be.
        public var condition: Condition

        /// Creates a check; by default the value must exist.
        public init(_ path: JSONPath, _ condition: Condition = .exists) {
            self.path = path
            self.condition = condition
        }
    }

    /// A check of a header field of the response. A field that occurs several times needs one value that meets the
    /// condition.
    public struct HeaderCheck: Sendable, Hashable {
        /// The field's name, which is case-insensitive.
        public var name: String
        /// What the value must be.
        public var condition: Condition

        /// Creates a check; by default the field must exist.
        public init(_ name: String, _ condition: Condition = .exists) {
            self.name = name
            self.condition = condition
        }
    }

    /// The most checks of one kind.
    public static let maxChecks = 16

    /// Returns the status codes of a list such as `200-299,301` or `2xx`; nil for another text.
    public static func statusCodes(in text: String) -> [Int]? {
        var codes: [Int] = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let range = statusRange(part.filter { $0 != " " }) else { return nil }
            codes += range.filter { !codes.contains($0) }
        }
        return codes
    }

    /// The status codes that the settings or the command line expect, as in `200, 301-303`; nil for the default.
    package var expectedStatus: String? {
        var ranges: [ClosedRange<Int>] = []
        for code in Set(status).sorted() {
            if let last = ranges.last, last.upperBound == code - 1 {
                ranges[ranges.count - 1] = last.lowerBound...code
            } else {
                ranges.append(code...code)
            }
        }
        let texts = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return texts.isEmpty ? nil : texts.prefix(4).joined(separator: ", ") + (texts.count > 4 ? " …" : "")
    }

    /// Returns the codes of `200`, `200-299` or `2xx`.
    private static func statusRange(_ text: Substring) -> ClosedRange<Int>? {
        if text.dropFirst().lowercased() == "xx", let digit = text.first?.wholeNumberValue {
            return (1...5).contains(digit) ? digit * 100...digit * 100 + 99 : nil
        }
        let ends = text.split(separator: "-", omittingEmptySubsequences: false).map { end in
            end.utf8.count == 3 ? Int(end).flatMap { (100...599).contains($0) ? $0 : nil } : nil
        }
        guard ends.count <= 2, let low = ends[0], let high = ends[ends.count - 1], low <= high else { return nil }
        return low...high
    }
}

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
