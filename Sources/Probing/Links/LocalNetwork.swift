import Monitoring

/// The interfaces of this machine at one moment, and where its packets would leave.
struct LocalNetwork: Sendable, Hashable {
    var interfaces: [Interface]
    /// The addresses that packets for the world would bear, one for each family that has a default route.
    var sources: [IPAddress] = []

    /// The interface that leads out: that of a default route, or else any that may.
    var exit: Interface? {
        let byRoute = sources.lazy.compactMap { interface(of: $0) }.first(where: \.mayLeadOut)
        return byRoute ?? interfaces.first { $0.mayLeadOut && !$0.isBridge }
    }

    /// What can be said of `link:NAME`, or of `link:any` where no interface is named.
    func linkOutcome(of name: String?, kind: (Interface) -> LinkKind?) -> Outcome {
        guard let name else {
            guard let exit else { return .failure(Failure(.linkDown, detail: "no interface is up")) }
            return .reply(Reply(roundTrip: nil, detail: Self.words(for: exit, kind)))
        }
        guard let interface = interfaces.first(where: { $0.name == name }) else {
            return .failure(Failure(.linkDown, detail: "\(name) does not exist"))
        }
        if let trouble = interface.trouble { return .failure(Failure(.linkDown, detail: trouble)) }
        return .reply(Reply(roundTrip: nil, detail: kind(interface)?.rawValue))
    }

    /// What can be said of a route, where a packet for `destination` would bear the address `source`.
    func routeOutcome(
        to destination: IPAddress,
        from source: IPAddress,
        kind: (Interface) -> LinkKind?
    ) -> Outcome {
        if let failure = lackOfWayOut(to: destination, from: source) { return .failure(failure) }
        let words = exit(to: destination, from: source).map { Self.words(for: $0, kind) + ", " } ?? ""
        return .reply(Reply(roundTrip: nil, detail: "\(words)from \(source)"))
    }

    /// Why no packet for `destination` that bears the address `source` passes its interface; nil where one does. The
    /// kernel keeps a route whose cable is out, and would let the packet go nowhere.
    func lackOfWayOut(to destination: IPAddress, from source: IPAddress) -> Failure? {
        exit(to: destination, from: source)?.trouble.map { Failure(.noRoute, detail: $0) }
    }

    /// The interface by which a packet leaves; one for this machine itself goes no farther than its loopback.
    private func exit(to destination: IPAddress, from source: IPAddress) -> Interface? {
        interface(of: destination) == nil ? interface(of: source) : interfaces.first(where: \.isLoopback)
    }

    /// The interface that has an address, one that can be used if several have it.
    func interface(of address: IPAddress) -> Interface? {
        let owners = interfaces.lazy.filter { $0.addresses.contains { $0.isAnswered(by: address) } }
        return owners.first { $0.trouble == nil } ?? owners.first
    }

    private static func words(for interface: Interface, _ kind: (Interface) -> LinkKind?) -> String {
        [interface.name, kind(interface)?.rawValue].compactMap(\.self).joined(separator: ", ")
    }
}
