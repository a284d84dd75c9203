import NIOHTTP1
import Reporting

/// A response to an HTTP request.
struct HTTPResponse: Sendable {
    let status: HTTPResponseStatus
    var headers: HTTPHeaders
    /// The parts of the body, each made when the one before has been sent; nil in a response to HEAD.
    var body: (any IteratorProtocol<String> & Sendable)?

    /// A response whose body is this text.
    init(_ status: HTTPResponseStatus = .ok, type: String = "text/plain; charset=utf-8", text: String) {
        self.status = status
        headers = ["Content-Type": type, "Content-Length": "\(text.utf8.count)"]
        body = CollectionOfOne(text).makeIterator()
    }

    /// A response whose body is these metrics, of unknown length.
    init(type: String, metrics: ExpositionText) {
        status = .ok
        headers = ["Content-Type": type, "Vary": "Accept"]
        body = metrics
    }

    /// The status line and the header fields. A body of unknown length is sent in chunks, so that a client notices when it
    /// is incomplete; in HTTP/1.0, which has no chunks, it ends with the connection.
    func head(for version: HTTPVersion) -> HTTPResponseHead {
        var headers = headers
        headers.add(contentsOf: [
            ("Cache-Control", "no-store"), ("X-Content-Type-Options", "nosniff"), ("Connection", "close"),
        ])
        if body != nil, version != .http1_0, !headers.contains(name: "Content-Length") {
            headers.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPResponseHead(version: .http1_1, status: status, headers: headers)
    }
}
