import ReachSystem

/// The resolvers of this machine, cached from `/etc/resolv.conf`.
final class SystemResolvers {
    /// The lifetime of the cache. Reading the file takes less time than sending the query.
    static let lifetime = Duration.seconds(5)
    /// The maximum number of bytes to read.
    static let maxLength = 65_536

    private let path: String
    private var servers: [DNSServer] = []
    private var staleAt: Duration?

    init(path: String = "/etc/resolv.conf") {
        self.path = path
    }

    /// Returns the resolvers in order; localhost if there is no file.
    func servers(at time: Duration) -> [DNSServer] {
        if let staleAt, time < staleAt { return servers }
        staleAt = time + Self.lifetime
        servers = ResolverFile(text()).resolvers.map { DNSServer(address: $0) }
        return servers
    }

    private func text() -> String {
        // Do not block if the path is a named pipe.
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: (try? readAll(from: descriptor, limit: Self.maxLength)) ?? [], as: UTF8.self)
    }
}

/// The server of a query.
struct DNSServer: Sendable, Hashable {
    let address: IPAddress
    var port: UInt16 = 53
    /// The source of queries; nil for the system's choice.
    var origin: Origin?
}

/// The resolvers in a file in the format of resolv.conf(5).
struct ResolverFile: Sendable, Hashable {
    /// The maximum number of resolvers. C libraries ignore further ones, too.
    static let maxResolvers = 3

    /// The resolvers in the order of use; localhost if the file names none. Never empty.
    let resolvers: [IPAddress]

    /// Parses the text of the file. Lines other than `nameserver` with an address are ignored.
    init(_ text: String) {
        let named = text.split(whereSeparator: \.isNewline).lazy.compactMap(Self.resolver)
        let resolvers = Array(named.prefix(Self.maxResolvers))
        self.resolvers = resolvers.isEmpty ? [IPAddress(bytes: [127, 0, 0, 1])].compactMap(\.self) : resolvers
    }

    /// The keyword starts the line, and the address ends with the next blank.
    private static func resolver(_ line: Substring) -> IPAddress? {
        let fields = line.split(maxSplits: 2) { $0 == " " || $0 == "\t" }
        guard line.hasPrefix("nameserver"), fields.count >= 2, fields[0] == "nameserver" else { return nil }
        return IPAddress(literal: String(fields[1]))
    }
}
