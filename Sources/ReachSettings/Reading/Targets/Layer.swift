import ReachMonitoring

/// The keys set in `[defaults]`, a template, a group or a target, as changes to a ``TargetDraft``.
///
/// Changes are applied in this order: defaults, group, target, each after its template. For each key, the value nearest to the target wins.
struct Layer: Sendable {
    private var changes: [@Sendable (inout TargetDraft) -> Void] = []

    /// Applies the changes.
    func apply(to draft: inout TargetDraft) {
        for change in changes { change(&draft) }
    }

    /// Adds a change.
    mutating func change(_ change: @escaping @Sendable (inout TargetDraft) -> Void) {
        changes.append(change)
    }

    /// Adds a change of one value; nil, for a missing or invalid key, changes nothing.
    mutating func set<Value: Sendable>(_ key: any WritableKeyPath<TargetDraft, Value> & Sendable, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }

    /// Adds a change of one optional value. Without this overload, a missing key would set the value to nil.
    mutating func set<Value: Sendable>(_ key: any WritableKeyPath<TargetDraft, Value?> & Sendable, to value: Value?) {
        guard let value else { return }
        change { $0[keyPath: key] = value }
    }
}

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

    /// Reads the keys that a source sets for all its targets: the shared ones, without tags and options of methods.
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
        if let path = table.pathLayer("path") { change { $0.path.apply(path) } }
        if let shifts = table.shiftLayer("shifts") { change { $0.shifts.apply(shifts) } }
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
        set(\.sla, to: table.percent("sla", in: ServiceLevel.percents).map { ServiceLevel(percent: $0) })
    }
}

extension Layer {
    mutating func readICMP(from table: inout TableReader) {
        table.options("icmp", example: "{ size = 56 }") { icmp in
            set(\.icmp.size, to: icmp.integer("size", in: ICMPOptions.sizes))
            set(\.icmp.ttl, to: icmp.integer("ttl", in: 1...255))
            set(\.icmp.dscp, to: icmp.integer("dscp", in: 0...63))
        }
    }

    mutating func readTCP(from table: inout TableReader) {
        table.options("tcp", example: "{ expect = \"(?m)^SSH-2\" }") { tcp in
            set(\.tcp.send, to: tcp.payload("send"))
            set(\.tcp.expect, to: tcp.pattern("expect"))
        }
    }

    mutating func readSession(from table: inout TableReader) {
        table.options("session", example: "{ keepalive = \"15s\" }") { session in
            // The kernel counts whole seconds. Linux accepts at most this many (MAX_TCP_KEEPIDLE).
            set(\.session.keepalive, to: session.duration("keepalive", in: .seconds(1)...(.seconds(32_767))))
            set(\.session.send, to: session.payload("send"))
            set(\.session.expect, to: session.pattern("expect"))
            set(\.session.idleClose, to: session.choice("idle_close", of: SessionOptions.IdleClose.self))
        }
    }

    mutating func readTLS(from table: inout TableReader) {
        let origin = table.origin("tls", "key")
        table.options("tls", example: "{ warn_days = 14 }") { tls in
            set(\.tls.ca, to: tls.file("ca"))
            set(\.tls.serverName, to: tls.serverName("server_name"))
            set(\.tls.verifies, to: tls.flag("verify"))
            set(\.tls.warnDays, to: tls.integer("warn_days", in: 0...3_650))
            let (certificate, key) = (tls.file("cert"), tls.file("key"))
            // A certificate without a key has it in its own file, whatever key is inherited.
            if certificate != nil { change { $0.tls.key = nil } }
            set(\.tls.certificate, to: certificate)
            set(\.tls.key, to: key)
            if key != nil { set(\.keyOrigin, to: origin) }
            set(\.tls.starttls, to: tls.choice("starttls", of: TLSOptions.StartTLS.self))
        }
    }

    mutating func readHTTP(from table: inout TableReader) {
        let origin = table.origin("http", "proxy")
        table.options("http", example: "{ status = [200], body = \"ok\" }") { http in
            set(\.http.method, to: http.httpMethod("method"))
            let headers = http.headers("headers")
            change { $0.http.add(headers) }
            set(\.http.bodySent, to: http.sentText("body_sent"))
            set(\.http.status, to: http.statusCodes("status"))
            set(\.http.body, to: http.pattern("body"))
            set(\.http.bodyNot, to: http.pattern("body_not"))
            set(\.http.json, to: http.jsonChecks("json"))
            set(\.http.responseHeaders, to: http.headerChecks("response_headers"))
            let proxies = http.proxies("proxy")
            set(\.http.proxies, to: proxies)
            if proxies != nil { set(\.proxyOrigin, to: origin) }
            set(\.http.follow, to: http.integer("follow", in: 0...20))
            set(\.http.retries, to: http.integer("retries", in: 0...10))
        }
    }

    mutating func readDNS(from table: inout TableReader) {
        let origin = table.origin("dns", "rcode")
        table.options("dns", example: "{ answer = \"192.0.2.1\" }") { dns in
            let (answer, code) = (dns.text("answer"), dns.responseCode("rcode"))
            set(\.answer, to: answer)
            set(\.responseCode, to: code)
            if code != nil { set(\.responseCodeOrigin, to: origin) }
            set(\.transport, to: dns.choice("transport", of: DNSQuestion.Transport.self))
            if answer != nil, let code, code != .noerror { dns.reportAnswer(under: code) }
        }
    }

    mutating func readUDP(from table: inout TableReader) {
        table.options("udp", example: "{ send = \"ping\", expect = \"pong\" }") { udp in
            // The largest payload of an IPv4 datagram.
            set(\.udp.send, to: udp.payload("send", limit: 65_507))
            set(\.udp.expect, to: udp.pattern("expect"))
        }
    }

    mutating func readDatabases(from table: inout TableReader) {
        table.options("redis", example: "{ password = \"${REDIS_PASSWORD}\" }") { redis in
            set(\.redis.user, to: redis.credential("user"))
            set(\.redis.password, to: redis.credential("password"))
        }
        table.options("postgres", example: "{ password = \"${PGPASSWORD}\" }") { postgres in
            set(\.postgres.password, to: postgres.credential("password"))
        }
    }

    mutating func readExec(from table: inout TableReader) {
        let example = "run = [\"df\", \"/\"]"
        var command: HookCommand?
        table.options("exec", example: "{ \(example) }") { exec in
            command = exec.command("run")
            if !exec.has("run") { exec.reportMissing("run", hint: "such as \(example)") }
        }
        set(\.command, to: command)
        guard table.has("exec") else { return }
        table.log.hasCommands = true
        set(\.hasInvalidCommand, to: command == nil)
    }
}

extension HTTPOptions {
    /// Adds header fields. Each replaces one of the same name, ignoring case (RFC 9110 §5.1).
    fileprivate mutating func add(_ added: [Header]) {
        for header in added {
            headers.removeAll { $0.name.lowercased() == header.name.lowercased() }
            headers.append(header)
        }
    }
}

/// The settings of a group or of a template.
struct SharedSettings: Sendable {
    let name: String
    let layer: Layer
    let hooks: [HookRule]
    /// The name of the template of a group.
    let template: String?
    let path: SettingsPath
}

extension TableReader {
    /// Reads the name of a template, and returns its settings. An unknown name is reported.
    mutating func template(of templates: [String: SharedSettings]) -> SharedSettings? {
        guard let name = text("template") else { return nil }
        if let template = templates[name] { return template }
        guard !log.isIncomplete else { return nil }
        let suggestion = name.suggestion(among: templates.keys.sorted())
        log.report(
            ProblemLog.SharedProblem(
                message: "unknown template \(name.quoted)",
                hint: suggestion ?? "write [template.\(name.tomlKey)] with the keys of the template",
                keyPath: title + "template",
                location: location(of: "template"),
                target: self.name
            ),
            of: nil
        )
        return nil
    }

    /// Reads the name of a group. A name that is not declared is reported if it is nearly one that is.
    mutating func group(of groups: [String: SharedSettings]) -> String? {
        guard let name = name("group") else { return nil }
        guard groups[name] == nil, let near = name.nearest(of: groups.keys.sorted()) else { return name }
        // Short names are often near each other, such as LAN and WLAN.
        let isCase = near.lowercased() == name.lowercased()
        let lacksLetter = name.count == 3 && near.count == 4 && name.first?.lowercased() == near.first?.lowercased()
        if isCase || name.count > 3 || lacksLetter {
            report(
                "unknown group \(name.quoted)",
                hint: "did you mean \(near.quoted)? For a new one, write [group.\(name.tomlKey)]",
                about: "group"
            )
        }
        return name
    }

    /// The largest number of tags of one level.
    private static let tagLimit = 32

    /// Reads tags. They have no variables.
    mutating func tags(_ key: String) -> [String]? {
        let example = "such as [\"db\", \"prod\"]"
        guard let elements = texts(key, example: example, hasVariables: false) else { return nil }
        let invalid = elements.filter { !$0.text.isTag }
        for element in invalid {
            report(
                "invalid tag \(element.text.quoted)",
                hint: "1 to 64 letters, digits and - _ . : /",
                about: key,
                at: element
            )
        }
        guard invalid.isEmpty else { return nil }
        guard elements.count <= Self.tagLimit else {
            report("\(elements.count) tags", hint: "at most \(Self.tagLimit)", about: key)
            return nil
        }
        return elements.map(\.text)
    }
}

extension String {
    /// Whether the text can be a tag: one word in a filter, and in a list with commas.
    var isTag: Bool {
        (1...64).contains(count) && allSatisfy { $0.isLetter || $0.isNumber || "-_.:/".contains($0) }
    }
}
