#if os(Linux)
import CReachEpoll
import ReachMonitoring
import ReachSystem

/// An epoll instance with the sockets of a ``PathProber`` (epoll(7)).
final class PathPoller {
    /// The events of a socket.
    enum Interest {
        /// Arriving datagrams and errors.
        case reading
        /// The end of a connection attempt.
        case connecting
    }

    /// The maximum number of sockets per read.
    static let batch = 64

    let descriptor: CInt
    private var events = [epoll_event](repeating: epoll_event(), count: batch)

    init() throws(Fault) {
        descriptor = epoll_create1(epoll_close_on_exec)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
    }

    deinit { closeDescriptor(descriptor) }

    /// Adds a socket until it is closed.
    func add(_ socket: CInt, number: Int, for interest: Interest) throws(Fault) {
        var event = epoll_event()
        // Errors are always reported.
        event.events = interest == .reading ? UInt32(EPOLLIN.rawValue) : UInt32(EPOLLOUT.rawValue)
        event.data.u64 = UInt64(number)
        guard epoll_ctl(descriptor, EPOLL_CTL_ADD, socket, &event) == 0 else { throw Fault(errno: errno) }
    }

    /// Returns the numbers of the sockets that are ready, at most ``batch``.
    func readyNumbers() -> [Int] {
        let count = epoll_wait(descriptor, &events, CInt(Self.batch), 0)
        return events.prefix(max(0, Int(count))).map { Int($0.data.u64) }
    }
}
#endif
