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
