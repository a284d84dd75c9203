import Monitoring

/// The decision about a peer, in the handshake.
enum PeerDecision {
    /// Accept the peer. Its chain, or its certificate if it is not verified, expires at this time in seconds since 1970.
    case accept(expiry: Int64?)
    case reject(Outcome)
}
