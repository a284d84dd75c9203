import NIOCore
import ReachMonitoring

/// A watch for packets from hosts of the local network, by ARP or Neighbor Discovery (RFC 826, RFC 4861). On Linux the
/// kernel reports them; elsewhere the watch does nothing. Confined to its event loop.
final class NeighbourWatch {
    /// The pause in listening after an overflow of the kernel's reports.
    private static let pause = Duration.seconds(1)

    private let loop: any EventLoop
    private let time: () -> Duration
    private let report: ([IPAddress]) -> Void
    private var pauseEnd: Duration?
    #if os(Linux)
    private var socket: NetlinkSocket?
    #endif

    init(loop: any EventLoop, time: @escaping () -> Duration, report: @escaping ([IPAddress]) -> Void) {
        self.loop = loop
        self.time = time
        self.report = report
    }

    /// Starts listening, unless it does. Without a socket, only the scheduled probes are made.
    func listen() {
        #if os(Linux)
        guard socket == nil else { return }
        let now = time()
        if let pauseEnd, now < pauseEnd { return }
        pauseEnd = now + Self.pause
        socket = try? NetlinkSocket.open(
            on: loop,
            groups: NetlinkSocket.neighbours,
            receive: { [weak self] datagram in
                let addresses = NeighbourMessages.addresses(in: datagram)
                if !addresses.isEmpty { self?.report(addresses) }
            },
            ended: { [weak self] in self?.endedListening() }
        )
        #endif
    }

    /// Stops listening.
    func close() {
        #if os(Linux)
        let closed = socket
        socket = nil
        closed?.close()
        #endif
    }

    #if os(Linux)
    private func endedListening() {
        guard socket != nil else { return }
        socket = nil
        pauseEnd = time() + Self.pause
    }
    #endif
}

extension Failure {
    /// How long the kernel resolves the link-layer address of a neighbour: three requests, a second apart
    /// (`mcast_solicit` and `retrans_time_ms` of arp(7)).
    private static let neighbourResolution = Duration.seconds(3)

    /// Whether this may be the failure of a neighbour resolution that started before a link or route returned, and says
    /// nothing about the host.
    ///
    /// The kernel queues packets during a resolution, and all of them fail with it. If its last request was lost before
    /// the return, so are the first packets after it. A resolution that starts after the return does not fail as soon.
    ///
    /// - Parameter routeReturn: when the link or route returned.
    func isStale(at now: Duration, since routeReturn: Duration) -> Bool {
        reason == .hostUnreachable && now - routeReturn < Self.neighbourResolution
    }
}
