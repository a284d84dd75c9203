import Monitoring

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
        defaults.add("interval", GatusEndpoint.defaultInterval)
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
        endpoint.isEnabled = value["enabled"]?.flag ?? true
        endpoint.addRequest(value)
        for member in members { addPart(member, to: &endpoint, named: name) }
        // Without one of its conditions, a target would be up, or down, in error.
        guard !endpoint.lacksConditions else { return }
        if endpoint.isTimeoutTooLong {
            note(value.line, about: "\(name): client.timeout", "not imported: it is longer than the interval")
        }
        add(url: url.text, name: name, group: value["group"]?.text, line: value.line, options: endpoint.options)
    }

    /// Returns the URL of an endpoint in the notation of the settings; notes and returns nil if there is none.
    private mutating func url(of endpoint: YAMLValue, named name: String) -> (text: String, starttls: String?)? {
        guard let url = endpoint["url"]?.text else {
            note(endpoint.line, about: name, "\"url\" is missing")
            return nil
        }
        if let dns = endpoint["dns"] {
            let type = dns["query-type"]?.text ?? "A"
            return ("dns://\(url)/\(dns["query-name"]?.text ?? "")?type=\(type)", nil)
        }
        let scheme = url.firstRange(of: "://").map { url[..<$0.lowerBound].lowercased() }
        if endpoint["grpc"] != nil || scheme == "grpc" || scheme == "grpcs" {
            note(endpoint.line, about: name, "gRPC has no counterpart", hint: "tcp://HOST:PORT, or exec: with a client")
            return nil
        }
        switch scheme {
        case "starttls":
            // Gatus knows STARTTLS of SMTP only.
            return ("tls://" + url.dropFirst("starttls://".count), "smtp")
        case "udp":
            let message = "Gatus only opens a UDP socket, and a probe needs an answer"
            note(endpoint.line, about: name, message, hint: "udp = { send = \"…\" }")
            return nil
        case "ssh":
            note(
                endpoint.line,
                about: name,
                "no login by SSH",
                hint: "tcp://HOST:22 with tcp = { expect = \"^SSH-2\" }"
            )
            return nil
        case nil:
            let shown = url.withoutSecretsOfInvalidURL
            note(endpoint.line, about: name, "the URL \(shown.quoted) has no scheme", hint: "such as https://\(shown)")
            return nil
        default:
            return (url, nil)
        }
    }

    /// Adds a member of an endpoint.
    private mutating func addPart(_ member: YAMLValue.Member, to endpoint: inout GatusEndpoint, named name: String) {
        let (value, line) = (member.value, member.line)
        switch member.key {
        case "name", "group", "url", "dns", "enabled", "grpc", "method", "headers", "body", "graphql":
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
        case "alerts":
            noteOnce(line, about: member.key, "not imported", hint: "use [[hook]] or [[target.hooks]]")
        default:
            noteOnce(line, about: member.key, "not imported")
        }
    }

    /// Adds an option of the client of an endpoint.
    private mutating func addClientOption(
        _ option: YAMLValue.Member,
        to endpoint: inout GatusEndpoint,
        named name: String
    ) {
        switch option.key {
        case "insecure":
            if option.value.flag == true { endpoint.tls.add("verify", toml: "false") }
        case "ignore-redirect":
            if option.value.flag == true { endpoint.http.add("follow", toml: "0") }
        case "timeout":
            endpoint.timeout = option.value.text
        case "tls":
            if let file = option.value["certificate-file"]?.text { endpoint.tls.add("cert", file) }
            if let file = option.value["private-key-file"]?.text { endpoint.tls.add("key", file) }
        case "proxy-url":
            if let text = option.value.text { endpoint.http.add("proxy", text) }
        default:
            noteOnce(option.line, about: "client.\(option.key)", "not imported")
        }
    }
}
