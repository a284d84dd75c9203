import NIOCore
import ReachMonitoring

/// A pattern search in a part of a response, with the failure to report if its result is not the expected one.
struct HTTPSearch: Sendable, Hashable {
    let search: PatternSearch
    /// Whether the pattern must match, or must not.
    let mustMatch: Bool
    let failure: Failure

    init(_ pattern: String, in text: [UInt8], mustMatch: Bool = true, failure: Failure) {
        search = PatternSearch(pattern: pattern, text: text, isComplete: true)
        self.mustMatch = mustMatch
        self.failure = failure
    }
}

extension HTTPOptions {
    /// Whether the body of the response is needed.
    var readsBody: Bool {
        body != nil || bodyNot != nil || !json.isEmpty
    }

    /// The names of the header fields to keep, in lower case.
    var checkedFields: Set<String> {
        Set(responseHeaders.map { $0.name.lowercased() })
    }
}

extension HTTPResponse {
    /// Checks the header fields.
    ///
    /// - Returns: The searches that remain.
    /// - Throws: The first failure.
    func checkHeaders(_ checks: [HTTPOptions.HeaderCheck]) throws(Failure) -> [HTTPSearch] {
        var searches: [HTTPSearch] = []
        for check in checks {
            let values = fields.filter { $0.name == check.name.lowercased() }.map(\.value)
            let name = String(quoting: check.name.utf8, limit: 24)
            guard let first = values.first else { throw failure(.answerMismatch, "header \(name) is missing") }
            // Fields of one name are a list (RFC 9110 §5.3).
            let list = values.joined(separator: ", ")
            let quotation = String(quoting: first.utf8, limit: 16)
            switch check.condition {
            case .exists:
                break
            case .equals(let expected):
                guard values.contains(expected.text) || list == expected.text else {
                    throw failure(.answerMismatch, "header \(name) is \"\(quotation)\", not \(expected.quoted)")
                }
            case .matches(let pattern):
                let failure = failure(.answerMismatch, "no match in header \(name): \"\(quotation)\"")
                searches.append(HTTPSearch(pattern, in: Array(list.utf8), failure: failure))
            }
        }
        return searches
    }

    /// Checks the values of a JSON body. A long body takes milliseconds.
    ///
    /// - Returns: The searches that remain.
    /// - Throws: The first failure.
    func checkJSON(_ checks: [HTTPOptions.JSONCheck]) throws(Failure) -> [HTTPSearch] {
        guard !checks.isEmpty else { return [] }
        guard !isTruncated else { throw failure(.httpBody, "not JSON: the body is longer than 1 MiB") }
        guard body.readableBytes > 0 else { throw failure(.httpBody, "not JSON: the body is empty") }
        guard !isBinary else { throw failure(.httpBody, "not JSON: the body is binary") }
        var values: [JSONScanner.Value?] = []
        do throws(JSONScanner.SyntaxError) {
            let scanner = try JSONScanner(Array(buffer: body))
            for check in checks { values.append(scanner.value(at: check.path)) }
        } catch {
            throw failure(.httpBody, "not JSON: \(error.message)")
        }
        var searches: [HTTPSearch] = []
        for (check, value) in zip(checks, values) {
            let path = String(quoting: check.path.description.utf8, limit: 24)
            guard let value else { throw failure(.httpBody, "JSON \(path) is missing") }
            switch check.condition {
            case .exists:
                break
            case .equals(let expected):
                guard value == .scalar(expected) else {
                    throw failure(.httpBody, "JSON \(path) is \(value.quoted), not \(expected.quoted)")
                }
            case .matches(let pattern):
                guard case .scalar(let scalar) = value else {
                    throw failure(.httpBody, "JSON \(path) is \(value.quoted), not a text")
                }
                let failure = failure(.httpBody, "no match in JSON \(path): \(value.quoted)")
                searches.append(HTTPSearch(pattern, in: Array(scalar.text.utf8), failure: failure))
            }
        }
        return searches
    }

    /// Returns the searches in the body.
    func searches(for options: HTTPOptions) -> [HTTPSearch] {
        guard options.body != nil || options.bodyNot != nil else { return [] }
        let text = Array(buffer: body)
        var searches: [HTTPSearch] = []
        if let pattern = options.body {
            searches.append(HTTPSearch(pattern, in: text, failure: bodyMismatch))
        }
        if let pattern = options.bodyNot {
            let quotation = String(quoting: pattern.utf8, limit: 24)
            let failure = failure(.httpBody, "unwanted match in \(bodyDescription): \(quotation)")
            searches.append(HTTPSearch(pattern, in: text, mustMatch: false, failure: failure))
        }
        return searches
    }
}

extension HTTPOptions.Value {
    /// The value as a text, a whole number without a fraction.
    fileprivate var text: String {
        switch self {
        case .string(let text): text
        case .number(let number): Int(exactly: number).map { String($0) } ?? "\(number)"
        case .boolean(let flag): "\(flag)"
        }
    }

    /// The value in the notation of JSON, shortened.
    fileprivate var quoted: String {
        if case .string(let text) = self { "\"\(String(quoting: text.utf8, limit: 16))\"" } else { text }
    }
}

extension JSONScanner.Value {
    /// The value in the notation of JSON, shortened.
    fileprivate var quoted: String {
        switch self {
        case .scalar(let value): value.quoted
        case .null: "null"
        case .object: "an object"
        case .array: "an array"
        }
    }
}
