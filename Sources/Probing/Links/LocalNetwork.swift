import Monitoring

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
