import ReachBasics
import ReachMonitoring
import ReachProbing

/// The targets that the dashboard shows without a settings file: the parts of the network that this machine needs for all
/// connections.
enum DefaultTargets {
    /// The name of this source in the header.
    static let name = "this machine"

    /// The timeout of a resolver.
    private static let resolverTimeout = Duration.milliseconds(1_500)

    /// Creates the targets: the uplink, the default gateways, the resolvers, and the route to the internet, which sends
    /// nothing.
    static func targets(for servers: LocalServers = LocalServers()) -> [Target] {
        var hosts = [("Uplink", "link:any")]
        for (name, gateway) in named("Gateway", servers.gateways) {
            hosts.append((name, "icmp://\(gateway.bracketed)"))
        }
        for (name, resolver) in named("Resolver", servers.resolvers) {
            hosts.append((name, "dns://\(resolver.bracketed)/example.com"))
        }
        hosts.append(("Way out", "route://9.9.9.9"))
        return hosts.compactMap { name, url in
            (try? Question(url)).map { question in
                var target = Target(name: name, question: question).withPath
                // A verdict takes three probes, and a person who starts the program waits for it.
                if question.method == .dns { target.timeout = resolverTimeout }
                return target
            }
        }
    }

    /// Returns a name for each address: the role, with the family if that differs, or else a number. The URL has the
    /// address.
    private static func named(_ role: String, _ addresses: [String]) -> [(String, String)] {
        let families = addresses.map { $0.contains(":") ? "IPv6" : "IPv4" }
        let areFamiliesUnique = Set(families).count == addresses.count
        return addresses.indices.map { index in
            let suffix = areFamiliesUnique ? families[index] : "\(index + 1)"
            return (addresses.count == 1 ? role : "\(role) \(suffix)", addresses[index])
        }
    }
}
