import NIOCore

/// Whom an ICMP socket tells what comes of it.
struct EchoListener {
    /// Takes in a packet, and who sent it.
    let hear: (ByteBuffer, IPAddress) -> Void
    /// Takes in what came back about a request of this very socket, and who says so, if that is known.
    let refuse: (EchoError, IPAddress?) -> Void
    /// What was read in one go has been handed over.
    let batchEnded: () -> Void
    /// The socket has been closed.
    let ended: () -> Void
}
