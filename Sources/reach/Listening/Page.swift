import NIOHTTP1
import Reporting

/// An answer: what stands in its head, and its body.
struct Page: Sendable {
    let status: HTTPResponseStatus
    var fields: [(name: String, value: String)]
    /// Whether the body is sent; not in an answer to HEAD.
    var hasBody = true
    let body: Body

    /// What is sent after the head.
    enum Body: Sendable {
        case words(String)
        case metrics(ExpositionText)
    }

    init(_ status: HTTPResponseStatus = .ok, type: String, _ body: Body) {
        self.status = status
        self.body = body
        fields = [("Content-Type", type)]
    }

    /// A page of a few words.
    init(_ status: HTTPResponseStatus = .ok, _ words: String) {
        self.init(status, type: "text/plain; charset=utf-8", .words(words))
    }

    /// The status line and the fields. A body comes in chunks, so that one that was broken off is known for it; HTTP/1.0
    /// has none of these, and only the end of the connection.
    func head(isOld: Bool) -> String {
        var fields =
            fields + [
                ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
            ]
        if !isOld { fields.append(("Transfer-Encoding", "chunked")) }
        let lines = ["HTTP/1.1 \(status.code) \(status.reasonPhrase)"] + fields.map { "\($0.name): \($0.value)" }
        return lines.map { $0 + "\r\n" }.joined() + "\r\n"
    }
}
