import ReachMonitoring
import Testing

@testable import ReachSettings

struct PrometheusImportTests {
    /// The targets with their questions, and the notes.
    private func read(_ text: String, _ file: String = "t.yml") throws -> (targets: [Target], notes: [String]) {
        let imported = try SettingsImport(text, file: file)
        let settings = try SettingsReader(file: "dashboard.toml", environment: [:]).settings(from: imported.text)
        #expect(settings.targets.count == imported.targetCount)
        return (settings.targets, imported.notes.map(\.description))
    }

    @Test(arguments: [
        ("http_2xx", "shop.example", "http://shop.example/"),
        ("http_2xx", "HTTPS://shop.example/a", "https://shop.example/a"),
        ("http_post_2xx", "shop.example:8080", "http://shop.example:8080/"),
        ("tcp_connect", "a.example:22", "tcp://a.example:22"),
        ("tls_connect", "a.example:443", "tls://a.example:443"), ("icmp", "a.example", "icmp://a.example"),
        ("icmp", "2001:db8::1", "icmp://[2001:db8::1]"), ("icmp_ttl5", "192.0.2.1", "icmp://192.0.2.1"),
        ("ssh_banner", "a.example:22", "tcp://a.example:22"), ("pop3s_banner", "a.example:995", "tls://a.example:995"),
        ("imap_starttls", "a.example:143", "tls://a.example:143"),
        ("smtp_starttls", "a.example:25", "tls://a.example:25"),
        ("postgresql", "a.example:5432", "tls://a.example:5432"),
        ("dns_soa", "192.0.2.53", "dns://192.0.2.53/prometheus.io?type=SOA"),
        ("dns_udp_example", "192.0.2.53", "dns://192.0.2.53/www.prometheus.io?type=A"),
        ("dns_tcp_example", "192.0.2.53", "dns://192.0.2.53/www.prometheus.io?type=A"),
    ])
    func `the usual modules of blackbox_exporter have their methods`(module: String, target: String, url: String) throws
    {
        for labels in [
            "__param_module: \(module)", "module: \(module)", "__param_module: \(module), __metrics_path__: /probe",
        ] {
            let targets = try read("- targets: ['\(target)']\n  labels: { \(labels) }").targets
            #expect(targets.map(\.question.url) == [url] && targets.map(\.name) == [target], "\(labels)")
        }
        let text = "- targets: ['127.0.0.1:9115']\n  labels: { __param_target: '\(target)', __param_module: \(module) }"
        #expect(try read(text).targets.map(\.question.url) == [url])
    }

    @Test func `the checks of modules are kept`() throws {
        let modules = ["http_2xx", "http_post_2xx", "ssh_banner", "icmp_ttl5", "smtp_starttls", "dns_tcp_example"]
        let text = modules.map { "- targets: ['a.example:1']\n  labels: { module: \($0) }\n" }.joined()
            .replacing(
                "a.example:1']\n  labels: { module: icmp_ttl5",
                with: "a.example']\n  labels: { module: icmp_ttl5"
            )
        let (targets, notes) = try read(text)
        #expect(targets.count == modules.count)
        guard case .http(let get) = targets[0].question, case .http(let post) = targets[1].question,
            case .tcp(_, _, let shell) = targets[2].question, case .icmp(_, let echo) = targets[3].question,
            case .tls(_, _, let mail) = targets[4].question, case .dns(let query) = targets[5].question
        else { return #expect(Bool(false)) }
        #expect(get.options.follow == 10 && post.options.method == "POST" && shell.expect == "(?m)^SSH-")
        #expect(echo.ttl == 5 && mail.starttls == .smtp && query.transport == .tcp)
        #expect(
            notes == [
                "t.yml:3: module http_post_2xx: imported as a POST without a body",
                "t.yml:11: module dns_tcp_example: imported with the query of blackbox_exporter's example.yml, "
                    + "www.prometheus.io?type=A",
            ]
        )
    }

    @Test func `targets of other modules are left out and listed`() throws {
        let text = """
            - targets: [192.0.2.1, 192.0.2.2]
              labels: { __param_module: if_mib }
            - targets: [a.example]
              labels: { __param_module: irc_banner, job: chat }
            - targets: [b.example]
              labels: { module: mine }
            """
        let (targets, notes) = try read(text)
        // The label without the prefix may have another meaning.
        #expect(targets.map(\.question.url) == ["icmp://b.example"])
        #expect(
            notes == [
                "t.yml:1: 192.0.2.1: no counterpart for the module \"if_mib\"; the target is left out – write its [[target]]",
                "t.yml:1: 192.0.2.2: no counterpart for the module \"if_mib\"; the target is left out – write its [[target]]",
                "t.yml:3: a.example: no counterpart for the module \"irc_banner\"; the target is left out – write its "
                    + "[[target]]",
                "t.yml:6: labels: not imported: module",
            ]
        )
    }

    @Test func `one target by several modules is several targets`() throws {
        let text = ["http_2xx", "icmp", "tls_connect"].map { "- targets: [a.example]\n  labels: { module: \($0) }\n" }
            .joined()
        #expect(try read(text).targets.map(\.name) == ["a.example", "a.example (2)", "a.example (3)"])
    }

    @Test func `labels make the URL, the interval and the timeout of a scrape`() throws {
        let text = """
            - targets: ["a.example:9100"]
              labels: { __address__: "other:1", __param_collect: "cpu x", __param_a: b, __scrape_interval__: 30s, __scrape_timeout__: 7s }
            - targets: ["b.example"]
              labels: { __scheme__: https, __metrics_path__: "" }
            """
        let (targets, notes) = try read(text)
        #expect(
            targets.map(\.question.url) == [
                "http://a.example:9100/metrics?a=b&collect=cpu%20x", "https://b.example/metrics",
            ]
        )
        #expect(targets[0].interval == .seconds(30) && targets[0].timeout == .seconds(7))
        #expect(notes.isEmpty)
    }

    @Test func `many notes with one text are one line with their number`() throws {
        let lines =
            ["127.0.0.1 localhost"] + (0..<35_532).map { "0.0.0.0 ads\($0).example" }
            + (0..<40).map { "127.0.0.1 more\($0).example" } + (0..<3).map { "300.0.0.1 wrong\($0)" }
        let imported = try SettingsImport(lines.joined(separator: "\n"), file: "hosts")
        #expect(
            imported.notes.map(\.description) == [
                "hosts:2: ads0.example: 0.0.0.0 is the unspecified address, not a host (and 35531 more lines)",
                "hosts:35534: more0.example: the same probe as \"localhost\" on line 1 (and 39 more lines)",
                "hosts:35574: 300.0.0.1: invalid address – such as 192.0.2.1",
                "hosts:35575: 300.0.0.1: invalid address – such as 192.0.2.1",
                "hosts:35576: 300.0.0.1: invalid address – such as 192.0.2.1",
            ]
        )
        #expect(imported.targetCount == 1 && imported.partCount == 35_575)
    }

    @Test func `international names are converted, and name the targets`() throws {
        let imported = try SettingsImport("bücher.test\nnas.test\n", file: "list", format: .fping)
        let settings = try SettingsReader(file: "d", environment: [:]).settings(from: imported.text)
        #expect(
            settings.targets.map { "\($0.name) \($0.question.url)" }.first == "bücher.test icmp://xn--bcher-kva.test"
        )
    }
}
