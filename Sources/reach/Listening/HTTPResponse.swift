import NIOHTTP1
import Reporting

/// A response to an HTTP request.
struct HTTPResponse: Sendable {
    /// The body of a response.
    enum Body: Sendable {
        /// A response to HEAD has none.
        case none
        case text(String)
        /// Parts, each created when the previous one has been sent. Their length is not known in advance.
        case parts(any IteratorProtocol<String> & Sendable)
    }

    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    var body: Body
    /// Whether the client may send further requests on the connection.
    var keepsConnection = false

    /// A response with a text as its body.
    init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", text: String) {
        self.status = status
        headers = ["Content-Type": type, "Content-Length": "\(text.utf8.count)"]
        body = .text(text)
    }

    /// A response with metrics as its body, whose length is not known in advance.
    init(type: String, metrics: ExpositionText) {
        status = .ok
        headers = ["Content-Type": type, "Vary": "Accept, Accept-Encoding"]
        body = .parts(metrics)
    }

    /// The status line and the header fields. A body of unknown length is sent in chunks, so that a client detects an
    /// incomplete one. HTTP/1.0 has no chunks; there the body ends with the connection.
    func head(for version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ])
        if !keepsConnection { headers.add(name: "Connection", value: "close") }
        if case .parts = body, version != .http1_0 {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
