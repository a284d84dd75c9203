import ReachMonitoring
import Testing

@testable import ReachSettings

struct GatusImportTests {
    private static let configuration = """
        metrics: true
        alerting:
          slack: { webhook-url: "https://hooks.example" }
        default: &default
          interval: 5m
          client: { insecure: true, timeout: 10s, dns-resolver: "tcp://1.1.1.1:53" }

        endpoints:
          - name: front-end
            group: core
            url: "https://shop.example/health"
            interval: 5m
            method: POST
            headers: { Accept: application/json }
            body: '{"probe": true}'
            conditions:
              - "[STATUS] == 200"
              - "[BODY].status == UP"
              - "[BODY].items[0].count == 3"
              - "has([BODY].name) == true"
              - "[BODY].name == pat(*shop*)"
              - "[RESPONSE_TIME] < 150"
              - "[CERTIFICATE_EXPIRATION] > 50h"
              - "[CONNECTED] == true"
            alerts:
              - type: slack
          - name: back-end
            <<: *default
            url: "https://${HOST}/"
            conditions: ["[STATUS] < 300", "[STATUS] >= 200", "[BODY] == pat(*all is well*)", "[BODY] != pat(*error*)"]
          - name: any status
            url: "http://web.example/"
            conditions: ["[CONNECTED] == true", "[STATUS] != 500"]
          - name: dns
            url: "192.0.2.53"
            dns: { query-name: example.com, query-type: AAAA }
            conditions: ["[BODY] == 2001:db8::1", "[DNS_RCODE] == NOERROR"]
          - name: ping
            url: "icmp://router.example"
            interval: 5s
            client: { timeout: 10s }
            conditions: ["[CONNECTED] == true"]
          - name: mail
            url: "starttls://mail.example:587"
            conditions: ["[CONNECTED] == true"]
          - name: off
            enabled: false
            url: "tcp://192.0.2.1:22"
          - name: rpc
            url: "grpc://rpc.example:443"
          - name: none
            url: "wss://socket.example/"
          - name: dns
            group: second
            url: "tcp://192.0.2.53:53"
          - name: nowhere
          - name: list
            url: "http://web.example/list"
            conditions: ["[STATUS] == 200", "len([BODY].items) > 0"]
          - name: gone
            url: "http://web.example/gone"
            conditions: ["[CONNECTED] == false"]
        """

    @Test func `endpoints are imported as far as they fit`() throws {
        let imported = try SettingsImport(Self.configuration, file: "config.yaml")
        let settings = try SettingsReader(file: "dashboard.toml", environment: ["HOST": "back.example"])
            .settings(from: imported.text)
        #expect(imported.format == .gatus)
        #expect(
            settings.targets.map { "\($0.name) \($0.question.url)" } == [
                "front-end https://shop.example/health", "back-end https://back.example/",
                "any status http://web.example/", "dns dns://192.0.2.53/example.com?type=AAAA",
                "ping icmp://router.example", "mail tls://mail.example:587", "dns (second) tcp://192.0.2.53:53",
            ]
        )
        #expect(settings.disabledTargets == ["off"])
        let front = settings.targets[0]
        #expect(front.group == "core" && front.interval == .seconds(300))
        #expect(front.thresholds.slow == .milliseconds(150))
        guard case .http(let request) = front.question else { return #expect(Bool(false)) }
        let path = { try HTTPOptions.JSONPath($0) }
        #expect(
            request.options
                == HTTPOptions(
                    method: "POST",
                    headers: [.init(name: "Accept", value: "application/json")],
                    bodySent: "{\"probe\": true}",
                    status: [200],
                    json: [
                        .init(try path("$.status"), .equals(.string("UP"))),
                        .init(try path("$.items[0].count"), .equals(.number(3))), .init(try path("$.name")),
                        .init(try path("$.name"), .matches("shop")),
                    ],
                    follow: 10
                )
        )
        #expect(request.tls.warnDays == 3)
        guard case .http(let back) = settings.targets[1].question else { return #expect(Bool(false)) }
        #expect(!back.tls.verifies && back.options.status.isEmpty)
        #expect(back.options.body == "all is well" && back.options.bodyNot == "error")
        #expect(settings.targets[1].timeout == .seconds(10))
        guard case .http(let any) = settings.targets[2].question else { return #expect(Bool(false)) }
        #expect(any.options.status == Array(100...499) + Array(501...599))
        #expect(settings.targets[2].interval == .seconds(60))
        guard case .dns(let query) = settings.targets[3].question else { return #expect(Bool(false)) }
        #expect(query.answer == "2001:db8::1" && query.responseCode == .noerror)
        guard case .tls(_, _, let mail) = settings.targets[5].question else { return #expect(Bool(false)) }
        #expect(mail.starttls == .smtp)
        // Echo requests may take longer than their interval.
        #expect(settings.targets[4].timeout == .seconds(10) && settings.targets[4].interval == .seconds(5))
    }

    private func read(_ text: String) throws -> (targets: [Target], notes: [String]) {
        let imported = try SettingsImport(text, file: "c.yaml", format: .gatus)
        let settings = try SettingsReader(file: "f", environment: [:]).settings(from: imported.text)
        return (settings.targets, imported.notes.map(\.description))
    }

    @Test func `the timeout of Gatus is ten seconds, or the interval if that is shorter`() throws {
        let (targets, notes) = try read(
            """
            endpoints:
            - { name: a, url: "tcp://h.example:1" }
            - { name: b, url: "https://h.example/", interval: 4s }
            - { name: c, url: "https://h.example/", interval: 20s, client: { timeout: 15s } }
            - { name: d, url: "https://h.example/", client: { timeout: 90s } }
            """
        )
        #expect(targets.map(\.timeout) == [.seconds(10), .seconds(4), .seconds(15), .seconds(60)])
        #expect(
            notes == [
                "c.yaml:3: b: client.timeout: 10s is too long for the interval; imported as 4s",
                "c.yaml:5: d: client.timeout: 90s is too long for the interval; imported as 1m",
            ]
        )
    }

    @Test func `endpoints with the same URL are several targets`() throws {
        let (targets, notes) = try read(
            """
            endpoints:
            - { name: a, url: "https://h.example/" }
            - { name: b, url: "https://h.example/" }
            - { name: a, url: "https://h.example/", group: g }
            - { name: a, url: "https://h.example/" }
            """
        )
        #expect(targets.map(\.name) == ["a", "b", "a (g)", "a (2)"] && notes.isEmpty)
    }

    @Test func `each option of a client is kept, or named as lost, or leaves the endpoint out`() throws {
        let (targets, notes) = try read(
            """
            endpoints:
            - { name: a, url: "http://h.example/", client: { insecure: true, store-cookies: true } }
            - { name: b, url: "http://h.example/", client: { insecure: true, ignore-redirect: true } }
            - { name: c, url: "https://h.example/", client: { oauth2: { token-url: "https://t.example/" } } }
            - { name: d, url: "https://h.example/", client: { identity-aware-proxy: { audience: x } } }
            - { name: e, url: "https://h.example/", client: { tunnel: t } }
            - { name: f, url: "icmp://h.example", client: { network: ip6, oauth2: {}, tunnel: t, dns-resolver: "udp://1.1.1.1:53" } }
            - { name: g, url: "http://h.example/", client: { tls: { certificate-file: c.pem, private-key-file: k.pem } } }
            - { name: h, url: "https://h.example/", client: { tls: { certificate-file: c.pem, private-key-file: k.pem, renegotiation: once } } }
            - { name: i, url: "https://h.example/", client: { dns-resolver: "udp://1.1.1.1:53" } }
            - { name: j, url: "starttls://h.example:25", client: { dns-resolver: "udp://1.1.1.1:53" } }
            """
        )
        #expect(targets.map(\.name) == ["a", "b", "f", "g", "h", "i", "j"])
        #expect(targets[2].family == .v6)
        guard case .http(let a) = targets[0].question, case .http(let b) = targets[1].question,
            case .http(let g) = targets[3].question
        else { return #expect(Bool(false)) }
        #expect(!a.tls.verifies && b.tls == TLSOptions() && g.tls.key?.hasSuffix("k.pem") == true)
        #expect(
            notes == [
                "c.yaml:2: a: client.store-cookies: not imported: no cookie is sent in a later request",
                "c.yaml:4: c: client.oauth2: reach requests no tokens; the target is left out",
                "c.yaml:5: d: client.identity-aware-proxy: reach requests no tokens; the target is left out",
                "c.yaml:6: e: client.tunnel: reach opens no SSH tunnels; the target is left out",
                "c.yaml:9: h: client.tls.renegotiation: not imported",
                "c.yaml:10: client.dns-resolver: not imported (2 times)",
            ]
        )
    }

    @Test func `what is sent by TCP and UDP, and the version of SSH are imported`() throws {
        let (targets, notes) = try read(
            """
            endpoints:
            - { name: a, url: "tcp://h.example:6379", body: 'PING [ENDPOINT_NAME]\\', conditions: ["[BODY] == pat(*PONG*)"] }
            - { name: b, url: "udp://h.example:53", body: x, conditions: ["[CONNECTED] == true"] }
            - { name: c, url: "ssh://h.example", conditions: ["[CONNECTED] == true", "[STATUS] == 0"] }
            - { name: d, url: "ssh://h.example:2222", ssh: { username: "", password: "" } }
            - { name: e, url: "ssh://h.example", ssh: { username: me, password: x }, body: '{ "command": "true" }' }
            - { name: f, url: "tls://h.example:443", body: x }
            - { name: g, url: "tcp://h.example:1", body: "[RANDOM_STRING_5]" }
            - { name: h, url: "tcp://h.example:1", conditions: ["[BODY] == x"] }
            - { name: i, url: "192.0.2.53", dns: { query-name: a.example, query-type: A }, conditions: ["[CONNECTED] == true"] }
            - { name: j, url: "http://h.example/", body: "[ENDPOINT_GROUP]/[ENDPOINT_URL]", group: G, maintenance-windows: [] }
            """
        )
        #expect(targets.map(\.name) == ["a", "b", "c", "d", "i", "j"])
        guard case .tcp(_, _, let redis) = targets[0].question, case .udp(_, _, let datagram) = targets[1].question,
            case .tcp("h.example", 22, let shell) = targets[2].question,
            case .tcp(_, 2_222, let other) = targets[3].question,
            case .http(let web) = targets[5].question
        else { return #expect(Bool(false)) }
        #expect(redis == TCPOptions(send: Payload(bytes: Array("PING a\\".utf8)), expect: "PONG"))
        #expect(datagram.send == Payload(bytes: [0x78]) && datagram.expect == "(?s:.)")
        #expect(shell.expect == "(?m)^SSH-" && other == shell)
        #expect(web.options.bodySent == "G/http://h.example/")
        #expect(
            notes == [
                "c.yaml:6: e: no login by SSH – tcp://HOST:22 with tcp = { expect = \"(?m)^SSH-\" }",
                "c.yaml:7: f: body: reach sends nothing over TLS; the target is left out",
                "c.yaml:8: g: body: no counterpart for [RANDOM_STRING_; the target is left out",
                "c.yaml:9: h: [BODY] == x: has no counterpart; the target is left out",
                "c.yaml:10: [DNS_RCODE]: no condition on it: an answer with another code than NOERROR makes the target down",
                "c.yaml:11: j: maintenance-windows: not imported – use [[maintenance]]",
            ]
        )
    }

    @Test func `the strictest of several limits counts, and a query of GraphQL is wrapped`() throws {
        let text = """
            endpoints:
            - name: a
              url: https://h.example/q
              method: POST
              graphql: true
              body: |
                { users(x: "1") { a } }
              conditions:
              - "[STATUS] == 200"
              - "[RESPONSE_TIME] < 300"
              - "[RESPONSE_TIME] < 600"
              - "[CERTIFICATE_EXPIRATION] > 720h"
              - "[CERTIFICATE_EXPIRATION] > 48h"
            - name: b
              url: https://h.example/r
              graphql: true
              headers: { content-type: application/graphql+json }
              body: "{ a }"
              conditions: ["[RESPONSE_TIME] <= 600", "[RESPONSE_TIME] < 300"]
            """
        let settings = try SettingsReader(file: "f", environment: [:])
            .settings(from: SettingsImport(text, file: "config.yaml").text)
        #expect(settings.targets.map(\.thresholds.slow) == [.milliseconds(300), .milliseconds(300)])
        guard case .http(let first) = settings.targets[0].question, case .http(let other) = settings.targets[1].question
        else { return #expect(Bool(false)) }
        #expect(first.tls.warnDays == 30)
        #expect(first.options.bodySent == #"{"query":"{ users(x: \"1\") { a } }\n"}"#)
        #expect(first.options.headers == [.init(name: "Content-Type", value: "application/json")])
        #expect(other.options.bodySent == #"{"query":"{ a }"}"#)
        #expect(other.options.headers == [.init(name: "content-type", value: "application/graphql+json")])
    }

    @Test func `the other parts are listed once each`() throws {
        let imported = try SettingsImport(Self.configuration, file: "config.yaml")
        #expect(
            imported.notes.map(\.description) == [
                "config.yaml:1: metrics: not imported",
                "config.yaml:2: alerting: not imported – use [[hook]]",
                "config.yaml:4: default: not imported",
                "config.yaml:6: client.dns-resolver: not imported",
                "config.yaml:22: [RESPONSE_TIME]: imported as slow: slower replies make the target degraded, not down",
                "config.yaml:23: [CERTIFICATE_EXPIRATION]: imported as tls.warn_days: a certificate that expires soon "
                    + "makes the target degraded",
                "config.yaml:25: alerts: not imported – use [[hook]] or [[target.hooks]]",
                "config.yaml:49: rpc: gRPC has no counterpart – tcp://HOST:PORT, or exec: with a client",
                "config.yaml:51: none: unknown method \"wss\" – one of icmp, tcp, session, tls, http, https, dns, udp, "
                    + "redis, rediss, postgres, mysql, link, route, exec",
                "config.yaml:56: nowhere: \"url\" is missing",
                "config.yaml:59: list: len([BODY].items) > 0: has no counterpart; the target is left out",
                "config.yaml:62: gone: [CONNECTED] == false: has no counterpart; the target is left out",
            ]
        )
    }

    @Test(
        arguments: [
            ("pat(*a.b*)", #"a\.b"#), ("pat(a*b)", "^a(?s:.*)b$"), ("pat(a?)", "^a(?s:.)$"), ("plain", "^plain$"),
            ("any(a, b)", "(?:^a$)|(?:^b$)"),
        ]
    )
    func `patterns become regular expressions`(value: String, pattern: String) throws {
        #expect(try #require(GatusCondition("[BODY] == \(value)")).pattern == pattern)
        // Gatus trims a body.
        #expect(try #require(GatusCondition("[BODY] == plain")).bodyPattern == #"^\s*plain\s*$"#)
    }

    @Test(
        arguments: [
            ("== 200", "200"), ("== any(200, 429)", "\"200,429\""), ("< 300", "\"100-299\""), ("<= 204", "\"100-204\""),
            (">= 599", "599"), ("> 597", "\"598-599\""), ("!= 200", "\"100-199,201-599\""),
        ]
    )
    func `conditions on the status become ranges`(condition: String, notation: String) throws {
        #expect(try #require(GatusCondition("[STATUS] \(condition)")?.statusCodes).statusNotation == notation)
    }

    @Test func `client certificates and proxies are imported`() throws {
        let text = """
            endpoints:
              - name: a
                url: https://a.example
                client:
                  proxy-url: http://proxy.example:3128
                  ignore-redirect: true
                  tls: { certificate-file: /certs/client.crt, private-key-file: /certs/client.key }
            """
        let imported = try SettingsImport(text, file: "config.yaml")
        #expect(imported.notes.isEmpty)
        let settings = try SettingsReader(file: "f", environment: [:]).settings(from: imported.text)
        guard case .http(let question)? = settings.targets.first?.question else { return #expect(Bool(false)) }
        #expect(question.tls.certificate == "/certs/client.crt" && question.tls.key == "/certs/client.key")
        #expect(question.options.follow == 0 && question.proxy?.host == "proxy.example")
    }
}
