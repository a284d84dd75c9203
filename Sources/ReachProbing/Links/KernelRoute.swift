import NIOCore
public import ReachMonitoring
import ReachSystem

/// The kernel's route to an address, and the source address of its packets.
enum KernelRoute: Sendable, Hashable {
    /// There is a route, with this source address.
    case from(IPAddress)
    /// There is no route.
    case none(Outcome)

    /// Looks the route up by connecting a datagram socket, which sends nothing.
    ///
    /// - Parameter origin: the source of the packets; nil leaves the choice to the system.
    init(to address: IPAddress, leaving origin: Origin? = nil) {
        let descriptor = openSocket(address.family, SocketType.datagram)
        guard descriptor >= 0 else {
            self = .none(Outcome(noRouteBecause: errno, to: address))
            return
        }
        defer { close(descriptor) }
        if let code = origin?.apply(to: descriptor, address.family), code != 0 {
            self = .none(Outcome(noRouteBecause: code, to: address))
            return
        }
        let code = address.connect(descriptor, allowsBroadcast: true)
        guard code == 0 else {
            self = .none(Outcome(noRouteBecause: code, to: address))
            return
        }
        guard let source = LocalEndpoint(of: descriptor)?.address, !source.isUnspecified else {
            self = .none(.failure(Failure(.noRoute, detail: "no address to send from")))
            return
        }
        self = .from(source)
    }

    /// The source addresses of the default routes, one for each family that has one. The destinations are reserved for
    /// documentation (RFC 5737, RFC 3849): no route but the default one leads to them.
    static func defaultSources() -> [IPAddress] {
        ["203.0.113.1", "2001:db8::1"].compactMap { text in
            guard let address = IPAddress(literal: text), case .from(let source) = KernelRoute(to: address) else {
                return nil
            }
            return source
        }
    }
}

extension IPAddress {
    /// Whether packets to the address go to all hosts of a network, by the kernel's routes.
    var isBroadcast: Bool {
        guard family == .ipv4 else { return false }
        let descriptor = openSocket(.ipv4, SocketType.datagram)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        return connect(descriptor, allowsBroadcast: false) == EACCES && connect(descriptor, allowsBroadcast: true) == 0
    }

    /// Connects a datagram socket to the address, which sends nothing. Returns the error number; zero on success.
    ///
    /// - Parameter allowsBroadcast: whether a broadcast address is accepted; otherwise the error is EACCES.
    fileprivate func connect(_ descriptor: CInt, allowsBroadcast: Bool) -> CInt {
        setOption(SO_BROADCAST, SOL_SOCKET, of: descriptor, to: allowsBroadcast ? 1 : 0)
        // Any port but zero, which macOS refuses; this is the discard port (RFC 863).
        return withSocketAddress(port: 9) { connectSocket(descriptor, $0, $1) == 0 ? 0 : errno }
    }
}

/// Calls the system's `connect`, which a method of that name hides.
private func connectSocket(_ descriptor: CInt, _ address: UnsafePointer<sockaddr>, _ size: socklen_t) -> CInt {
    connect(descriptor, address, size)
}

extension Outcome {
    /// Creates the outcome of a failed route lookup from its error number.
    fileprivate init(noRouteBecause code: CInt, to address: IPAddress) {
        let detail: String
        switch code {
        case EADDRNOTAVAIL: detail = "no address to send from"
        case EAFNOSUPPORT, EPROTONOSUPPORT:
            detail = "this machine has no \(address.family == .ipv4 ? "IPv4" : "IPv6")"
        case ENODEV, ENXIO: detail = "no such interface"
        case EACCES, EPERM: detail = "route prohibited"
        case EINVAL where !address.lacksInterface: detail = "blackhole route"
        case ENETUNREACH, ENETDOWN: detail = Reason.networkUnreachable.words
        default:
            let outcome = Outcome(errno: code, to: address)
            guard case .failure(let failure) = outcome else {
                self = outcome
                return
            }
            detail = failure.detail
        }
        self = .failure(Failure(.noRoute, detail: detail))
    }
}

extension Question {
    /// Whether a packet to the target would now be sent over a mobile network, as far as this machine knows.
    ///
    /// A target without an address (a command, any link, a name that was never resolved) uses the outbound interface of
    /// the machine. A tunnel does not count as a mobile network, whatever link carries it.
    ///
    /// - Parameter address: the numeric address of the last probe.
    public func usesCellular(address: String?) -> Bool {
        // Without a list of interfaces, the network does not count as mobile.
        outboundLinkKind(address: address) == .cellular
    }

    /// The kind of link of packets to the target; nil if there is no route, or the system does not report the kind.
    ///
    /// - Parameter address: the numeric address of the last probe.
    public func outboundLinkKind(address: String?) -> LinkKind? {
        let destination = (address ?? host).flatMap { IPAddress(literal: $0) }
        var source: IPAddress?
        if let destination, case .from(let own) = KernelRoute(to: destination) { source = own }
        return (try? LocalNetwork.read())?.interface(for: self, to: destination, from: source)?.kind
    }
}

extension LocalNetwork {
    /// The interface for packets to a target; nil if there is none.
    ///
    /// - Parameters:
    ///   - destination: the target's address, if it has one.
    ///   - source: the source address of packets to it, if there is a route.
    func interface(for question: Question, to destination: IPAddress?, from source: IPAddress?) -> Interface? {
        if case .link(let name?) = question { return interfaces.first { $0.name == name } }
        // Addresses of this machine are reached by its loopback interface.
        if let destination, interface(of: destination) != nil { return interfaces.first(where: \.isLoopback) }
        return source.flatMap { interface(of: $0) } ?? outboundInterface
    }
}
