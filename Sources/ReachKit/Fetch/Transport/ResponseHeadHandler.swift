#if Fetch

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import ReachMonitoring
import ReachProbing

/// Passes each head of a response to the client's parser as a whole, with its body framed in one way only. The parser
/// rejects what curl and probes accept: `Content-Length` together with `Transfer-Encoding`, and equal lengths. It also
/// takes chunks for the body itself where a tab or a comma follows `chunked`.
final class ResponseHeadHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart

    /// The beginning of a head; nil where bytes are passed on as they are.
    private var head: ByteBuffer?
    /// The number of its bytes that were searched for its end.
    private var scanned = 0
    /// The method of the request.
    private var method = ""
    /// Whether a head was rejected. The error closes the connection, and what follows is dropped.
    private var isInvalid = false

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterEncoder { ResponseHeadHandler() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head(let request) = unwrapOutboundIn(data) {
            (head, scanned, method) = (ByteBuffer(), 0, request.method.rawValue)
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard !isInvalid else { return }
        guard head != nil else { return context.fireChannelRead(data) }
        head?.writeImmutableBuffer(unwrapInboundIn(data))
        do throws(Failure) {
            while let part = try nextPart() { context.fireChannelRead(wrapInboundOut(part)) }
        } catch {
            (head, isInvalid) = (nil, true)
            context.fireErrorCaught(error)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        if let rest = head, rest.readableBytes > 0 { context.fireChannelRead(wrapInboundOut(rest)) }
        head = nil
        context.fireChannelInactive()
    }

    /// Returns the next head with what follows it, or what is not a head; nil where more bytes are needed.
    private func nextPart() throws(Failure) -> ByteBuffer? {
        guard var bytes = head else { return nil }
        if scanned == 0 {
            // Empty lines may precede the status line.
            let count = bytes.readableBytesView.prefix { $0 == UInt8(ascii: "\r") || $0 == UInt8(ascii: "\n") }.count
            bytes.moveReaderIndex(forwardBy: count)
            head = bytes
        }
        guard bytes.readableBytes > 0 else { return nil }
        let view = bytes.readableBytesView
        switch HTTP2Preface.find(in: view) {
        case .whole: throw .onlyHTTP2
        case .beginning: return nil
        case .none: break
        }
        let isHead = HTTPResponseHead.canBegin(Array(view.prefix(16).prefix { $0 != UInt8(ascii: "\n") }))
        guard let end = view.endOfHead(from: scanned), isHead else {
            scanned = view.count
            guard !isHead else {
                guard view.count <= HTTPResponseParser.maxHeadLength else { throw .longHead }
                return nil
            }
            head = nil
            return bytes
        }
        guard end <= HTTPResponseParser.maxHeadLength else { throw .longHead }
        let first = Array(view.prefix(end))
        var part = ByteBuffer(bytes: try HTTPResponseHead.reframed(first, answering: method))
        let rest = ByteBuffer(view.dropFirst(end))
        scanned = 0
        if first.isInterimHead {
            // Another head follows.
            head = rest
        } else {
            head = nil
            part.writeImmutableBuffer(rest)
        }
        return part
    }
}

extension ByteBufferView {
    /// The number of bytes up to the end of the first empty line; nil without one.
    ///
    /// - Parameter count: the number of bytes that were searched before.
    fileprivate func endOfHead(from count: Int) -> Int? {
        var lineLength: Int?
        for (offset, byte) in zip(Swift.max(0, count - 3)..., dropFirst(Swift.max(0, count - 3))) {
            switch byte {
            case UInt8(ascii: "\n"):
                if lineLength == 0 { return offset + 1 }
                lineLength = 0
            case UInt8(ascii: "\r"): break
            default: lineLength = lineLength.map { $0 + 1 }
            }
        }
        return nil
    }
}

extension [UInt8] {
    /// Whether the head has a status of 100 to 199, except 101, which is final.
    fileprivate var isInterimHead: Bool {
        let status = split(maxSplits: 2) { $0 == UInt8(ascii: " ") }.dropFirst().first?.prefix(3) ?? []
        return status.first == UInt8(ascii: "1") && !status.elementsEqual(Array("101".utf8))
    }
}

/// Reports a response whose status is below 100 (RFC 9110 §15) as an error, and drops it. The client takes such a
/// status for an interim response, which has no body, and traps when a body follows.
final class ResponseStatusHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart
    typealias InboundOut = HTTPClientResponsePart

    private var isInvalid = false

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterDecoder { ResponseStatusHandler() }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .head(let head) = unwrapInboundIn(data), head.status.code < 100 {
            isInvalid = true
            context.fireErrorCaught(HTTPParserError.invalidStatus)
        }
        // The error closes the connection. What is left of the response must not reach the client.
        if !isInvalid { context.fireChannelRead(data) }
    }
}

#endif
