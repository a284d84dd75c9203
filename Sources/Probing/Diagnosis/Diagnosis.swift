public import Monitoring

/// What this machine lets a prober do, found out by trying. Nothing is sent but the resolver's own questions.
public struct Diagnosis: Sendable, Hashable {
    /// Whether echo requests can be sent in a family.
    public enum Echo: Sendable, Hashable {
        /// By a datagram socket, which takes no privilege.
        case datagram
        /// By a raw socket, which takes one.
        case raw
        /// Not at all; this is why, and what mends it.
        case refused(Fault)
    }

    /// Where a packet for the world would leave.
    public struct WayOut: Sendable, Hashable {
        /// The interface's name: `eth0`.
        public let interface: String
        /// The interface's kind, where the system tells: `wifi`.
        public let kind: String?
        /// The address that the packet would bear.
        public let source: String

        /// A way out.
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
        /// Why nothing can leave by it: `eth0 is down`; nil where something can.
        public let trouble: String?

        /// An interface.
        public init(name: String, trouble: String?) {
            self.name = name
            self.trouble = trouble
        }
    }

    /// What came of looking a name up.
    public struct Lookup: Sendable, Hashable {
        /// The name.
        public let name: String
        /// Its addresses; empty if there are none.
        public let addresses: [String]
        /// Why there are none.
        public let failure: Failure?
        /// How long it took.
        public let duration: Duration

        /// The end of a lookup.
        public init(name: String, addresses: [String], failure: Failure? = nil, duration: Duration) {
            self.name = name
            self.addresses = addresses
            self.failure = failure
            self.duration = duration
        }
    }

    /// Whether echo requests can be sent, by family.
    public var echo: [Family: Echo]
    /// The interfaces, in the system's order.
    public var links: [Link]
    /// Where packets for the world leave, by family; a family that has no way out is missing.
    public var ways: [Family: WayOut]
    /// The addresses of the machine's resolvers, in the order in which they are asked.
    public var resolvers: [String]
    /// What came of looking names up, in the order in which they were given.
    public var lookups: [Lookup]
    /// How many descriptors there may be.
    public var descriptors: DescriptorLimit

    /// A diagnosis of these parts.
    public init(
        echo: [Family: Echo],
        links: [Link],
        ways: [Family: WayOut],
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
