package import ReachMonitoring
import ReachSystem

/// A snapshot of this machine's interfaces and default routes.
struct LocalNetwork: Sendable, Hashable {
    var interfaces: [Interface]
    /// The source addresses of the default routes, one for each family that has one.
    var sources: [IPAddress] = []

    /// The outbound interface: that of a default route, or else any interface that may be outbound.
    var outboundInterface: Interface? {
        let byRoute = sources.lazy.compactMap { interface(of: $0) }.first(where: \.mayBeOutbound)
        return byRoute ?? interfaces.first { $0.mayBeOutbound && !$0.isBridge }
    }

    /// The outcome of `link:NAME`, or of `link:any` if no interface is named.
    func linkOutcome(of name: String?, kind: (Interface) -> LinkKind?) -> Outcome {
        guard let name else {
            guard let outboundInterface else {
                return .failure(Failure(.linkDown, detail: "no outbound interface is up"))
            }
            return .reply(Reply(roundTrip: nil, detail: Self.description(of: outboundInterface, kind)))
        }
        guard let interface = interfaces.first(where: { $0.name == name }) else {
            return .failure(Failure(.linkDown, detail: "\(name) does not exist"))
        }
        if let problem = interface.problem { return .failure(Failure(.linkDown, detail: problem)) }
        return .reply(Reply(roundTrip: nil, detail: kind(interface)?.rawValue))
    }

    /// The outcome of a route probe, if packets to `destination` have the source address `source`.
    func routeOutcome(
        to destination: IPAddress,
        from source: IPAddress,
        kind: (Interface) -> LinkKind?
    ) -> Outcome {
        if let failure = routeFailure(to: destination, from: source) { return .failure(failure) }
        let prefix = interface(to: destination, from: source).map { Self.description(of: $0, kind) + ", " } ?? ""
        return .reply(Reply(roundTrip: nil, detail: "\(prefix)from \(source)"))
    }

    /// Why no packet from `source` to `destination` passes its interface; nil if one does. The kernel keeps a route
    /// whose cable is out, and would drop the packet.
    func routeFailure(to destination: IPAddress, from source: IPAddress) -> Failure? {
        interface(to: destination, from: source)?.problem.map { Failure(.noRoute, detail: $0) }
    }

    /// The interface of a packet; the loopback interface if the destination is an address of this machine.
    private func interface(to destination: IPAddress, from source: IPAddress) -> Interface? {
        interface(of: destination) == nil ? interface(of: source) : interfaces.first(where: \.isLoopback)
    }

    /// The interface with an address; if several have it, one that is usable.
    func interface(of address: IPAddress) -> Interface? {
        let owners = interfaces.lazy.filter { $0.addresses.contains { $0.isAnswered(by: address) } }
        return owners.first { $0.problem == nil } ?? owners.first
    }

    private static func description(of interface: Interface, _ kind: (Interface) -> LinkKind?) -> String {
        [interface.name, kind(interface)?.rawValue].compactMap(\.self).joined(separator: ", ")
    }
}

extension LocalNetwork {
    /// Reads the current state from the system.
    static func read() throws(Fault) -> LocalNetwork {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { throw Fault(errno: errno) }
        defer { freeifaddrs(list) }
        var interfaces: [Interface] = []
        var positions: [String: Int] = [:]
        for entry in sequence(first: list, next: { $0?.pointee.ifa_next }).prefix(while: { $0 != nil }) {
            guard let entry = entry?.pointee else { continue }
            let label = String(cString: entry.ifa_name)
            // Linux returns an address's label as the name, which may be `eth0:1`.
            let base = label.split(separator: ":").first.map(String.init) ?? label
            let name = positions[label] == nil && positions[base] != nil ? base : label
            let position: Int
            if let known = positions[name] {
                position = known
            } else {
                position = interfaces.count
                positions[name] = position
                interfaces.append(Interface(name: name, flags: UInt32(entry.ifa_flags)))
            }
            guard let pointer = entry.ifa_addr, let address = IPAddress(UnsafePointer(pointer)) else { continue }
            interfaces[position].addresses.append(address)
        }
        for position in interfaces.indices where interfaces[position].mayBeOutbound {
            interfaces[position].isBridge = isBridge(interfaces[position].name)
        }
        return LocalNetwork(interfaces: interfaces, sources: KernelRoute.defaultSources())
    }

    private static func isBridge(_ name: String) -> Bool {
        #if canImport(Darwin)
        name.hasPrefix("bridge")
        #else
        access("/sys/class/net/\(name)/bridge", F_OK) == 0
        #endif
    }
}

extension LocalAddress {
    /// Reads the addresses of this machine. None if the system has no memory for them.
    package static func all() -> [LocalAddress] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        return sequence(first: list, next: { $0?.pointee.ifa_next }).prefix { $0 != nil }.compactMap { entry in
            guard let entry = entry?.pointee, let pointer = entry.ifa_addr,
                let address = IPAddress(UnsafePointer(pointer))
            else { return nil }
            // Without a mask, as of a tunnel, no other host is directly connected.
            let mask = entry.ifa_netmask.flatMap { IPAddress(UnsafePointer($0)) }
            let length = mask.map { $0.bytes.reduce(0) { $0 + $1.nonzeroBitCount } }
            return LocalAddress("\(address)", prefixLength: length ?? address.bytes.count * 8)
        }
    }
}

extension Interface {
    /// Creates an interface from the flags of <net/if.h>, which are the same everywhere: `IFF_UP`, `IFF_RUNNING`,
    /// `IFF_LOOPBACK`.
    fileprivate init(name: String, flags: UInt32) {
        self.init(name: name, isUp: flags & 0x1 != 0, isRunning: flags & 0x40 != 0, isLoopback: flags & 0x8 != 0)
    }

    /// The kind of the interface, as the system reports it.
    var kind: LinkKind? {
        LinkKind(of: self) { file in
            let path = "/sys/class/net/\(name)/\(file)"
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            // A folder can be opened, but not read.
            return String(decoding: (try? readAll(from: descriptor, limit: 1_024)) ?? [], as: UTF8.self)
        }
    }
}

/// A snapshot of a network interface of this machine.
struct Interface: Sendable, Hashable {
    let name: String
    /// Whether it is administratively up.
    var isUp: Bool
    /// Whether it can carry packets: the cable is in, the radio is connected.
    var isRunning: Bool
    var isLoopback = false
    /// Whether it is a bridge of local containers and virtual machines. It is outbound only by a default route.
    var isBridge = false
    var addresses: [IPAddress] = []

    /// Why it cannot carry packets; nil if it can.
    var problem: String? {
        guard isUp else { return "\(name) is down" }
        return isRunning ? nil : "\(name) has no carrier"
    }

    /// Whether it may be outbound: it carries packets, and has an address that is not link-local.
    var mayBeOutbound: Bool {
        problem == nil && !isLoopback && addresses.contains { !$0.isLinkLocal }
    }
}

/// The kind of link behind an interface. The raw values are shown to users.
public enum LinkKind: String, Sendable, Hashable, CaseIterable {
    /// A cable, or an interface that behaves like one.
    case wired
    /// Wireless LAN.
    case wifi
    /// A mobile network.
    case cellular
    /// A tunnel through another link.
    case vpn
    /// This machine itself.
    case loopback

    /// The kind of an interface; nil if the system does not report it.
    ///
    /// - Parameter read: returns the contents of a file of Linux's `/sys/class/net/INTERFACE`; empty for a folder, nil
    ///   if there is none.
    init?(of interface: Interface, read: (_ file: String) -> String?) {
        let type = read("type").flatMap { Int($0.filter(\.isNumber)) }
        let deviceType = read("uevent")?.split(separator: "\n").first { $0.hasPrefix("DEVTYPE=") }?.dropFirst(8)
        if interface.isLoopback || type == 772 {
            self = .loopback
        } else if deviceType == "wwan" || interface.name.hasPrefix("wwan") {
            self = .cellular
        } else if deviceType == "wlan" || read("wireless") != nil || read("phy80211") != nil {
            self = .wifi
        } else if deviceType == "wireguard" || read("tun_flags") != nil || type.map(Self.tunnels.contains) == true {
            self = .vpn
        } else if type != nil {
            self = .wired
        } else {
            self.init(name: interface.name)
        }
    }

    /// The tunnel types of <linux/if_arp.h>: PPP, IP in IP, IPv6 in IPv6, IPv6 in IPv4, GRE, GRE over IPv6, and those
    /// without a link layer, as tun and WireGuard.
    private static let tunnels: Set<Int> = [512, 768, 769, 776, 778, 823, 65_534]

    /// Derives the kind from the interface's name, if there is no other information.
    private init?(name: String) {
        let kind = Self.names.first { name.hasPrefix($0.prefix) }?.kind
        guard let kind else { return nil }
        self = kind
    }

    private static let names: [(prefix: String, kind: LinkKind)] = {
        var names: [(prefix: String, kind: LinkKind)] = [
            ("lo", .loopback), ("wwan", .cellular), ("rmnet", .cellular), ("pdp_ip", .cellular), ("wl", .wifi),
            ("awdl", .wifi), ("tun", .vpn), ("tap", .vpn), ("utun", .vpn), ("wg", .vpn), ("ppp", .vpn),
            ("ipsec", .vpn), ("eth", .wired),
        ]
        #if !canImport(Darwin)
        // On macOS, Wi-Fi has such a name too.
        names.append(("en", .wired))
        #endif
        return names
    }()
}

/// The outbound links and default routes of a network, which decide whether any remote target can be reached.
struct OutboundRoutes: Sendable, Hashable {
    let links: Set<String>
    let routes: [IPAddress.Family: Route]

    /// A default route.
    struct Route: Sendable, Hashable {
        let interface: String
        let source: IPAddress
    }

    init(of network: LocalNetwork) {
        links = Set(network.interfaces.lazy.filter { $0.mayBeOutbound && !$0.isBridge }.map(\.name))
        var routes: [IPAddress.Family: Route] = [:]
        for source in network.sources {
            guard let interface = network.interface(of: source), interface.mayBeOutbound else { continue }
            routes[source.family] = Route(interface: interface.name, source: source)
        }
        self.routes = routes
    }

    /// Whether a link or route is new: probes that failed before may succeed now.
    func isBetter(than before: OutboundRoutes) -> Bool {
        !links.isSubset(of: before.links) || routes.contains { before.routes[$0.key] != $0.value }
    }
}
