public import Monitoring

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
