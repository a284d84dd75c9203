import ReachMonitoring
import Testing

@testable import ReachReporting

struct BlackboxExpositionTests {
    private static var icmp: BlackboxReport {
        var report = BlackboxReport(timeout: .milliseconds(2_500))
        report.isSuccess = true
        report.duration = .milliseconds(3)
        report.lookup = BlackboxReport.Lookup(duration: .milliseconds(1), address: [127, 0, 0, 1])
        report.icmp = BlackboxReport.ICMP()
        report.icmp?.phases["rtt"] = .microseconds(500)
        report.icmp?.hopLimit = 64
        return report
    }

    @Test func `each family has its help and type, in the order of their names`() {
        let expected = """
            # HELP probe_dns_lookup_time_seconds Returns the time taken for probe dns lookup in seconds
            # TYPE probe_dns_lookup_time_seconds gauge
            probe_dns_lookup_time_seconds 0.001
            # HELP probe_duration_seconds Returns how long the probe took to complete in seconds
            # TYPE probe_duration_seconds gauge
            probe_duration_seconds 0.003
            # HELP probe_icmp_duration_seconds Duration of icmp request by phase
            # TYPE probe_icmp_duration_seconds gauge
            probe_icmp_duration_seconds{phase="resolve"} 0.0
            probe_icmp_duration_seconds{phase="rtt"} 0.0005
            probe_icmp_duration_seconds{phase="setup"} 0.0
            # HELP probe_icmp_reply_hop_limit Replied packet hop limit (TTL for ipv4)
            # TYPE probe_icmp_reply_hop_limit gauge
            probe_icmp_reply_hop_limit 64
            # HELP probe_ip_addr_hash Specifies the hash of IP address. It's useful to detect if the IP address changes.
            # TYPE probe_ip_addr_hash gauge
            probe_ip_addr_hash 3668918509
            # HELP probe_ip_protocol Specifies whether probe ip protocol is IP4 or IP6
            # TYPE probe_ip_protocol gauge
            probe_ip_protocol 4
            # HELP probe_success Displays whether or not the probe was a success
            # TYPE probe_success gauge
            probe_success 1
            # HELP probe_timeout_seconds Returns how long the probe timeout is in seconds
            # TYPE probe_timeout_seconds gauge
            probe_timeout_seconds 2.5

            """
        #expect(BlackboxExposition(Self.icmp).text == expected)
    }

    @Test func `a family without samples is left out, and labels are escaped and sorted`() {
        var report = BlackboxReport(timeout: .seconds(1))
        report.http = BlackboxHTTPReport()
        report.labels = [BlackboxTCPModule.Step.Label("b", "x\"y\\z\n"), BlackboxTCPModule.Step.Label("a", "")]
        let text = BlackboxExposition(report).text
        #expect(!text.contains("probe_http_duration_seconds") && !text.contains("last_modified"))
        #expect(text.contains(#"probe_expect_info{a="",b="x\"y\\z\n"} 1"#))
        #expect(text.contains("probe_http_version 0\n") && text.contains("probe_success 0\n"))
    }

    @Test func `a chain that is not verified expires in the year 1, as in Go`() {
        var report = BlackboxReport(timeout: .seconds(1))
        report.tls = BlackboxTLSReport(
            version: "TLS 1.3",
            earliestExpiry: 1_800_000_000,
            chainExpiry: nil,
            fingerprint: "ab",
            subject: "CN=a",
            issuer: "CN=b",
            names: ["a", "b"],
            serialNumber: "01"
        )
        let text = BlackboxExposition(report).text
        #expect(text.contains("probe_ssl_last_chain_expiry_timestamp_seconds -62135596800\n"))
        let info =
            #"{fingerprint_sha256="ab",issuer="CN=b",serialnumber="01",subject="CN=a",subjectalternative="a,b"} 1"#
        #expect(text.contains("probe_ssl_last_chain_info\(info)\n"))
        #expect(text.contains("probe_tls_version_info{version=\"TLS 1.3\"} 1\n"))
    }

    @Test func `the text for debugging has the log, the metrics and the module, and no secrets`() {
        var http = BlackboxHTTPModule()
        http.headers = [HTTPOptions.Header(name: "X-Key", value: "s3cr3t-header")]
        http.authorization = .basic(user: "s3cr3t-user", .text("s3cr3t-password"))
        http.body = "s3cr3t-body"
        http.status = [200, 204]
        http.bodyPatterns = [BlackboxPattern(go: "a b")]
        var tcp = BlackboxTCPModule()
        var step = BlackboxTCPModule.Step()
        step.send = "s3cr3t-line"
        tcp.steps = [step]
        var report = Self.icmp
        report.log = [
            BlackboxReport.LogLine(
                time: .milliseconds(1),
                level: .info,
                message: "Received redirect",
                fields: [(name: "location", value: "/a b\n")]
            )
        ]
        let text = BlackboxDebugText(report, of: "example.com", by: BlackboxModule("web", .http(http))).text
        let line = #"time=0.001s level=info msg="Received redirect" module=web target=example.com location="/a b\n""#
        #expect(text.hasPrefix("Logs for the probe:\n\(line)\n"))
        #expect(text.contains("Metrics that would have been returned:\n# HELP"))
        #expect(text.contains("    X-Key: <secret>\n") && text.contains("  valid_status_codes: [200, 204]\n"))
        #expect(text.contains("  fail_if_body_not_matches_regexp:\n  - \"a b\"\n"))
        let other = BlackboxDebugText(report, of: "a:1", by: BlackboxModule("chat", .tcp(tcp), timeout: .seconds(3)))
            .text
        #expect(other.contains("  query_response:\n  - send: <secret>\n") && other.contains("timeout: 3.0s\n"))
        #expect(!text.contains("s3cr3t") && !other.contains("s3cr3t"))
    }
}
