import Monitoring

extension Fault {
    /// The fault of a probe that a packet filter of this machine dropped or rejected.
    static let localFilter = Fault(.localFilter, detail: "the packet filter of this machine refused it")
    /// The fault of a probe with a route of the type `prohibit` (ip-route(8)).
    static let prohibitRoute = Fault(.localFilter, detail: "a prohibit route of this machine refused it")
    /// The fault of a probe with a route of the type `blackhole` (ip-route(8)).
    static let blackholeRoute = Fault(.localFilter, detail: "a blackhole route of this machine dropped it")

    /// The fault of a probe of an address of many hosts, whose replies would come from other addresses; nil for other
    /// addresses.
    static func manyHosts(at address: IPAddress) -> Fault? {
        guard address.isMulticast || address.isBroadcast else { return nil }
        let kind = address.isMulticast ? "multicast" : "broadcast"
        return Fault(.internal, detail: "\(kind) address: use the address of a host")
    }
}

extension Outcome {
    /// Creates the outcome for EACCES from sending or connecting. The causes are a route, an address that needs
    /// SO_BROADCAST (ip(7)), a security module, and, for IPv6 only, a router that prohibits the connection
    /// (`icmpv6_err_convert` of net/ipv6/icmp.c).
    init(refusedAccessTo address: IPAddress?) {
        guard let address else {
            self = .fault(.localFilter)
            return
        }
        if let fault = Fault.manyHosts(at: address) {
            self = .fault(fault)
        } else if case .none = KernelRoute(to: address) {
            self = .fault(.prohibitRoute)
        } else {
            self = address.family == .ipv6 ? .failure(Failure(.prohibited)) : .fault(.localFilter)
        }
    }
}
