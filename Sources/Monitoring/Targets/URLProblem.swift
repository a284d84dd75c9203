/// Why a URL, or a text of a request, is invalid, and what to write instead.
public struct URLProblem: Error, Sendable, Hashable, CustomStringConvertible {
    /// What is wrong, as part of a sentence.
    public let message: String
    /// What to write instead, where there is a good guess.
    public let hint: String?

    /// What is wrong, and what to write instead.
    public init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    static func unknown(scheme: String) -> URLProblem {
        let known = Method.allCases.map(\.rawValue)
        guard let near = scheme.nearest(of: known) else {
            return URLProblem("unknown method \"\(scheme)\"", hint: "one of \(known.joined(separator: ", "))")
        }
        return URLProblem("unknown method \"\(scheme)\"", hint: "did you mean \"\(near)\"?")
    }

    /// The message, and the hint after a dash.
    public var description: String {
        hint.map { "\(message) – \($0)" } ?? message
    }
}
