import ReachBasics
package import ReachMonitoring

/// The result of a probe by a module as metrics, with the names and labels of Prometheus's blackbox exporter.
package struct BlackboxExposition: Sendable {
    /// A metric family. All are gauges.
    private struct Family {
        let name: String
        let help: String
        /// The lines of its samples, with the labels of each in the order of their names.
        let samples: String
    }

    private let families: [Family]

    /// Makes metrics of a report.
    package init(_ report: BlackboxReport) {
        var families = Self.general(of: report)
        if let http = report.http { families += Self.families(of: http) }
        if let dns = report.dns { families += Self.families(of: dns) }
        if let icmp = report.icmp { families += Self.families(of: icmp) }
        if let tls = report.tls { families += Self.families(of: tls) }
        self.families = families.sorted { $0.name < $1.name }
    }

    /// The text in Prometheus's format, version 0.0.4.
    package var text: String {
        var text = ""
        text.reserveCapacity(4_096)
        for family in families where !family.samples.isEmpty {
            // Interpolation would copy each text twice.
            let comments = ["# HELP ", family.name, " ", family.help, "\n# TYPE ", family.name, " gauge\n"]
            for part in comments { text += part }
            text += family.samples
        }
        return text
    }

    private static func gauge(_ name: String, _ value: some LosslessStringConvertible, _ help: String) -> Family {
        Family(name: name, help: help, samples: "\(name) \(value)\n")
    }

    private static func info(_ name: String, _ labels: [(name: String, value: String)], _ help: String) -> Family {
        let pairs = labels.sorted { $0.name < $1.name }.map { "\($0.name)=\"\($0.value.labelValue)\"" }
        return Family(name: name, help: help, samples: "\(name){\(pairs.joined(separator: ","))} 1\n")
    }

    private static func phases(_ name: String, _ phases: [String: Duration], _ help: String) -> Family {
        let lines = phases.sorted { $0.key < $1.key }.map { "\(name){phase=\"\($0.key)\"} \($0.value.inSeconds)\n" }
        return Family(name: name, help: help, samples: lines.joined())
    }
}

// MARK: Families

extension BlackboxExposition {
    private static func general(of report: BlackboxReport) -> [Family] {
        var families = [
            gauge("probe_success", report.isSuccess ? 1 : 0, "Displays whether or not the probe was a success"),
            gauge(
                "probe_duration_seconds",
                report.duration.inSeconds,
                "Returns how long the probe took to complete in seconds"
            ),
            gauge(
                "probe_timeout_seconds",
                report.timeout.inSeconds,
                "Returns how long the probe timeout is in seconds"
            ),
        ]
        if let lookup = report.lookup {
            families += [
                gauge(
                    "probe_dns_lookup_time_seconds",
                    lookup.duration.inSeconds,
                    "Returns the time taken for probe dns lookup in seconds"
                ),
                gauge(
                    "probe_ip_protocol",
                    lookup.address.map { $0.count == 4 ? 4 : 6 } ?? 0,
                    "Specifies whether probe ip protocol is IP4 or IP6"
                ),
                gauge(
                    "probe_ip_addr_hash",
                    lookup.address.map(StableHash.fnv1a32) ?? 0,
                    "Specifies the hash of IP address. It's useful to detect if the IP address changes."
                ),
            ]
        }
        if let isFailure = report.isRegexFailure {
            let help = "Indicates if probe failed due to regex"
            families.append(gauge("probe_failed_due_to_regex", isFailure ? 1 : 0, help))
        }
        if let isFailure = report.isBytesFailure {
            let help = "Indicates if probe failed due to bytes"
            families.append(gauge("probe_failed_due_to_bytes", isFailure ? 1 : 0, help))
        }
        if !report.labels.isEmpty {
            let labels = report.labels.map { (name: $0.name, value: $0.value) }
            families.append(info("probe_expect_info", labels, "Explicit content matched"))
        }
        return families
    }

    private static func families(of http: BlackboxHTTPReport) -> [Family] {
        var families = [
            phases(
                "probe_http_duration_seconds",
                http.phases,
                "Duration of http request by phase, summed over all redirects"
            ),
            gauge("probe_http_content_length", http.contentLength, "Length of http content response"),
            gauge(
                "probe_http_uncompressed_body_length",
                http.bodyLength,
                "Length of uncompressed response body"
            ),
            gauge("probe_http_redirects", http.redirects, "The number of redirects"),
            gauge(
                "probe_http_ssl",
                http.isSecure ? 1 : 0,
                "Indicates if SSL was used for the final redirect"
            ),
            gauge("probe_http_status_code", http.status, "Response HTTP status code"),
            gauge("probe_http_version", http.version ?? "0", "Returns the version of HTTP of the probe response"),
        ]
        if let time = http.lastModified {
            let help = "Returns the Last-Modified HTTP response header in unixtime"
            families.append(gauge("probe_http_last_modified_timestamp_seconds", time, help))
        }
        return families
    }

    private static func families(of dns: BlackboxReport.DNS) -> [Family] {
        var families = [
            phases("probe_dns_duration_seconds", dns.phases, "Duration of DNS request by phase"),
            gauge(
                "probe_dns_answer_rrs",
                dns.answers,
                "Returns number of entries in the answer resource record list"
            ),
            gauge(
                "probe_dns_authority_rrs",
                dns.authorities,
                "Returns number of entries in the authority resource record list"
            ),
            gauge(
                "probe_dns_additional_rrs",
                dns.additions,
                "Returns number of entries in the additional resource record list"
            ),
            gauge(
                "probe_dns_query_succeeded",
                dns.isAnswered ? 1 : 0,
                "Displays whether or not the query was executed successfully"
            ),
        ]
        if let serial = dns.serial {
            families.append(gauge("probe_dns_serial", serial, "Returns the serial number of the zone"))
        }
        return families
    }

    private static func families(of icmp: BlackboxReport.ICMP) -> [Family] {
        var families = [
            phases("probe_icmp_duration_seconds", icmp.phases, "Duration of icmp request by phase")
        ]
        if let hopLimit = icmp.hopLimit {
            let help = "Replied packet hop limit (TTL for ipv4)"
            families.append(gauge("probe_icmp_reply_hop_limit", hopLimit, help))
        }
        return families
    }

    /// The year 1, Go's time of a chain that is not verified.
    private static let noTime: Int64 = -62_135_596_800

    private static func families(of tls: BlackboxTLSReport) -> [Family] {
        [
            gauge(
                "probe_ssl_earliest_cert_expiry",
                tls.earliestExpiry,
                "Returns last SSL chain expiry in unixtime"
            ),
            gauge(
                "probe_ssl_last_chain_expiry_timestamp_seconds",
                tls.chainExpiry ?? noTime,
                "Returns last SSL chain expiry in timestamp"
            ),
            info(
                "probe_ssl_last_chain_info",
                [
                    ("fingerprint_sha256", tls.fingerprint), ("subject", tls.subject), ("issuer", tls.issuer),
                    ("subjectalternative", tls.names.joined(separator: ",")), ("serialnumber", tls.serialNumber),
                ],
                "Contains SSL leaf certificate information"
            ),
            info(
                "probe_tls_version_info",
                [("version", tls.version)],
                "Returns the TLS version used or NaN when unknown"
            ),
        ]
    }
}
