#if os(Linux)
import ReachMonitoring
import ReachSystem

/// The result of a TCP handshake.
struct Handshake {
    /// The error number of a failure; zero if the connection is established.
    let code: CInt
    private let descriptor: CInt

    init(of descriptor: CInt) {
        self.descriptor = descriptor
        var (code, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0
        self.code = isKnown ? code : errno
    }

    /// Whether the peer accepted the connection, even if it has reset it since. A reset during the handshake is a
    /// refusal (RFC 9293 §3.10.7.3), and has another error number.
    var isCompleted: Bool { code == 0 || code == ECONNRESET || code == EPIPE }

    /// Returns whether the socket is connected to itself.
    ///
    /// - Parameters:
    ///   - peer: the destination address.
    ///   - port: the destination port.
    func isConnectedToItself(at peer: IPAddress, port: UInt16) -> Bool {
        code == 0 && LocalEndpoint(of: descriptor)?.isSame(as: peer, port: port) == true
    }

    /// Returns the outcome of a handshake that failed.
    ///
    /// - Parameter address: the destination address.
    func failure(at address: IPAddress) -> Outcome {
        var reading = DatagramReading(capacity: 1)
        if reading.next(from: descriptor, flags: CInt(MSG_ERRQUEUE)) == 0,
            let error = reading.messages.withUnsafeBytes({ ExtendedError(control: $0) }),
            error.isFromLocalFilter(of: address)
        {
            return .fault(.localFilter)
        }
        return Outcome(errno: code, to: address)
    }

    /// Returns the outcome of a handshake without an answer before the deadline.
    ///
    /// A packet filter that drops the packets of this machine lets the handshake begin (`tcp_connect` of
    /// net/ipv4/tcp_output.c). Only repeated packets, after a second, are counted as sent or not.
    static func timeout(of descriptor: CInt) -> Outcome {
        var (state, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
        let isKnown = getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &state, &size) == 0
        return isKnown && state.isRefusedLocally ? .fault(.localFilter) : .timeout
    }

    /// Returns the round trip as measured by the kernel (`TCP_INFO`, tcp(7)), which excludes the delay of this
    /// process. After a retransmission the kernel has timed only the last packet, so the elapsed time is returned
    /// instead.
    ///
    /// - Parameter elapsed: the time until this process noticed.
    func roundTrip(within elapsed: Duration) -> Duration {
        var (state, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
        guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &state, &size) == 0, state.tcpi_rtt > 0,
            state.tcpi_total_retrans == 0
        else { return elapsed }
        return min(elapsed, .microseconds(Int64(state.tcpi_rtt)))
    }
}

extension tcp_info {
    /// Whether the last repeated packet could not be sent: `__tcp_retransmit_skb` of net/ipv4/tcp_output.c counts it in
    /// the total only.
    var isRefusedLocally: Bool { tcpi_total_retrans > 0 && tcpi_retrans == 0 && tcpi_unacked > 0 }
}
#endif
