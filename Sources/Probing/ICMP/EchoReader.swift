/// What reads from an ICMP socket, which it owns. Confined to its event loop.
protocol EchoReader: AnyObject {
    /// Whether the descriptor is still the socket's.
    var isOpen: Bool { get }

    /// Reads what is there.
    ///
    /// - Parameter isPolled: whether this is called often enough for nothing else to wake the loop for what comes.
    func read(isPolled: Bool)
    /// Closes the socket. Nothing is heard of it any more but its end.
    func close()
}

/// Whom an ICMP socket tells what comes of it.
struct EchoListener {
    /// Takes in a packet, who sent it, and when it came by the clock on the wall, if the kernel has noted that: the time
    /// since 1970.
    let hear: (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void
    /// Takes in what came back about a request of this very socket, and who says so, if that is known.
    let refuse: (EchoError, IPAddress?) -> Void
    /// What was read in one go has been handed over.
    let batchEnded: () -> Void
    /// The socket has been closed.
    let ended: () -> Void
}
