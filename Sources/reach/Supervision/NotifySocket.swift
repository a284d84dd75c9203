import LibC

/// The socket of a service manager that receives state notifications, one datagram per message (sd_notify(3)).
struct NotifySocket: Sendable {
    private let address: sockaddr_un
    private let length: socklen_t
    private let descriptor: Int32

    /// Opens a socket to a name: a path, or `@` and a name of the abstract namespace of Linux (unix(7)). Returns nil for any
    /// other name, or if no socket can be created.
    init?(_ name: String) {
        let bytes = Array(name.utf8)
        var address = sockaddr_un()
        guard bytes.count > 1, bytes[0] == UInt8(ascii: "/") || bytes[0] == UInt8(ascii: "@"),
            bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else { return nil }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { path in
            path.copyBytes(from: bytes)
            if bytes[0] == UInt8(ascii: "@") { path[0] = 0 }
        }
        self.address = address
        // An abstract name has no terminating null: the length of the address ends it.
        let isAbstract = bytes[0] == UInt8(ascii: "@")
        let prefix = MemoryLayout<sockaddr_un>.offset(of: \.sun_path) ?? 2
        length = socklen_t(prefix + bytes.count + (isAbstract ? 0 : 1))
        #if canImport(Glibc)
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0)
        #else
        descriptor = socket(AF_UNIX, SOCK_DGRAM, 0)
        #endif
        guard descriptor >= 0 else { return nil }
        // Hook commands must not inherit the socket.
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    /// Sends variable assignments, one per line, without blocking. Returns false if the manager does not read.
    func send(_ lines: [String]) -> Bool {
        let message = Array(lines.joined(separator: "\n").utf8)
        return withUnsafePointer(to: address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                sendto(descriptor, message, message.count, Int32(MSG_DONTWAIT), pointer, length) == message.count
            }
        }
    }
}
