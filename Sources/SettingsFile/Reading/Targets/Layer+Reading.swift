import Monitoring

extension Layer {
    /// The shortest interval. With shorter ones, the cost of the probes would distort round trips.
    private static let whyShortest = "more frequent probes would distort each other"
    private static let longest = Duration.seconds(365 * 86_400)

    /// Reads the keys that the defaults, groups and targets share.
    init(_ table: inout TableReader) {
        readRules(from: &table)
        if let tags = table.tags("tags") { change { $0.add(tags) } }

        readICMP(from: &table)
        readTCP(from: &table)
        readSession(from: &table)
        readTLS(from: &table)
        readHTTP(from: &table)
        readDNS(from: &table)
        readUDP(from: &table)
        readDatabases(from: &table)
        readExec(from: &table)
    }

    /// Reads the keys of a source for all its targets: those that are shared, without tags and without options of methods.
    init(ofSource table: inout TableReader) {
        readRules(from: &table)
    }

    private mutating func readRules(from table: inout TableReader) {
        readTiming(from: &table)
        readThresholds(from: &table)
        set(\.family, to: table.choice("family", of: FamilyChoice.self))
        set(\.addresses, to: table.choice("addresses", of: AddressesChoice.self))
        let source = table.source("source")
        set(\.source, to: source)
        if source != nil { set(\.sourceOrigin, to: table.origin("source")) }
        set(\.dependsOn, to: table.dependencies("depends_on"))
        set(\.isEnabled, to: table.flag("enabled"))
    }

    private mutating func readTiming(from table: inout TableReader) {
        let range = SettingsFile.shortestInterval...Self.longest
        let interval = table.duration("interval", in: range, because: Self.whyShortest)
        let timeout = table.duration("timeout", in: .milliseconds(1)...Self.longest)
        set(\.interval, to: interval)
        set(\.timeout, to: timeout)
        if interval != nil { set(\.timingOrigin, to: table.origin("interval")) }
        if timeout != nil { set(\.timingOrigin, to: table.origin("timeout")) }
        if table.has("interval") { set(\.hasInvalidInterval, to: interval == nil) }
        if table.has("timeout") { set(\.hasInvalidTimeout, to: timeout == nil) }
        set(\.retryInterval, to: table.duration("retry_interval", in: range, because: Self.whyShortest))
        set(\.downInterval, to: table.duration("down_interval", in: range, because: Self.whyShortest))
        set(\.spread, to: table.share("spread", in: 0...0.5))
    }

    private mutating func readThresholds(from table: inout TableReader) {
        set(\.rise, to: table.integer("rise", in: 1...Int.max))
        set(\.fall, to: table.integer("fall", in: 1...Int.max))
        set(\.slow, to: table.duration("slow", in: .microseconds(1)...Self.longest))
        set(\.lossy, to: table.share("lossy", in: 0...1))
        set(\.mayFlap, to: table.flag("flapping"))
    }
}
