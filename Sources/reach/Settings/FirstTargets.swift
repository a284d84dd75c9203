import Monitoring
import Probing

/// The targets that the dashboard shows without a settings file: what this machine needs to reach anything.
enum FirstTargets {
    /// The name of this source in the header.
    static let name = "this machine"

    /// Creates the targets: the uplink, the default gateways, the resolvers, and the route to the internet, which sends
    /// nothing.
    static func targets(for servers: LocalServers = LocalServers()) -> [Target] {
        var hosts = [("Uplink", "link:any")]
        for gateway in servers.gateways {
            let isOnly = servers.gateways.count == 1
            hosts.append((isOnly ? "Gateway" : "Gateway \(gateway)", "icmp://\(bracketed(gateway))"))
        }
        for resolver in servers.resolvers {
            let isOnly = servers.resolvers.count == 1
            hosts.append((isOnly ? "Resolver" : "Resolver \(resolver)", "dns://\(bracketed(resolver))/example.com"))
        }
        hosts.append(("Way out", "route://9.9.9.9"))
        return hosts.compactMap { name, url in
            (try? Question(url)).map { Target(name: name, question: $0) }
        }
    }

    private static func bracketed(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }
}
