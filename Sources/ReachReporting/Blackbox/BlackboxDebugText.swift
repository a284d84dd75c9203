package import ReachMonitoring

/// The text of `GET /probe` with `debug=true`: the log of the probe, its metrics, and the module without secrets.
package struct BlackboxDebugText: Sendable {
    /// The text.
    package let text: String

    /// Describes a probe.
    package init(_ report: BlackboxReport, of target: String, by module: BlackboxModule) {
        let lines = report.log.map { line in
            let fields = ([("module", module.name), ("target", target)] + line.fields.map { ($0.name, $0.value) })
                .map { "\($0.0)=\($0.1.logValue)" }
            let head = "time=\(line.time.inSeconds)s level=\(line.level.rawValue) msg=\(line.message.logValue)"
            return ([head] + fields).joined(separator: " ")
        }
        let end = "Probe \(report.isSuccess ? "succeeded" : "failed")"
        let level = report.isSuccess ? "debug" : "error"
        text = """
            Logs for the probe:
            \((lines + ["time=\(report.duration.inSeconds)s level=\(level) msg=\(end.logValue)"]).joined(separator: "\n"))



            Metrics that would have been returned:
            \(BlackboxExposition(report).text)


            Module configuration:
            \(Self.description(of: module).joined(separator: "\n"))

            """
    }

    /// The options that a module has, one a line. Values that may be secrets are not shown.
    private static func description(of module: BlackboxModule) -> [String] {
        var lines = ["prober: \(module.prober.name)"]
        if let timeout = module.timeout { lines.append("timeout: \(timeout.inSeconds)s") }
        lines.append("\(module.prober.name):")
        if module.family != .any { lines.append("  preferred_ip_protocol: ip\(module.family.rawValue)") }
        lines.append("  ip_protocol_fallback: \(module.hasFallback)")
        if let source = module.source { lines.append("  source_ip_address: \(source)") }
        switch module.prober {
        case .http(let http): return lines + description(of: http) + description(of: http.tls)
        case .tcp(let tcp): return lines + description(of: tcp) + description(of: tcp.tls)
        case .dns(let dns): return lines + description(of: dns) + description(of: dns.tls)
        case .icmp(let icmp):
            return lines + [
                "  payload_size: \(icmp.size)", "  ttl: \(icmp.ttl)",
                "  dont_fragment: \(icmp.isUnfragmented)",
            ]
        case .unsupported: return lines
        }
    }

    private static let secret = "<secret>"

    private static func description(of http: BlackboxHTTPModule) -> [String] {
        var lines = ["  method: \(http.method)"]
        if !http.status.isEmpty { lines.append("  valid_status_codes: \(http.status)") }
        if !http.versions.isEmpty { lines.append("  valid_http_versions: \(http.versions)") }
        if !http.headers.isEmpty {
            lines.append("  headers:")
            lines += http.headers.map { "    \($0.name): \(secret)" }
        }
        if http.authorization != nil { lines.append("  authorization: \(secret)") }
        if http.body != nil { lines.append("  body: \(secret)") }
        if let file = http.bodyFile { lines.append("  body_file: \(file)") }
        lines.append("  follow_redirects: \(http.follow > 0)")
        if http.failsIfTLS { lines.append("  fail_if_ssl: true") }
        if http.failsIfNotTLS { lines.append("  fail_if_not_ssl: true") }
        lines += list("fail_if_body_matches_regexp", http.bodyNot)
        lines += list("fail_if_body_not_matches_regexp", http.bodyPatterns)
        for (name, matches) in [
            ("fail_if_header_matches", http.headerNot), ("fail_if_header_not_matches", http.headerPatterns),
        ] where !matches.isEmpty {
            lines.append("  \(name):")
            for match in matches {
                lines.append("  - header: \(match.name)")
                lines.append("    regexp: \(match.pattern.text.logValue)")
                lines.append("    allow_missing: \(match.mayBeMissing)")
            }
        }
        if let limit = http.bodyLimit { lines.append("  body_size_limit: \(limit)B") }
        if [.gzip, .deflate].contains(http.decompression) { lines.append("  compression: \(http.decompression)") }
        if http.proxies != .none { lines.append("  proxy_url: \(secret)") }
        return lines
    }

    private static func description(of tcp: BlackboxTCPModule) -> [String] {
        var lines = ["  tls: \(tcp.isSecure)"]
        if !tcp.steps.isEmpty { lines.append("  query_response:") }
        for step in tcp.steps {
            var parts: [String] = []
            if let expect = step.expect { parts.append("expect: \(expect.text.logValue)") }
            if !step.expectedBytes.isEmpty { parts.append("expect_bytes: \(step.expectedBytes.count) bytes") }
            // What is sent may be a password.
            if step.send != nil || !step.sentBytes.isEmpty { parts.append("send: \(secret)") }
            if step.startsTLS { parts.append("starttls: true") }
            lines += parts.enumerated().map { ($0 == 0 ? "  - " : "    ") + $1 }
        }
        return lines
    }

    private static func description(of dns: BlackboxDNSModule) -> [String] {
        var lines = [
            "  query_name: \(dns.name)", "  query_type: \(BlackboxDNSModule.typeName(dns.type))",
            "  query_class: \(BlackboxDNSModule.className(dns.recordClass))",
            "  transport_protocol: \(dns.transport.rawValue)",
            "  dns_over_tls: \(dns.isSecure)", "  recursion_desired: \(dns.desiresRecursion)",
            "  valid_rcodes: \(dns.responseCodes.map(BlackboxDNSModule.responseCodeName))",
        ]
        for (name, validation) in [
            ("validate_answer_rrs", dns.answer), ("validate_authority_rrs", dns.authority),
            ("validate_additional_rrs", dns.additional),
        ] where !validation.isEmpty {
            lines.append("  \(name):")
            lines += list("  fail_if_matches_regexp", validation.failsIfMatches)
            lines += list("  fail_if_all_match_regexp", validation.failsIfAllMatch)
            lines += list("  fail_if_not_matches_regexp", validation.failsIfNotMatches)
            lines += list("  fail_if_none_matches_regexp", validation.failsIfNoneMatches)
        }
        return lines
    }

    private static func description(of tls: TLSOptions) -> [String] {
        var lines: [String] = []
        if let ca = tls.ca { lines.append("    ca_file: \(ca)") }
        if let certificate = tls.certificate { lines.append("    cert_file: \(certificate)") }
        if let key = tls.key { lines.append("    key_file: \(key)") }
        if let name = tls.serverName { lines.append("    server_name: \(name)") }
        if !tls.verifies { lines.append("    insecure_skip_verify: true") }
        return lines.isEmpty ? [] : ["  tls_config:"] + lines
    }

    private static func list(_ name: String, _ patterns: [BlackboxPattern]) -> [String] {
        patterns.isEmpty ? [] : ["  \(name):"] + patterns.map { "  - \($0.text.logValue)" }
    }
}

extension String {
    /// The text as a value of a log: in quotation marks if it has other characters than letters, digits and a few marks.
    fileprivate var logValue: String {
        let isPlain = !isEmpty && unicodeScalars.allSatisfy { "-_./:@%".unicodeScalars.contains($0) || $0.isPlain }
        guard !isPlain else { return self }
        var text = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            default: text += scalar.value < 0x20 || scalar.value == 0x7F ? "?" : String(scalar)
            }
        }
        return text + "\""
    }
}

extension Unicode.Scalar {
    fileprivate var isPlain: Bool { isASCII && (properties.isAlphabetic || properties.numericType != nil) }
}
