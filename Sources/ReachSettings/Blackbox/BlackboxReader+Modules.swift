import ReachMonitoring

extension BlackboxReader {
    /// The keys that all probers have.
    struct Network {
        var family = Family.v6
        var hasFallback = true
        var source: String?
    }

    private static let probers = ["http", "tcp", "dns", "icmp"]
    private static let otherProbers: Set<String> = ["grpc", "unix", "websocket"]

    /// Reads a module.
    func module(named name: String) -> BlackboxModule {
        var (prober, timeout): (String?, Duration?) = (nil, nil)
        var sections: [String: YAMLValue] = [:]
        read { key, value in
            switch key {
            case "prober":
                prober = text(key, value)
                guard let prober, !Self.probers.contains(prober) else { break }
                let isKnown = Self.otherProbers.contains(prober)
                let message =
                    isKnown ? "not supported: reach has no prober \(prober)" : "unknown prober \(prober.quoted)"
                noteUnsupported(message, hint: "http, tcp, dns or icmp", about: key, value)
            case "timeout": timeout = duration(key, value)
            case _ where Self.probers.contains(key) || Self.otherProbers.contains(key): sections[key] = value
            default: return false
            }
            return true
        }
        if prober == nil {
            log.noteUnsupported("\"prober\" is missing", hint: "http, tcp, dns or icmp", about: title, line: line)
        }
        var module = BlackboxModule(name, .unsupported(reason: ""), timeout: timeout.flatMap { $0 > .zero ? $0 : nil })
        for key in Self.probers where key == prober || sections[key] != nil {
            let unsupported = log.unsupported
            var network = Network()
            let section = sections[key].flatMap { $0.isNull ? nil : nested(key, $0) }
            let read: BlackboxModule.Prober =
                switch key {
                case "http": .http(section?.http(&network) ?? BlackboxHTTPModule())
                case "tcp": .tcp(section?.tcp(&network) ?? BlackboxTCPModule())
                case "icmp": .icmp(section?.icmp(&network) ?? .blackboxDefault)
                default: .dns(section?.dns(&network) ?? BlackboxDNSModule(name: ""))
                }
            guard key == prober else {
                // The section must be valid, but has no effect.
                log.unsupported = unsupported
                continue
            }
            module.prober = read
            (module.family, module.hasFallback, module.source) = (network.family, network.hasFallback, network.source)
        }
        return module
    }

    /// Reads a key that all probers have. Returns false for another key.
    func readNetwork(_ key: String, _ value: YAMLValue, into network: inout Network) -> Bool {
        switch key {
        case "preferred_ip_protocol":
            if let family = family(key, value) { network.family = family }
        case "ip_protocol_fallback":
            if let flag = flag(key, value) { network.hasFallback = flag }
        case "source_ip_address":
            network.source = nonEmptyText(key, value) ?? network.source
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
            let text = key == "insecure_skip_verify" ? nil : reader.nonEmptyText(key, value)
            switch key {
            case "ca_file": options.ca = text
            case "cert_file": options.certificate = text
            case "key_file": options.key = text
            case "server_name": options.serverName = text
            case "insecure_skip_verify": options.verifies = reader.flag(key, value) != true
            case "min_version":
                // The oldest version of a verified connection.
                reader.checkVersion(text, "TLS12", about: key, value)
            case "max_version":
                reader.checkVersion(text, "TLS13", about: key, value)
            default: return false
            }
            return true
        }
        return options
    }

    /// Notes another version of TLS than the only one that reach accepts.
    private func checkVersion(_ text: String?, _ only: String, about key: String, _ value: YAMLValue) {
        guard let text, text != only else { return }
        if ["TLS10", "TLS11", "TLS12", "TLS13"].contains(text) {
            noteUnsupported("not supported: reach decides it", hint: "\(only), or remove it", about: key, value)
        } else {
            report("unknown version \(text.quoted)", hint: "such as \(only)", about: key, value)
        }
    }

    private func tcp(_ network: inout Network) -> BlackboxTCPModule {
        var module = BlackboxTCPModule()
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

    private func step(_ reader: BlackboxReader) -> BlackboxTCPModule.Step {
        var step = BlackboxTCPModule.Step()
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
                    step.labels.append(BlackboxTCPModule.Step.Label(name, element["value"]?.text ?? ""))
                }
            case "send": step.send = reader.nonEmptyText(key, value)
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

    private func icmp(_ network: inout Network) -> ICMPOptions {
        var options = ICMPOptions.blackboxDefault
        read { key, value in
            switch key {
            case "payload_size":
                guard let size = integer(key, value), size != 0 else { break }
                if size < ICMPOptions.sizes.lowerBound {
                    let reason = "not supported: reach recognizes its requests by their first 16 bytes"
                    noteUnsupported(reason, hint: "at least \(ICMPOptions.sizes.lowerBound)", about: key, value)
                } else if size > ICMPOptions.sizes.upperBound {
                    let hint = "at most \(ICMPOptions.sizes.upperBound)"
                    noteUnsupported("\(size) is larger than a packet", hint: hint, about: key, value)
                } else {
                    options.size = size
                }
            case "dont_fragment": options.isUnfragmented = flag(key, value) ?? false
            case "ttl":
                guard let ttl = integer(key, value) else { break }
                if !(0...255).contains(ttl) {
                    report("\(ttl) is out of range", hint: "from 0 to 255", about: key, value)
                } else if ttl > 0 {
                    options.ttl = ttl
                }
            default: return readNetwork(key, value, into: &network)
            }
            return true
        }
        return options
    }

    private func dns(_ network: inout Network) -> BlackboxDNSModule {
        var module = BlackboxDNSModule(name: "")
        read { readDNS($0, $1, into: &module) || readNetwork($0, $1, into: &network) }
        if module.name.isEmpty {
            log.report("\"query_name\" is missing", hint: "such as query_name: example.com", about: title, line: line)
        }
        if module.isSecure, module.transport != .tcp {
            let message = "dns_over_tls needs transport_protocol: tcp"
            log.noteUnsupported(message, hint: "add it", about: title, line: line)
        }
        return module
    }

    private func readDNS(_ key: String, _ value: YAMLValue, into module: inout BlackboxDNSModule) -> Bool {
        switch key {
        case "query_name":
            module.name = text(key, value) ?? ""
            if module.name.utf8.count >= DNSQuestion.maxNameLength {
                noteUnsupported("the name is too long", about: key, value)
            }
        case "query_type":
            guard let name = nonEmptyText(key, value) else { break }
            let type = BlackboxDNSModule.type(named: name)
            if type == nil { reportUnknown(key, name, of: BlackboxDNSModule.typeNames, value) }
            module.type = type ?? module.type
        case "query_class":
            guard let name = nonEmptyText(key, value) else { break }
            let recordClass = BlackboxDNSModule.recordClass(named: name)
            if recordClass == nil { reportUnknown(key, name, of: BlackboxDNSModule.classNames, value) }
            module.recordClass = recordClass ?? 1
        case "transport_protocol":
            guard let name = nonEmptyText(key, value) else { break }
            let transport = DNSQuestion.Transport(rawValue: name)
            if transport == nil { reportUnknown(key, name, of: ["udp", "tcp"], value, isRefused: false) }
            module.transport = transport ?? .udp
        case "valid_rcodes":
            let codes = texts(key, value).compactMap { name in
                let code = BlackboxDNSModule.responseCode(named: name)
                if code == nil {
                    reportUnknown(key, name, of: BlackboxDNSModule.responseCodeNames, value, isRefused: false)
                }
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

    private func validation(_ key: String, _ value: YAMLValue) -> BlackboxDNSModule.Validation {
        var validation = BlackboxDNSModule.Validation()
        let reader = nested(key, value)
        let patterns = { reader.patterns($0, $1, areChecked: false) }
        reader.read { key, value in
            switch key {
            case "fail_if_matches_regexp": validation.failsIfMatches = patterns(key, value)
            case "fail_if_all_match_regexp": validation.failsIfAllMatch = patterns(key, value)
            case "fail_if_not_matches_regexp": validation.failsIfNotMatches = patterns(key, value)
            case "fail_if_none_matches_regexp": validation.failsIfNoneMatches = patterns(key, value)
            default: return false
            }
            return true
        }
        return validation
    }

    private func reportUnknown(
        _ key: String,
        _ name: String,
        of names: [String],
        _ value: YAMLValue,
        isRefused: Bool = true
    ) {
        let suggestion = name.nearest(of: names).map { "did you mean \($0)?" }
        let choices = names.count < 12 ? "one of \(names.joined(separator: ", "))" : nil
        let message = "unknown \(key) \(name.quoted)"
        if isRefused {
            report(message, hint: suggestion ?? choices, about: key, value)
        } else {
            noteUnsupported(message, hint: suggestion ?? choices, about: key, value)
        }
    }
}
