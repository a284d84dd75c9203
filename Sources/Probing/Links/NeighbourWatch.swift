import Monitoring
import NIOCore

/// Notices hosts of the local network that were heard: by ARP or by Neighbor Discovery (RFC 826, RFC 4861). On Linux the
/// kernel reports them; elsewhere nothing is noticed. Confined to its event loop.
final class NeighbourWatch {
    /// How long it does not listen after the kernel had more to report than fits.
    private static let pause = Duration.seconds(1)

    private let loop: any EventLoop
    private let time: () -> Duration
    private let heard: ([IPAddress]) -> Void
    private var pauseEnd: Duration?
    #if os(Linux)
        private var socket: NetlinkSocket?
    #endif

    init(loop: any EventLoop, time: @escaping () -> Duration, heard: @escaping ([IPAddress]) -> Void) {
        self.loop = loop
        self.time = time
        self.heard = heard
    }

    /// Begins to listen, unless it does. Without a socket, probes are as frequent as ever.
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
                    let addresses = NeighbourNews.heard(in: datagram)
                    if !addresses.isEmpty { self?.heard(addresses) }
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
