import ReachBasics
import ReachMonitoring

extension TableReader {
    /// Reads the method of a request. Methods are case-sensitive and in capitals (RFC 9110 §9.1).
    mutating func httpMethod(_ key: String) -> String? {
        describe(key, as: .text(matching: "^[A-Z]{1,20}$"))
        guard let method = text(key) else { return nil }
        guard method.isHTTPMethod else {
            let capitals = method.uppercased()
            let hint = capitals.isHTTPMethod ? "did you mean \"\(capitals)\"?" : "such as GET, HEAD or POST"
            report("invalid HTTP method \(method.quoted)", hint: hint, about: key)
            return nil
        }
        guard method != "CONNECT" else {
            report("CONNECT is not supported", hint: "such as GET, HEAD or POST", about: key)
            return nil
        }
        return method
    }

    /// Reads the proxy of requests: a URL, `environment` or `none`. Messages never contain the URL, which may have a
    /// password.
    mutating func proxies(_ key: String) -> Proxies? {
        guard let text = sentText(key) else { return nil }
        do {
            switch text {
            case "none": return Proxies.none
            case "environment":
                let proxies = Proxies(environment: substitution.environment)
                try proxies.check()
                return proxies
            default: return try Proxies(text)
            }
        } catch {
            let choices = "or \"environment\" or \"none\""
            report(error.message, hint: error.hint.map { "\($0), \(choices)" }, about: key)
            return nil
        }
    }

    /// Reads a table of header fields, sorted by name. Messages never contain values, which may be secrets.
    ///
    /// - Parameter problem: An additional check of a value.
    mutating func headers(
        _ key: String,
        problem: (_ value: String) -> (message: String, hint: String?)? = { _ in nil }
    ) -> [HTTPOptions.Header] {
        var table = table(key, example: "\(key) = { Accept = \"text/plain\" }")
        table.substitution.mayHaveSecrets = true
        var names: Set<String> = []
        return table.keys.compactMap { name in
            guard let value = table.text(name) else { return nil }
            if let (message, hint) = Self.problem(inHeader: name, value) ?? problem(value) {
                table.report(message, hint: hint, about: name.isHTTPToken ? name : name.quoted, at: name)
                return nil
            }
            guard names.insert(name.lowercased()).inserted else {
                table.report("duplicate header in another case", hint: "remove one", about: name)
                return nil
            }
            return HTTPOptions.Header(name: name, value: value)
        }
    }

    /// Returns why a header field is invalid (RFC 9110 §5.1, §5.5) or reserved; nil if it can be sent.
    static func problem(inHeader name: String, _ value: String) -> (message: String, hint: String?)? {
        guard name.isHTTPToken else {
            return ("invalid header name: only letters, digits and hyphens", "such as Accept = \"text/plain\"")
        }
        guard !value.unicodeScalars.contains(where: { $0.isControl && $0 != "\t" }) else {
            return ("control character or line break in the value", "one line of text")
        }
        guard !HTTPOptions.framingFields.contains(name.lowercased()) else {
            return ("reach sets this header itself", "remove it")
        }
        return nil
    }
}

extension String {
    fileprivate var isHTTPMethod: Bool {
        (1...20).contains(utf8.count) && utf8.allSatisfy { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
    }
}

extension TableReader {
    /// Reads the expected status: a code, a text with ranges or classes of codes, or an array of both.
    mutating func statusCodes(_ key: String) -> [Int]? {
        let code = TableSchema.ValueType.either([.integer(100...599), .string])
        describe(key, as: .either([code, .array(code, isEmptyAllowed: false)]))
        guard let value = value(key) else { return nil }
        let elements = if case .array(let elements) = value { elements } else { [value] }
        guard !elements.isEmpty else {
            report("no status", hint: Self.statusExamples, about: key)
            return nil
        }
        let codes = elements.map { statusCodes(in: $0, of: key) }
        return codes.contains(nil) ? nil : codes.flatMap { $0 ?? [] }
    }

    /// Returns the codes of an element; nil if it is invalid.
    private func statusCodes(in element: TOMLValue, of key: String) -> [Int]? {
        switch element {
        case .integer(let code):
            return isIn(100...599, code, key) ? [code] : nil
        case .string(let text):
            guard let text = substituted(text, for: key) else { return nil }
            if let code = Int(text) { return isIn(100...599, code, key) ? [code] : nil }
            let codes = HTTPOptions.statusCodes(in: text)
            if codes == nil { report("invalid status \(text.quoted)", hint: Self.statusExamples, about: key) }
            return codes
        case .number, .boolean, .date, .array, .table:
            let expected = "a status or an array of them"
            reportType(of: key, found: element, expected: expected, hint: Self.statusExamples)
            return nil
        }
    }

    private static let statusExamples = "such as 200, \"2xx\", \"200-299,301\" or [200, 204]"

    /// Reads the checks of a JSON body; nil if there are none, or if one is invalid.
    mutating func jsonChecks(_ key: String) -> [HTTPOptions.JSONCheck]? {
        checks(key, example: "{ path = \"$.status\", is = \"ok\" }") { table in
            let text = table.text("path")
            let condition = table.condition()
            guard table.has("path") else {
                table.reportMissing("path", hint: "such as path = \"$.status\"")
                return nil
            }
            guard let text else { return nil }
            do throws(URLProblem) {
                let path = try HTTPOptions.JSONPath(text)
                return condition.map { HTTPOptions.JSONCheck(path, $0) }
            } catch {
                table.report("invalid path \(text.quoted): \(error.message)", hint: error.hint, about: "path")
                return nil
            }
        }
    }

    /// Reads the checks of header fields of the response; nil if there are none, or if one is invalid.
    mutating func headerChecks(_ key: String) -> [HTTPOptions.HeaderCheck]? {
        checks(key, example: "{ name = \"Content-Type\", matches = \"json\" }") { table in
            let name = table.text("name")
            let condition = table.condition()
            guard table.has("name") else {
                table.reportMissing("name", hint: "such as name = \"Content-Type\"")
                return nil
            }
            guard let name else { return nil }
            guard name.isHTTPToken else {
                table.report("invalid header name \(name.quoted)", hint: "such as \"Content-Type\"", about: "name")
                return nil
            }
            return condition.map { HTTPOptions.HeaderCheck(name, $0) }
        }
    }

    private mutating func checks<Check>(
        _ key: String,
        example: String,
        read: (inout TableReader) -> Check?
    ) -> [Check]? {
        let tables = oneOrMoreTables(key, example: example)
        let checks = tables.compactMap { table in
            var table = table
            let check = read(&table)
            table.reportUnknownKeys()
            return check
        }
        if let table = schema?.table(at: key, isElement: false) {
            schema?.add(.array(.table(table), isEmptyAllowed: false), to: key)
        }
        guard has(key) else { return nil }
        guard tables.count <= HTTPOptions.maxChecks else {
            report("\(tables.count) checks are too many", hint: "at most \(HTTPOptions.maxChecks)", about: key)
            return nil
        }
        return checks
    }

    /// Reads the condition of a check: `is`, `matches`, or without both any value.
    private mutating func condition() -> HTTPOptions.Condition? {
        let expected = scalar("is")
        let pattern = pattern("matches")
        guard has("is") else { return has("matches") ? pattern.map { .matches($0) } : .exists }
        guard !has("matches") else {
            report("cannot be combined with \"is\"", hint: "remove one of the two", about: "matches")
            return nil
        }
        return expected.map { .equals($0) }
    }

    /// Reads a text, a number, or true or false.
    private mutating func scalar(_ key: String) -> HTTPOptions.Value? {
        describe(key, as: .scalar)
        switch value(key) {
        case nil: return nil
        case .string(let text)?: return substituted(text, for: key).map { .string($0) }
        case .integer(let number)?: return .number(Double(number))
        case .number(let number)?: return .number(number)
        case .boolean(let flag)?: return .boolean(flag)
        case let other?:
            reportType(of: key, found: other, expected: "a string, a number, or true or false", hint: "such as \"ok\"")
            return nil
        }
    }
}
