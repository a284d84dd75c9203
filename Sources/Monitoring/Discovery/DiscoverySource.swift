/// A source of targets outside the settings file, and how targets are made of its list.
package struct DiscoverySource: Sendable, Hashable {
    /// Where the list is from. It identifies the list.
    package enum Kind: Sendable, Hashable {
        /// Files whose names match a pattern, as in Prometheus's file-based service discovery.
        case files(pattern: String, directory: String)
        /// A list by HTTP, as in Prometheus's HTTP-based service discovery.
        case http(DiscoveryRequest)
        /// The output of a command, in the same format.
        case command(HookCommand)
        /// The active targets of a Prometheus server.
        case prometheus(DiscoveryRequest)
        /// The SRV records of a name; without servers, by the system's resolvers.
        case services(String, servers: [String])
    }

    package let kind: Kind
    /// The time from one refresh to the next.
    package let refresh: Duration
    /// The time after which a refresh fails.
    package let timeout: Duration
    /// Reads the header fields of requests, which may be in files.
    package var headers: @Sendable () throws(DiscoveryProblem) -> [HTTPOptions.Header] = {
        () throws(DiscoveryProblem) in []
    }
    /// Makes the targets of one target of the list: two if both families are probed, and none if it is not enabled.
    package var targets: @Sendable (DiscoveredTarget) throws(DiscoveryProblem) -> [Target]

    /// Creates a source.
    package init(
        _ kind: Kind,
        refresh: Duration,
        timeout: Duration,
        targets: @escaping @Sendable (DiscoveredTarget) throws(DiscoveryProblem) -> [Target]
    ) {
        (self.kind, self.refresh, self.timeout, self.targets) = (kind, refresh, timeout, targets)
    }

    /// Compares where the lists are from, and how often they are read.
    package static func == (one: DiscoverySource, other: DiscoverySource) -> Bool {
        one.kind == other.kind && one.refresh == other.refresh && one.timeout == other.timeout
    }

    /// Hashes what is compared.
    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(refresh)
        hasher.combine(timeout)
    }

    /// The name in messages and metrics, without secrets.
    package var name: String { kind.name }

    /// The key of the settings that it is written with.
    package var type: String { kind.type }

    /// The name, as the subject of messages.
    package var title: String { "source \(name)" }
}

extension DiscoverySource.Kind {
    /// The name in messages and metrics, without secrets.
    package var name: String {
        switch self {
        case .files(let pattern, _): pattern
        case .http(let request), .prometheus(let request): request.url.withoutURLSecrets
        case .command(let command): "\(command)"
        case .services(let name, _): name
        }
    }

    /// The key of the settings that it is written with.
    package var type: String {
        switch self {
        case .files: "file"
        case .http: "http"
        case .command: "command"
        case .prometheus: "prometheus"
        case .services: "dns"
        }
    }
}
