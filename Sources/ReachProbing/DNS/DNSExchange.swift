import NIOCore
import ReachMonitoring

/// A query to one server on a socket or connection of its own. Confined to its event loop.
final class DNSExchange {
    /// A peer of a query by TLS (RFC 7858).
    struct Security {
        let identity: PeerIdentity
        let options: TLSOptions
    }

    private let environment: ProberEnvironment
    private let receive: ([UInt8]) -> Void
    private let fail: (Outcome) -> Void
    private var closeSocket: () -> Void = {}

    /// - Parameters:
    ///   - receive: called with each message that arrives.
    ///   - fail: called when no further message can arrive.
    init(
        in environment: ProberEnvironment,
        receive: @escaping ([UInt8]) -> Void,
        fail: @escaping (Outcome) -> Void
    ) {
        self.environment = environment
        self.receive = receive
        self.fail = fail
    }

    /// Sends a message.
    ///
    /// - Parameters:
    ///   - security: the peer of a stream by TLS; nil without TLS.
    ///   - connected: called when the connection of a stream is open, before the message is sent.
    func send(
        _ message: [UInt8],
        to server: DNSServer,
        by transport: DNSConversation.Transport,
        until deadline: Duration,
        security: Security? = nil,
        connected: @escaping () -> Void = {}
    ) {
        switch transport {
        case .datagram: sendDatagram(message, to: server)
        case .stream: connect(to: server, security, until: deadline, sending: message, connected)
        }
    }

    /// Closes the socket or connection. Nothing is reported afterwards.
    func close() {
        closeSocket()
        closeSocket = {}
    }

    private func sendDatagram(_ message: [UInt8], to server: DNSServer) {
        do {
            let socket = try DatagramSocket.open(
                to: server.address,
                port: server.port,
                leaving: server.origin,
                on: environment.loop,
                receive: { [weak self] in self?.receive(Array($0.readableBytesView)) },
                fail: { [weak self] in self?.fail(Outcome($0, to: server.address)) }
            )
            closeSocket = socket.close
            try socket.send(message)
        } catch {
            fail(Outcome(error, to: server.address))
        }
    }

    private func connect(
        to server: DNSServer,
        _ security: Security?,
        until deadline: Duration,
        sending message: [UInt8],
        _ connected: @escaping () -> Void
    ) {
        let configuration = Connection.Configuration(
            destination: Connector.Destination(
                addresses: [server.address],
                port: server.port,
                deadline: deadline,
                origin: { _ in server.origin }
            ),
            identity: security?.identity,
            options: security?.options ?? TLSOptions()
        )
        let connection = Connection(configuration, stopwatch: Stopwatch(at: environment.time()), in: environment)
        closeSocket = connection.drop
        connection.dial { [weak self] event in
            guard let self else { return }
            switch event {
            case .open(let channel):
                connected()
                let handler = DNSStreamHandler(query: message, receive: receive)
                do {
                    try channel.pipeline.syncOperations.addHandler(handler)
                } catch {
                    fail(.failure(Failure(.closed)))
                }
            case .over(let outcome):
                fail(outcome)
            }
        }
    }
}

/// A channel handler for a query and its answer on an open connection, each after its two-byte length (RFC 1035 §4.2.2).
final class DNSStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let receive: ([UInt8]) -> Void
    private var buffer = ByteBuffer()

    init(query: [UInt8], receive: @escaping ([UInt8]) -> Void) {
        self.query = query
        self.receive = receive
    }

    func handlerAdded(context: ChannelHandlerContext) {
        let message = ByteBuffer(bytes: UInt16(query.count).inNetworkOrder + query)
        context.writeAndFlush(wrapOutboundOut(message), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        // A message has at most 64 KiB. Bytes after it are ignored.
        buffer.writeImmutableBuffer(unwrapInboundIn(data))
        guard let length = buffer.getInteger(at: buffer.readerIndex, as: UInt16.self),
            let message = buffer.getBytes(at: buffer.readerIndex + 2, length: Int(length))
        else { return }
        receive(message)
    }
}
