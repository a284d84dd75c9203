import NIOHTTP1
import Reporting

/// A response to an HTTP request.
struct HTTPResponse: Sendable {
    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    /// The parts of the body, each created when the previous one has been sent; nil in a response to HEAD.
    var body: (any IteratorProtocol<String> & Sendable)?
    /// Whether the client may send further requests on the connection.
    var keepsConnection = false

    /// A response with a text as its body.
    init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", text: String) {
        self.status = status
        headers = ["Content-Type": type, "Content-Length": "\(text.utf8.count)"]
        body = CollectionOfOne(text).makeIterator()
    }

    /// A response with metrics as its body, whose length is not known in advance.
    init(type: String, metrics: ExpositionText) {
        status = .ok
        headers = ["Content-Type": type, "Vary": "Accept, Accept-Encoding"]
        body = metrics
    }

    /// The status line and the header fields. A body of unknown length is sent in chunks, so that a client detects an
    /// incomplete one. HTTP/1.0 has no chunks; there the body ends with the connection.
    func head(for version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"),
        ])
        if !keepsConnection { headers.add(name: "Connection", value: "close") }
        if body != nil, version != .http1_0, !headers.contains(name: "Content-Length") {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
