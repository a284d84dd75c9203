/// A module: how `GET /probe` probes the target of a request, as in Prometheus's blackbox exporter.
package struct BlackboxModule: Sendable, Hashable {
    /// What a probe sends, and which reply it expects.
    package enum Prober: Sendable, Hashable {
        /// An HTTP request.
        case http(BlackboxHTTPModule)
        /// A TCP connection with an exchange of lines.
        case tcp(BlackboxTCPModule)
        /// A DNS query.
        case dns(BlackboxDNSModule)
        /// An ICMP echo request.
        case icmp(ICMPOptions)
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

extension ICMPOptions {
    /// The echo request of a module without options, of the same size as that of the blackbox exporter.
    package static let blackboxDefault = ICMPOptions(size: 28)
}

/// The exchange on a TCP connection of a module.
package struct BlackboxTCPModule: Sendable, Hashable {
    /// A step of the exchange. Its parts are performed in the order of the properties.
    package struct Step: Sendable, Hashable {
        /// A label of `probe_expect_info`.
        package struct Label: Sendable, Hashable {
            /// The name.
            package var name: String
            /// The value, with the groups of the expected line: `${1}`.
            package var value: String

            /// Pairs a name with a value.
            package init(_ name: String, _ value: String) {
                self.name = name
                self.value = value
            }
        }

        /// The pattern of a line that is waited for; nil for none.
        package var expect: BlackboxPattern?
        /// The labels from that line.
        package var labels: [Label] = []
        /// The bytes that are expected next; empty for none.
        package var expectedBytes: [UInt8] = []
        /// The line that is sent, with the groups of the expected line; nil for none.
        package var send: String?
        /// The bytes that are sent as they are; empty for none.
        package var sentBytes: [UInt8] = []
        /// Whether the connection is upgraded to TLS.
        package var startsTLS = false

        /// Creates a step that does nothing.
        package init() {}
    }

    /// The steps in order.
    package var steps: [Step] = []
    /// Whether the connection begins with TLS.
    package var isSecure = false
    /// The options for TLS.
    package var tls = TLSOptions()

    /// Creates an exchange that only connects.
    package init() {}
}

/// The credentials in the field `Authorization`. A file is read for each probe, since secrets are replaced while the
/// program runs.
package enum BlackboxAuthorization: Sendable, Hashable {
    /// A user with a password (RFC 7617).
    case basic(user: String, BlackboxSecret)
    /// Credentials after the name of their scheme: `Bearer` (RFC 6750).
    case scheme(String, BlackboxSecret)
}

/// A secret of a module.
package enum BlackboxSecret: Sendable, Hashable {
    /// The secret itself.
    case text(String)
    /// The file that contains it. Blanks and line ends around it are not part of it.
    case file(String)
}
