#if os(Linux)
import CReachEpoll
import NIOCore
import NIOPosix

import ReachSystem

/// An epoll instance that reports when connections are established or have failed (epoll(7)). Confined to its event
/// loop.
///
/// SwiftNIO only wakes the loop, as for ``DatagramQueue``. A datagram channel on the epoll descriptor becomes
/// readable when there are events, finds that it is not a socket (ENOTSOCK), and closes. A pipe channel would trap.
final class ConnectWatch {
    /// The maximum number of tickets per read.
    static let batch = 64
    /// The delay before it is armed again when the process is out of descriptors.
    private static let retryDelay = TimeAmount.milliseconds(20)

    private let poller: CInt
    private let loop: any EventLoop
    private let wake: () -> Void
    private var events = [epoll_event](repeating: epoll_event(), count: batch)
    /// The channel that wakes the loop; nil while not armed.
    private var waker: CloseHandler?
    /// The timer that arms it again; nil unless the process is out of descriptors.
    private var retry: Scheduled<Void>?
    private var isOpen = true

    /// - Parameter wake: called once after ``arm()``, when there are tickets to read.
    init(on loop: any EventLoop, wake: @escaping () -> Void) throws {
        poller = epoll_create1(epoll_close_on_exec)
        guard poller >= 0 else { throw IOError(errnoCode: errno, reason: "epoll_create1") }
        self.loop = loop
        self.wake = wake
    }

    deinit {
        if isOpen { closeDescriptor(poller) }
    }

    /// Adds a socket until its connection is established or has failed, or the socket is closed.
    func add(_ descriptor: CInt, as ticket: Int) throws {
        var event = epoll_event()
        // One-shot: a child process that is being started may hold the socket a little longer than this process.
        event.events = epoll_writable_once
        event.data.u64 = UInt64(ticket)
        guard epoll_ctl(poller, EPOLL_CTL_ADD, descriptor, &event) == 0 else {
            throw IOError(errnoCode: errno, reason: "epoll_ctl")
        }
    }

    /// Returns the tickets of the sockets that are ready, each once and at most ``batch`` at a time; empty if there
    /// are none.
    func readyTickets() -> [Int] {
        guard isOpen else { return [] }
        let count = epoll_wait(poller, &events, CInt(Self.batch), 0)
        return events.prefix(max(0, Int(count))).map { Int($0.data.u64) }
    }

    /// Wakes the loop once, when a socket is ready.
    func arm() {
        guard isOpen, waker == nil, retry == nil else { return }
        do {
            waker = try makeWaker()
        } catch {
            let bound = NIOLoopBound(self, eventLoop: loop)
            retry = loop.scheduleTask(in: Self.retryDelay) {
                bound.value.retry = nil
                bound.value.wake()
            }
        }
    }

    /// Closes the epoll instance. No callback is called afterwards.
    func close() {
        guard isOpen else { return }
        isOpen = false
        retry?.cancel()
        retry = nil
        let channel = waker?.channel
        waker = nil
        channel?.close(promise: nil)
        closeDescriptor(poller)
    }

    private func makeWaker() throws -> CloseHandler {
        let watched = fcntl(poller, F_DUPFD_CLOEXEC, 0)
        guard watched >= 0 else { throw IOError(errnoCode: errno, reason: "dup") }
        let waker = CloseHandler { [weak self] in self?.ended($0) }
        let handler = NIOLoopBound(waker, eventLoop: loop)
        let opening = DatagramBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(handler.value)
                }
            }
            .withBoundSocket(watched)
        var opened: Result<any Channel, any Error>?
        // On the event loop, the descriptor is registered or closed before this call returns.
        opening.assumeIsolated().whenComplete { opened = $0 }
        waker.channel = try opened?.get()
        return waker
    }

    private func ended(_ waker: CloseHandler) {
        guard waker === self.waker else { return }
        self.waker = nil
        wake()
    }

    /// Reports the end of its channel.
    private final class CloseHandler: ChannelInboundHandler {
        typealias InboundIn = AddressedEnvelope<ByteBuffer>

        var channel: (any Channel)?
        private let ended: (CloseHandler) -> Void

        init(ended: @escaping (CloseHandler) -> Void) {
            self.ended = ended
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // ENOTSOCK is expected: it closes the channel.
        }

        func channelInactive(context: ChannelHandlerContext) {
            channel = nil
            ended(self)
        }
    }
}
#endif
