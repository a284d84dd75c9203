/// The outbound links and default routes of a network, which decide whether any remote target can be reached.
struct OutboundRoutes: Sendable, Hashable {
    let links: Set<String>
    let routes: [IPAddress.Family: Route]

    /// A default route.
    struct Route: Sendable, Hashable {
        let interface: String
        let source: IPAddress
    }

    init(of network: LocalNetwork) {
        links = Set(network.interfaces.lazy.filter { $0.mayBeOutbound && !$0.isBridge }.map(\.name))
        var routes: [IPAddress.Family: Route] = [:]
        for source in network.sources {
            guard let interface = network.interface(of: source), interface.mayBeOutbound else { continue }
            routes[source.family] = Route(interface: interface.name, source: source)
        }
        self.routes = routes
    }

    /// Whether a link or route is new: probes that failed before may succeed now.
    func isBetter(than before: OutboundRoutes) -> Bool {
        !links.isSubset(of: before.links) || routes.contains { before.routes[$0.key] != $0.value }
    }
}
