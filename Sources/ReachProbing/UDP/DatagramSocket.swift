import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem

/// A UDP socket that is connected to one peer. Confined to its event loop.
///
/// For a connected socket the kernel picks an unpredictable port, drops datagrams from other senders and reports ICMP
/// errors.
///
/// SwiftNIO's datagram channel cannot be used. On an ICMP error other than "port unreachable", such as a firewall's
/// "administratively prohibited", it clears the socket error, expects the end of a stream, and traps (2.101). A pipe
/// channel reads errors and datagrams alike, each by one `read`. Only an empty datagram looks like the end of the
/// stream and closes the channel; a new channel then continues.
///
/// On Linux the socket has an error queue (`IP_RECVERR`, ip(7)). Without it, the kernel does not report "host
/// unreachable" and "network unreachable".
final class DatagramSocket {
    /// A buffer size in bytes that exceeds any datagram.
    static let bufferSize = 65_536
    /// The maximum number of channels for one socket. Each empty datagram, and each ICMP message without a verdict,
    /// closes one.
    static let maxChannels = 16

    private let loop: any EventLoop
    private let receive: (ByteBuffer) -> Void
    private let fail: (any Error) -> Void
    /// Nil after the socket is closed.
    private var descriptor: CInt?
    private var channel: (any Channel)?
    private var channelCount = 0

    private init(
        descriptor: CInt,
        loop: any EventLoop,
        receive: @escaping (ByteBuffer) -> Void,
        fail: @escaping (any Error) -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.receive = receive
        self.fail = fail
    }

    /// Opens a socket with two descriptors. The caller must close it.
    ///
    /// - Parameters:
    ///   - receive: called with each datagram.
    ///   - fail: called when no further datagram can arrive.
    static func open(
        to address: IPAddress,
        port: UInt16,
        leaving origin: Origin?,
        on loop: any EventLoop,
        receive: @escaping (ByteBuffer) -> Void,
        fail: @escaping (any Error) -> Void
    ) throws -> DatagramSocket {
        let descriptor = openSocket(address.family, SocketType.datagram)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        #if os(Linux)
        DatagramQueue.enableErrors(of: descriptor, address.family)
        #endif
        let opened = DatagramSocket(descriptor: descriptor, loop: loop, receive: receive, fail: fail)
        do {
            let code = origin?.apply(to: descriptor, address.family) ?? 0
            guard code == 0 else { throw Fault(errno: code) }
            guard address.withSocketAddress(port: port, { connect(descriptor, $0, $1) }) == 0 else {
                throw IOError(errnoCode: errno, reason: "connect")
            }
            if LocalEndpoint(of: descriptor)?.isSame(as: address, port: port) == true {
                throw IOError(errnoCode: ECONNREFUSED, reason: "connected to itself")
            }
            try opened.startReading()
        } catch {
            opened.close()
            throw error
        }
        return opened
    }

    /// Sends a datagram. Call it only once: a second call would clear the ICMP error for the first datagram before the
    /// channel sees it.
    func send(_ bytes: [UInt8]) throws {
        guard let descriptor else { throw ChannelError.ioOnClosedChannel }
        let sent = bytes.withUnsafeBytes { sendDatagram(descriptor, $0) }
        guard sent >= 0 else { throw IOError(errnoCode: errno, reason: "send") }
    }

    /// Closes the socket. No callback is called afterwards.
    func close() {
        guard let descriptor else { return }
        self.descriptor = nil
        channel?.close(promise: nil)
        channel = nil
        closeDescriptor(descriptor)
    }

    /// Starts a channel that reads from a duplicate of the descriptor.
    private func startReading() throws {
        guard let descriptor else { return }
        let reading = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard reading >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
        // The end of a channel may be reported after the next one has started.
        let number = channelCount
        let handler = NIOLoopBound(
            DatagramHandler(
                receive: { [weak self] in self?.received($0) },
                fail: { [weak self] in self?.failed($0, channel: number) },
                ended: { [weak self] in self?.ended(channel: number) }
            ),
            eventLoop: loop
        )
        let opening = NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.bufferSize))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: reading)
        var opened: Result<any Channel, any Error>?
        // On the event loop, the descriptor is registered or closed before this call returns.
        opening.assumeIsolated().whenComplete { opened = $0 }
        channel = try opened?.get()
    }

    private func received(_ datagram: ByteBuffer) {
        guard descriptor != nil else { return }
        receive(datagram)
    }

    private func failed(_ error: any Error, channel number: Int) {
        guard descriptor != nil, number == channelCount else { return }
        channel = nil
        switch queuedErrors() {
        case .verdict(let failure): fail(failure)
        case .noVerdict: restartReading()
        case .none: fail(error)
        }
    }

    /// Handles the end of a channel: an empty datagram or a queued error.
    private func ended(channel number: Int) {
        guard descriptor != nil, channel != nil, number == channelCount else { return }
        channel = nil
        switch queuedErrors() {
        case .verdict(let failure): return fail(failure)
        case .noVerdict: break
        case .none: received(ByteBuffer())
        }
        restartReading()
    }

    private func restartReading() {
        channelCount += 1
        do {
            guard channelCount < Self.maxChannels else { throw IOError(errnoCode: EPROTO, reason: "empty datagrams") }
            try startReading()
        } catch {
            guard descriptor != nil else { return }
            fail(error)
        }
    }

    /// The content of the error queue.
    private enum QueuedErrors {
        /// The queue was empty.
        case none
        /// Only messages that do not end a probe, such as "fragmentation needed".
        case noVerdict
        /// The datagram was not delivered.
        case verdict(Failure)
    }

    /// Empties the error queue, and returns its first verdict.
    private func queuedErrors() -> QueuedErrors {
        #if os(Linux)
        guard let descriptor else { return .none }
        var reading = DatagramReading(capacity: 1)
        var found = QueuedErrors.none
        for _ in 0..<Self.maxChannels {
            guard reading.next(from: descriptor, flags: CInt(MSG_ERRQUEUE)) == 0 else { break }
            let error = reading.messages.withUnsafeBytes { ExtendedError(control: $0) }
            if let failure = error?.failure(of: reading.address) { return .verdict(failure) }
            found = .noVerdict
        }
        return found
        #else
        return .none
        #endif
    }
}

// A free function: inside the class, its own method hides the system call of the same name.

private func sendDatagram(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, 0)
}

/// A channel handler that passes on the datagrams of a connected UDP socket.
private final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let receive: (ByteBuffer) -> Void
    private let fail: (any Error) -> Void
    private let ended: () -> Void

    init(receive: @escaping (ByteBuffer) -> Void, fail: @escaping (any Error) -> Void, ended: @escaping () -> Void) {
        self.receive = receive
        self.fail = fail
        self.ended = ended
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        receive(unwrapInboundIn(data))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        fail(error)
    }

    func channelInactive(context: ChannelHandlerContext) {
        ended()
        context.fireChannelInactive()
    }
}
