import Monitoring
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// Opens one connection, changes it to TLS where that is wanted, and times each step. Confined to its event loop.
final class Connection: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundIn = Never

    /// Where a connection leads and how it is secured.
    struct Course {
        let address: IPAddress
        let port: UInt16
        /// Where it leaves from; nil leaves the choice to the system.
        let origin: Origin?
        /// Who has to prove itself; nil without TLS.
        let identity: PeerIdentity?
        let options: TLSOptions
    }

    /// What a connection has to tell.
    enum Word {
        /// It stands, and nothing has been said on it.
        case open(any Channel)
        /// It will not stand, or no longer stands.
        case over(Outcome)
    }

    /// What the peer has shown of itself; empty without TLS.
    private(set) var certificates: [NIOSSLCertificate] = []
    private let course: Course
    private let desk: TLSDesk
    private let stopwatch: Stopwatch
    private let time: () -> Duration
    private var tell: (Word) -> Void = { _ in }
    private var channel: (any Channel)?
    private var isOpen = false
    private var isDropped = false

    init(
        _ course: Course,
        desk: TLSDesk,
        stopwatch: Stopwatch,
        time: @escaping () -> Duration
    ) {
        self.course = course
        self.desk = desk
        self.stopwatch = stopwatch
        self.time = time
    }

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - patience: how long the kernel may try. The deadlines are the schedule's own, which know when the process was
    ///     stopped.
    ///   - tell: takes what comes of it.
    func dial(on loop: any EventLoop, patience: Duration, tell: @escaping (Word) -> Void) {
        self.tell = tell
        let bound = NIOLoopBound(self, eventLoop: loop)
        ClientBootstrap(group: loop)
            .connectTimeout(.nanoseconds(patience.nanoseconds) + .seconds(5))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture { try bound.value.furnish(channel) }
            }
            .leaving(from: course.origin, toward: course.address)
            .connect(to: course.address.socketAddress(port: course.port))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.end($0) }
    }

    /// Closes in good order, where the peer may still say goodbye.
    func close() {
        channel?.close(promise: nil)
    }

    /// Closes at once, whatever the peer does.
    func drop() {
        isDropped = true
        guard let channel else { return }
        let pipeline = channel.pipeline.syncOperations
        if let tls = try? pipeline.context(handlerType: NIOSSLClientHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }

    private func furnish(_ channel: any Channel) throws {
        guard !isDropped else { throw ChannelError.ioOnClosedChannel }
        self.channel = channel
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(WriteWatch { [weak self] in self?.end($0) })
        if let identity = course.identity {
            if let language = course.options.starttls {
                let handler = StartTLSHandler(
                    language,
                    secure: { [unowned self] in try $0.addHandler(makeTLS(for: identity), position: .before(self)) },
                    failed: { [weak self] in self?.tell(.over(.failure($0))) }
                )
                try pipeline.addHandler(handler)
            } else {
                try pipeline.addHandler(makeTLS(for: identity))
            }
        }
        try pipeline.addHandler(self)
    }

    private func makeTLS(for identity: PeerIdentity) throws -> NIOSSLClientHandler {
        try desk.makeHandler(for: identity, verifies: course.options.verifies) { [weak self] in
            self?.certificates = $0
        }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        channel = nil
        tell = { _ in }
    }

    func connect(context: ChannelHandlerContext, to address: SocketAddress, promise: EventLoopPromise<Void>?) {
        stopwatch.resume(at: time())
        context.connect(to: address, promise: promise)
    }

    func channelActive(context: ChannelHandlerContext) {
        stopwatch.end(.connect, at: time())
        context.fireChannelActive()
        if course.identity == nil { open(context) }
    }

    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case TLSUserEvent.handshakeCompleted = event {
            stopwatch.end(.tls, at: time())
            open(context)
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        context.fireChannelInactive()
        tell(.over(.failure(Failure(.closed))))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        // A peer may leave without TLS's farewell; whether its answer was whole, whoever listens knows.
        if case NIOSSLError.uncleanShutdown = error { return }
        end(error)
    }

    private func open(_ context: ChannelHandlerContext) {
        guard !isOpen else { return }
        isOpen = true
        tell(.open(context.channel))
    }

    private func end(_ error: any Error) {
        tell(.over(Outcome(tls: error, to: course.address)))
    }
}
