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

    static func unknown(scheme: String) -> URLProblem {
        let known = Method.settable.map(\.rawValue)
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
