/// A target that other programs probe, and that is read from elsewhere, such as from a Prometheus. No prober probes it.
public struct FleetQuestion: Sendable, Hashable {
    /// What is probed, as the source calls it: a URL, a host and port, or any other text. It is one line without control
    /// characters.
    public let instance: String
    /// How many vantage points must agree.
    public let quorum: Quorum
    /// The time after a sample from which a vantage point counts as not reporting.
    public let staleAfter: Duration
    /// What the alerts about the target have in common, and those about its group; nil if the source is no Prometheus.
    package var matcher: LabelMatcher?
    package var groupMatcher: LabelMatcher?

    /// Two and a half scrapes at the default interval of Prometheus, a minute.
    public static let defaultStaleAfter = Duration.seconds(150)

    /// Creates a question. The text of the instance is cleaned and shortened.
    public init(
        instance: String,
        quorum: Quorum = .majority,
        staleAfter: Duration = FleetQuestion.defaultStaleAfter
    ) {
        self.instance = instance.plainLabel(limit: 500) ?? "unnamed"
        self.quorum = quorum
        self.staleAfter = max(staleAfter, .seconds(1))
    }

    /// The host of the instance, if that is a URL, or a host with or without a port; otherwise nil.
    public var host: String? { authority?.host }

    /// The port of the instance; nil if it is not written there.
    public var port: UInt16? { authority?.port }

    private var authority: URLAuthority? {
        let rest = instance.firstRange(of: "://").map { instance[$0.upperBound...] } ?? instance[...]
        let text = rest.prefix { !"/?#".contains($0) }
        return try? URLAuthority(text[(text.lastIndex(of: "@").map(text.index(after:)) ?? text.startIndex)...])
    }
}
