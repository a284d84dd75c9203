/// The result of a probe by a module. ``BlackboxExposition`` writes it as metrics.
package struct BlackboxReport: Sendable, Hashable {
    /// The lookup of the target's address.
    package struct Lookup: Sendable, Hashable {
        /// How long it took.
        package var duration: Duration
        /// The bytes of the address; nil if there is none.
        package var address: [UInt8]?

        /// Creates a lookup.
        package init(duration: Duration, address: [UInt8]? = nil) {
            self.duration = duration
            self.address = address
        }
    }

    /// A DNS answer.
    package struct DNS: Sendable, Hashable {
        /// The durations of `resolve`, `connect` and `request`.
        package var phases: [String: Duration] = ["resolve": .zero, "connect": .zero, "request": .zero]
        /// The number of records in the answer section.
        package var answers = 0
        /// The number of records in the authority section.
        package var authorities = 0
        /// The number of records in the additional section.
        package var additions = 0
        /// Whether the server replied.
        package var isAnswered = false
        /// The serial number of the zone; nil unless the query is for SOA. Zero if no record has one.
        package var serial: UInt32?

        /// Creates the facts of a query without an answer.
        package init() {}
    }

    /// An echo reply.
    package struct ICMP: Sendable, Hashable {
        /// The durations of `resolve`, `setup` and `rtt`.
        package var phases: [String: Duration] = ["resolve": .zero, "setup": .zero, "rtt": .zero]
        /// The hop limit of the reply, or its time to live; nil if the system does not report it.
        package var hopLimit: Int?

        /// Creates the facts of a request without a reply.
        package init() {}
    }

    /// A line of the log for `debug=true`.
    package struct LogLine: Sendable, Hashable {
        /// The severity.
        package enum Level: String, Sendable, Hashable {
            case debug
            case info
            case error
        }

        /// The time since the start of the probe.
        package let time: Duration
        /// The severity.
        package let level: Level
        /// The message.
        package let message: String
        /// Names and values.
        package let fields: [(name: String, value: String)]

        /// Creates a line.
        package init(time: Duration, level: Level, message: String, fields: [(name: String, value: String)]) {
            self.time = time
            self.level = level
            self.message = message
            self.fields = fields
        }

        package static func == (one: LogLine, other: LogLine) -> Bool {
            one.time == other.time && one.level == other.level && one.message == other.message
                && one.fields.elementsEqual(other.fields, by: ==)
        }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(time)
            hasher.combine(message)
        }
    }

    /// Whether the reply was as expected.
    package var isSuccess = false
    /// How long the probe took.
    package var duration = Duration.zero
    /// The timeout of the probe.
    package var timeout: Duration
    /// The lookup of the target's address; nil if there was none.
    package var lookup: Lookup?
    /// The facts of an HTTP probe; nil for another prober.
    package var http: BlackboxHTTPReport?
    /// Whether a pattern failed the probe; nil for probers without patterns.
    package var isRegexFailure: Bool?
    /// Whether other bytes than the expected ones failed the probe; nil for probers without expected bytes.
    package var isBytesFailure: Bool?
    /// The connection by TLS; nil without one.
    package var tls: BlackboxTLSReport?
    /// The labels of the expected line; empty for none.
    package var labels: [BlackboxTCPModule.Step.Label] = []
    /// The facts of a DNS probe; nil for another prober.
    package var dns: DNS?
    /// The facts of an ICMP probe; nil for another prober.
    package var icmp: ICMP?
    /// The log; empty unless it was requested.
    package var log: [LogLine] = []

    /// Creates the result of a probe that has not begun.
    package init(timeout: Duration) {
        self.timeout = timeout
    }
}

/// The facts of an HTTP probe by a module.
package struct BlackboxHTTPReport: Sendable, Hashable {
    /// The durations of `resolve`, `connect`, `tls`, `processing` and `transfer`, each summed over all redirects.
    package var phases: [String: Duration] = [:]
    /// The value of `Content-Length`; -1 if the response has none, 0 without a response.
    package var contentLength = 0
    /// The number of bytes of the body that were read.
    package var bodyLength = 0
    /// The number of redirects received.
    package var redirects = 0
    /// Whether the last response came by TLS.
    package var isSecure = false
    /// The status code; 0 without a response.
    package var status = 0
    /// The version, such as `1.1`; nil without a response.
    package var version: String?
    /// The time of `Last-Modified` in seconds since 1970; nil if the response has none.
    package var lastModified: Int64?

    /// Creates the facts of a request without a response.
    package init() {}
}

/// A connection by TLS, and the certificates of its peer.
package struct BlackboxTLSReport: Sendable, Hashable {
    /// The version: `TLS 1.3`.
    package var version: String
    /// The earliest expiry of a certificate that the peer sent, in seconds since 1970.
    package var earliestExpiry: Int64
    /// The latest expiry of a verified chain, which expires with its first certificate; nil without verification.
    package var chainExpiry: Int64?
    /// The SHA-256 hash of the peer's certificate, in hexadecimal.
    package var fingerprint: String
    /// The subject of the peer's certificate (RFC 4514).
    package var subject: String
    /// The issuer of the peer's certificate (RFC 4514).
    package var issuer: String
    /// The DNS names of the peer's certificate.
    package var names: [String]
    /// The serial number of the peer's certificate, in hexadecimal.
    package var serialNumber: String

    /// Creates the description of a connection.
    package init(
        version: String,
        earliestExpiry: Int64,
        chainExpiry: Int64?,
        fingerprint: String,
        subject: String,
        issuer: String,
        names: [String],
        serialNumber: String
    ) {
        self.version = version
        self.earliestExpiry = earliestExpiry
        self.chainExpiry = chainExpiry
        self.fingerprint = fingerprint
        self.subject = subject
        self.issuer = issuer
        self.names = names
        self.serialNumber = serialNumber
    }
}
