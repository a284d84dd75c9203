/// What of the network decides whether anybody can be reached: the links that may lead out, and the default routes.
struct WayOut: Sendable, Hashable {
    let links: Set<String>
    let routes: [IPAddress.Family: Route]

    /// Where a default route leads.
    struct Route: Sendable, Hashable {
        let interface: String
        let source: IPAddress
    }

    init(of network: LocalNetwork) {
        links = Set(network.interfaces.lazy.filter { $0.mayLeadOut && !$0.isBridge }.map(\.name))
        var routes: [IPAddress.Family: Route] = [:]
        for source in network.sources {
            guard let interface = network.interface(of: source), interface.mayLeadOut else { continue }
            routes[source.family] = Route(interface: interface.name, source: source)
        }
        self.routes = routes
    }

    /// Whether something leads out that did not before, so that what failed a moment ago may succeed now.
    func isBetter(than before: WayOut) -> Bool {
        !links.isSubset(of: before.links) || routes.contains { before.routes[$0.key] != $0.value }
    }
}
