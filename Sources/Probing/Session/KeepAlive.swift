import LibC
import Monitoring
import NIOCore
import NIOPosix

/// The TCP keep-alive settings of an idle connection (RFC 9293 §3.8.4).
struct KeepAlive: Sendable, Hashable {
    /// The number of unanswered probes before the connection is dead.
    static let count: CInt = 3

    /// The idle time before the first probe, in seconds.
    let idle: CInt
    /// The interval between probes, in seconds.
    let interval: CInt

    /// Creates settings that detect a dead peer after twice the idle time. The kernel accepts whole seconds from 1 to
    /// 32,767.
    init(idle: Duration) {
        self.idle = CInt(min(max(idle.components.seconds, 1), 32_767))
        interval = max(1, self.idle / Self.count)
    }

    /// How long sent data may stay unacknowledged before the connection is dead, in milliseconds: the same as for a
    /// silent peer (RFC 5482; Linux's `tcp(7)`, TCP_USER_TIMEOUT).
    var userTimeout: CInt {
        (idle + interval * Self.count) * 1_000
    }

    /// The socket options for these settings.
    var options: [(option: ChannelOptions.Types.SocketOption, value: Int)] {
        #if canImport(Darwin)
        let times = [(TCP_KEEPALIVE, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, Self.count)]
        #else
        // The number on Linux. Not every C library exports the name to Swift.
        let tcpUserTimeout: CInt = 18
        let times = [
            (TCP_KEEPIDLE, idle), (TCP_KEEPINTVL, interval), (TCP_KEEPCNT, Self.count),
            (tcpUserTimeout, userTimeout),
        ]
        #endif
        let tcp = times.map { (ChannelOptions.tcpOption(NIOBSDSocket.Option(rawValue: $0)), Int($1)) }
        return [(ChannelOptions.socketOption(.so_keepalive), 1)] + tcp
    }
}
