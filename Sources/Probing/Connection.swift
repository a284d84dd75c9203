import Monitoring
import NIOCore
import NIOPosix
import NIOSSL
import NIOTLS

/// Opens one connection, changes it to TLS where that is wanted, and times each step. Confined to its event loop.
final class Connection: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer

    /// Where a connection leads and how it is secured.
    struct Course {
        let destination: Connector.Destination
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

    /// The address that it leads to; before it stands, the one that the last outcome came from.
    private(set) var address: IPAddress

    /// What the peer has shown of itself; empty without TLS.
    private(set) var certificates: [NIOSSLCertificate] = []
    private let course: Course
    private let desk: TLSDesk
    private let stopwatch: Stopwatch
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private var connector: Connector?
    private var tell: (Word) -> Void = { _ in }
    private var channel: (any Channel)?
    private var isOpen = false
    private var isDropped = false

    init(
        _ course: Course,
        desk: TLSDesk,
        stopwatch: Stopwatch,
        shortage: @escaping () -> Fault?,
        time: @escaping () -> Duration
    ) {
        self.course = course
        address = course.destination.addresses[0]
        self.shortage = shortage
        self.desk = desk
        self.stopwatch = stopwatch
        self.time = time
    }

    /// Begins to connect.
    ///
    /// - Parameter tell: takes what comes of it.
    func dial(on loop: any EventLoop, tell: @escaping (Word) -> Void) {
        self.tell = tell
        let connector = Connector(
            to: course.destination,
            on: loop,
            from: time(),
            shortage: shortage,
            time: time,
            report: { [weak self] in self?.take($0) }
        )
        guard !isDropped else { return }
        self.connector = connector
        connector.start()
    }

    /// How it ends at its deadline.
    var outcomeOfSilence: Outcome {
        guard channel == nil, let connector else { return .timeout }
        let (outcome, address) = connector.outcome
        self.address = address
        return outcome
    }

    private func take(_ event: Connector.Event) {
        connector = nil
        switch event {
        case .open(let channel, let address, let roundTrip):
            self.address = address
            let now = time()
            guard !isDropped else { return channel.close(promise: nil) }
            stopwatch.resume(at: now - roundTrip)
            stopwatch.end(.connect, at: now)
            do {
                try furnish(channel)
            } catch {
                end(error)
            }
        case .reset(let address, _):
            self.address = address
            tell(.over(.failure(Failure(.reset))))
        case .failed(let outcome, let address):
            self.address = address
            tell(.over(outcome))
        }
    }

    /// Closes in good order, where the peer may still say goodbye.
    func close() {
        connector?.cancel()
        connector = nil
        channel?.close(promise: nil)
    }

    /// Closes at once, whatever the peer does.
    func drop() {
        isDropped = true
        connector?.cancel()
        connector = nil
        guard let channel else { return }
        let pipeline = channel.pipeline.syncOperations
        if let tls = try? pipeline.context(handlerType: NIOSSLClientHandler.self) {
            tls.close(promise: nil)
        } else {
            channel.close(promise: nil)
        }
    }

    private func furnish(_ channel: any Channel) throws {
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

    func channelActive(context: ChannelHandlerContext) {
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
        tell(.over(Outcome(tls: error, to: address)))
    }
}
