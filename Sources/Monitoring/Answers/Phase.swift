/// A part of a round trip (the words are those of Prometheus's blackbox exporter).
public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// Finding the address of the name. The target has no share in it, and so it is no part of the sum that is the round
    /// trip.
    case resolve
    /// From the first packet to the standing connection.
    case connect
    /// The TLS handshake.
    case tls
    /// From the sent request to the first byte of the answer.
    case processing
    /// From the first byte of the answer to the last.
    case transfer
}
