import Monitoring

/// The keys that `[defaults]`, a group and a target share. A target's go over its group's, and those over the defaults.
struct Layer {
    /// A duration, and where it is written.
    struct Written {
        let duration: Duration
        let location: Location?
    }

    /// The shortest time between probes: below it, a probe's own cost would show in the round trips.
    static let shortestInterval = Duration.milliseconds(10)
    private static let whyShortest = "closer probes would measure themselves"
    private static let longest = Duration.seconds(365 * 86_400)

    var interval: Written?
    var timeout: Written?
    var retryInterval: Duration?
    var rise: Int?
    var fall: Int?
    var slow: Duration?
    var lossy: Double?
    var spread: Double?
    var size: Int?
    var ttl: Int?
    var dscp: Int?
    var send: String?
    var expect: String?
    /// Whether interval or timeout are there but unusable, so that nothing can be said about one from the other.
    var isTimingBroken = false

    /// Takes the shared keys of a table.
    init(_ table: inout TableReader) {
        interval = Self.written(
            "interval",
            in: Self.shortestInterval...Self.longest,
            because: Self.whyShortest,
            from: &table
        )
        timeout = Self.written("timeout", in: .milliseconds(1)...Self.longest, from: &table)
        retryInterval = table.duration(
            "retry_interval",
            in: Self.shortestInterval...Self.longest,
            because: Self.whyShortest
        )
        isTimingBroken = (table.has("interval") && interval == nil) || (table.has("timeout") && timeout == nil)
        rise = table.integer("rise", in: 1...Int.max)
        fall = table.integer("fall", in: 1...Int.max)
        slow = table.duration("slow", in: .microseconds(1)...Self.longest)
        lossy = table.share("lossy", in: 0...1)
        spread = table.share("spread", in: 0...0.5)

        var icmp = table.table(Method.icmp.rawValue, such: "icmp = { size = 56 }")
        size = icmp.integer("size", in: ICMPOptions.sizes)
        ttl = icmp.integer("ttl", in: 1...255)
        dscp = icmp.integer("dscp", in: 0...63)
        icmp.finish()

        var tcp = table.table(Method.tcp.rawValue, such: "tcp = { expect = \"^SSH-2\" }")
        send = tcp.text("send")
        expect = tcp.pattern("expect")
        tcp.finish()
    }

    private static func written(
        _ key: String,
        in range: ClosedRange<Duration>,
        because reason: String? = nil,
        from table: inout TableReader
    ) -> Written? {
        table.duration(key, in: range, because: reason).map {
            Written(duration: $0, location: table.location(of: key))
        }
    }

    /// This layer, with what it does not say taken from the one below.
    func over(_ lower: Layer?) -> Layer {
        guard let lower else { return self }
        var merged = self
        merged.interval = interval ?? lower.interval
        merged.timeout = timeout ?? lower.timeout
        merged.retryInterval = retryInterval ?? lower.retryInterval
        merged.rise = rise ?? lower.rise
        merged.fall = fall ?? lower.fall
        merged.slow = slow ?? lower.slow
        merged.lossy = lossy ?? lower.lossy
        merged.spread = spread ?? lower.spread
        merged.size = size ?? lower.size
        merged.ttl = ttl ?? lower.ttl
        merged.dscp = dscp ?? lower.dscp
        merged.send = send ?? lower.send
        merged.expect = expect ?? lower.expect
        merged.isTimingBroken = isTimingBroken || lower.isTimingBroken
        return merged
    }
}
