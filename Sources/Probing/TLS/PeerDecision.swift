import Monitoring

/// The action after a handshake.
enum PeerDecision {
    /// Accept the peer, whose certificate expires at this time in seconds since 1970.
    case accept(expiry: Int64?)
    case reject(Outcome)
    /// Connect again, and complete the handshake without verification.
    case inspect
}
