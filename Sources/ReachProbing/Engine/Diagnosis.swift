import NIOPosix
public import ReachMonitoring
import ReachSystem

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
    public struct OutboundRoute: Sendable, Hashable {
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
        public let problem: String?

        /// Creates an interface.
        public init(name: String, problem: String?) {
            self.name = name
            self.problem = problem
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
    /// Why the paths over IPv4 cannot be traced by a method, for the methods that are refused.
    public var refusedPaths: [PathMethod: Fault] = [:]
    /// The interfaces, in the system's order.
    public var links: [Link]
    /// The default routes, by address family; a family without one is missing.
    public var routes: [Family: OutboundRoute]
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
        routes: [Family: OutboundRoute],
        resolvers: [String],
        lookups: [Lookup],
        descriptors: DescriptorLimit
    ) {
        self.echo = echo
        self.links = links
        self.routes = routes
        self.resolvers = resolvers
        self.lookups = lookups
        self.descriptors = descriptors
    }
}

extension Diagnosis {
    /// Runs all checks.
    ///
    /// - Parameters:
    ///   - names: the names to look up, all at the same time.
    ///   - limit: the timeout of a lookup.
    public static func make(lookingUp names: [String], within limit: Duration) async -> Diagnosis {
        let lookups = await withTaskGroup(of: (Int, Lookup).self) { group in
            for (index, name) in names.enumerated() {
                group.addTask { (index, await Lookup(name, within: limit)) }
            }
            return await group.reduce(into: [(Int, Lookup)]()) { $0.append($1) }
        }
        // Without a list of interfaces, none can be used.
        let network = (try? LocalNetwork.read()) ?? LocalNetwork(interfaces: [])
        var diagnosis = Diagnosis(
            echo: [.v4: Echo(.ipv4), .v6: Echo(.ipv6)],
            links: network.interfaces.filter { !$0.isLoopback }.map { Link(name: $0.name, problem: $0.problem) },
            routes: defaultRoutes(of: network),
            resolvers: SystemResolvers().servers(at: .zero).map { "\($0.address)" },
            lookups: lookups.sorted { $0.0 < $1.0 }.map(\.1),
            descriptors: .current
        )
        for method in PathMethod.allCases {
            diagnosis.refusedPaths[method] = PathProber.fault(of: method, isIPv6: false)
        }
        return diagnosis
    }

    private static func defaultRoutes(of network: LocalNetwork) -> [Family: OutboundRoute] {
        var routes: [Family: OutboundRoute] = [:]
        for source in network.sources {
            guard let interface = network.interface(of: source), interface.problem == nil else { continue }
            routes[source.family == .ipv4 ? .v4 : .v6] = OutboundRoute(
                interface: interface.name,
                kind: interface.kind?.rawValue,
                source: "\(source)"
            )
        }
        return routes
    }
}

extension Diagnosis.Echo {
    fileprivate init(_ family: IPAddress.Family) {
        do {
            let descriptor = try EchoSocket.descriptor(for: EchoSocket.Kind(family: family, ttl: 64, dscp: 0))
            defer { closeDescriptor(descriptor) }
            self = SocketType.of(descriptor) == SocketType.raw ? .raw : .datagram
        } catch {
            self = .refused(error)
        }
    }
}

extension Diagnosis.Lookup {
    /// Looks a name up. A lookup that exceeds the limit is abandoned.
    fileprivate init(_ name: String, within limit: Duration) async {
        let start = ContinuousClock.now
        let (ends, end) = AsyncStream.makeStream(of: Resolution.self)
        let watchdog = Task {
            try await Task.sleep(for: limit)
            let detail = "resolver timeout for \(name)"
            end.yield(.failure(Failure(.resolverFailed, detail: detail)))
        }
        NIOThreadPool.singleton.submit { _ in end.yield(Resolution.system(NameQuery(name))) }
        let resolution = await ends.first { _ in true }
        watchdog.cancel()
        let duration = ContinuousClock.now - start
        switch resolution {
        case .addresses(let found):
            self.init(name: name, addresses: found.map { "\($0)" }, duration: duration)
        case .failure(let failure):
            self.init(name: name, addresses: [], failure: failure, duration: duration)
        case .fault(let fault):
            let failure = Failure(.resolverFailed, detail: fault.detail)
            self.init(name: name, addresses: [], failure: failure, duration: duration)
        case nil:
            self.init(name: name, addresses: [], failure: Failure(.resolverFailed), duration: duration)
        }
    }
}
