import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// Every method with real servers: nginx, redis and dnsmasq.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed")
    )
    struct PeerTests {
        /// A target and its expected first line.
        private struct Case {
            let name: String
            let url: String
            var options = ""
            let says: String
        }

        private static func cases(_ port: Peers.Ports) -> [Case] {
            let trusted = "tls = { ca = \"ca.pem\" }"
            let soon = "tls = { ca = \"ca.pem\", warn_days = 14 }"
            return [
                Case(
                    name: "http",
                    url: "http://127.0.0.1:\(port.http)/",
                    options: "http = { body = \"well\" }",
                    says: "up"
                ),
                Case(
                    name: "redirect",
                    url: "http://127.0.0.1:\(port.http)/go",
                    options: "http = { follow = 2 }",
                    says: "up"
                ),
                Case(
                    name: "secure redirect",
                    url: "http://127.0.0.1:\(port.http)/secure",
                    options: "http = { follow = 1 }\n\(trusted)",
                    says: "up"
                ),
                Case(
                    name: "status",
                    url: "http://127.0.0.1:\(port.http)/bad",
                    says: "down after 1 loss: HTTP 503 Service Unavailable"
                ),
                Case(
                    name: "body",
                    url: "http://127.0.0.1:\(port.http)/",
                    options: "http = { body = \"unwell\" }",
                    says: "down after 1 loss: "
                ),
                Case(
                    name: "header",
                    url: "http://127.0.0.1:\(port.http)/",
                    options: "http = { response_headers = { name = \"server\", matches = \"^nginx\" } }",
                    says: "up"
                ),
                Case(
                    name: "negative",
                    url: "http://127.0.0.1:\(port.http)/",
                    options: "http = { status = \"2xx\", body_not = \"well\" }",
                    says: "down after 1 loss: unwanted match in the body: well"
                ),
                Case(
                    name: "JSON",
                    url: "http://127.0.0.1:\(port.http)/health",
                    options: "http = { json = { path = \"$.status\", is = \"ok\" } }",
                    says: "down after 1 loss: JSON $.status is \"degraded\", not \"ok\""
                ),
                Case(name: "https", url: "https://localhost:\(port.good)/", options: trusted, says: "up"),
                Case(name: "tls", url: "tls://127.0.0.1:\(port.good)", options: trusted, says: "up"),
                Case(
                    name: "soon",
                    url: "tls://127.0.0.1:\(port.soon)",
                    options: soon,
                    says: "degraded: certificate expires in"
                ),
                Case(
                    name: "name",
                    url: "tls://127.0.0.1:\(port.name)",
                    options: trusted,
                    says: "down after 1 loss: certificate is for other.example"
                ),
                Case(
                    name: "expired",
                    url: "tls://127.0.0.1:\(port.expired)",
                    options: trusted,
                    says: "down after 1 loss: expired"
                ),
                Case(
                    name: "mutual",
                    url: "https://localhost:\(port.mutual)/",
                    options: "tls = { ca = \"ca.pem\", cert = \"good.pem\", key = \"good.key\" }",
                    says: "up"
                ),
                Case(
                    name: "anonymous",
                    url: "https://localhost:\(port.mutual)/",
                    options: trusted,
                    says: "down after 1 loss: HTTP 400 Bad Request"
                ),
                Case(name: "unknown", url: "tls://127.0.0.1:\(port.good)", says: "down after 1 loss: "),
                Case(
                    name: "session",
                    url: "session://127.0.0.1:\(port.redis)",
                    options: #"session = { send = "PING\r\n", expect = "PONG" }"#,
                    says: "up"
                ),
                Case(
                    name: "dns",
                    url: "dns://127.0.0.1:\(port.dns)/good.test",
                    options: "dns = { answer = \"192.0.2.9\" }",
                    says: "up"
                ),
                Case(
                    name: "answer",
                    url: "dns://127.0.0.1:\(port.dns)/good.test",
                    options: "dns = { answer = \"192.0.2.1\" }",
                    says: "down after 1 loss: A is 192.0.2.9, not 192.0.2.1"
                ),
                Case(
                    name: "dns by TCP",
                    url: "dns://127.0.0.1:\(port.dns)/good.test?type=A",
                    options: "dns = { answer = \"192.0.2.9\", transport = \"tcp\" }",
                    says: "up"
                ),
                Case(name: "nxdomain", url: "dns://127.0.0.1:\(port.dns)/no.test", says: "down after 1 loss: NXDOMAIN"),
                Case(name: "udp", url: "udp://127.0.0.1:\(port.none)", says: "down after 1 loss: refused"),
                Case(name: "exec", url: "exec:", options: "exec = { run = \"exit 1\" }", says: "down after 1 loss: "),
                Case(name: "route", url: "route://127.0.0.1", says: "up"),
                Case(name: "link", url: "link:lo", says: "up"),
            ]
        }

        @Test func `every method reports its peer's health and reason`() async throws {
            let scratch = try Scratch()
            let peers = try await Peers(in: scratch)
            let cases = Self.cases(peers.ports)
            let targets = cases.map { test in
                """
                [[target]]
                name = "\(test.name)"
                url = "\(test.url)"
                \(test.options)
                """
            }
            let defaults = "[defaults]\ninterval = \"500ms\"\nfall = 1\n"
            let path = try scratch.write(defaults + targets.joined(separator: "\n"), to: "settings.toml")
            let watch = try scratch.start([Program.path, "watch", "--config", path])
            for test in cases {
                let line = "  \(test.name)  \(test.says)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                    scratch.lines(of: "out").contains { $0.contains(line) }
                }
            }

            // The closed connection reports the peer's end before the next probe.
            peers.stopRedis()
            try await eventually("session down", context: { scratch.text(of: "out") }) {
                scratch.lines(of: "out").contains { $0.contains("  session  down after") }
            }
            watch.send(SIGTERM)
            #expect(try await watch.end() == 143)
        }
    }
}

extension EndToEnd {
    /// Reload of a file of authorities whose size and modification time stay equal.
    @Suite(
        .serialized,
        .enabled(if: Machine.canMakeNetworks, "network namespaces are missing"),
        .enabled(if: Machine.hasPeers, "openssl is not installed")
    ) struct AuthorityReloadTests {
        private let scratch: Scratch
        private let network: Namespace

        init() throws {
            scratch = try Scratch()
            network = try Namespace()
        }

        /// Creates a self-signed server certificate and returns its text.
        private func certificate(_ name: String) throws -> String {
            let words = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj /CN=localhost \
                -addext subjectAltName=DNS:localhost -keyout \(name).key -out \(name).pem
                """
            let tool = try Tool.run(words.split(separator: " ").map(String.init), in: scratch.path)
            try #require(tool.status == 0, "\(tool.errors)")
            return scratch.text(of: "\(name).pem").padding(toLength: 4_096, withPad: "\n", startingAt: 0)
        }

        private func overwrite(with text: String) throws {
            let file = try FileHandle(forWritingTo: URL(filePath: scratch.file("ca.pem")))
            try file.write(contentsOf: Data(text.utf8))
            try file.close()
            try Tool.must(["touch", "-d", "2001-09-09", scratch.file("ca.pem")])
        }

        @Test func `SIGHUP reloads a file of authorities`() async throws {
            let (own, other) = (try certificate("own"), try certificate("other"))
            try scratch.write("", to: "ca.pem")
            try overwrite(with: own)
            let server = try Child(
                network.words("openssl", "s_server", "-accept", "8443", "-key", "own.key", "-cert", "own.pem", "-www"),
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: "/dev/null")
            )
            let path = try scratch.write(
                """
                [[target]]
                name = "Web"
                url = "tls://localhost:8443"
                family = "4"
                interval = "200ms"
                tls = { ca = "\(scratch.file("ca.pem"))" }
                """,
                to: "settings.toml"
            )
            let child = try scratch.start(network.words(Program.path, "watch", "--config", path))
            let output = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("trust", context: output) {
                scratch.lines(of: "out").contains { $0.contains("Web  up") }
            }
            try overwrite(with: other)
            child.send(SIGHUP)
            try await eventually("distrust", context: output) {
                scratch.lines(of: "out").contains { $0.contains("Web  down") && $0.contains("self-signed") }
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            withExtendedLifetime(server) {}
        }
    }
}

extension EndToEnd {
    /// Probes of nginx through tinyproxy.
    @Suite(
        .serialized,
        .quiet,
        .enabled(if: Machine.hasPeers, "nginx, redis-server, dnsmasq, sshd or openssl is not installed"),
        .enabled(if: Machine.hasProxy, "tinyproxy is not installed")
    )
    struct ProxyProbeTests {
        @Test func `targets behind a real proxy are up, and its own failures are named`() async throws {
            let scratch = try Scratch()
            let peers = try await Peers(in: scratch)
            let port = Int.random(in: 30_000..<32_000)
            try scratch.write(
                "Port \(port)\nListen 127.0.0.1\nTimeout 60\nMaxClients 20\nBasicAuth me secret-1\n",
                to: "proxy.conf"
            )
            let proxy = try Child(
                ["tinyproxy", "-d", "-c", scratch.file("proxy.conf")],
                in: scratch.path,
                streams: .files(output: scratch.file("proxy.out"), errors: scratch.file("proxy.err"))
            )
            try await eventually("the proxy") {
                try Tool.must(["ss", "--no-header", "--tcp", "--listening", "--numeric"]).output.contains(":\(port) ")
            }
            let (http, https) = (peers.ports.http, peers.ports.good)
            let right = "http://me:${WORD}@127.0.0.1:\(port)"
            let cases: [(name: String, url: String, proxy: String, says: String)] = [
                ("plain", "http://127.0.0.1:\(http)/", right, "up"),
                ("tunnel", "https://localhost:\(https)/", right, "up"),
                (
                    "plain-407", "http://127.0.0.1:\(http)/", "http://127.0.0.1:\(port)",
                    "down after 1 loss: proxy: HTTP 407"
                ),
                (
                    "tunnel-407", "https://localhost:\(https)/", "http://me:no@127.0.0.1:\(port)",
                    "down after 1 loss: proxy: HTTP 40"
                ),
                ("behind", "https://localhost:\(peers.ports.none)/", right, "down after 1 loss: proxy: HTTP 5"),
                (
                    "gone", "https://localhost:\(https)/", "http://127.0.0.1:\(peers.ports.none)",
                    "down after 1 loss: proxy: refused"
                ), ("certificate", "https://localhost:\(peers.ports.expired)/", right, "down after 1 loss: expired"),
            ]
            let targets = cases.map { test in
                """
                [[target]]
                name = "\(test.name)"
                url = "\(test.url)"
                http.proxy = "\(test.proxy)"
                """
            }
            let defaults = "[defaults]\ninterval = \"500ms\"\nfall = 1\ntls.ca = \"ca.pem\"\n"
            let path = try scratch.write(defaults + targets.joined(separator: "\n"), to: "settings.toml")
            let watch = try scratch.start(
                [Program.path, "watch", "--config", path],
                environment: ["WORD": "secret-1"]
            )
            for test in cases {
                let line = "  \(test.name)  \(test.says)"
                try await eventually(line, context: { scratch.text(of: "out") + scratch.text(of: "proxy.out") }) {
                    scratch.lines(of: "out").contains { $0.contains(line) }
                }
            }
            watch.send(SIGTERM)
            #expect(!scratch.text(of: "out").contains("secret"))
            withExtendedLifetime((proxy, peers)) {}
        }
    }
}
