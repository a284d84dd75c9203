import LibC

/// The socket types, which C libraries declare in different ways.
enum SocketType {
    #if canImport(Glibc)
    static let stream = CInt(SOCK_STREAM.rawValue)
    static let datagram = CInt(SOCK_DGRAM.rawValue)
    static let raw = CInt(SOCK_RAW.rawValue)
    #else
    static let stream = SOCK_STREAM
    static let datagram = SOCK_DGRAM
    static let raw = SOCK_RAW
    #endif

    #if canImport(Glibc)
    /// A non-blocking stream that child processes do not inherit.
    static let connecting = CInt(SOCK_STREAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
    #elseif canImport(Musl)
    /// A non-blocking stream that child processes do not inherit.
    static let connecting = SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC
    #endif

    /// The type of an open socket.
    static func of(_ descriptor: CInt) -> CInt {
        var (type, size) = (CInt(0), socklen_t(MemoryLayout<CInt>.size))
        getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &type, &size)
        return type
    }
}

/// Calls the system's `close`, which a method of that name hides.
func closeDescriptor(_ descriptor: CInt) {
    _ = close(descriptor)
}
