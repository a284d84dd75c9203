#if os(Linux)
    import LibC

    /// What has become of a connection that was begun.
    struct Handshake {
        /// The error number that it failed with; zero if it stands.
        let code: CInt
        private let descriptor: CInt

        init(of descriptor: CInt) {
            self.descriptor = descriptor
            var (code, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
            let isKnown = getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &size) == 0
            self.code = isKnown ? code : errno
        }

        /// Whether the peer accepted. One that resets the connection then leaves an error: a reset before that is a refusal
        /// (RFC 9293 §3.10.7.3), and has another number.
        var isCompleted: Bool { code == 0 || code == ECONNRESET || code == EPIPE }

        /// Whether both ends are this socket.
        ///
        /// - Parameters:
        ///   - peer: the address that it was to lead to.
        ///   - port: the port there.
        func isConnectedToItself(at peer: IPAddress, port: UInt16) -> Bool {
            code == 0 && LocalEndpoint(of: descriptor)?.isSame(as: peer, port: port) == true
        }

        /// How long the peer took to agree, by the kernel's clock (`TCP_INFO`, tcp(7)), which does not count how long we took
        /// to look. That has timed no more than the last question where more than one was needed, and there it does not count.
        ///
        /// - Parameter own: the time that we took to find out.
        func roundTrip(within own: Duration) -> Duration {
            var (state, size) = (tcp_info(), socklen_t(MemoryLayout<tcp_info>.size))
            guard getsockopt(descriptor, CInt(IPPROTO_TCP), TCP_INFO, &state, &size) == 0, state.tcpi_rtt > 0,
                state.tcpi_total_retrans == 0
            else { return own }
            return min(own, .microseconds(Int64(state.tcpi_rtt)))
        }
    }
#endif
