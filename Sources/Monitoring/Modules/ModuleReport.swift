/// The result of a probe by a module. ``ModuleExposition`` writes it as metrics.
package struct ModuleReport: Sendable, Hashable {
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
    package var http: HTTPModuleReport?
    /// Whether a pattern failed the probe; nil for probers without patterns.
    package var isRegexFailure: Bool?
    /// Whether other bytes than the expected ones failed the probe; nil for probers without expected bytes.
    package var isBytesFailure: Bool?
    /// The connection by TLS; nil without one.
    package var tls: TLSModuleReport?
    /// The labels of the expected line; empty for none.
    package var labels: [TCPModule.Step.Label] = []
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
