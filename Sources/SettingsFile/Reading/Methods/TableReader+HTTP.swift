import Monitoring
import ReachBasics

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
