import ReachMonitoring
import ReachProbing

#if canImport(Network)
import Dispatch
import Network
#elseif canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The properties of this machine's path to the network, from ``Prober/networkPath()`` and ``Prober/networkPaths``. They
/// have the names of those of `NWPath` in Apple's Network framework. A property that the system does not report is nil.
///
/// Whether the path is satisfied, and why not, is the status of ``Reachability/Subject/internet``. The path to one host is
/// the link of its ``Reachability/Status``. Gateways and endpoints are left out, since no probe depends on them.
public struct NetworkPath: Sendable, Hashable, Codable {
    /// A network interface of this machine.
    public struct Interface: Sendable, Hashable, Codable {
        /// The name of the system: `eth0`.
        public var name: String
        /// The type of link behind it.
        public var link: Reachability.Link

        /// Creates an interface.
        public init(name: String, link: Reachability.Link) {
            self.name = name
            self.link = link
        }
    }

    /// Whether the traffic may cost money, as on a mobile network or the hotspot of a phone. Linux does not report it.
    public var isExpensive: Bool?
    /// Whether programs shall reduce their traffic (Low Data Mode). Linux does not report it.
    public var isConstrained: Bool?
    /// Whether a DNS server is configured; whether it answers is not known. On Linux, that is a `nameserver` in
    /// `/etc/resolv.conf` (resolv.conf(5)), and nil without the file.
    public var supportsDNS: Bool?
    /// Whether there is a default route of IPv4, whose interface can carry packets.
    public var supportsIPv4: Bool?
    /// Whether there is a default route of IPv6, whose interface can carry packets.
    public var supportsIPv6: Bool?
    /// The interfaces that can carry packets to other machines, those of the default routes first. The loopback interface
    /// is not one of them.
    public var interfaces: [Interface]

    /// Creates a path with these properties; unknown by default.
    public init(
        isExpensive: Bool? = nil,
        isConstrained: Bool? = nil,
        supportsDNS: Bool? = nil,
        supportsIPv4: Bool? = nil,
        supportsIPv6: Bool? = nil,
        interfaces: [Interface] = []
    ) {
        self.isExpensive = isExpensive
        self.isConstrained = isConstrained
        self.supportsDNS = supportsDNS
        self.supportsIPv4 = supportsIPv4
        self.supportsIPv6 = supportsIPv6
        self.interfaces = interfaces
    }
}

extension NetworkPath {
    #if canImport(Network)
    /// Asks the system.
    static func current() async -> NetworkPath {
        for await path in NWPathMonitor() { return NetworkPath(path) }
        return NetworkPath()
    }

    private init(_ path: NWPath) {
        self.init(
            isExpensive: path.isExpensive,
            isConstrained: path.isConstrained,
            supportsDNS: path.supportsDNS,
            supportsIPv4: path.supportsIPv4,
            supportsIPv6: path.supportsIPv6,
            interfaces: path.availableInterfaces.map { Interface(name: $0.name, link: Reachability.Link($0.type)) }
        )
    }
    #else
    /// Asks the system.
    @concurrent static func current() async -> NetworkPath {
        let text = try? Data(contentsOf: URL(filePath: "/etc/resolv.conf"))
        let outbound = try? OutboundPath()
        return NetworkPath(
            supportsDNS: text.map { namesServer(String(decoding: $0, as: UTF8.self)) },
            supportsIPv4: outbound?.supportsIPv4,
            supportsIPv6: outbound?.supportsIPv6,
            interfaces: (outbound?.interfaces ?? []).map { Interface(name: $0.name, link: Reachability.Link($0.kind)) }
        )
    }
    #endif

    /// Whether a text in the format of resolv.conf(5) names a server.
    static func namesServer(_ text: String) -> Bool {
        text.split(whereSeparator: \.isNewline).contains { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            return words.first == "nameserver" && words.count > 1
        }
    }
}

#if canImport(Network)
extension Reachability.Link {
    fileprivate init(_ type: NWInterface.InterfaceType) {
        self =
            switch type {
            case .wiredEthernet: .wired
            case .wifi: .wifi
            case .cellular: .cellular
            case .loopback: .loopback
            default: .other
            }
    }
}
#endif

/// The paths of this machine to the network, from ``Prober/networkPaths``. The sequence ends only when its task is
/// cancelled.
public struct NetworkPaths: AsyncSequence, Sendable {
    /// The new path.
    public typealias Element = NetworkPath
    /// The sequence does not throw.
    public typealias Failure = Never

    let prober: Prober

    /// One subscriber. The network is watched while there is one.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private let prober: Prober
        private let changes: EventBuffer<Void>.Reader
        /// The last path that the subscriber knows. Equal ones are skipped.
        private var known: NetworkPath?

        init(_ prober: Prober, _ changes: EventBuffer<Void>.Reader) {
            self.prober = prober
            self.changes = changes
        }

        /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> NetworkPath? {
            while true {
                if known != nil, await changes.next(isolation: actor) == nil { return nil }
                let path = await prober.networkPath()
                if Task.isCancelled { return nil }
                guard path != known else { continue }
                known = path
                return path
            }
        }

        /// Waits for the next change, on the caller's own actor; nil once the task is cancelled.
        public mutating func next() async -> NetworkPath? {
            await next(isolation: #isolation)
        }
    }

    /// Subscribes.
    public func makeAsyncIterator() -> AsyncIterator {
        let client = prober.makeClient()
        #if canImport(Network)
        // A path that becomes expensive or constrained is no change of a link.
        let monitor = NWPathMonitor()
        #endif
        let (buffer, reader) = EventBuffer<Void>.make(capacity: 1, tracker: prober.tracker) { _ in
            client.stop(forgetting: [])
            #if canImport(Network)
            monitor.cancel()
            #endif
        }
        let notify = { @Sendable [weak buffer] in
            buffer?.append([()])
            buffer?.wake()
        }
        #if canImport(Network)
        monitor.pathUpdateHandler = { _ in notify() }
        monitor.start(queue: .global())
        #endif
        _ = prober.start(client) { findings in
            if findings.contains(where: \.isAboutLink) { notify() }
        }
        // The backend reports links from the first request on.
        client.perform([.watch([])])
        return AsyncIterator(prober, reader)
    }
}

extension Finding {
    /// Whether it reports that links, addresses or routes have changed.
    fileprivate var isAboutLink: Bool {
        if case .link = self { true } else { false }
    }
}
