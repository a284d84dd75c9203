public import Monitoring

/// The results of the checks of this machine: ICMP rights, links, default routes and name lookups. The only packets
/// sent are the resolver's queries.
public struct Diagnosis: Sendable, Hashable {
    /// The way in which echo requests can be sent in an address family.
    public enum Echo: Sendable, Hashable {
        /// With a datagram socket, which needs no privilege.
        case datagram
        /// With a raw socket, which needs a privilege.
        case raw
        /// Not at all; the fault has the reason and the fix.
        case refused(Fault)
    }

    /// The default route of an address family.
    public struct OutboundRoutes: Sendable, Hashable {
        /// The interface's name: `eth0`.
        public let interface: String
        /// The interface's kind, if the system reports it: `wifi`.
        public let kind: String?
        /// The source address of its packets.
        public let source: String

        /// Creates a default route.
        public init(interface: String, kind: String?, source: String) {
            self.interface = interface
            self.kind = kind
            self.source = source
        }
    }

    /// An interface other than loopback.
    public struct Link: Sendable, Hashable {
        /// The interface's name.
        public let name: String
        /// Why no packet can leave by it: `eth0 is down`; nil if packets can.
        public let trouble: String?

        /// Creates an interface.
        public init(name: String, trouble: String?) {
            self.name = name
            self.trouble = trouble
        }
    }

    /// The result of a name lookup.
    public struct Lookup: Sendable, Hashable {
        /// The name.
        public let name: String
        /// Its addresses; empty if there are none.
        public let addresses: [String]
        /// Why there are none.
        public let failure: Failure?
        /// The duration of the lookup.
        public let duration: Duration

        /// Creates a result.
        public init(name: String, addresses: [String], failure: Failure? = nil, duration: Duration) {
            self.name = name
            self.addresses = addresses
            self.failure = failure
            self.duration = duration
        }
    }

    /// The way in which echo requests can be sent, by address family.
    public var echo: [Family: Echo]
    /// The interfaces, in the system's order.
    public var links: [Link]
    /// The default routes, by address family; a family without one is missing.
    public var ways: [Family: OutboundRoutes]
    /// The addresses of the machine's resolvers, in the order of their use.
    public var resolvers: [String]
    /// The results of the name lookups, in the order of the names.
    public var lookups: [Lookup]
    /// The descriptor limit of this process.
    public var descriptors: DescriptorLimit

    /// Creates a diagnosis of these parts.
    public init(
        echo: [Family: Echo],
        links: [Link],
        ways: [Family: OutboundRoutes],
        resolvers: [String],
        lookups: [Lookup],
        descriptors: DescriptorLimit
    ) {
        self.echo = echo
        self.links = links
        self.ways = ways
        self.resolvers = resolvers
        self.lookups = lookups
        self.descriptors = descriptors
    }
}
