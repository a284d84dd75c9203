package import ReachMonitoring
import ReachSystem

/// Checks a target as a whole, after each key by itself was checked.
///
/// Keys in the defaults or a group apply only to the targets that support them. Keys on a target must be supported by
/// that target.
struct TargetCheck {
    /// The table of the target, after all keys were read.
    let table: TableReader
    /// The number of targets of the table with this method.
    var count = 1
    /// Nil if the URL is invalid. The other keys are still checked.
    let question: Question?
    /// The method; nil if the URL does not name one.
    let method: Method?
    /// The keys set on the target itself.
    let own: TargetDraft
    /// The keys of the target with those of its group and the defaults.
    let draft: TargetDraft

    /// Reports all problems.
    func report() {
        reportUnsupportedOptions()
        reportCommand()
        reportKey()
        reportAnswer()
        if case .database(let question)? = question { reportCredentials(question) }
        if let question { reportFamily(question) }
        if let question { reportAddresses(question) }
        reportProxy()
        reportSource()
        reportPath()
        reportTimeout()
    }

    /// Reports a path of a target that has none.
    private func reportPath() {
        guard own.path.isOn == true, let question else { return }
        let problem: String? =
            if question.pathMethod == nil {
                "\(question.method.rawValue) has no path"
            } else if draft.source != nil {
                "paths cannot be traced from a source"
            } else if !Target(name: "", question: draft.applyingOptions(to: question)).hasPath {
                "the target has no path: it is this machine, or behind a proxy"
            } else {
                nil
            }
        if let problem { table.report(problem, hint: "remove it", about: "path") }
    }

    private func reportUnsupportedOptions() {
        guard let method else { return }
        for key in Method.allOptionTables where table.has(key) && !method.optionTables.contains(key) {
            table.report(
                "\(key) options do not apply to method \(method.rawValue)",
                hint: "remove them",
                about: key
            )
        }
        if method != .tls, method.optionTables.contains(Method.tls.rawValue), own.tls.starttls != nil {
            let message = "starttls does not apply to \(method.rawValue)"
            table.report(message, hint: "remove starttls, or tls://HOST:PORT", about: "tls")
        } else if method == .http, table.has("tls"), draft.http.follow == 0 {
            let hint = "follow redirects by http = { follow = 1 }, or https:// in the URL"
            table.report("applies only with TLS", hint: hint, about: "tls")
        }
    }

    private func reportCommand() {
        guard question?.method == .exec, draft.command == nil, !draft.hasInvalidCommand else { return }
        table.reportMissing("exec", hint: "such as exec = { run = [\"df\", \"/\"] }")
    }

    /// Reports credentials and options for TLS that the probes do not use.
    private func reportCredentials(_ question: DatabaseQuestion) {
        let name = question.wireProtocol.rawValue
        let own = question.wireProtocol == .redis ? own.redis : own.postgres
        if question.password != nil, own != Credentials() {
            table.report("cannot be combined with a password in the URL", hint: "remove one of the two", about: name)
        } else if question.wireProtocol == .postgres, question.user == nil, own.password != nil {
            let hint = "postgres://USER@\(question.host) in the URL"
            table.report("needs a user", hint: hint, about: "\(name).password", at: name)
        } else if question.wireProtocol == .redis, own.user != nil, draft.redis.password == nil {
            table.report("needs a password", hint: "redis = { password = \"…\" }", about: "\(name).user", at: name)
        }
        if question.wireProtocol == .postgres, !question.isSecure, table.has("tls") {
            table.report("applies only with TLS", hint: "end the URL with ?sslmode=require", about: "tls")
        }
    }

    /// Reports a private key without its certificate.
    private func reportKey() {
        guard method == .tls || method == .http || method == .https, draft.tls.key != nil, draft.tls.certificate == nil
        else { return }
        let hint = "tls = { cert = \"client.pem\", key = … }"
        reportShared("a key without a certificate", hint: hint, about: "tls", of: draft.keyOrigin)
    }

    /// Reports an answer on the target if an inherited response code has none.
    private func reportAnswer() {
        guard method == .dns, own.answer != nil, own.responseCode == nil else { return }
        guard let code = draft.responseCode, code != .noerror else { return }
        reportShared(
            "cannot be combined with rcode \(code.name), which has no answer",
            hint: "dns = { answer = \"…\", rcode = \"NOERROR\" }",
            about: "dns",
            of: draft.responseCodeOrigin
        )
    }

    private func reportFamily(_ question: Question) {
        guard let family = own.family else { return }
        guard let host = question.host else {
            return table.report("does not apply: the target has no host", hint: "remove it", about: "family")
        }
        guard let actual = Family(ofAddress: host), family != .any, family.rawValue != actual.rawValue else { return }
        table.report(
            "\(host) is an \(actual.title) address",
            hint: "family = \"\(actual.rawValue)\", or a name in the URL",
            about: "family"
        )
    }

    private func reportAddresses(_ question: Question) {
        guard own.addresses == .each, question.host == nil || question.method == .route else { return }
        table.report(
            "a target of method \(question.method.rawValue) is not probed at the addresses of a name",
            hint: "remove it",
            about: "addresses"
        )
    }

    /// Reports a row for each address of a host whose name only the proxy resolves.
    private func reportProxy() {
        guard method == .http || method == .https, own.addresses == .each, draft.http.proxies != .none else { return }
        reportShared(
            "cannot be combined with a proxy",
            hint: "remove it, or proxy = \"none\"",
            about: "addresses",
            of: draft.proxyOrigin
        )
    }

    private func reportSource() {
        guard let method else { return }
        guard method.takesSource else {
            guard own.source != nil else { return }
            return table.report(
                "does not apply to method \(method.rawValue)",
                hint: "remove it",
                about: "source"
            )
        }
        guard let source = draft.source, let family = Family(ofAddress: source) else { return }
        guard let question else { return }
        let probed = question.host.flatMap(Family.init(ofAddress:)).map { [$0] } ?? draft.families(for: question)
        guard let other = probed.first(where: { $0 != .any && $0 != family }) else { return }
        reportShared(
            "\(source) is an \(family.title) address, but the target is probed by \(other.title)",
            hint: "the name of an interface serves both",
            about: "source",
            of: draft.sourceOrigin,
            isAtOrigin: true
        )
    }

    /// Reports a timeout that is too long for the interval, at whichever of the two keys is nearer to the target.
    private func reportTimeout() {
        guard !draft.hasInvalidInterval, !draft.hasInvalidTimeout, let timeout = draft.timeout else { return }
        guard let interval = draft.interval ?? method?.defaultInterval else { return }
        // For an unknown method, use the least strict limit.
        let intervals = method?.longestTimeoutInIntervals ?? Method.allCases.map(\.longestTimeoutInIntervals).max() ?? 1
        let longest = interval * intervals
        guard timeout > longest else { return }
        let limit = intervals == 1 ? "the interval" : "\(intervals) intervals"
        reportShared(
            "\(timeout.settingsNotation) is longer than \(limit) of \(interval.settingsNotation)",
            hint: "at most \"\(longest.settingsNotation)\", or a longer interval",
            about: "timeout",
            of: draft.timingOrigin,
            isAtOrigin: true,
            limit: longest
        )
    }

    /// Reports a problem of a value. If several targets have the value from one place, it is reported once there, with their
    /// number.
    ///
    /// - Parameters:
    ///   - isAtOrigin: Whether the position is that of the value also if only one target has the problem.
    ///   - limit: The largest valid value. Of several problems, the one with the smallest limit is reported.
    private func reportShared(
        _ message: String,
        hint: String,
        about key: String,
        of origin: ValueOrigin?,
        isAtOrigin: Bool = false,
        limit: Duration = .zero
    ) {
        let location = isAtOrigin ? origin.flatMap { table.log.entryLocation(of: $0.path)?.value } : nil
        let problem = ProblemLog.SharedProblem(
            message: message,
            hint: hint,
            keyPath: table.title + key,
            location: location ?? table.location(of: key),
            target: table.name,
            count: count,
            limit: limit
        )
        table.log.report(problem, of: origin)
    }
}

extension Method {
    /// Returns the method of a URL by its scheme, even if the rest is invalid; nil if the scheme is unknown.
    init?(ofURL text: String) {
        guard let colon = text.firstIndex(of: ":") else { return nil }
        self.init(scheme: text[..<colon].lowercased())
    }

    /// The names of the tables with the options of this method.
    var optionTables: [String] {
        switch self {
        case .icmp, .tcp, .session, .tls, .dns, .udp, .redis, .exec: [rawValue]
        // A request without TLS may be redirected to https.
        case .http, .https: [Method.http.rawValue, Method.tls.rawValue]
        case .rediss: [Method.redis.rawValue, Method.tls.rawValue]
        case .postgres: [rawValue, Method.tls.rawValue]
        case .mysql, .link, .route, .fleet: []
        }
    }

    /// The names of all option tables, in alphabetical order.
    static let allOptionTables = Set(allCases.flatMap(\.optionTables)).sorted()

    /// Whether probes of this method accept a source address or interface.
    var takesSource: Bool {
        switch self {
        case .icmp, .tcp, .session, .tls, .http, .https, .dns, .udp, .redis, .rediss, .postgres, .mysql, .route: true
        case .link, .exec, .fleet: false
        }
    }
}

extension Family {
    /// Returns the family of a numeric address, including `fe80::1%eth0`; nil for a name. An IPv4-mapped address,
    /// `::ffff:192.0.2.1`, is an IPv4 address (RFC 4291 §2.5.5.2).
    package init?(ofAddress text: String) {
        var buffer = in6_addr()
        if inet_pton(AF_INET, text, &buffer) == 1 {
            self = .v4
            return
        }
        let address = text.prefix { $0 != "%" }
        let isWhole = address.endIndex == text.endIndex || text.index(after: address.endIndex) < text.endIndex
        guard isWhole, inet_pton(AF_INET6, String(address), &buffer) == 1 else { return nil }
        let isMapped = withUnsafeBytes(of: buffer) { bytes in
            bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10...11].allSatisfy { $0 == 0xFF }
        }
        self = isMapped ? .v4 : .v6
    }

    /// The name for people: `IPv4`.
    var title: String {
        self == .any ? "any" : "IPv\(rawValue)"
    }
}
