import LibC

/// The machine's resolvers, as its file names them now.
final class SystemResolvers {
    /// How long what was read is believed. Reading the file takes less time than sending the query.
    static let lifetime = Duration.seconds(5)
    /// How much of the file is read, in bytes.
    static let limit = 65_536

    private let path: String
    private var servers: [DNSServer] = []
    private var staleAt: Duration?

    init(path: String = "/etc/resolv.conf") {
        self.path = path
    }

    /// The resolvers at a time, in their order; this machine itself where there is no file.
    func servers(at time: Duration) -> [DNSServer] {
        if let staleAt, time < staleAt { return servers }
        staleAt = time + Self.lifetime
        servers = ResolverFile(text()).resolvers.map { DNSServer(address: $0) }
        return servers
    }

    private func text() -> String {
        // Should somebody have put a pipe there, nobody waits for its writer.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        let bytes = [UInt8](unsafeUninitializedCapacity: Self.limit) { buffer, count in
            count = max(0, read(descriptor, buffer.baseAddress, buffer.count))
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
