import ReachMonitoring
import Testing

@testable import ReachSettings

struct BlackboxFileTests {
    private func modules(_ text: String) throws -> [BlackboxModule] {
        try BlackboxFile.content(of: text, file: "blackbox.yml").modules
    }

    private func problems(_ text: String) -> [String] {
        let failure = #expect(throws: SettingsFailure.self) { try modules(text) }
        return failure?.lines ?? []
    }

    @Test func `the example of the blackbox exporter is read, without gRPC`() throws {
        let modules = try modules(
            """
            modules:
              http_2xx:
                prober: http
                http: { preferred_ip_protocol: "ip4" }
              http_post_2xx: { prober: http, http: { method: POST } }
              tcp_connect: { prober: tcp }
              pop3s_banner:
                prober: tcp
                tcp:
                  query_response:
                  - expect: "^+OK"
                  tls: true
                  tls_config:
                    insecure_skip_verify: false
              ssh_banner:
                prober: tcp
                timeout: 1m30s
                tcp:
                  query_response:
                  - expect: "^SSH-2.0-"
                  - send: "SSH-2.0-blackbox-ssh-check"
              icmp: { prober: icmp, timeout: 5s, icmp: { ttl: 5, payload_size: 100, dont_fragment: true } }
            """
        )
        let names = ["http_2xx", "http_post_2xx", "icmp", "pop3s_banner", "ssh_banner", "tcp_connect"]
        #expect(modules.map(\.name) == names)
        guard case .http(let http) = modules[0].prober, case .http(let post) = modules[1].prober,
            case .icmp(let icmp) = modules[2].prober, case .tcp(let mail) = modules[3].prober,
            case .tcp(let shell) = modules[4].prober, case .tcp(let connect) = modules[5].prober
        else {
            Issue.record("other probers: \(modules)")
            return
        }
        #expect(modules[0].family == .v4 && modules[0].hasFallback && modules[0].timeout == nil)
        #expect(http.method == "GET" && http.follow == 10 && post.method == "POST" && modules[1].family == .v6)
        #expect(icmp.ttl == 5 && icmp.size == 100 && icmp.isUnfragmented)
        #expect(mail.isSecure && mail.tls.verifies && mail.steps.count == 1)
        #expect(shell.steps.map(\.send) == [nil, "SSH-2.0-blackbox-ssh-check"])
        #expect(modules[4].timeout == .seconds(90) && connect == BlackboxTCPModule())
    }

    @Test func `all options of HTTP`() throws {
        let module = try #require(
            try modules(
                """
                modules:
                  web:
                    prober: http
                    timeout: 500ms
                    http:
                      valid_status_codes: [200, 418]
                      valid_http_versions: ["HTTP/1.1", "HTTP/2.0"]
                      ip_protocol_fallback: false
                      no_follow_redirects: true
                      fail_if_ssl: false
                      fail_if_not_ssl: true
                      method: PUT
                      headers: { Host: example.com, X-Key: 12 }
                      fail_if_body_matches_regexp: ["down"]
                      fail_if_body_not_matches_regexp: ["up", "fine$"]
                      fail_if_header_matches: [{ header: A, regexp: b, allow_missing: true }]
                      fail_if_header_not_matches: [{ header: C, regexp: d }]
                      body: "{}"
                      basic_auth: { username: me, password_file: /run/password }
                      proxy_url: "http://proxy.example:3128"
                      skip_resolve_phase_with_proxy: true
                      body_size_limit: 10MB
                      compression: identity
                      enable_http2: true
                      tls_config: { ca_file: /ca, cert_file: /cert, key_file: /key, server_name: x, insecure_skip_verify: true }
                """
            ).first
        )
        guard case .http(let http) = module.prober else {
            Issue.record("not HTTP")
            return
        }
        #expect(module.timeout == .milliseconds(500) && !module.hasFallback && module.family == .v6)
        #expect(http.status == [200, 418] && http.versions == ["HTTP/1.1", "HTTP/2.0"] && http.follow == 0)
        #expect(http.failsIfNotTLS && !http.failsIfTLS && http.method == "PUT" && http.body == "{}")
        #expect(http.headers.map(\.name) == ["Host", "X-Key"] && http.headers.map(\.value) == ["example.com", "12"])
        #expect(http.bodyNot.map(\.text) == ["down"] && http.bodyPatterns.map(\.text) == ["up", "fine$"])
        #expect(http.headerNot == [BlackboxHTTPModule.HeaderMatch("A", BlackboxPattern(go: "b"), mayBeMissing: true)])
        #expect(http.headerPatterns == [BlackboxHTTPModule.HeaderMatch("C", BlackboxPattern(go: "d"))])
        #expect(http.authorization == .basic(user: "me", .file("/run/password")))
        #expect(http.bodyLimit == 10_485_760 && http.leavesNameToProxy && http.proxies != .none)
        let tls = TLSOptions(ca: "/ca", serverName: "x", verifies: false, certificate: "/cert", key: "/key")
        #expect(http.tls == tls)
    }

    @Test func `all options of DNS`() throws {
        let module = try #require(
            try modules(
                """
                modules:
                  names:
                    prober: dns
                    dns:
                      query_name: example.com
                      query_type: CAA
                      query_class: CH
                      transport_protocol: tcp
                      dns_over_tls: true
                      recursion_desired: false
                      valid_rcodes: [NOERROR, NXDOMAIN]
                      source_ip_address: 192.0.2.1
                      validate_answer_rrs: { fail_if_matches_regexp: [a], fail_if_all_match_regexp: [b] }
                      validate_authority_rrs: { fail_if_not_matches_regexp: [c] }
                      validate_additional_rrs: { fail_if_none_matches_regexp: [d] }
                """
            ).first
        )
        guard case .dns(let dns) = module.prober else {
            Issue.record("not DNS")
            return
        }
        #expect(dns.name == "example.com" && dns.type == 257 && dns.recordClass == 3 && dns.transport == .tcp)
        #expect(dns.isSecure && !dns.desiresRecursion && dns.responseCodes == [0, 3] && module.source == "192.0.2.1")
        #expect(dns.answer.failsIfMatches.count == 1 && dns.answer.failsIfAllMatch.count == 1)
        #expect(dns.authority.failsIfNotMatches.count == 1 && dns.additional.failsIfNoneMatches.count == 1)
    }

    /// Options that the blackbox exporter accepts and reach does not support, with the line and the beginning of the message.
    @Test(
        arguments: [
            ("timeout: 5s", 3, "\"prober\" is missing"),
            ("prober: grpc", 3, "prober: not supported: reach has no prober grpc – http, tcp, dns or icmp"),
            ("prober: unix", 3, "prober: not supported: reach has no prober unix"),
            ("prober: websocket", 3, "prober: not supported"),
            ("prober: smtp", 3, "prober: unknown prober \"smtp\""),
            (
                "prober: http\n    http:\n      oauth2: { client_id: x }", 5,
                "http.oauth2: not supported: reach requests no tokens"
            ),
            (
                "prober: http\n    http:\n      fail_if_body_json_matches_cel: \"true\"", 5,
                "http.fail_if_body_json_matches_cel: not supported"
            ),
            (
                "prober: http\n    http:\n      proxy_from_environment: true", 5,
                "http.proxy_from_environment: not supported"
            ),
            (
                "prober: http\n    http:\n      compression: br", 5,
                "http.compression: not supported: \"br\""
            ),
            (
                "prober: http\n    http:\n      enable_http3: true", 5,
                "http.enable_http3: not supported: reach speaks HTTP/1.1"
            ),
            (
                "prober: http\n    http:\n      valid_http_versions: [HTTP/2.0]", 5,
                "http.valid_http_versions: not supported"
            ),
            ("prober: http\n    http:\n      method: \"G T\"", 5, "http.method: invalid method"),
            (
                "prober: http\n    http:\n      tls_config: { min_version: TLS13 }", 5,
                "http.tls_config.min_version: not supported"
            ),
            ("prober: http\n    http:\n      tls_config: { ca: x }", 5, "http.tls_config.ca: not supported"),
            (
                "prober: http\n    http:\n      basic_auth: { username_file: /x }", 5,
                "http.basic_auth.username_file: not supported"
            ),
            (
                "prober: dns\n    dns:\n      query_name: a\n      valid_rcodes: [NXDOMIAN]", 6,
                "dns.valid_rcodes: unknown valid_rcodes"
            ),
            (
                "prober: dns\n    dns:\n      query_name: a\n      dns_over_tls: true", 5,
                "dns: dns_over_tls needs transport_protocol: tcp"
            ),
            ("prober: icmp\n    icmp:\n      payload_size: 8", 5, "icmp.payload_size: not supported"),
            ("prober: ''", 3, "prober: unknown prober \"\""),
            ("prober: http\n    http:\n      method: CONNECT", 5, "http.method: invalid method"),
            ("prober: http\n    http:\n      headers: { X Y: a }", 5, "http.headers.\"X Y\": invalid header field"),
            ("prober: http\n    http:\n      proxy_url: socks5://h:1", 5, "http.proxy_url: unsupported scheme"),
            (
                "prober: http\n    http:\n      tls_config: { max_version: TLS12 }", 5,
                "http.tls_config.max_version: not"
            ),
            (
                "prober: dns\n    dns:\n      query_name: a\n      validate_answer_rrs: { fail_if_matches_regexp: [\"(\"] }",
                6, "dns.validate_answer_rrs.fail_if_matches_regexp: invalid regular expression"
            ),
            ("prober: icmp\n    icmp:\n      payload_size: 100000", 5, "icmp.payload_size: 100000 is larger"),
        ] as [(String, Int, String)]
    )
    func `a module that is not supported is a warning with its line, and its probes have the reason`(
        body: String,
        line: Int,
        message: String
    ) throws {
        let text = "modules:\n  m:\n    \(body)\n  other: { prober: icmp }\n"
        let content = try BlackboxFile.content(of: text, file: "blackbox.yml")
        let lines = content.warnings.map(\.description)
        #expect(lines.count == 1 && lines[0].hasPrefix("blackbox.yml:\(line): module \"m\""), "\(lines)")
        #expect(
            content.modules.map(\.name) == ["m", "other"] && content.modules[1].prober == .icmp(.blackboxDefault)
        )
        guard case .unsupported(let reason) = content.modules[0].prober else {
            Issue.record("supported: \(content.modules[0])")
            return
        }
        #expect(reason.hasPrefix("module \"m\": \(message)"), "\(reason)")
    }

    /// What the blackbox exporter refuses, with the line and the beginning of the message.
    @Test(
        arguments: [
            ("prober: http\n    timeout: 5", 4, "timeout: invalid duration \"5\" – such as 5s"),
            ("prober: http\n    http:\n      methd: GET", 5, "http: unknown key \"methd\""),
            (
                "prober: http\n    http:\n      valid_status_codes: [2xx]", 5,
                "http.valid_status_codes: expected a whole number"
            ),
            ("prober: http\n    http:\n      valid_status_codes: 200", 5, "http.valid_status_codes: expected a list"),
            ("prober: http\n    http:\n      fail_if_ssl: maybe", 5, "http.fail_if_ssl: expected true or false"),
            (
                "prober: http\n    http:\n      fail_if_body_matches_regexp: [\"(\"]", 5,
                "http.fail_if_body_matches_regexp: invalid regular expression"
            ),
            (
                "prober: http\n    http:\n      fail_if_header_matches: [{ header: A }]", 5,
                "http.fail_if_header_matches: header or regexp is missing"
            ),
            ("prober: http\n    http:\n      body_size_limit: 10XB", 5, "http.body_size_limit: invalid size"),
            ("prober: http\n    http: [1]", 4, "http: expected a mapping"),
            (
                "prober: tcp\n    tcp:\n      query_response: [{ expect: a, expect_bytes: b }]", 5,
                "tcp.query_response.expect: cannot be combined"
            ),
            ("prober: dns\n    dns: { query_type: A }", 4, "dns: \"query_name\" is missing"),
            (
                "prober: dns\n    dns:\n      query_name: a\n      query_type: AAAAA", 6,
                "dns.query_type: unknown query_type \"AAAAA\" – did you mean AAAA?"
            ),
            ("prober: icmp\n    icmp:\n      ttl: 256", 5, "icmp.ttl: 256 is out of range"),
            ("prober: http\n    timeout: 1d", 4, "timeout: invalid duration \"1d\""),
            ("prober: http\n    timeout: 0", 4, "timeout: invalid duration \"0\""),
            (
                "prober: http\n    http:\n      valid_status_codes: [\"200\"]", 5,
                "http.valid_status_codes: expected a whole"
            ),
            ("prober: http\n    http:\n      body_size_limit: 10mb", 5, "http.body_size_limit: invalid size"),
            ("prober: http\n    http:\n      authorization: { type: basic }", 5, "http.authorization: type Basic"),
            (
                "prober: http\n    http:\n      tls_config: { min_version: x }", 5,
                "http.tls_config.min_version: unknown"
            ),
            ("prober: http\n    tcp: { foo: 1 }", 4, "tcp: unknown key \"foo\""),
            ("prober: http\n    dns: { query_type: A }", 4, "dns: \"query_name\" is missing"),
        ] as [(String, Int, String)]
    )
    func `what the blackbox exporter refuses is a problem with its line`(body: String, line: Int, message: String) {
        let lines = problems("modules:\n  m:\n    \(body)\n")
        #expect(lines.contains { $0.hasPrefix("blackbox.yml:\(line): module \"m\": \(message)") }, "\(lines)")
    }

    @Test func `values have the forms of Go's YAML library`() throws {
        let modules = try modules(
            """
            modules:
              dns: { prober: dns, timeout: -5s }
              icmp: { prober: icmp, timeout: 1m0.5s, icmp: { payload_size: 1_000, ttl: 0x10 } }
              web:
                prober: http
                http:
                  valid_status_codes: [200.0, 2e2, 99999]
                  headers: { Content-Length: 1, Transfer-Encoding: x, Connection: Upgrade }
                  body_size_limit: 1MB512KB
                  preferred_ip_protocol: ip5
                  fail_if_ssl:
                  fail_if_not_ssl: y
            ---
            modules: {}
            """
        )
        guard case .http(let http) = modules[2].prober, case .icmp(let icmp) = modules[1].prober else {
            Issue.record("\(modules)")
            return
        }
        #expect(modules[0].prober == .dns(BlackboxDNSModule(name: "")) && modules[0].timeout == nil)
        #expect(modules[1].timeout == .milliseconds(60_500) && icmp.size == 1_000 && icmp.ttl == 16)
        #expect(http.status == [200, 200, 99_999] && http.headers.map(\.name) == ["Connection"])
        #expect(http.bodyLimit == 1_536 << 10 && modules[2].family == .v4 && !http.failsIfTLS && http.failsIfNotTLS)
    }

    @Test func `all problems are reported at once, and none contains a secret`() {
        let lines = problems(
            """
            modules:
              a:
                prober: http
                http:
                  bearer_token: s3cr3t-token
                  basic_auth: { username: s3cr3t-user, password: s3cr3t-password }
                  headers: { "X Key": s3cr3t-header }
                  proxy_url: "ftp://me:s3cr3t-proxy@h"
              b: { prober: icmp, icmp: { size: 1 } }
            other: 1
            """
        )
        #expect(lines.count == 3, "\(lines)")
        #expect(!lines.joined().contains("s3cr3t"))
    }

    @Test func `a text that is not YAML, and one without modules, are problems`() {
        #expect(problems("modules: [").first?.hasPrefix("blackbox.yml:") == true)
        #expect(problems("").count == 1)
        let empty = try? BlackboxFile.content(of: "modules: {}\n", file: "blackbox.yml")
        let warning = "blackbox.yml:1: warning: no modules – such as modules: and, below it, http_2xx:"
        #expect(empty?.warnings.map(\.description) == [warning])
        let path = "/nonexistent/blackbox.yml"
        let failure = #expect(throws: SettingsFailure.self) { try BlackboxFile(path: path).content() }
        #expect(failure == .unreadable("\(path): no such file"))
    }
}
