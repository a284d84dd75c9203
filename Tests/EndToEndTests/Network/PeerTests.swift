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
