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
