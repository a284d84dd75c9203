import Monitoring

extension BlackboxReader {
    /// The keys that all probers have.
    struct Network {
        var family = Family.v6
        var hasFallback = true
        var source: String?
    }

    private static let probers: Set<String> = ["http", "tcp", "dns", "icmp", "grpc", "unix", "websocket"]

    /// Reads a module; nil if it is invalid.
    func module(named name: String) -> ProbeModule? {
        var (prober, timeout): (String?, Duration?) = (nil, nil)
        var sections: [String: YAMLValue] = [:]
        var isValid = true
        read { key, value in
            switch key {
            case "prober": prober = text(key, value)
            case "timeout":
                timeout = duration(key, value)
                isValid = isValid && timeout != nil
            case _ where Self.probers.contains(key): sections[key] = value
            default: return false
            }
            if key == "prober", let prober, !["http", "tcp", "dns", "icmp"].contains(prober) {
                isValid = false
                let known = Self.probers.contains(prober)
                let message = known ? "not supported: reach has no prober \(prober)" : "unknown prober \(prober.quoted)"
                report(message, hint: "http, tcp, dns or icmp", about: key, value)
            }
            return true
        }
        guard let prober else {
            log.report("\"prober\" is missing", hint: "http, tcp, dns or icmp", about: title, line: line)
            return nil
        }
        guard isValid else { return nil }
        var network = Network()
        let section = sections[prober].map { nested(prober, $0) }
        let read: ProbeModule.Prober? =
            switch prober {
            case "http": .http(section?.http(&network) ?? HTTPModule())
            case "tcp": .tcp(section?.tcp(&network) ?? TCPModule())
            case "icmp": .icmp(section?.icmp(&network) ?? ICMPModule())
            default: dns(section, &network)
            }
        guard let read else { return nil }
        return ProbeModule(
            name,
            read,
            timeout: timeout == .zero ? nil : timeout,
            family: network.family,
            hasFallback: network.hasFallback,
            source: network.source
        )
    }

    /// Reads a key that all probers have. Returns false for another key.
    func readNetwork(_ key: String, _ value: YAMLValue, into network: inout Network) -> Bool {
        switch key {
        case "preferred_ip_protocol":
            if let family = family(key, value) { network.family = family }
        case "ip_protocol_fallback":
            if let flag = flag(key, value) { network.hasFallback = flag }
        case "source_ip_address":
            if let text = text(key, value), !text.isEmpty { network.source = text }
        default:
            return false
        }
        return true
    }

    /// Reads the options for TLS.
    func tls(_ key: String, _ value: YAMLValue) -> TLSOptions {
        var options = TLSOptions()
        let reader = nested(key, value)
        let inline = "a certificate in the settings"
        reader.read(unsupported: [
            "ca": inline, "cert": inline, "key": inline, "ca_ref": inline, "cert_ref": inline, "key_ref": inline,
        ]) { key, value in
            let text = key == "insecure_skip_verify" ? nil : reader.text(key, value).flatMap { $0.isEmpty ? nil : $0 }
            switch key {
            case "ca_file": options.ca = text
            case "cert_file": options.certificate = text
            case "key_file": options.key = text
            case "server_name": options.serverName = text
            case "insecure_skip_verify": options.verifies = reader.flag(key, value) != true
            case "min_version":
                // The oldest version of a verified connection.
                if let text, text != "TLS12" {
                    reader.report("not supported: reach decides it", hint: "TLS12, or remove it", about: key, value)
                }
            case "max_version":
                if let text, text != "TLS13" {
                    reader.report("not supported: reach decides it", hint: "TLS13, or remove it", about: key, value)
                }
            default: return false
            }
            return true
        }
        return options
    }

    private func tcp(_ network: inout Network) -> TCPModule {
        var module = TCPModule()
        read { key, value in
            switch key {
            case "query_response": module.steps = elements(key, value).map { step(nested(key, $0)) }
            case "tls": module.isSecure = flag(key, value) ?? false
            case "tls_config": module.tls = tls(key, value)
            default: return readNetwork(key, value, into: &network)
            }
            return true
        }
        return module
    }

    private func step(_ reader: BlackboxReader) -> TCPModule.Step {
        var step = TCPModule.Step()
        reader.read { key, value in
            switch key {
            case "expect": step.expect = reader.pattern(key, value)
            case "expect_bytes": step.expectedBytes = reader.text(key, value).map { Array($0.utf8) } ?? []
            case "labels":
                for element in reader.elements(key, value) {
                    guard let name = element["name"]?.text, name.isLabelName else {
                        reader.report("invalid label", hint: "such as name: smtp_status", about: key, element)
                        continue
                    }
                    step.labels.append(TCPModule.Step.Label(name, element["value"]?.text ?? ""))
                }
            case "send": step.send = reader.text(key, value).flatMap { $0.isEmpty ? nil : $0 }
            case "starttls": step.startsTLS = reader.flag(key, value) ?? false
            default: return false
            }
            if key == "expect_bytes" || key == "expect", step.expect != nil, !step.expectedBytes.isEmpty {
                reader.report("cannot be combined with expect_bytes", hint: "remove one", about: "expect", value)
            }
            return true
        }
        return step
    }

    private func icmp(_ network: inout Network) -> ICMPModule {
        var module = ICMPModule()
        read { key, value in
            switch key {
            case "payload_size":
                guard let size = integer(key, value, in: 0...ICMPOptions.sizes.upperBound), size > 0 else { break }
                if size < ICMPOptions.sizes.lowerBound {
                    let reason = "not supported: reach recognizes its requests by their first 16 bytes"
                    report(reason, hint: "at least \(ICMPOptions.sizes.lowerBound)", about: key, value)
                }
                module.options.size = size
            case "dont_fragment": module.isUnfragmented = flag(key, value) ?? false
            case "ttl":
                if let ttl = integer(key, value, in: 0...255), ttl > 0 { module.options.ttl = ttl }
            default: return readNetwork(key, value, into: &network)
            }
            return true
        }
        return module
    }

    private func dns(_ section: BlackboxReader?, _ network: inout Network) -> ProbeModule.Prober? {
        var module = DNSModule(name: "")
        if let section {
            section.read { section.readDNS($0, $1, into: &module) || section.readNetwork($0, $1, into: &network) }
        }
        guard !module.name.isEmpty else {
            log.report("\"query_name\" is missing", hint: "such as query_name: example.com", about: title, line: line)
            return nil
        }
        if module.isSecure, module.transport != .tcp {
            log.report(
                "dns_over_tls needs transport_protocol: tcp",
                hint: "add it",
                about: "\(title): dns",
                line: section?.line ?? line
            )
        }
        return .dns(module)
    }

    private func readDNS(_ key: String, _ value: YAMLValue, into module: inout DNSModule) -> Bool {
        switch key {
        case "query_name":
            module.name = text(key, value) ?? ""
            if module.name.utf8.count >= DNSQuestion.maxNameLength { report("the name is too long", about: key, value) }
        case "query_type":
            guard let name = text(key, value), !name.isEmpty else { break }
            let type = DNSModule.type(named: name)
            if type == nil { reportUnknown(key, name, of: DNSModule.typeNames, value) }
            module.type = type ?? module.type
        case "query_class":
            guard let name = text(key, value), !name.isEmpty else { break }
            let recordClass = DNSModule.recordClass(named: name)
            if recordClass == nil { reportUnknown(key, name, of: ["IN", "CH", "HS", "NONE", "ANY"], value) }
            module.recordClass = recordClass ?? 1
        case "transport_protocol":
            guard let name = text(key, value), !name.isEmpty else { break }
            let transport = DNSQuestion.Transport(rawValue: name)
            if transport == nil { reportUnknown(key, name, of: ["udp", "tcp"], value) }
            module.transport = transport ?? .udp
        case "valid_rcodes":
            let codes = texts(key, value).compactMap { name in
                let code = DNSModule.responseCode(named: name)
                if code == nil { reportUnknown(key, name, of: DNSModule.responseCodeNames, value) }
                return code
            }
            if !codes.isEmpty { module.responseCodes = codes }
        case "recursion_desired": module.desiresRecursion = flag(key, value) ?? true
        case "dns_over_tls": module.isSecure = flag(key, value) ?? false
        case "tls_config": module.tls = tls(key, value)
        case "validate_answer_rrs": module.answer = validation(key, value)
        case "validate_authority_rrs": module.authority = validation(key, value)
        case "validate_additional_rrs": module.additional = validation(key, value)
        default: return false
        }
        return true
    }

    private func validation(_ key: String, _ value: YAMLValue) -> DNSModule.Validation {
        var validation = DNSModule.Validation()
        let reader = nested(key, value)
        reader.read { key, value in
            switch key {
            case "fail_if_matches_regexp": validation.failsIfMatches = reader.patterns(key, value)
            case "fail_if_all_match_regexp": validation.failsIfAllMatch = reader.patterns(key, value)
            case "fail_if_not_matches_regexp": validation.failsIfNotMatches = reader.patterns(key, value)
            case "fail_if_none_matches_regexp": validation.failsIfNoneMatches = reader.patterns(key, value)
            default: return false
            }
            return true
        }
        return validation
    }

    private func reportUnknown(_ key: String, _ name: String, of names: [String], _ value: YAMLValue) {
        let suggestion = name.nearest(of: names).map { "did you mean \($0)?" }
        let choices = names.count < 12 ? "one of \(names.joined(separator: ", "))" : nil
        report("unknown \(key) \(name.quoted)", hint: suggestion ?? choices, about: key, value)
    }
}

extension String {
    /// Whether the text can be the name of a label.
    fileprivate var isLabelName: Bool {
        wholeMatch(of: /[a-zA-Z_][a-zA-Z0-9_]*/) != nil
    }
}
