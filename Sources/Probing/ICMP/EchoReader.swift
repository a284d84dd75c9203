/// What reads from an ICMP socket, which it owns. Confined to its event loop.
protocol EchoReader: AnyObject {
    /// Whether the descriptor is still the socket's.
    var isOpen: Bool { get }

    /// Closes the socket. Nothing is heard of it any more but its end.
    func close()
}
