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

/// Whom a query goes to.
struct DNSServer: Sendable, Hashable {
    let address: IPAddress
    var port: UInt16 = 53
    /// Where queries to it leave this machine; nil for the system's choice.
    var origin: Origin?
}

/// The resolvers of a machine, as resolv.conf(5) names them.
struct ResolverFile: Sendable, Hashable {
    /// How many resolvers a C library asks; what follows is not for use.
    static let mostResolvers = 3

    /// The resolvers in the order in which they are asked; where none is named it is this machine itself. Never empty.
    let resolvers: [IPAddress]

    /// Reads the text of the file. Lines that are no `nameserver` with an address do not matter here.
    init(_ text: String) {
        let named = text.split(whereSeparator: \.isNewline).lazy.compactMap(Self.resolver)
        let resolvers = Array(named.prefix(Self.mostResolvers))
        self.resolvers = resolvers.isEmpty ? [IPAddress(bytes: [127, 0, 0, 1])].compactMap(\.self) : resolvers
    }

    /// The keyword starts the line, and the address ends with the next blank.
    private static func resolver(_ line: Substring) -> IPAddress? {
        let words = line.split(maxSplits: 2) { $0 == " " || $0 == "\t" }
        guard line.hasPrefix("nameserver"), words.count >= 2, words[0] == "nameserver" else { return nil }
        return IPAddress(literal: String(words[1]))
    }
}
