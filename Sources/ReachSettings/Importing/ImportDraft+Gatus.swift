import ReachMonitoring

extension ImportDraft {
    /// Adds the endpoints of a configuration of Gatus.
    mutating func addEndpoints(_ text: String) throws(SettingsFailure) {
        let root = try YAMLValue(text, file: file)
        guard let members = root.members, let endpoints = root["endpoints"]?.elements else {
            let hint = "such as endpoints: and, below it, - name: front-end"
            let message = "\"endpoints\" is missing"
            throw .problems([SettingsProblem(file: file, line: root.line, message: message, hint: hint)])
        }
        // Gatus replaces ${NAME} in the whole file.
        hasVariables = true
        mayRepeatProbes = true
        numbersNames = true
        defaults.add("interval", GatusEndpoint.defaultInterval)
        defaults.add("timeout", GatusEndpoint.defaultTimeout)
        defaults.add("http", toml: "{ follow = 10 }")
        for member in members where member.key != "endpoints" {
            let hint = member.key == "alerting" ? "use [[hook]]" : nil
            note(member.line, about: member.key, "not imported", hint: hint)
        }
        for endpoint in endpoints { addEndpoint(endpoint) }
    }

    private mutating func addEndpoint(_ value: YAMLValue) {
        guard let members = value.members else { return note(value.line, "an endpoint that is not a mapping") }
        let name = value["name"]?.text ?? "endpoint"
        guard let url = url(of: value, named: name) else { return }
        var endpoint = GatusEndpoint(method: Method(ofURL: url.text))
        if let protocolName = url.starttls { endpoint.tls.add("starttls", protocolName) }
        if url.isShell { endpoint.greeting = Self.secureShellBanner }
        endpoint.isEnabled = value["enabled"]?.flag ?? true
        guard let body = body(of: value, endpoint, named: name) else { return }
        endpoint.addRequest(value, body: body.isEmpty ? nil : body)
        for member in members { addPart(member, to: &endpoint, named: name) }
        // Without one of its parts, a target would be up, or down, in error.
        guard !endpoint.lacksConditions else { return }
        if let longest = endpoint.shortenedTimeout {
            let timeout = endpoint.timeout ?? GatusEndpoint.defaultTimeout
            let message = "\(timeout) is too long for the interval; imported as \(longest.settingsNotation)"
            note(value.line, about: "\(name): client.timeout", message)
        }
        if endpoint.method == .dns, !endpoint.dns.has("rcode"), !endpoint.dns.has("answer") {
            let message = "no condition on it: an answer with another code than NOERROR makes the target down"
            noteOnce(value.line, about: "[DNS_RCODE]", message)
        }
        add(url: url.text, name: name, group: value["group"]?.text, line: value.line, options: endpoint.options)
    }

    /// The body that an endpoint sends, with its placeholders replaced; empty without one. Notes and returns nil if it cannot
    /// be sent.
    private mutating func body(of endpoint: YAMLValue, _ draft: GatusEndpoint, named name: String) -> String? {
        guard let text = endpoint["body"]?.text, !text.isEmpty, draft.isHTTP || draft.greeting == nil else { return "" }
        guard draft.isHTTP || draft.method == .tcp || draft.method == .udp || draft.method == .tls else { return "" }
        let line = endpoint.members?.first { $0.key == "body" }?.line ?? endpoint.line
        let body = ["name", "group", "url"].reduce(text) { text, key in
            text.replacing("[ENDPOINT_\(key.uppercased())]", with: endpoint[key]?.text ?? "")
        }
        let subject = "\(name): body"
        if draft.method == .tls, !draft.tls.has("starttls") {
            note(line, about: subject, "reach sends nothing over TLS; the target is left out")
            return nil
        }
        if draft.method == .tls { return "" }
        for placeholder in ["[RANDOM_STRING_", "[LOCAL_ADDRESS]", "[CONTEXT]"] where body.contains(placeholder) {
            note(line, about: subject, "no counterpart for \(placeholder); the target is left out")
            return nil
        }
        return body
    }

    /// The URL of an endpoint in the notation of the settings.
    private struct EndpointURL {
        let text: String
        var starttls: String?
        /// Whether the version of an SSH server is checked.
        var isShell = false
    }

    /// Returns the URL of an endpoint; notes and returns nil if there is none.
    private mutating func url(of endpoint: YAMLValue, named name: String) -> EndpointURL? {
        guard let url = endpoint["url"]?.text else {
            note(endpoint.line, about: name, "\"url\" is missing")
            return nil
        }
        if let dns = endpoint["dns"] {
            let type = dns["query-type"]?.text ?? "A"
            return EndpointURL(text: "dns://\(url)/\(dns["query-name"]?.text ?? "")?type=\(type)")
        }
        let scheme = url.firstRange(of: "://").map { url[..<$0.lowerBound].lowercased() }
        if endpoint["grpc"] != nil || scheme == "grpc" || scheme == "grpcs" {
            note(endpoint.line, about: name, "gRPC has no counterpart", hint: "tcp://HOST:PORT, or exec: with a client")
            return nil
        }
        switch scheme {
        case "starttls":
            // Gatus knows STARTTLS of SMTP only.
            return EndpointURL(text: "tls://" + url.dropFirst("starttls://".count), starttls: "smtp")
        case "udp" where endpoint["body"]?.text ?? "" == "":
            let message = "Gatus only opens a UDP socket, and a probe needs an answer"
            note(endpoint.line, about: name, message, hint: "udp = { send = \"…\" }")
            return nil
        case "ssh":
            let credentials = ["username", "password", "private-key"].compactMap { endpoint["ssh"]?[$0]?.text }
            let address = url.dropFirst("ssh://".count)
            guard credentials.contains(where: { !$0.isEmpty }) else {
                return EndpointURL(text: "tcp://\(address)\(address.contains(":") ? "" : ":22")", isShell: true)
            }
            note(
                endpoint.line,
                about: name,
                "no login by SSH",
                hint: "tcp://HOST:22 with tcp = { expect = \"\(Self.secureShellBanner)\" }"
            )
            return nil
        case nil:
            let shown = url.withoutSecretsOfInvalidURL
            note(endpoint.line, about: name, "the URL \(shown.quoted) has no scheme", hint: "such as https://\(shown)")
            return nil
        default:
            return EndpointURL(text: url)
        }
    }

    /// Adds a member of an endpoint.
    private mutating func addPart(_ member: YAMLValue.Member, to endpoint: inout GatusEndpoint, named name: String) {
        let (value, line) = (member.value, member.line)
        switch member.key {
        case "name", "group", "url", "dns", "enabled", "grpc", "method", "headers", "body", "graphql",
            "ssh":
            break
        case "interval":
            endpoint.interval = value.text
        case "client":
            for option in value.members ?? [] { addClientOption(option, to: &endpoint, named: name) }
        case "conditions":
            for condition in value.elements ?? [] {
                guard let text = condition.text else { continue }
                switch endpoint.add(text) {
                case .whole: break
                case .approximate(let message):
                    noteOnce(condition.line, about: String(text.prefix { $0 != "]" }) + "]", message)
                case .unsupported(let message, let hint):
                    endpoint.lacksConditions = true
                    note(condition.line, about: "\(name): \(text)", "\(message); the target is left out", hint: hint)
                }
            }
        case "maintenance-windows":
            note(line, about: "\(name): \(member.key)", "not imported", hint: "use [[maintenance]]")
        case "alerts":
            noteOnce(line, about: member.key, "not imported", hint: "use [[hook]] or [[target.hooks]]")
        default:
            noteOnce(line, about: member.key, "not imported")
        }
    }
}

extension ImportDraft {
    /// Adds an option of the client of an endpoint. An option that Gatus does not use for the method of the endpoint has no
    /// effect there either.
    mutating func addClientOption(
        _ option: YAMLValue.Member,
        to endpoint: inout GatusEndpoint,
        named name: String
    ) {
        let isHTTP = endpoint.isHTTP
        switch option.key {
        case "insecure":
            guard option.value.flag == true else { break }
            endpoint.tls.add("verify", toml: "false")
        case "ignore-redirect":
            if option.value.flag == true { endpoint.http.add("follow", toml: "0") }
        case "timeout":
            endpoint.timeout = option.value.text
        case "tls":
            if let file = option.value["certificate-file"]?.text { endpoint.tls.add("cert", file) }
            if let file = option.value["private-key-file"]?.text { endpoint.tls.add("key", file) }
            let renegotiation = option.value["renegotiation"]?.text ?? "never"
            if endpoint.takesTLS, renegotiation != "never" {
                noteLost("\(option.key).renegotiation", option.line, named: name, "not imported")
            }
        case "proxy-url":
            if let text = option.value.text { endpoint.http.add("proxy", text) }
        case "network":
            switch option.value.text {
            case "ip4" where endpoint.method == .icmp: endpoint.family = "4"
            case "ip6" where endpoint.method == .icmp: endpoint.family = "6"
            default: break
            }
        case "dns-resolver" where isHTTP || endpoint.tls.has("starttls"):
            noteOnce(option.line, about: "client.\(option.key)", "not imported")
        case "store-cookies" where isHTTP && option.value.flag == true:
            noteLost(option.key, option.line, named: name, "not imported: no cookie is sent in a later request")
        case "oauth2" where isHTTP, "identity-aware-proxy" where isHTTP:
            leaveOut(&endpoint, option, named: name, "reach requests no tokens")
        case "tunnel" where isHTTP:
            leaveOut(&endpoint, option, named: name, "reach opens no SSH tunnels")
        case "dns-resolver", "store-cookies", "oauth2", "identity-aware-proxy", "tunnel":
            break
        default:
            noteOnce(option.line, about: "client.\(option.key)", "not imported")
        }
    }

    private mutating func noteLost(_ option: String, _ line: Int, named name: String, _ message: String) {
        note(line, about: "\(name): client.\(option)", message)
    }

    private mutating func leaveOut(
        _ endpoint: inout GatusEndpoint,
        _ option: YAMLValue.Member,
        named name: String,
        _ reason: String
    ) {
        endpoint.lacksConditions = true
        noteLost(option.key, option.line, named: name, "\(reason); the target is left out")
    }
}
