import NIOCore
package import ReachMonitoring

/// A parser of one HTTP/1 response (RFC 9112).
///
/// It is as lenient as curl where the meaning is clear: bare line feeds, folded fields, blanks before a colon, equal
/// values of `Content-Length`, a higher version in the status line. It keeps the status, the redirect's location and up
/// to 1 MiB of the body. It rejects a response whose head or framing exceeds the limits.
package struct HTTPResponseParser: Sendable {
    /// The maximum number of bytes before the body, including interim responses.
    package static let maxHeadLength = 81_920
    /// The maximum number of bytes of a response. A body in chunks of one byte takes six times its length.
    static let maxLength = 8 * HTTPOptions.maxBodyLength

    private enum State: Sendable {
        case statusLine
        case fields(HTTPResponseHead)
        /// The body, with this number of bytes left.
        case length(Int)
        /// A body that ends when the connection closes.
        case untilClose
        case chunkSize
        /// A chunk, with this number of bytes left.
        case chunk(Int)
        /// The line end after a chunk.
        case chunkEnd
        case trailers
        case complete
    }

    /// The response, once its head is complete.
    private(set) var response: HTTPResponse?
    /// Whether any byte has been received.
    private(set) var hasBegun = false
    private let method: String
    private let keepsBody: Bool
    private let checkedFields: Set<String>
    private let bodyLimit: Int
    private var state = State.statusLine
    /// The beginning of an incomplete line.
    private var line: [UInt8] = []
    private var headCount = 0
    private var count = 0
    /// The number of bytes of the body.
    private var bodyCount: Int64 = 0

    /// - Parameters:
    ///   - method: the request's method. A response to `HEAD` has no body.
    ///   - keepsBody: whether the body is kept, or only skipped.
    ///   - checkedFields: the names of the header fields to keep, in lower case.
    ///   - bodyLimit: the maximum number of bytes of the body.
    init(
        answering method: String,
        keepsBody: Bool,
        checkedFields: Set<String> = [],
        bodyLimit: Int = HTTPOptions.maxBodyLength
    ) {
        self.bodyLimit = bodyLimit
        self.method = method
        self.keepsBody = keepsBody
        self.checkedFields = checkedFields
    }

    /// Whether the whole response has been parsed.
    var isComplete: Bool {
        if case .complete = state { true } else { false }
    }

    /// Parses the next bytes.
    ///
    /// - Throws: The failure of a malformed response.
    mutating func receive(_ bytes: ByteBuffer) throws(Failure) {
        hasBegun = hasBegun || bytes.readableBytes > 0
        count += bytes.readableBytes
        var rest = bytes
        while rest.readableBytes > 0, !isComplete, response?.isTruncated != true {
            switch state {
            case .length(let length):
                let part = rest.readSlice(length: min(length, rest.readableBytes)) ?? ByteBuffer()
                response?.append(part)
                bodyCount += Int64(part.readableBytes)
                state = part.readableBytes == length ? .complete : .length(length - part.readableBytes)
            case .untilClose:
                response?.append(rest)
                rest.clear()
            case .chunk(let length):
                let part = rest.readSlice(length: min(length, rest.readableBytes)) ?? ByteBuffer()
                response?.append(part)
                bodyCount += Int64(part.readableBytes)
                state = part.readableBytes == length ? .chunkEnd : .chunk(length - part.readableBytes)
            case .statusLine, .fields, .chunkSize, .chunkEnd, .trailers, .complete:
                guard let line = try nextLine(of: &rest) else { break }
                try receive(line: line)
            }
        }
        guard response == nil || (count - 1) / 8 < bodyLimit else {
            throw Failure(.protocolError, detail: "response exceeds 8 MiB")
        }
    }

    /// Handles the end of the connection.
    ///
    /// - Throws: The failure of an incomplete response.
    mutating func end() throws(Failure) {
        switch state {
        case .complete: return
        case .untilClose: state = .complete
        case .statusLine where !line.isEmpty && !HTTPResponseHead.canBegin(line):
            throw .notHTTP
        case .statusLine, .fields:
            throw Failure(
                .closed,
                detail: hasBegun ? "closed in the middle of the headers" : "closed without an answer"
            )
        case .length(let rest):
            throw .lostBody(BodyProgress(count: bodyCount, of: bodyCount + Int64(rest)))
        case .chunkSize, .chunk, .chunkEnd, .trailers:
            throw .lostBody(BodyProgress(count: bodyCount, of: nil))
        }
    }

    /// Returns the next line without its line end; nil until the line end has arrived.
    private mutating func nextLine(of rest: inout ByteBuffer) throws(Failure) -> [UInt8]? {
        let view = rest.readableBytesView
        let end = view.firstIndex(of: UInt8(ascii: "\n"))
        let part = view[..<(end ?? view.endIndex)]
        let length = part.count + (end == nil ? 0 : 1)
        if response == nil {
            headCount += length
            guard headCount <= Self.maxHeadLength else { throw .longHead }
        }
        line += part
        rest.moveReaderIndex(forwardBy: length)
        if case .statusLine = state, !HTTPResponseHead.canBegin(line) {
            switch HTTP2Preface.find(in: line) {
            case .whole: throw .onlyHTTP2
            case .beginning where end == nil: return nil
            case .beginning, .none: throw .notHTTP
            }
        }
        guard end != nil else { return nil }
        defer { line.removeAll(keepingCapacity: true) }
        return line.last == UInt8(ascii: "\r") ? line.dropLast() : line
    }

    private mutating func receive(line: [UInt8]) throws(Failure) {
        switch state {
        case .statusLine:
            // Some servers end a body with an extra line.
            if line.isEmpty { return }
            guard let head = HTTPResponseHead(statusLine: line, checking: checkedFields) else { throw .notHTTP }
            state = .fields(head)
        case .fields(var head):
            guard line.isEmpty else {
                // The state releases the head while it changes, which avoids a copy.
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
        case .length, .untilClose, .chunk, .complete:
            break
        }
    }

    private mutating func finish(_ head: HTTPResponseHead) throws(Failure) {
        // Interim responses precede the final one. After 101 another protocol begins.
        if 100...199 ~= head.status, head.status != 101 {
            state = .statusLine
            return
        }
        let hasBody = head.hasBody(answering: method)
        let framing = try head.framing(hasBody: hasBody)
        response = HTTPResponse(
            status: head.status,
            version: head.version,
            location: head.location,
            fields: head.checkedFields,
            codings: head.codings,
            keepsBody: keepsBody,
            limit: bodyLimit
        )
        guard hasBody else {
            state = .complete
            return
        }
        switch framing {
        case .chunked: state = .chunkSize
        case .length(0): state = .complete
        case .length(let length): state = .length(length)
        case .untilClose: state = .untilClose
        }
    }
}

extension Failure {
    static let notHTTP = Failure(.protocolError, detail: "the answer is not HTTP")
    /// The failure of a head that is longer than ``HTTPResponseParser/maxHeadLength``.
    package static let longHead = Failure(.protocolError, detail: "headers exceed 80 KiB")
    /// The failure of a server that does not speak HTTP/1.1.
    package static let onlyHTTP2 = Failure(.protocolError, detail: "speaks only HTTP/2")

    /// The failure of a connection that ended before the body.
    fileprivate static func lostBody(_ progress: BodyProgress) -> Failure {
        Failure(.closed, detail: progress.lossText)
    }

    static func malformed(_ part: String) -> Failure {
        Failure(.protocolError, detail: "malformed HTTP: \(part)")
    }
}

/// The connection preface of an HTTP/2 server: a SETTINGS frame (RFC 9113 §3.4 and §6.5). A server that speaks only HTTP/2
/// sends it also to a client of HTTP/1.1.
package enum HTTP2Preface {
    /// The bytes may be the beginning of a preface.
    case beginning
    /// The header of the frame is complete.
    case whole
    case none

    /// Returns how much of the preface the bytes have.
    package static func find(in bytes: some Collection<UInt8>) -> HTTP2Preface {
        // The length has three bytes, a multiple of six, and is small: each setting has six bytes.
        let head = Array(bytes.prefix(9))
        let isFrame = zip(head.indices, head).allSatisfy { index, byte in
            switch index {
            case 0, 1: byte == 0
            case 2: byte % 6 == 0
            case 3: byte == 4
            default: byte == 0
            }
        }
        return !isFrame ? .none : head.count < 9 ? .beginning : .whole
    }
}
