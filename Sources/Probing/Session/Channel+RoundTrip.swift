import LibC
import NIOCore

extension Channel {
    /// The kernel's smoothed round trip of a TCP connection (RFC 6298 §2); nil if it has measured none. Must be called
    /// on the channel's event loop.
    var smoothedRoundTrip: Duration? {
        guard let provider = self as? any SocketOptionProvider else { return nil }
        var roundTrip: Duration?
        // On the event loop, the future completes before this call returns.
        #if canImport(Darwin)
        provider.getTCPConnectionInfo().assumeIsolated()
            .whenSuccess { roundTrip = .milliseconds(Int64($0.tcpi_srtt)) }
        #else
        provider.getTCPInfo().assumeIsolated()
            .whenSuccess { roundTrip = .microseconds(Int64($0.tcpi_rtt)) }
        #endif
        return roundTrip == .zero ? nil : roundTrip
    }

    /// Whether a packet filter of this machine drops the packets of a connection that is being opened. See
    /// ``Handshake/timeout(of:)``. Must be called on the channel's event loop.
    var isRefusedLocally: Bool {
        var isRefused = false
        #if os(Linux)
        (self as? any SocketOptionProvider)?.getTCPInfo().assumeIsolated()
            .whenSuccess { isRefused = $0.isRefusedLocally }
        #endif
        return isRefused
    }
}
