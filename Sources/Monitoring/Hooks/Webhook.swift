/// A request that a hook sends.
///
/// In the URL, the values of the headers and the body, `${REACH_…}` stands for the variable that a command would find in
/// its environment (``HookRun/environment(wall:)``); whoever sends the request fills them in, and encodes them in the URL.
/// The host is the settings' alone, so that no answer of a target decides who is told.
public struct Webhook: Sendable, Hashable, CustomStringConvertible {
    /// Where the request goes: `https://example.net/hook?target=${REACH_TARGET}`.
    public var url: String
    /// The request's method.
    public var method: String
    /// Header fields besides those that the protocol needs.
    public var headers: [HTTPOptions.Header]
    /// What is sent; the JSON object that a command would read from standard input when absent.
    public var body: String?

    /// A POST of the JSON object, unless told otherwise.
    public init(url: String, method: String = "POST", headers: [HTTPOptions.Header] = [], body: String? = nil) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// The request's first line. What follows a question mark is left out, since it may be a secret.
    public var description: String {
        let end = url.firstIndex(of: "?")
        return "\(method) \(end.map { "\(url[..<$0])?…" } ?? url)"
    }
}
