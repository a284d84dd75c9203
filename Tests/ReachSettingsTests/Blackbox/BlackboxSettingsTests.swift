import ReachMonitoring
import Testing

@testable import ReachSettings

struct BlackboxSettingsTests {
    private static let target = "[[target]]\nurl = \"icmp://192.0.2.1\"\n"

    private func modules(_ text: String) throws -> [BlackboxModule] {
        try SettingsReader(file: "dashboard.toml", environment: ["TOKEN": "t0ken"])
            .settings(from: text + "\n" + Self.target).modules
    }

    @Test func `modules have the options of targets`() throws {
        let modules = try modules(
            """
            [module.web]
            method = "http"
            timeout = "5s"
            family = "4"
            http = { method = "POST", body_sent = "x", status = [200, 404], body = "ok", follow = 2, headers = { A = "${TOKEN}" }, response_headers = { name = "B", is = "c.d" } }
            tls = { verify = false }
            [module.ping]
            method = "icmp"
            icmp = { size = 100, ttl = 3 }
            source = "192.0.2.7"
            [module.shell]
            method = "tcp"
            tcp = { send = '\\x01', expect = "^SSH" }
            [module.mail]
            method = "tls"
            tls = { server_name = "mail.example" }
            [module.names]
            method = "dns"
            query = "example.com"
            type = "aaaa"
            dns = { answer = "2001:db8::1", transport = "tcp" }
            """
        )
        #expect(modules.map(\.name) == ["mail", "names", "ping", "shell", "web"])
        guard case .tcp(let mail) = modules[0].prober, case .dns(let dns) = modules[1].prober,
            case .icmp(let icmp) = modules[2].prober, case .tcp(let shell) = modules[3].prober,
            case .http(let http) = modules[4].prober
        else {
            Issue.record("other probers: \(modules)")
            return
        }
        #expect(mail.isSecure && mail.tls.serverName == "mail.example" && mail.steps.isEmpty)
        #expect(dns.type == 28 && dns.transport == .tcp && dns.answer.failsIfNoneMatches.count == 1)
        #expect(icmp == ICMPOptions(size: 100, ttl: 3) && modules[2].source == "192.0.2.7")
        #expect(shell.steps.map(\.sentBytes) == [[1], []] && shell.steps.map(\.expect?.text) == [nil, "^SSH"])
        #expect(modules[4].family == .v4 && !modules[4].hasFallback && modules[4].timeout == .seconds(5))
        #expect(http.method == "POST" && http.body == "x" && http.status == [200, 404] && http.follow == 2)
        #expect(http.headers.map(\.value) == ["t0ken"] && !http.tls.verifies)
        #expect(http.headerPatterns == [BlackboxHTTPModule.HeaderMatch("B", BlackboxPattern(#"^c\.d$"#))])
        #expect(modules[0].family == .any && modules[0].hasFallback)
    }

    @Test(
        arguments: [
            ("method = \"smtp\"", "module \"m\": method: unknown method \"smtp\""),
            ("timeout = \"5s\"", "module \"m\": \"method\" is missing"),
            (
                "method = \"icmp\"\nhttp = { body = \"x\" }",
                "module \"m\": http: not an option of method icmp – remove it"
            ),
            ("method = \"dns\"", "module \"m\": \"query\" is missing"),
            ("method = \"dns\"\nquery = \"a\"\ntype = \"AX\"", "module \"m\": type: unknown type \"AX\""),
            ("method = \"http\"\nhttp = { retries = 1 }", "module \"m\": http: a module has no retries"),
            ("method = \"http\"\ninterval = \"5s\"", "module \"m\": unknown key \"interval\""),
        ] as [(String, String)]
    )
    func `mistakes are reported`(body: String, message: String) {
        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let text = "[module.m]\n\(body)\n\(Self.target)"
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        let lines = failure?.lines ?? []
        #expect(lines.count == 1 && lines.first?.contains(message) == true, "\(lines)")
    }
}
