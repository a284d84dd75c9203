/// A module: how `GET /probe` probes the target of a request, as in Prometheus's blackbox exporter.
package struct ProbeModule: Sendable, Hashable {
    /// What a probe sends, and which reply it expects.
    package enum Prober: Sendable, Hashable {
        /// An HTTP request.
        case http(HTTPModule)
        /// A TCP connection with an exchange of lines.
        case tcp(TCPModule)
        /// A DNS query.
        case dns(DNSModule)
        /// An ICMP echo request.
        case icmp(ICMPModule)
        /// A prober or option of the blackbox exporter that reach does not have. Probes are refused with the reason.
        case unsupported(reason: String)

        /// The name of the prober in settings.
        package var name: String {
            switch self {
            case .http: "http"
            case .tcp: "tcp"
            case .dns: "dns"
            case .icmp: "icmp"
            case .unsupported: "unsupported"
            }
        }
    }

    /// The name, unique among the modules.
    package var name: String
    /// The maximum duration of a probe; nil for that of the scrape.
    package var timeout: Duration?
    /// The prober with its options.
    package var prober: Prober
    /// The preferred address family; any stands for the choice of the system.
    package var family: Family
    /// Whether a target without an address of the preferred family is probed at its other address.
    package var hasFallback: Bool
    /// The source address of the probes; nil leaves the choice to the system.
    package var source: String?

    /// Creates a module with the address selection of the blackbox exporter: IPv6, or else IPv4.
    package init(
        _ name: String,
        _ prober: Prober,
        timeout: Duration? = nil,
        family: Family = .v6,
        hasFallback: Bool = true,
        source: String? = nil
    ) {
        self.name = name
        self.prober = prober
        self.timeout = timeout
        self.family = family
        self.hasFallback = hasFallback
        self.source = source
    }
}
