import NIOCore
import NIOHTTP1
import ReachMonitoring

/// A response, as far as it has been read.
struct HTTPResponse: Sendable {
    /// The status code.
    let status: Int
    /// The version of the protocol: `1.1`.
    let version: String
    /// The standard phrase of the status code. The server's own phrase is never used.
    private let phrase: String
    /// The target of a redirect.
    let location: String?
    /// The header fields to check, in order, with names in lower case.
    let fields: [HTTPResponseHead.Field]
    /// The codings of the body, in the order in which they were applied, with names in lower case.
    private(set) var codings: [String]
    /// The body; empty unless it is kept.
    private(set) var body = ByteBuffer()
    /// Whether the body is longer than the limit, and the rest is missing.
    private(set) var isTruncated = false
    /// Whether the whole response has been received. The server has then finished with the connection, too.
    var isComplete = false
    /// The first bytes as the server sent them, up to ``longestBeginning``.
    var beginning: ByteBuffer?
    private let keepsBody: Bool
    private let limit: Int
    /// The number of bytes of the body that were received.
    private(set) var length = 0

    /// - Parameter limit: the maximum number of bytes of the body.
    init(
        status: Int,
        version: String = "1.1",
        location: String?,
        fields: [HTTPResponseHead.Field] = [],
        codings: [String] = [],
        keepsBody: Bool,
        limit: Int = HTTPOptions.maxBodyLength
    ) {
        self.status = status
        self.version = version
        self.limit = limit
        self.fields = fields
        self.codings = codings
        phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        self.location = location
        self.keepsBody = keepsBody
    }

    /// Appends a part of the body, up to the limit. At most ``HTTPOptions/maxBodyLength`` bytes are kept.
    mutating func append(_ part: ByteBuffer) {
        var part = part
        let remaining = limit - length
        isTruncated = isTruncated || part.readableBytes > remaining
        guard let slice = part.readSlice(length: min(remaining, part.readableBytes)) else { return }
        length += slice.readableBytes
        guard keepsBody else { return }
        let kept = min(slice.readableBytes, HTTPOptions.maxBodyLength - body.readableBytes)
        if let kept = slice.getSlice(at: slice.readerIndex, length: kept) { body.writeImmutableBuffer(kept) }
    }

    /// Whether the status is that of a redirect.
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(status) }

    /// The values of the fields `Set-Cookie`, where they are kept.
    var cookies: [String] { fields.filter { $0.name == "set-cookie" }.map(\.value) }

    #if Fetch
    /// Replaces the body by the decoded one.
    mutating func replaceBody(by content: ContentCoding.Result) {
        body = ByteBuffer(bytes: content.bytes)
        length = content.bytes.count
        isTruncated = content.isTruncated
        codings = []
    }
    #endif

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
}

extension HTTPResponse {
    /// The maximum number of codings of a body, as for curl.
    private static let maxCodings = 5
    /// The registered codings and their older names.
    private static let compressions: Set<String> = [
        "br", "compress", "dcb", "dcz", "deflate", "gzip", "x-compress", "x-gzip", "zstd",
    ]

    /// Whether ``decoded()`` is needed before the body is read.
    var isEncoded: Bool { !codings.isEmpty && body.readableBytes > 0 }

    /// Returns the response with its body as it was before its codings. A long body would delay an event loop.
    ///
    /// Unknown codings are ignored: some servers name a character set there, such as `utf-8`.
    ///
    /// - Throws: The failure of a body that cannot be decompressed.
    func decoded() throws(Failure) -> HTTPResponse {
        guard isEncoded else { return self }
        guard codings.count <= Self.maxCodings else {
            throw failure(.httpBody, "the body has \(codings.count) codings")
        }
        var decoded = self
        for name in codings.reversed() where Self.compressions.contains(name) {
            try decoded.decompress(name)
        }
        return decoded
    }

    private mutating func decompress(_ name: String) throws(Failure) {
        #if Fetch
        if let coding = ContentCoding(name: name) {
            var content = ContentCoding.Result()
            do throws(ContentCoding.Problem) {
                let bytes = Array(buffer: body)
                try coding.decompress(
                    bytes,
                    limit: HTTPOptions.maxBodyLength,
                    isPartial: isTruncated,
                    into: &content
                )
            } catch {
                throw coding.failure(error, httpStatus: status)
            }
            return replaceBody(by: content)
        }
        #endif
        throw failure(.httpBody, "the body is compressed (\(name))")
    }

    /// Whether the body begins with bytes that occur in no text, so that it is not quoted.
    var isBinary: Bool { Self.isBinary(body.readableBytesView.prefix(200)) }

    /// Whether bytes occur in no text (https://mimesniff.spec.whatwg.org/#binary-data-byte).
    static func isBinary(_ bytes: some Sequence<UInt8>) -> Bool {
        bytes.contains { byte in
            switch byte {
            case 0...8, 0xB, 0xE...0x1A, 0x1C...0x1F: true
            default: false
            }
        }
    }

    /// The searched part of the body, for messages.
    var bodyDescription: String { isTruncated ? "the first 1 MiB of the body" : "the body" }

    /// The failure of a body that does not match the expected pattern.
    var bodyMismatch: Failure {
        if isBinary { return failure(.httpBody, "no match in \(bodyDescription), which is binary") }
        let quotation = String(quoting: body.readableBytesView.prefix(200), limit: 24)
        let isEmpty = quotation.isEmpty
        return failure(
            .httpBody,
            isEmpty ? "no match in an empty body" : "no match in \(bodyDescription): \"\(quotation)\""
        )
    }

    func failure(_ reason: Reason, _ detail: String) -> Failure {
        Failure(reason, detail: detail, httpStatus: status)
    }
}

#if Fetch
extension ContentCoding {
    /// Returns the failure of a body that cannot be decompressed.
    func failure(_ problem: Problem, httpStatus: Int?) -> Failure {
        Failure(.httpBody, detail: "invalid \(self) body: \(problem.rawValue)", httpStatus: httpStatus)
    }
}
#endif
