package import ReachMonitoring

/// The interfaces by which packets can leave this machine, and the families that have a default route.
package struct OutboundPath: Sendable, Hashable {
    /// An interface that can carry packets to other machines.
    package struct Interface: Sendable, Hashable {
        package let name: String
        /// The kind of link; nil if the system does not report it.
        package let kind: LinkKind?
    }

    /// Whether there is a default route of IPv4.
    package let supportsIPv4: Bool
    /// Whether there is a default route of IPv6.
    package let supportsIPv6: Bool
    /// The interfaces, those of the default routes first.
    package let interfaces: [Interface]

    /// Reads the interfaces and routes.
    ///
    /// - Throws: A fault, if the system does not report them.
    package init() throws(Fault) {
        self.init(of: try LocalNetwork.read(), kind: \.kind)
    }

    /// - Parameter kind: Returns the kind of an interface.
    init(of network: LocalNetwork, kind: (ReachProbing.Interface) -> LinkKind?) {
        let outbound = OutboundRoutes(of: network)
        supportsIPv4 = outbound.routes[.ipv4] != nil
        supportsIPv6 = outbound.routes[.ipv6] != nil
        let byRoute = [IPAddress.Family.ipv4, .ipv6].compactMap { outbound.routes[$0]?.interface }
        var names: [String] = []
        let others = network.interfaces.map(\.name).filter(outbound.links.contains)
        for name in byRoute + others where !names.contains(name) { names.append(name) }
        interfaces = names.compactMap { name in network.interfaces.first { $0.name == name } }
            .map { Interface(name: $0.name, kind: kind($0)) }
    }
}
