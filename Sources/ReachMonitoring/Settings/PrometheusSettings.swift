/// A Prometheus server, or another one with its HTTP API, whose results are shown as targets.
package struct PrometheusSettings: Sendable, Hashable {
    /// The name of the server in messages, and the vantage point of results without a label for it.
    package var name: String
    /// The URL before `/api/v1`: `http://prometheus:9090`.
    package var url: String
    /// A PromQL expression that is 1 for each target that answers and 0 for the others; nil for the metrics that the
    /// server has.
    package var probes: String?
    /// A PromQL expression for the round trips in seconds.
    package var roundTrips: String?
    /// The label with the name of the target; nil for the one of the metrics.
    package var targetLabel: String?
    /// The label with the group; nil for the one of the metrics.
    package var groupLabel: String?
    /// The label with the vantage point; nil for `vantage` where the server has it.
    package var vantageLabel: String?
    /// The shortest time between two queries for one purpose.
    package var interval = Duration.seconds(2)
    /// The longest time that a query may take.
    package var timeout = Duration.seconds(10)
    /// The most targets that are read besides the failing ones. More targets are counted, and read by group.
    package var rows = 2_000
    /// How the program identifies itself.
    package var credentials = ServerCredentials()
    /// How many vantage points must see a target down.
    package var quorum = Quorum.majority
    /// The time without a sample after which a vantage point counts as not reporting.
    package var staleAfter = FleetQuestion.defaultStaleAfter
    /// The hooks of all targets of the server.
    package var hooks: [HookRule] = []
    /// Further hooks of the targets of a group.
    package var groupHooks: [String: [HookRule]] = [:]

    /// Creates the settings of a server with the defaults.
    package init(name: String, url: String) {
        self.name = name
        self.url = url
    }

    /// The default of the name: host and port of the URL.
    package static func name(ofURL url: String) -> String {
        let rest = url.withoutUserInfo.split(separator: "://", maxSplits: 1).last ?? ""
        let authority = rest.prefix { !"/?#".contains($0) }
        return authority.isEmpty ? url : String(authority)
    }
}

/// The Alertmanager that gets silences.
package struct AlertmanagerSettings: Sendable, Hashable {
    /// The URL before `/api/v2`: `http://alertmanager:9093`.
    package var url: String
    /// How the program identifies itself.
    package var credentials = ServerCredentials()

    /// Creates the settings of a server without credentials.
    package init(url: String) {
        self.url = url
    }

    /// The name in messages: host and port.
    package var name: String { PrometheusSettings.name(ofURL: url) }
}

/// How the program identifies itself to an HTTP API, and how it verifies the server. Secrets are in files, which are read
/// for each connection, so that they can be renewed.
package struct ServerCredentials: Sendable, Hashable {
    /// The file of a bearer token (RFC 6750).
    package var tokenFile: String?
    /// The user (RFC 7617).
    package var user: String?
    /// The file of the user's password.
    package var passwordFile: String?
    /// The file of the trusted certificate authorities, in place of the system's.
    package var ca: String?
    /// The file of the client certificate.
    package var cert: String?
    /// The file of its private key.
    package var key: String?

    /// Creates credentials; by default none.
    package init() {}

    /// Why the credentials contradict each other, with the fix; nil if they do not.
    package var problem: String? {
        if tokenFile != nil, user != nil { return "token_file and user cannot be combined – remove one" }
        if passwordFile != nil, user == nil { return "password_file without user – add the user" }
        if user != nil, passwordFile == nil { return "user without password_file – add password_file" }
        if (cert == nil) != (key == nil) { return "cert and key belong together – add the other one" }
        return nil
    }
}

/// A matcher of a silence: it matches the alerts that have this value of a label.
package struct LabelMatcher: Sendable, Hashable {
    /// The name of the label.
    package let name: String
    /// Its value, as the server of the fleet has it.
    package let value: String

    /// Creates a matcher.
    package init(_ name: String, _ value: String) {
        (self.name, self.value) = (name, value)
    }

    /// The matcher as one line, as Alertmanager writes it: `target="Shop"`.
    package var text: String {
        let quoted = value.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
        return "\(name)=\"\(quoted.plainLabel(limit: 500) ?? "")\""
    }
}
