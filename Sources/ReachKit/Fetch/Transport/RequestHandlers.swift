#if Fetch

import AsyncHTTPClient
import NIOCore
import NIOHTTP1
import NIOSSL
import ReachMonitoring
import ReachProbing
import Synchronization

/// Restarts the deadline of an exchange with each byte of the server. The client reports the head of a response only when
/// it is complete, and interim responses not at all.
///
/// A connection serves several exchanges. Each request names its deadline in a header field, which is not sent.
final class ServerActivityHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    private let deadlines: RunningDeadlines
    private var deadline: Deadline?

    private init(_ deadlines: RunningDeadlines) {
        self.deadlines = deadlines
    }

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration, _ deadlines: RunningDeadlines) {
        configuration.addHandlerAfterEncoder { ServerActivityHandler(deadlines) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else { return context.write(data, promise: promise) }
        deadline = head.headers.first(name: RunningDeadlines.field).flatMap { deadlines.connected($0) }
        head.headers.remove(name: RunningDeadlines.field)
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        deadline?.receive()
        context.fireChannelRead(data)
    }
}

/// The deadlines of the exchanges under way, by the values of the header field that names them.
final class RunningDeadlines: Sendable {
    /// The name of the header field, which no request has already.
    static let field = "Reach-Deadline-\(String(UInt64.random(in: .min ... .max), radix: 36))"

    private struct State {
        var deadlines: [String: Deadline] = [:]
        /// The exchanges that have no connection yet.
        var connecting: Set<String> = []
        var count = 0
        /// When the connections are open that ended exchanges have left, or their timeout is over.
        var abandonedUntil = SuspendingClock.now
    }

    private let state = Mutex(State())

    /// Returns the deadline of an exchange that has a connection now.
    func connected(_ name: String) -> Deadline? {
        state.withLock { state in
            state.connecting.remove(name)
            return state.deadlines[name]
        }
    }

    /// Whether a connection may be being opened.
    func isConnecting(at now: SuspendingClock.Instant) -> Bool {
        state.withLock { !$0.connecting.isEmpty || $0.abandonedUntil > now }
    }

    /// Adds a deadline.
    ///
    /// - Returns: The value of the header field that names it.
    func add(_ deadline: Deadline) -> String {
        state.withLock { state in
            state.count += 1
            let name = "\(state.count)"
            state.deadlines[name] = deadline
            state.connecting.insert(name)
            return name
        }
    }

    /// Removes the deadline of an exchange that has ended.
    ///
    /// - Parameter connectTimeout: how long a connection that it has left may still be being opened; nil if it was not
    ///   cancelled.
    func remove(_ name: String, leaving connectTimeout: Duration?, at now: SuspendingClock.Instant = .now) {
        state.withLock { state in
            state.deadlines[name] = nil
            guard state.connecting.remove(name) != nil, let connectTimeout else { return }
            state.abandonedUntil = max(state.abandonedUntil, now + connectTimeout)
        }
    }
}

/// The connection ended after a request was sent, and before the first byte of the response.
struct UnansweredRequest: Error {
    /// Whether the connection had served another request before.
    let isReused: Bool
}

/// Reports ``UnansweredRequest`` for a connection that ends between a request and the first byte of its response.
///
/// A server closes an idle connection at any time, also while the next request is on its way (RFC 9112 §9.3.1). The
/// client's own errors do not distinguish a new connection from a kept one.
final class UnansweredRequestHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = HTTPClientRequestPart

    private var requestCount = 0
    private var isAwaitingResponse = false

    /// Adds a handler to each connection of a client.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.addHandlerAfterEncoder { UnansweredRequestHandler() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        if case .head = unwrapOutboundIn(data) {
            requestCount += 1
            isAwaitingResponse = true
        }
        context.write(data, promise: promise)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        isAwaitingResponse = false
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard isAwaitingResponse, requestCount > 1 else { return context.fireErrorCaught(error) }
        reportUnanswered(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isAwaitingResponse { reportUnanswered(context) }
        context.fireChannelInactive()
    }

    private func reportUnanswered(_ context: ChannelHandlerContext) {
        isAwaitingResponse = false
        context.fireErrorCaught(UnansweredRequest(isReused: requestCount > 1))
    }
}

/// The server's certificate is not valid for the request's host, or is weak.
struct RejectedPeer: Error {
    let failure: Failure
}

/// Checks the server's certificate by the rules of probes before the first request is sent on a connection. BoringSSL has
/// verified its chain.
///
/// Each request names its host in a header field, which is not sent. All requests of a connection have the same host.
final class PeerCheckHandler: ChannelOutboundHandler {
    typealias OutboundIn = HTTPClientRequestPart
    typealias OutboundOut = HTTPClientRequestPart

    /// The name of the header field, which no request has already.
    static let field = "Reach-Peer-\(String(UInt64.random(in: .min ... .max), radix: 36))"

    private var isAccepted = false

    /// Adds a handler to each connection of a client, in place of the TLS library's check of the name. It must be the last
    /// that is added, so that it gets a request first.
    static func configure(_ configuration: inout HTTPClient.Configuration) {
        configuration.tlsConfiguration?.certificateVerification = .noHostnameVerification
        configuration.addHandlerAfterEncoder { PeerCheckHandler() }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .head(var head) = unwrapOutboundIn(data) else {
            if isAccepted {
                context.write(data, promise: promise)
            } else {
                promise?.fail(ChannelError.ioOnClosedChannel)
            }
            return
        }
        let host = head.headers.first(name: Self.field) ?? ""
        head.headers.remove(name: Self.field)
        if !isAccepted, let failure = Self.failure(of: host, in: context.pipeline.syncOperations) {
            let error = RejectedPeer(failure: failure)
            promise?.fail(error)
            // The client does not expect an error while it writes.
            let bound = NIOLoopBound(context, eventLoop: context.eventLoop)
            return context.eventLoop.execute {
                bound.value.fireErrorCaught(error)
                bound.value.close(promise: nil)
            }
        }
        isAccepted = true
        context.write(wrapOutboundOut(.head(head)), promise: promise)
    }

    private static func failure(of host: String, in pipeline: ChannelPipeline.SynchronousOperations) -> Failure? {
        guard let certificate = try? pipeline.nioSSL_peerCertificate() else {
            return Failure(.tlsFailed, detail: "the server has no certificate")
        }
        return certificate.failure(of: host)
    }
}

#endif
