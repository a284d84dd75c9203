/// What several targets depend on, so that its failure takes all of them down. The term is that of SCORE (Kompella,
/// Yates, Greenberg and Snoeren, "IP Fault Localization Via Risk Modeling", NSDI 2005): a shared risk.
public enum Risk: Sendable, Hashable {
    /// A router that answers, by its address, whatever method the path was measured with.
    case hop(String)
    /// A hop that does not answer, by its position between hops that do.
    case silent(SilentPosition)
    /// What lies directly behind a router that itself answers: its links, or a switch. Never an input: a cause becomes
    /// this when the accused hop answers.
    case beyond(String)
    /// The default gateway, by its address.
    case gateway(String)
    /// A link or interface of this machine, by its name.
    case link(String)
    /// A subnet: `192.0.2.0/24`.
    case subnet(String)
    /// A resolver, by its address, or ``systemResolver``.
    case resolver(String)
    /// A certificate, by its ``CertificateIdentity/name``.
    case certificate(String)
    /// The issuer of certificates, by its name.
    case issuer(String)
    /// An address or host that several targets share.
    case address(String)
    /// A proxy, by its address.
    case proxy(String)
    /// A target in `depends_on`, by its label.
    case parent(String)
    /// A group of the settings, by its name.
    case group(String)
    /// A vantage point, by its name.
    case vantagePoint(String)
}

extension Risk {
    /// The name of the resolvers that this machine is configured with.
    public static let systemResolver = "of this machine"
}

/// The position of a hop that does not answer: the `number`th such hop behind `previous`.
///
/// Several routers may have the same position: nothing that a trace shows tells them apart. A position is therefore
/// divided into branches by what answers next, and judged by the union of those branches that are down.
public struct SilentPosition: Sendable, Hashable {
    /// The last hop before it that answers; nil if none does.
    public var previous: String?
    /// Counts the silent hops behind `previous`, from one.
    public var number: Int

    /// Creates a position.
    public init(after previous: String?, number: Int) {
        self.previous = previous
        self.number = number
    }
}

/// What a target's outage may be caused by.
public struct TargetRisks: Sendable, Hashable {
    /// The hops of the last path that reached the target, in order and without the target itself; nil where a hop did
    /// not answer. Empty if no path is known.
    public var path: [String?]
    /// The risks that are not on the path.
    public var others: [Risk]
    /// The time between two probes. The onset of an outage is known to this accuracy.
    public var interval: Duration

    /// Creates the risks of a target.
    public init(path: [String?] = [], others: [Risk] = [], interval: Duration) {
        self.path = path
        self.others = others
        self.interval = interval
    }
}

/// Which failures a risk can explain.
enum RiskKind: UInt8, Sendable, CaseIterable {
    /// Carries packets: hops, gateway, link, subnet.
    case network
    case resolver
    case certificate
    /// An address, or a host.
    case host
    case proxy
    /// Declared by the user or observed as a whole; explains every failure.
    case any
}

extension Risk {
    var kind: RiskKind {
        switch self {
        case .hop, .silent, .beyond, .gateway, .link, .subnet: .network
        case .resolver: .resolver
        case .certificate, .issuer: .certificate
        case .address: .host
        case .proxy: .proxy
        case .parent, .group, .vantagePoint: .any
        }
    }
}
