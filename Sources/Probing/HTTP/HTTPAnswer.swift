import Monitoring
import NIOCore
import NIOHTTP1

/// An answer to a request, as far as it has come.
struct HTTPAnswer: Sendable {
    /// The status code.
    let status: Int
    /// The phrase that goes with the status: never the peer's own words.
    private let phrase: String
    /// Where a redirect leads.
    let location: String?
    /// The body, where somebody wants to read it.
    private(set) var body = ByteBuffer()
    /// Whether there was more of the body than is read.
    private(set) var isCut = false
    /// Whether all of it has come: the connection has served its purpose for the server, too.
    var isWhole = false
    private let keepsBody: Bool
    private var length = 0

    init(status: Int, location: String?, keepsBody: Bool) {
        self.status = status
        phrase = HTTPResponseStatus(statusCode: status).reasonPhrase
        self.location = location
        self.keepsBody = keepsBody
    }

    /// Takes in a part of the body.
    mutating func take(_ part: ByteBuffer) {
        var part = part
        let room = HTTPOptions.longestBody - length
        isCut = isCut || part.readableBytes > room
        guard let slice = part.readSlice(length: min(room, part.readableBytes)) else { return }
        length += slice.readableBytes
        if keepsBody { body.writeImmutableBuffer(slice) }
    }

    /// The status as a person reads it: `HTTP 503 Service Unavailable`.
    var statusText: String {
        phrase.isEmpty ? "HTTP \(status)" : "HTTP \(status) \(phrase)"
    }
}
