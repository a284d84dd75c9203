/// An invalid URL, or an invalid text of a request: the problem and its fix.
public struct URLProblem: Error, Sendable, Hashable, Codable, CustomStringConvertible {
    /// The problem, as part of a sentence.
    public let message: String
    /// The fix, if one can be guessed.
    public let hint: String?

    /// Creates a problem and its fix.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The problem of a URL with a network in place of the host.
    static func network(_ url: String) -> URLProblem {
        URLProblem("a network, not a host", hint: "urls = [\"\(url)\"] in the settings")
    }

    /// The problem of a URL with a user or a password in place of the host.
    static let credentials = URLProblem(
        "a user or a password without a method",
        hint: "redis://, rediss:// and postgres:// take them"
    )

    /// The problem of a URL of HTTP with a user or a password.
    package static let httpCredentials = URLProblem(
        "no password in a URL",
        hint: "http = { headers = { Authorization = \"…\" } }"
    )

    static func unknown(scheme: String) -> URLProblem {
        let known = Method.settable.map(\.rawValue)
        // Anything else may be a password.
        guard scheme.utf8.allSatisfy({ $0.isPartOfScheme }) else {
            return URLProblem("unknown method", hint: "one of \(known.joined(separator: ", "))")
        }
        guard let near = scheme.nearest(of: known) else {
            return URLProblem("unknown method \"\(scheme)\"", hint: "one of \(known.joined(separator: ", "))")
        }
        return URLProblem("unknown method \"\(scheme)\"", hint: "did you mean \"\(near)\"?")
    }

    /// Targets of the fleet are read, and have no URL.
    static let fleet = URLProblem("a fleet target has no URL", hint: "[[prometheus]] with the url of the server")

    /// The message, and the hint after a dash.
    public var description: String {
        hint.map { "\(message) – \($0)" } ?? message
    }
}

extension UInt8 {
    /// Whether the byte can be in the scheme of a URL in lower case (RFC 3986 §3.1).
    fileprivate var isPartOfScheme: Bool {
        UInt8(ascii: "a")...UInt8(ascii: "z") ~= self || UInt8(ascii: "0")...UInt8(ascii: "9") ~= self
            || "+-.".utf8.contains(self)
    }
}
