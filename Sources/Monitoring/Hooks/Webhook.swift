/// An HTTP request that a hook sends.
///
/// In the URL, the header values and the body, `${REACH_…}` stands for an environment variable of a command
/// (``HookRun/environment(wall:)``). ``filled(with:payload:)`` inserts the encoded values. The host comes from the
/// settings alone, so that data from a target never decides where a request goes.
public struct Webhook: Sendable, Hashable, CustomStringConvertible {
    /// The URL: `https://example.net/hook?target=${REACH_TARGET}`.
    public var url: String
    /// The URL as it is shown, if it has secrets: with their names.
    public var shownURL: String?
    /// The request's method.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [HTTPOptions.Header]
    /// The body; nil for the JSON object that a command reads from standard input.
    public var body: String?

    /// Creates a request; by default a POST of the JSON object.
    public init(url: String, method: String = "POST", headers: [HTTPOptions.Header] = [], body: String? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// The request's first line, without the query, which may contain a secret.
    public var description: String {
        let shown = shownURL ?? url
        let end = shown.firstIndex(of: "?")
        return "\(method) \(end.map { "\(shown[..<$0])?…" } ?? shown)"
    }
}
