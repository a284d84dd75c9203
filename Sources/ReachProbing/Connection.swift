import NIOCore
import NIOPosix
import NIOTLS
import ReachMonitoring

/// A connection attempt of a probe: connects, upgrades to TLS, verifies the peer, and times each step. Confined to its
/// event loop.
final class Connection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// The peer of a connection, and its TLS settings.
    struct Configuration {
        var destination: Connector.Destination
        /// The name or address that the peer's certificate must match; nil without TLS.
        let identity: PeerIdentity?
        var options: TLSOptions
        /// The tunnel to the peer; nil where the destination is the peer itself, or a proxy without a tunnel.
        var tunnel: ProxyTunnel?
        /// The protocols to offer in the handshake (ALPN, RFC 7301); only without verification.
        var protocols: [String] = []
    }

    /// An event of a connection.
    enum Event {
        /// The connection is open and its peer accepted. Nothing has been sent on it.
        case open(any Channel)
        /// The connection failed, its peer was rejected, or it was closed.
        case over(Outcome)
    }

    /// The peer's address. Before the connection is open: the address that the last outcome came from.
    private(set) var address: IPAddress

    /// The protocol of those offered that the peer has chosen.
    private(set) var negotiatedProtocol: String?
    /// The certificate of an accepted peer; nil without TLS.
    private(set) var certificate: AcceptedCertificate?
    private let configuration: Configuration
    private let environment: ProberEnvironment
    private let stopwatch: Stopwatch
    private var connector: Connector?
    private var report: (Event) -> Void = { _ in }
    private var channel: (any Channel)?
    /// The TLS client; nil without TLS, and while its files are being read.
    private(set) var tls: TLSClient?
    private var isOpen = false
    private var isDropped = false
    /// Whether the destination is connected, and has made the tunnel if there is one.
    private(set) var isPastProxy = false

    init(_ configuration: Configuration, stopwatch: Stopwatch, in environment: ProberEnvironment) {
        self.configuration = configuration
        address = configuration.destination.addresses[0]
        self.stopwatch = stopwatch
        self.environment = environment
    }

    /// Starts to connect once the trusted authorities are loaded. Loading them is not part of the measured time.
    func dial(report: @escaping (Event) -> Void) {
        self.report = report
        guard let identity = configuration.identity else { return connect(to: configuration.destination) }
        let protocols = configuration.protocols
        environment.contexts.makeClient(for: identity, configuration.options, offering: protocols) {
            [weak self, configuration] result in
            guard let self, !isDropped else { return }
            switch result {
            case .success(let client):
                tls = client
                connect(to: configuration.destination)
            case .failure(let fault):
                end(.fault(fault))
            }
        }
    }

    private func connect(to destination: Connector.Destination) {
        let connector = Connector(to: destination, in: environment) { [weak self] in self?.receive($0) }
        guard !isDropped else { return }
        self.connector = connector
        connector.start()
    }

    /// The outcome of a probe whose deadline passes now. While the authorities are being read, nothing has been sent to
    /// the peer, and the outcome is a fault.
    var outcomeAtTimeout: Outcome {
        if configuration.identity != nil, tls == nil {
            return .fault(.authoritiesNotRead)
        }
        guard channel == nil, let connector else { return .timeout }
        let (outcome, address) = connector.outcome
        self.address = address
        return outcome
    }

    /// The connection that shows whether the peer speaks HTTP/2; nil without TLS.
    var http2Inquiry: Configuration? {
        guard configuration.identity != nil else { return nil }
        var inquiry = configuration
        inquiry.options.verifies = false
        inquiry.destination.addresses = [address]
        inquiry.protocols = ["h2"]
        return inquiry
    }

    private func receive(_ event: Connector.Event) {
        connector = nil
        switch event {
        case .open(let channel, let address, let roundTrip):
            self.address = address
            let now = environment.time()
            guard !isDropped else { return channel.close(promise: nil) }
            stopwatch.resume(at: now - roundTrip)
            stopwatch.end(.connect, at: now)
            do {
                try addHandlers(to: channel)
            } catch {
                end(error)
            }
        case .reset(let address, _):
            self.address = address
            end(.failure(Failure(.reset)))
        case .failed(let outcome, let address):
            self.address = address
            end(outcome)
        }
    }

    /// Closes gracefully: the peer may still send its closure alert.
    func close() {
        connector?.cancel()
        connector = nil
        channel?.close(promise: nil)
    }

    /// Closes at once, without waiting for the peer.
    func drop() {
        isDropped = true
        connector?.cancel()
        connector = nil
        if let channel { TLSClient.drop(channel) }
    }

    private func addHandlers(to channel: any Channel) throws {
        self.channel = channel
        isPastProxy = configuration.tunnel == nil
        let pipeline = channel.pipeline.syncOperations
        let id = ObjectIdentifier(channel)
        let watch = WriteErrorHandler { [weak self] error in
            guard let self, self.channel.map(ObjectIdentifier.init) == id else { return }
            end(error)
        }
        try pipeline.addHandler(watch)
        if let tls {
            let tunnel: (any TLSNegotiation)? = configuration.tunnel
            if let negotiation = tunnel ?? configuration.options.starttls.map({ StartTLSNegotiation($0) }) {
                let handler = TLSNegotiationHandler(
                    negotiation,
                    secure: { [unowned self] in
                        if tunnel != nil {
                            isPastProxy = true
                            stopwatch.end(.connect, at: environment.time())
                        }
                        try tls.addHandler(to: $0, position: .before(self))
                    },
                    failed: { [weak self] in self?.end(.failure($0)) }
                )
                try pipeline.addHandler(handler)
            } else {
                try tls.addHandler(to: pipeline)
            }
        }
        try pipeline.addHandler(self)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        guard isCurrent(context) else { return }
        channel = nil
        report = { _ in }
    }

    /// Whether an event belongs to the current channel, not to an earlier one.
    private func isCurrent(_ context: ChannelHandlerContext) -> Bool {
        channel === context.channel
    }

    func channelActive(context: ChannelHandlerContext) {
        context.fireChannelActive()
        if configuration.identity == nil { open(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted(let negotiatedProtocol) = event {
            self.negotiatedProtocol = negotiatedProtocol
            stopwatch.end(.tls, at: environment.time())
            if let tls { decide(tls.decisionOnCompletion, context) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        if isCurrent(context) { end(.failure(Failure(.closed))) }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer may close without TLS's closure alert. The receiver decides whether the answer was complete.
        if TLSClient.isUncleanClosure(error) { return }
        guard isCurrent(context) else { return }
        if let rejection = tls?.rejection { end(rejection) } else { end(error) }
    }

    private func decide(_ decision: PeerDecision, _ context: ChannelHandlerContext) {
        switch decision {
        case .accept(let certificate):
            self.certificate = certificate
            open(context)
        case .reject(let outcome):
            end(outcome)
        }
    }

    private func open(_ context: ChannelHandlerContext) {
        guard !isOpen else { return }
        isOpen = true
        report(.open(context.channel))
    }

    private func end(_ error: any Error) {
        end(Outcome(tls: error, to: address))
    }

    private func end(_ outcome: Outcome) {
        report(.over(outcome))
    }
}

extension Fault {
    /// The fault of a probe while the trusted authorities are being read.
    static let authoritiesNotRead = Fault(.noAuthorities, detail: "the trusted authorities are still being read")
}

/// A handler that reports failed writes. SwiftNIO reports a connection that breaks during a write only to the promise.
final class WriteErrorHandler: ChannelOutboundHandler {
    typealias OutboundIn = Never

    private let failed: (IOError) -> Void

    init(failed: @escaping (IOError) -> Void) {
        self.failed = failed
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let promise = promise ?? context.eventLoop.makePromise()
        promise.futureResult.assumeIsolated().whenFailure { [failed] error in
            if let error = error as? IOError { failed(error) }
        }
        context.write(data, promise: promise)
    }
}
