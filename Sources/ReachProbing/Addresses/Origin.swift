import NIOCore
import NIOPosix
import ReachMonitoring
import ReachSystem

/// The source of probes in place of the system's choice: the resolved value of the setting `source`.
enum Origin: Sendable, Hashable {
    /// This source address, on any interface that the route selects.
    case address(IPAddress)
    /// The interface with this index, with the address that the kernel selects on it.
    case interface(UInt32)

    /// Resolves a source for packets to `destination`.
    ///
    /// - Parameter source: an address of this machine, or the name of an interface.
    /// - Throws: A fault with the address or interface that this machine lacks.
    init(_ source: String, toward destination: IPAddress) throws(Fault) {
        if let address = IPAddress(literal: source) {
            guard address.family == destination.family else {
                throw Fault(.noSource, detail: "source \(source): wrong address family for \(destination)")
            }
            try address.checkIsLocal()
            self = .address(address)
            return
        }
        let index = if_nametoindex(source)
        guard index != 0 else {
            throw Fault(.noSource, detail: "source \(source): not an interface or address of this machine")
        }
        if Self.canSelectInterface {
            self = .interface(index)
            return
        }
        // Where the kernel does not allow the choice of an interface, one of its addresses is used.
        let interface = try LocalNetwork.read().interfaces.first { $0.name == source }
        let candidates = (interface?.addresses ?? []).filter { $0.family == destination.family }
        let isNearby = destination.isLinkLocal
        guard let chosen = candidates.first(where: { $0.isLinkLocal == isNearby }) ?? candidates.first else {
            let family = destination.family == .ipv4 ? "IPv4" : "IPv6"
            throw Fault(.noSource, detail: "source \(source): the interface has no \(family) address")
        }
        self = .address(chosen)
    }

    /// Sets a socket of this family to this source. Returns the error number, or zero.
    func apply(to descriptor: CInt, _ family: IPAddress.Family) -> CInt {
        switch self {
        case .address(let address):
            #if os(Linux)
            // A kernel without this option assigns a port with the address.
            setOption(Self.bindAddressNoPort, CInt(IPPROTO_IP), of: descriptor, to: 1)
            #endif
            return address.withSocketAddress { bind(descriptor, $0, $1) } < 0 ? errno : 0
        case .interface(let index):
            let (level, name) = Self.interfaceOption(family)
            return setOption(name, level, of: descriptor, to: CInt(bitPattern: index))
        }
    }

    #if os(Linux)
    /// IP_BIND_ADDRESS_NO_PORT (ip(7)), of either family: the kernel selects the port when the socket connects, for
    /// that peer only. Otherwise each socket takes a port of the address exclusively, and the ports run out.
    static let bindAddressNoPort: CInt = 24
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

    /// Whether the kernel lets this process select an interface: Linux since 5.7, or with CAP_NET_RAW.
    private static let canSelectInterface: Bool = {
        let descriptor = openSocket(.ipv4, SocketType.datagram)
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
    /// The source of the probe; nil leaves the choice to the system.
    ///
    /// - Throws: A fault, if this machine has no such address or interface.
    func origin() throws(Fault) -> Origin? {
        guard let address else { return nil }
        return try origin(toward: address)
    }

    /// The source of a part of the probe that goes to this address; nil leaves the choice to the system.
    ///
    /// - Throws: A fault, if this machine has no such address or interface.
    func origin(toward destination: IPAddress) throws(Fault) -> Origin? {
        guard let source else { return nil }
        return try Origin(source, toward: destination)
    }
}

extension IPAddress {
    /// Checks with the kernel that a socket can be bound to the address.
    ///
    /// - Throws: A fault, if it cannot.
    func checkIsLocal() throws(Fault) {
        let descriptor = openSocket(family, SocketType.datagram)
        guard descriptor >= 0 else { throw Fault(errno: errno) }
        defer { close(descriptor) }
        let code = Origin.address(self).apply(to: descriptor, family)
        switch code {
        case 0: return
        case EADDRNOTAVAIL: throw Fault(.noSource, detail: "source \(self): not an address of this machine")
        case EINVAL where lacksInterface:
            throw Fault(.noSource, detail: "source \(self): interface missing – add it, as in fe80::1%eth0")
        default: throw Fault(errno: code)
        }
    }
}

extension ClientBootstrap {
    /// Sets the source of the connection; nil leaves the choice to the system.
    func leaving(from origin: Origin?, toward destination: IPAddress) -> ClientBootstrap {
        switch origin {
        case nil:
            return self
        case .address(let address):
            #if os(Linux)
            let option = ChannelOptions.Types.SocketOption(
                level: NIOBSDSocket.OptionLevel(rawValue: CInt(IPPROTO_IP)),
                name: NIOBSDSocket.Option(rawValue: Origin.bindAddressNoPort)
            )
            return channelOption(option, value: 1).bind(to: address.socketAddress(port: 0))
            #else
            return bind(to: address.socketAddress(port: 0))
            #endif
        case .interface(let index):
            return channelOption(Origin.channelOption(destination.family), value: SocketOptionValue(index))
        }
    }
}

extension Origin {
    fileprivate static func channelOption(_ family: IPAddress.Family) -> ChannelOptions.Types.SocketOption {
        let (level, name) = interfaceOption(family)
        return ChannelOptions.Types.SocketOption(
            level: NIOBSDSocket.OptionLevel(rawValue: level),
            name: NIOBSDSocket.Option(rawValue: name)
        )
    }
}
