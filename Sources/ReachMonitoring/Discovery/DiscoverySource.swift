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

/// The request of a list by HTTP.
package struct DiscoveryRequest: Sendable, Hashable {
    /// The URL.
    package var url: String
    /// The header fields as they are written in the settings: the names of files with secrets, not the secrets.
    package var headerTexts: [String] = []
    /// The path of the certificates of the trusted authorities; nil for the system's.
    package var authorities: String?
    /// The path of the client's certificate; nil for none.
    package var certificate: String?
    /// The path of its key; nil if it is in the same file.
    package var key: String?

    /// Creates a request without header fields.
    package init(url: String) {
        self.url = url
    }
}

/// What is known about a source: its last good list, and whether the last refresh failed.
package struct SourceState: Sendable, Hashable {
    /// What a refresh has changed.
    package struct Change: Sendable, Hashable {
        /// Whether the list is another one.
        package var hasNewList = false
        /// The problem, if there was none or another one before.
        package var newProblem: String?
        /// Whether the refresh before failed, and this one did not.
        package var hasRecovered = false

        /// Creates a change of nothing.
        package init(hasNewList: Bool = false) {
            self.hasNewList = hasNewList
        }
    }

    /// The pause after a first failure. It doubles with each further one.
    static let firstPause = Duration.seconds(5)
    /// The shortest pause: the time to live of a record may be zero.
    static let shortestPause = Duration.seconds(5)

    /// The last good list; nil before the first one.
    package private(set) var list: DiscoveryList?
    /// Why the last refresh failed; nil if it did not.
    package private(set) var problem: String?
    /// When the last good list was read, since the start of the program.
    package private(set) var lastSuccess: Duration?
    private var failures = 0

    /// Creates the state before the first refresh.
    package init() {}

    /// Records the result of a refresh.
    ///
    /// - Returns: What it has changed; nil if nothing.
    package mutating func record(_ result: Result<DiscoveryList, DiscoveryProblem>, at now: Duration) -> Change? {
        var change = Change()
        switch result {
        case .success(let new):
            change.hasNewList = list != new
            change.hasRecovered = problem != nil
            (list, problem, lastSuccess, failures) = (new, nil, now, 0)
        case .failure(let error):
            if problem != error.description { change.newProblem = error.description }
            problem = error.description
            failures = min(failures + 1, 30)
        }
        return change == Change() ? nil : change
    }

    /// The pause until the next refresh: after a failure five seconds, ten, twenty …, at most the interval.
    ///
    /// - Parameters:
    ///   - refresh: the interval of the source.
    ///   - lifetime: how long the list is valid, if its server says so; at least five seconds, at most the interval.
    package func pause(refresh: Duration, lifetime: Duration? = nil) -> Duration {
        guard failures == 0 else {
            return min(refresh, Self.firstPause * (1 << (failures - 1)))
        }
        guard let lifetime else { return refresh }
        return min(refresh, max(lifetime, Self.shortestPause))
    }

    /// The problem with what follows from it, as part of a sentence; nil without a problem.
    package var problemSummary: String? {
        problem.map { "\($0); \(consequence)" }
    }

    private var consequence: String {
        switch list?.targets.count {
        case nil: "it has no targets yet"
        case 0: "it stays without targets"
        case 1: "its target stays"
        case let count?: "its \(count) targets stay"
        }
    }
}
