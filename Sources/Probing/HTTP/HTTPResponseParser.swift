import Monitoring
import NIOCore

/// A parser of one HTTP/1 response (RFC 9112), as lenient as curl where the meaning is clear: bare line feeds, folded fields,
/// blanks before a colon, equal values of `Content-Length`, a higher version in the status line.
///
/// It keeps the status, the redirect's location and up to 1 MiB of the body, and stops reading a response whose head or framing
/// is longer than any response needs.
struct HTTPResponseParser: Sendable {
    /// The most bytes before the body, interim responses included.
    static let longestHead = 81_920
    /// The most bytes in all; a body in chunks of a byte each takes six times its length.
    static let longest = 8 * HTTPOptions.longestBody

    private enum State: Sendable {
        case statusLine
        case fields(HTTPResponseHead)
        /// A body of so many bytes more.
        case counted(Int)
        /// A body that ends with the connection.
        case untilClose
        case chunkSize
        /// So many bytes of a chunk more.
        case chunk(Int)
        /// The end of the line behind a chunk.
        case chunkEnd
        case trailers
        case complete
    }

    /// The response, once its head is complete.
    private(set) var answer: HTTPAnswer?
    /// Whether anything has been read.
    private(set) var hasBegun = false
    private let hasNoBody: Bool
    private let keepsBody: Bool
    private var state = State.statusLine
    /// The beginning of a line whose end has not come yet.
    private var line: [UInt8] = []
    private var headCount = 0
    private var count = 0

    /// - Parameters:
    ///   - method: the request's method; a response to `HEAD` has no body.
    ///   - keepsBody: whether the body is kept, or only read.
    init(answering method: String, keepsBody: Bool) {
        hasNoBody = method == "HEAD"
        self.keepsBody = keepsBody
    }

    /// Whether the whole response has been read.
    var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Reads the next bytes.
    ///
    /// - Throws: The failure of a response that breaks the rules.
    mutating func receive(_ bytes: ByteBuffer) throws(Failure) {
        hasBegun = hasBegun || bytes.readableBytes > 0
        count += bytes.readableBytes
        var rest = bytes
        while rest.readableBytes > 0, !isComplete, answer?.isCut != true {
            switch state {
            case .counted(let length):
                let part = rest.readSlice(length: min(length, rest.readableBytes)) ?? ByteBuffer()
                answer?.take(part)
                state = part.readableBytes == length ? .complete : .counted(length - part.readableBytes)
            case .untilClose:
                answer?.take(rest)
                rest.clear()
            case .chunk(let length):
                let part = rest.readSlice(length: min(length, rest.readableBytes)) ?? ByteBuffer()
                answer?.take(part)
                state = part.readableBytes == length ? .chunkEnd : .chunk(length - part.readableBytes)
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers, .complete:
                guard let line = try nextLine(of: &rest) else { break }
                try receive(line: line)
            }
        }
        guard answer == nil || count <= Self.longest else {
            throw Failure(.protocolError, detail: "too much around the body")
        }
    }

    /// The connection has ended.
    ///
    /// - Throws: The failure of a response that was cut off.
    mutating func end() throws(Failure) {
        switch state {
        case .complete: return
        case .untilClose: state = .complete
        case .statusLine, .fields:
            throw Failure(
                .closed,
                detail: hasBegun ? "closed in the middle of the headers" : "closed without an answer"
            )
        case .counted, .chunkSize, .chunk, .chunkEnd, .trailers:
            throw Failure(.closed, detail: "closed in the middle of the answer")
        }
    }

    /// The next line without its end; nil until its end has come.
    private mutating func nextLine(of rest: inout ByteBuffer) throws(Failure) -> [UInt8]? {
        let view = rest.readableBytesView
        let end = view.firstIndex(of: UInt8(ascii: "\n"))
        let part = view[..<(end ?? view.endIndex)]
        let length = part.count + (end == nil ? 0 : 1)
        if answer == nil {
            headCount += length
            guard headCount <= Self.longestHead else {
                throw Failure(.protocolError, detail: "headers without end")
            }
        }
        line += part
        rest.moveReaderIndex(forwardBy: length)
        if case .statusLine = state, !HTTPResponseHead.mayBegin(line) { throw .notHTTP }
        guard end != nil else { return nil }
        defer { line.removeAll(keepingCapacity: true) }
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private mutating func receive(line: [UInt8]) throws(Failure) {
        switch state {
        case .statusLine:
            // Some servers end a body with a line too many.
            if line.isEmpty { return }
            guard let head = HTTPResponseHead(statusLine: line) else { throw .notHTTP }
            state = .fields(head)
        case .fields(var head):
            guard line.isEmpty else {
                // Nothing else holds the head while it changes.
                state = .complete
                try head.receive(line: line)
                state = .fields(head)
                return
            }
            head.endField()
            try finish(head)
        case .chunkSize:
            let digits = line.prefix { $0 != UInt8(ascii: ";") && $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            guard 1...15 ~= digits.count, let size = Int(String(decoding: digits, as: UTF8.self), radix: 16), size >= 0
            else { throw .malformed("chunk size") }
            state = size == 0 ? .trailers : .chunk(size)
        case .chunkEnd:
            guard line.isEmpty else { throw .malformed("chunk") }
            state = .chunkSize
        case .trailers:
            if line.isEmpty { state = .complete }
        case .counted, .untilClose, .chunk, .complete:
            break
        }
    }

    private mutating func finish(_ head: HTTPResponseHead) throws(Failure) {
        // Interim responses precede the final one; after 101 another protocol begins.
        if 100...199 ~= head.status, head.status != 101 {
            state = .statusLine
            return
        }
        let framing = try head.framing()
        answer = HTTPAnswer(status: head.status, location: head.location, keepsBody: keepsBody)
        if hasNoBody || head.status == 204 || head.status == 304 {
            state = .complete
            return
        }
        switch framing {
        case .chunked: state = .chunkSize
        case .counted(0): state = .complete
        case .counted(let length): state = .counted(length)
        case .untilClose: state = .untilClose
        }
    }
}

extension Failure {
    fileprivate static let notHTTP = Failure(.protocolError, detail: "the answer is not HTTP")

    static func malformed(_ part: String) -> Failure {
        Failure(.protocolError, detail: "malformed HTTP: \(part)")
    }
}
