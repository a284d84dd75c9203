import Foundation
import ReachMonitoring
import ReachProbing
import ReachSettings

extension TargetSource {
    /// The first settings file without text; nil if there is none.
    var blankFile: String? { path.flatMap { WatchedFiles(path: $0, environment: environment).blankFile } }

    /// Returns the settings for a command that probes nothing; nil if no file is given and none is in the usual folders.
    ///
    /// - Throws: ``StartupError`` when a given file is not found, or the file is invalid.
    static func settings(of config: String?) throws(StartupError) -> Settings? {
        let source = try TargetSource(
            arguments: [],
            config: config,
            environment: ProcessInfo.processInfo.environment,
            mayLackFile: config == nil,
            mayLackTargets: true
        )
        return source.isFirstRun ? nil : try source.settings()
    }
}

extension TargetSource {
    /// Keeps the targets of the shard.
    func keepShard(of settings: inout Settings) {
        guard let shard else { return }
        if !needsParents {
            for index in settings.targets.indices { settings.targets[index].dependsOn = [] }
        }
        settings.keep(shard)
    }
}

extension Settings {
    /// Sets the interval of all targets.
    mutating func setInterval(_ interval: Duration) {
        for index in targets.indices { targets[index].setInterval(interval) }
    }
}

extension Target {
    /// Sets the interval, and the other times if they have the defaults that follow from it.
    mutating func setInterval(_ new: Duration) {
        let old = Target(name: name, question: question, interval: interval)
        let other = Target(name: name, question: question, interval: new)
        let longest = new * question.method.longestTimeoutInIntervals
        if timeout == old.timeout || timeout > longest { timeout = other.timeout }
        if retryInterval == old.retryInterval || retryInterval > new { retryInterval = other.retryInterval }
        if downInterval == old.downInterval { downInterval = other.downInterval }
        interval = new
    }
}

/// The targets that the dashboard shows without a settings file: what this machine needs to reach anything.
enum FirstTargets {
    /// The name of this source in the header.
    static let name = "this machine"

    /// Creates the targets: the uplink, the default gateways, the resolvers, and the route to the internet, which sends
    /// nothing.
    static func targets(for servers: LocalServers = LocalServers()) -> [Target] {
        var hosts = [("Uplink", "link:any")]
        for (name, gateway) in named("Gateway", servers.gateways) {
            hosts.append((name, "icmp://\(bracketed(gateway))"))
        }
        for (name, resolver) in named("Resolver", servers.resolvers) {
            hosts.append((name, "dns://\(bracketed(resolver))/example.com"))
        }
        hosts.append(("Way out", "route://9.9.9.9"))
        return hosts.compactMap { name, url in
            (try? Question(url)).map { Target(name: name, question: $0) }
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

    private static func bracketed(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }
}
