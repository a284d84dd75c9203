import LibC
import Monitoring
import NIOCore
import NIOPosix

/// How the kernel finds out that the peer of an idle connection is gone (TCP keep-alive, RFC 9293 §3.8.4).
struct KeepAlive: Sendable, Hashable {
    /// How many questions in a row may stay unanswered.
    static let count: CInt = 3

    /// Seconds without a word from the peer before the first question.
    let idle: CInt
    /// Seconds from one question to the next.
    let pause: CInt

    /// A silent peer is found dead after twice the idle time. Both times are whole seconds that the kernel takes:
    /// 1…32,767.
    init(idle: Duration) {
        self.idle = CInt(min(max(idle.components.seconds, 1), 32_767))
        pause = max(1, self.idle / Self.count)
    }

    /// How long what was sent may stay unacknowledged before the connection is dead, in milliseconds: as long as a
    /// silent peer has (RFC 5482; Linux's `tcp(7)`, TCP_USER_TIMEOUT).
    var userTimeout: CInt {
        (idle + pause * Self.count) * 1_000
    }

    /// The socket options that say so.
    var options: [(option: ChannelOptions.Types.SocketOption, value: Int)] {
        #if canImport(Darwin)
            let times = [(TCP_KEEPALIVE, idle), (TCP_KEEPINTVL, pause), (TCP_KEEPCNT, Self.count)]
        #else
            // The number of Linux, which not every C library names where Swift sees it.
            let tcpUserTimeout: CInt = 18
            let times = [
                (TCP_KEEPIDLE, idle), (TCP_KEEPINTVL, pause), (TCP_KEEPCNT, Self.count), (tcpUserTimeout, userTimeout),
            ]
        #endif
        let tcp = times.map { (ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: $0)), Int($1)) }
        return [(ChannelOptions.socketOption(.so_keepalive), 1)] + tcp
    }
}
