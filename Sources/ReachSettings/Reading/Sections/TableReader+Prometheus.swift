import ReachBasics
package import ReachMonitoring

extension TableReader {
    /// Reads one of the tables `[[prometheus]]`.
    ///
    /// - Parameters:
    ///   - hooks: the hooks of all targets.
    ///   - groupHooks: those of the targets of a group.
    mutating func prometheus(hooks: [HookRule], groupHooks: [String: [HookRule]]) -> PrometheusSettings? {
        let url = serverURL("url", example: "http://prometheus:9090")
        let name = name("name")
        if let name { title = "prometheus \(name.quoted): " }
        var settings = PrometheusSettings(name: "", url: url ?? "")
        settings.name = name ?? PrometheusSettings.name(ofURL: settings.url)
        settings.probes = expression("probes")
        settings.roundTrips = expression("round_trips")
        settings.targetLabel = label("target_label")
        settings.groupLabel = label("group_label")
        settings.vantageLabel = label("vantage_label")
        if let quorum = quorum("quorum") { settings.quorum = quorum }
        let longest = Duration.seconds(3_600)
        if let interval = duration("interval", in: .seconds(1)...longest) { settings.interval = interval }
        if let timeout = duration("timeout", in: .seconds(1)...longest) { settings.timeout = timeout }
        if let stale = duration("stale_after", in: .seconds(5)...(.seconds(86_400))) { settings.staleAfter = stale }
        if let rows = integer("rows", in: 1...10_000) { settings.rows = rows }
        settings.credentials = credentials()
        let own = [hookWhenReachable()].compactMap(\.self) + self.hooks("hooks", header: "[[prometheus.hooks]]")
        settings.hooks = own + hooks
        settings.groupHooks = groupHooks
        reportUnknownKeys()
        if !has("url") { reportMissing("url", hint: "such as url = \"http://prometheus:9090\"") }
        if settings.roundTrips != nil, settings.probes == nil {
            report("applies to probes = '…' only", hint: "add probes, or remove it", about: "round_trips")
        }
        return url == nil ? nil : settings
    }

    /// Reads the table `[alertmanager]`.
    mutating func alertmanager() -> AlertmanagerSettings? {
        title = "alertmanager: "
        let example = "http://alertmanager:9093"
        let url = serverURL("url", example: example)
        var settings = AlertmanagerSettings(url: url ?? "")
        settings.credentials = credentials()
        reportUnknownKeys()
        if !has("url") { reportMissing("url", hint: "such as url = \"\(example)\"") }
        return url == nil ? nil : settings
    }

    /// Reads the keys that identify the program to a server.
    private mutating func credentials() -> ServerCredentials {
        var credentials = ServerCredentials()
        credentials.tokenFile = file("token_file")
        credentials.user = text("user")
        credentials.passwordFile = file("password_file")
        credentials.ca = file("ca")
        credentials.cert = file("cert")
        credentials.key = file("key")
        if let problem = credentials.problem { report(problem) }
        return credentials
    }

    /// Reads the URL of an HTTP API.
    private mutating func serverURL(_ key: String, example: String) -> String? {
        guard let url = text(key) else { return nil }
        do throws(URLProblem) {
            return try url.serverURL(example: example)
        } catch {
            report(error.message, hint: error.hint, about: key)
            return nil
        }
    }

    /// Reads a PromQL expression; only the server can check it.
    private mutating func expression(_ key: String) -> String? {
        guard let text = text(key) else { return nil }
        guard !text.isBlank else {
            report("an expression cannot be empty", hint: "such as \(key) = 'probe_success'", about: key)
            return nil
        }
        return text
    }

    /// Reads the name of a label.
    private mutating func label(_ key: String) -> String? {
        guard let label = text(key) else { return nil }
        guard label.isLabelName else {
            report("invalid label name \(label.quoted)", hint: "letters, digits and _", about: key)
            return nil
        }
        return label
    }

    private mutating func quorum(_ key: String) -> Quorum? {
        // The number may be written without quotes.
        describe(key, as: .either([.choice(["majority", "all", "any"]), .integer(1...VantagePoints.capacity)]))
        if case .integer(let number)? = value(key) { return checkedQuorum("\(number)", key) }
        return text(key).flatMap { checkedQuorum($0, key) }
    }

    private func checkedQuorum(_ text: String, _ key: String) -> Quorum? {
        if let (message, hint) = Quorum.problem(in: text) { report(message, hint: hint, about: key) }
        return Quorum(text)
    }
}

extension String {
    /// Returns the URL of an HTTP API, such as that of Prometheus, without slashes at its end.
    ///
    /// - Throws: ``URLProblem`` for another URL.
    package func serverURL(example: String) throws(URLProblem) -> String {
        guard hasPrefix("http://") || hasPrefix("https://") else {
            throw URLProblem("invalid server URL", hint: "such as \(example)")
        }
        guard !contains("?"), !contains("#") else {
            throw URLProblem("the URL of a server has no query", hint: "such as \(example)")
        }
        guard self == withoutUserInfo else {
            throw URLProblem("no user or password in a URL", hint: "write user and password_file")
        }
        _ = try Question(self)
        return String(reversed().drop { $0 == "/" }.reversed())
    }
}
