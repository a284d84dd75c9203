import LibC
import Monitoring

/// Where probes leave this machine, in place of the system's choice: what `source` in the settings comes to.
enum Origin: Sendable, Hashable {
    /// From this address, whatever interface the route takes.
    case address(IPAddress)
    /// By the interface of this index, with the address that the kernel picks there.
    case interface(UInt32)

    /// Finds out what a source means at this moment for a packet to `destination`.
    ///
    /// - Parameter source: an address of this machine, or the name of an interface.
    /// - Throws: A fault that says what this machine lacks.
    init(_ source: String, toward destination: IPAddress) throws(Fault) {
        if let address = IPAddress(literal: source) {
            guard address.family == destination.family else {
                throw Fault(.noSource, detail: "source \(source): no packet to \(destination) can leave from there")
            }
            try address.mustBeLocal()
            self = .address(address)
            return
        }
        let index = if_nametoindex(source)
        guard index != 0 else {
            throw Fault(.noSource, detail: "source \(source): no interface and no address of this machine")
        }
        if Self.maySelectInterface {
            self = .interface(index)
            return
        }
        // A machine that does not let us choose the interface lets us choose one of its addresses.
        let interface = try LocalNetwork.read().interfaces.first { $0.name == source }
        let candidates = (interface?.addresses ?? []).filter { $0.family == destination.family }
        let isNearby = destination.isLinkLocal
        guard let chosen = candidates.first(where: { $0.isLinkLocal == isNearby }) ?? candidates.first else {
            let family = destination.family == .ipv4 ? "IPv4" : "IPv6"
            throw Fault(.noSource, detail: "source \(source): the interface has no \(family) address")
        }
        self = .address(chosen)
    }

    /// Makes a socket of this family leave from here; the error number of what went wrong, or zero.
    func apply(to descriptor: CInt, _ family: IPAddress.Family) -> CInt {
        switch self {
        case .address(let address):
            #if os(Linux)
                // Where the kernel does not know it, the address takes a port.
                var yes: CInt = 1
                setsockopt(
                    descriptor,
                    CInt(IPPROTO_IP),
                    Self.bindsWithoutPort,
                    &yes,
                    socklen_t(MemoryLayout<CInt>.size)
                )
            #endif
            return address.withSocketAddress { bind(descriptor, $0, $1) } < 0 ? errno : 0
        case .interface(let index):
            let (level, name) = Self.interfaceOption(family)
            var value = CInt(bitPattern: index)
            return setsockopt(descriptor, level, name, &value, socklen_t(MemoryLayout<CInt>.size)) < 0 ? errno : 0
        }
    }

    #if os(Linux)
        /// IP_BIND_ADDRESS_NO_PORT (ip(7)), of either family: the port is picked when the socket connects, and is then taken
        /// for that peer only. Otherwise the address takes a port for itself, and few ports are soon used up.
        static let bindsWithoutPort: CInt = 24
    #endif

    /// The socket option that takes the index of an interface.
    static func interfaceOption(_ family: IPAddress.Family) -> (level: CInt, name: CInt) {
        #if canImport(Darwin)
            // IP_BOUND_IF and IPV6_BOUND_IF of <netinet/in.h> and <netinet6/in6.h>.
            family == .ipv4 ? (CInt(IPPROTO_IP), 25) : (CInt(IPPROTO_IPV6), 125)
        #else
            // SO_BINDTOIFINDEX of <asm-generic/socket.h>.
            (SOL_SOCKET, 62)
        #endif
    }

    /// Whether the kernel lets this process choose an interface: Linux does since 5.7, or with CAP_NET_RAW.
    private static let maySelectInterface: Bool = {
        let descriptor = socket(AF_INET, SocketType.datagram, 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        #if canImport(Darwin)
            let loopback = if_nametoindex("lo0")
        #else
            let loopback = if_nametoindex("lo")
        #endif
        return loopback != 0 && Origin.interface(loopback).apply(to: descriptor, .ipv4) == 0
    }()
}

extension Probe {
    /// Where the probe leaves from; nil for the system's choice.
    ///
    /// - Throws: A fault, if this machine has no such place.
    func origin() throws(Fault) -> Origin? {
        guard let address else { return nil }
        return try origin(toward: address)
    }

    /// Where a part of the probe leaves from that goes to this address; nil for the system's choice.
    ///
    /// - Throws: A fault, if this machine has no such place.
    func origin(toward destination: IPAddress) throws(Fault) -> Origin? {
        guard let source else { return nil }
        return try Origin(source, toward: destination)
    }
}
