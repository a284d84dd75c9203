import Monitoring
import NIOCore
import NIOHTTP1

/// A response, as far as it has been read.
struct HTTPResponse: Sendable {
    /// The status code.
    let status: Int
    /// The standard phrase of the status code. The server's own phrase is never used.
    private let phrase: String
    /// The target of a redirect.
    let location: String?
    /// The header fields to check, in order, with names in lower case.
    let fields: [HTTPResponseHead.Field]
    /// The body; empty unless it is kept.
    private(set) var body = ByteBuffer()
    /// Whether the body is longer than ``HTTPOptions/maxBodyLength``, and the rest is missing.
    private(set) var isTruncated = false
    /// Whether the whole response has been received. The server has then finished with the connection, too.
    var isComplete = false
    private let keepsBody: Bool
    private var length = 0

    init(status: Int, location: String?, fields: [HTTPResponseHead.Field] = [], keepsBody: Bool) {
        self.status = status
        self.fields = fields
        phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        self.location = location
        self.keepsBody = keepsBody
    }

    /// Appends a part of the body, up to the limit.
    mutating func append(_ part: ByteBuffer) {
        var part = part
        let room = HTTPOptions.maxBodyLength - length
        isTruncated = isTruncated || part.readableBytes > room
        guard let slice = part.readSlice(length: min(room, part.readableBytes)) else { return }
        length += slice.readableBytes
        if keepsBody { body.writeImmutableBuffer(slice) }
    }

    /// The status for display: `HTTP 503 Service Unavailable`.
    var statusText: String {
        phrase.isEmpty ? "HTTP \(status)" : "HTTP \(status) \(phrase)"
    }
}

extension HTTPOptions {
    /// Returns whether this status is an expected one.
    func expects(_ status: Int) -> Bool {
        self.status.isEmpty ? (200...299).contains(status) : self.status.contains(status)
    }

    /// Returns the failure of a response whose body does not match the expected pattern.
    static func failure(of response: HTTPResponse) -> Failure {
        let place = response.isTruncated ? "the first 1 MiB of the body" : "the body"
        let quotation = String(quoting: response.body.readableBytesView.prefix(200), limit: 24)
        let detail = quotation.isEmpty ? "no match in an empty body" : "no match in \(place): \"\(quotation)\""
        return Failure(.httpBody, detail: detail, httpStatus: response.status)
    }
}
