import LibC
import Monitoring
import NIOCore
import NIOPosix

/// A UDP socket that is connected to one peer: the kernel picks an unpredictable port, keeps strangers' datagrams away
/// and tells what the network says about ours. Confined to its event loop.
///
/// SwiftNIO's own datagram channel cannot be used for it. A word from the network that is worse than "port unreachable",
/// such as a firewall's "administratively prohibited", makes that channel take the error off the socket, look for the
/// end of a stream in it, and trap when it finds none (2.101). Its channel for pipes reads errors and datagrams alike,
/// each of them by one `read`; only an empty datagram looks like an end to it, after which another channel reads on.
///
/// On Linux the socket has an error queue (`IP_RECVERR`, ip(7)): without it, the kernel keeps "host unreachable" and "network
/// unreachable" to itself.
final class DatagramSocket {
    /// More than any datagram has, in bytes.
    static let longest = 65_536
    /// How many channels read from one socket at the most. Each empty datagram, and each ICMP message that is no verdict,
    /// ends one.
    static let mostChannels = 16

    private let loop: any EventLoop
    private let hear: (ByteBuffer) -> Void
    private let fail: (any Error) -> Void
    /// Nil once it is closed.
    private var descriptor: CInt?
    private var channel: (any Channel)?
    private var channelCount = 0

    private init(
        descriptor: CInt,
        loop: any EventLoop,
        hear: @escaping (ByteBuffer) -> Void,
        fail: @escaping (any Error) -> Void
    ) {
        self.descriptor = descriptor
        self.loop = loop
        self.hear = hear
        self.fail = fail
    }

    /// Opens a socket, of two descriptors, that is to be closed by its owner. `hear` is handed every datagram that
    /// comes, and `fail` why none will come any more.
    static func open(
        to address: IPAddress,
        port: UInt16,
        leaving origin: Origin?,
        on loop: any EventLoop,
        hear: @escaping (ByteBuffer) -> Void,
        fail: @escaping (any Error) -> Void
    ) throws -> DatagramSocket {
        let domain = address.family == .ipv4 ? AF_INET : AF_INET6
        let descriptor = socket(domain, SocketType.datagram, 0)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        _ = fcntl(descriptor, F_SETFL, O_NONBLOCK)
        #if os(Linux)
            DatagramQueue.enableErrors(of: descriptor, address.family)
        #endif
        let opened = DatagramSocket(descriptor: descriptor, loop: loop, hear: hear, fail: fail)
        do {
            let code = origin?.apply(to: descriptor, address.family) ?? 0
            guard code == 0 else { throw Fault(errno: code) }
            guard address.withSocketAddress(port: port, { connect(descriptor, $0, $1) }) == 0 else {
                throw IOError(errnoCode: errno, reason: "connect")
            }
            if LocalEndpoint(of: descriptor)?.isSame(as: address, port: port) == true {
                throw IOError(errnoCode: ECONNREFUSED, reason: "connected to itself")
            }
            try opened.listen()
        } catch {
            opened.close()
            throw error
        }
        return opened
    }

    /// Sends a datagram. Once only: what the network says about the first one is taken off the socket by the next call,
    /// behind the channel's back.
    func send(_ bytes: [UInt8]) throws {
        guard let descriptor else { throw ChannelError.ioOnClosedChannel }
        let sent = bytes.withUnsafeBytes { sendDatagram(descriptor, $0) }
        guard sent >= 0 else { throw IOError(errnoCode: errno, reason: "send") }
    }

    /// Closes it. Nothing is heard of it any more.
    func close() {
        guard let descriptor else { return }
        self.descriptor = nil
        channel?.close(promise: nil)
        channel = nil
        closeDescriptor(descriptor)
    }

    /// Has a channel read from the socket, by a descriptor of its own.
    private func listen() throws {
        guard let descriptor else { return }
        let reading = fcntl(descriptor, F_DUPFD_CLOEXEC, 0)
        guard reading >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
        // The end of a channel may be reported after the next one has begun.
        let number = channelCount
        let handler = NIOLoopBound(
            DatagramHandler(
                hear: { [weak self] in self?.heard($0) },
                fail: { [weak self] in self?.failed($0, channel: number) },
                ended: { [weak self] in self?.ended(channel: number) }
            ),
            eventLoop: loop
        )
        let opening = NIOPipeBootstrap(group: loop)
            .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.longest))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .takingOwnershipOfDescriptor(input: reading)
        var opened: Result<any Channel, any Error>?
        // On the event loop a descriptor is registered at once, or else closed.
        opening.assumeIsolated().whenComplete { opened = $0 }
        channel = try opened?.get()
    }

    private func heard(_ datagram: ByteBuffer) {
        guard descriptor != nil else { return }
        hear(datagram)
    }

    private func failed(_ error: any Error, channel number: Int) {
        guard descriptor != nil, number == channelCount else { return }
        channel = nil
        switch queuedErrors() {
        case .verdict(let failure): fail(failure)
        case .noVerdict: listenAgain()
        case .none: fail(error)
        }
    }

    /// The channel came to what it takes for the end of a stream.
    private func ended(channel number: Int) {
        guard descriptor != nil, channel != nil, number == channelCount else { return }
        channel = nil
        switch queuedErrors() {
        case .verdict(let failure): return fail(failure)
        case .noVerdict: break
        case .none: heard(ByteBuffer())
        }
        listenAgain()
    }

    private func listenAgain() {
        channelCount += 1
        do {
            guard channelCount < Self.mostChannels else { throw IOError(errnoCode: EPROTO, reason: "empty datagrams") }
            try listen()
        } catch {
            guard descriptor != nil else { return }
            fail(error)
        }
    }

    /// What the error queue of the socket held.
    private enum QueuedErrors {
        /// Nothing.
        case none
        /// Only messages that do not end a probe, such as "fragmentation needed".
        case noVerdict
        /// The datagram did not arrive.
        case verdict(Failure)
    }

    /// Empties the error queue; its first verdict counts.
    private func queuedErrors() -> QueuedErrors {
        #if os(Linux)
            guard let descriptor else { return .none }
            var reading = DatagramReading(room: 1)
            var found = QueuedErrors.none
            for _ in 0..<Self.mostChannels {
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

// Within the class, its own method hides the system call of the same name.

private func sendDatagram(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    send(descriptor, bytes.baseAddress, bytes.count, 0)
}
