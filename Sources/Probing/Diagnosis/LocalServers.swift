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
