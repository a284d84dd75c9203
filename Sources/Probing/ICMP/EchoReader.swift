/// A type that owns an ICMP socket and reads from it. Confined to its event loop.
protocol EchoReader: AnyObject {
    /// Whether the descriptor is still that of the socket.
    var isOpen: Bool { get }

    /// Reads the pending packets.
    ///
    /// - Parameter isPolled: whether the caller polls so often that arriving packets need not wake the loop.
    func read(isPolled: Bool)
    /// Closes the socket. Afterwards only its end is reported.
    func close()
}

/// The callbacks of an ICMP socket.
struct EchoListener {
    /// Called with each packet, its sender, and the wall-clock time of its arrival, as the time since 1970, if the
    /// kernel has stamped it.
    let receive: (UnsafeRawBufferPointer, IPAddress, Duration?) -> Void
    /// Called with an error about a request of this socket, and the sender of the error, if known.
    let receiveError: (EchoError, IPAddress?) -> Void
    /// Called after each batch of packets.
    let batchEnded: () -> Void
    /// Called when the socket is closed.
    let ended: () -> Void
    /// Called before ``receive`` with the hop limit of the packet, or its time to live, if the kernel reports it.
    var receiveHopLimit: ((Int) -> Void)?
}
