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
