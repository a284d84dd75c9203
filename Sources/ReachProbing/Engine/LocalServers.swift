import ReachSystem

/// The hosts that this machine's network settings name: the first that a person looks at when nothing answers.
public struct LocalServers: Sendable, Hashable {
    /// The addresses of the default gateways, the preferred one of each family; a link-local one with its interface
    /// (`fe80::1%eth0`).
    public var gateways: [String]
    /// The addresses of the resolvers, in the order of their use.
    public var resolvers: [String]

    /// Creates servers of these addresses.
    public init(gateways: [String], resolvers: [String]) {
        self.gateways = gateways
        self.resolvers = resolvers
    }

    /// Reads the routing tables and `/etc/resolv.conf`. Nothing is sent.
    public init() {
        gateways = DefaultGateways().addresses.map { "\($0)" }
        resolvers = SystemResolvers().servers(at: .zero).map { "\($0.address)" }
    }
}

/// The default gateways of this machine, the preferred one of each address family.
struct DefaultGateways: Sendable, Hashable {
    let addresses: [IPAddress]

    /// Parses Linux's routing tables.
    ///
    /// - Parameters:
    ///   - ipv4: `/proc/net/route`: interface, destination, gateway, flags, three counters, metric, mask …; addresses are
    ///     hexadecimal numbers in the byte order of the machine.
    ///   - ipv6: `/proc/net/ipv6_route`: destination, its prefix, source, its prefix, gateway, metric, two counters,
    ///     flags, interface; hexadecimal.
    ///   - index: returns the index of an interface, which a link-local gateway needs.
    init(ipv4: String, ipv6: String, index: (String) -> UInt32) {
        typealias Route = (metric: UInt32, gateway: IPAddress)
        let ipv4Routes = Self.rows(of: ipv4).compactMap { fields -> Route? in
            guard fields.count >= 8, Self.number(fields[1]) == 0, Self.number(fields[7]) == 0,
                Self.isGateway(fields[3]), let gateway = Self.number(fields[2]), let metric = UInt32(fields[6])
            else { return nil }
            return (metric, IPAddress(ipv4: UInt32(bigEndian: gateway)))
        }
        let ipv6Routes = Self.rows(of: ipv6).compactMap { fields -> Route? in
            guard fields.count >= 10, fields[0].allSatisfy({ $0 == "0" }), fields[1] == "00", Self.isGateway(fields[8]),
                fields[4].count == 32, let high = UInt64(fields[4].prefix(16), radix: 16),
                let low = UInt64(fields[4].suffix(16), radix: 16), let metric = Self.number(fields[5])
            else { return nil }
            return (metric, IPAddress(ipv6: high, low).onLink(index(String(fields[9]))))
        }
        addresses = [ipv4Routes, ipv6Routes].compactMap { routes in
            routes.filter { !$0.gateway.isUnspecified }.min { $0.metric < $1.metric }?.gateway
        }
    }

    private static func rows(of text: String) -> [[Substring]] {
        text.split(whereSeparator: \.isNewline).map { $0.split { $0 == " " || $0 == "\t" } }
    }

    private static func number(_ text: Substring) -> UInt32? {
        UInt32(text, radix: 16)
    }

    /// Whether a route is up and leads through a gateway, by its flags: `RTF_UP`, `RTF_GATEWAY`.
    private static func isGateway(_ flags: Substring) -> Bool {
        number(flags).map { $0 & 0x3 == 0x3 } ?? false
    }
}

#if canImport(Darwin)
extension DefaultGateways {
    /// Reads the routing tables by sysctl(3), as `netstat -rn` does. Link-local gateways are left out.
    init() {
        addresses = [AF_INET, AF_INET6].compactMap(Self.gateway)
    }

    private static func gateway(_ family: CInt) -> IPAddress? {
        var names = [CTL_NET, PF_ROUTE, 0, family, NET_RT_FLAGS, RTF_GATEWAY]
        var size = 0
        guard sysctl(&names, UInt32(names.count), nil, &size, nil, 0) == 0, size > 0 else { return nil }
        var bytes = [UInt8](repeating: 0, count: size)
        guard sysctl(&names, UInt32(names.count), &bytes, &size, nil, 0) == 0 else { return nil }
        return bytes.withUnsafeBytes { bytes in
            var start = 0
            while start + MemoryLayout<rt_msghdr>.size <= size {
                let header = bytes.loadUnaligned(fromByteOffset: start, as: rt_msghdr.self)
                guard header.rtm_msglen > 0 else { return nil }
                defer { start += Int(header.rtm_msglen) }
                // The addresses follow in the order of their bits, each padded to four bytes.
                let destination = start + MemoryLayout<rt_msghdr>.size
                guard header.rtm_addrs & (RTA_DST | RTA_GATEWAY) == RTA_DST | RTA_GATEWAY,
                    destination < size
                else { continue }
                let length = Int(bytes[destination])
                let gateway = destination + (length == 0 ? 4 : (length + 3) & ~3)
                guard gateway + MemoryLayout<sockaddr>.size <= size,
                    address(at: destination, in: bytes, length: length)?.isUnspecified ?? (length == 0),
                    let found = address(at: gateway, in: bytes, length: Int(bytes[gateway])), !found.isLinkLocal
                else { continue }
                return found
            }
            return nil
        }
    }

    /// The address in a socket address, which may be shorter than its structure.
    private static func address(at start: Int, in bytes: UnsafeRawBufferPointer, length: Int) -> IPAddress? {
        var storage = sockaddr_storage()
        let count = min(length, bytes.count - start, MemoryLayout<sockaddr_storage>.size)
        guard count > 0 else { return nil }
        return withUnsafeMutableBytes(of: &storage) { target -> IPAddress? in
            target.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[start..<start + count]))
            return target.baseAddress.flatMap { IPAddress($0.assumingMemoryBound(to: sockaddr.self)) }
        }
    }
}
#else
extension DefaultGateways {
    /// Reads the routing tables of the kernel.
    init() {
        self.init(
            ipv4: Self.text(of: "/proc/net/route"),
            ipv6: Self.text(of: "/proc/net/ipv6_route"),
            index: { if_nametoindex($0) }
        )
    }

    /// The first four megabytes of a file, more than any machine but a core router has.
    private static func text(of path: String) -> String {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        return String(decoding: (try? readAll(from: descriptor, limit: 4_194_304)) ?? [], as: UTF8.self)
    }
}
#endif
