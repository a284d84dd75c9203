import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The fleet by way of Debian's Prometheus, with `reach watch --listen` at three vantage points.
    @Suite(.serialized, .enabled(if: Machine.hasPrometheus, "prometheus is not installed"))
    struct FleetTests {
        private let names = ["fra", "nyc", "sin"]
        /// What each vantage point sees of the target.
        private let listeners: [Listener]
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            listeners = try names.map { _ in try Listener() }
        }

        private func vantagePoint(_ index: Int) async throws -> ListeningWatch {
            try await ListeningWatch(
                """
                [defaults]
                interval = "200ms"
                fall = 2
                [[target]]
                name = "Shop"
                group = "Web"
                url = "tcp://127.0.0.1:\(listeners[index].port)"
                """
            )
        }

        private func lines(_ scratch: Scratch) -> [String] {
            scratch.text(of: "out").split(separator: "\n").filter { $0.contains("\"transition\"") }.map { line in
                let from = line.firstMatch(of: /"from":"([a-z]+)"/)?.1 ?? ""
                let to = line.firstMatch(of: /"to":"([a-z]+)"/)?.1 ?? ""
                return "\(from)→\(to)"
            }
        }

        @Test func `a quorum of vantage points takes a target down, and hooks know which`() async throws {
            var points = [try await vantagePoint(0), try await vantagePoint(1), try await vantagePoint(2)]
            let server = try Prometheus(vantagePoints: Array(zip(names, points.map(\.port))), in: scratch)
            _ = try await server.samples("count(reach_up == 1) == 3")
            let settings = try scratch.write(
                """
                [[prometheus]]
                url = "http://127.0.0.1:\(server.port)"
                interval = "1s"
                stale_after = "5s"
                  [[prometheus.hooks]]
                  on = "down"
                  run = "echo $REACH_TARGET $REACH_GROUP $REACH_VANTAGE_DOWN $REACH_VANTAGE_UP >> hook"
                """,
                to: "fleet.toml"
            )
            let watch = try scratch.start([Program.path, "watch", "--json", "--config", settings])
            let context = { self.scratch.text(of: "out") + self.scratch.text(of: "err") }
            try await eventually("up", within: .seconds(15), context: context) { lines(scratch) == ["unknown→up"] }

            // One of three is no majority.
            listeners[0].stop()
            _ = try await server.samples(#"reach_failing_since_timestamp_seconds{vantage="fra"}"#)
            try await Task.sleep(for: .seconds(3))
            #expect(lines(scratch) == ["unknown→up"])
            listeners[1].stop()
            try await eventually("down", within: .seconds(15), context: context) {
                lines(scratch) == ["unknown→up", "up→down"]
            }
            try await eventually("hook", context: context) { scratch.text(of: "hook") == "Shop Web fra,nyc sin\n" }

            // A vantage point that stops is no change.
            points.removeLast()
            try await eventually("end of series", within: .seconds(15)) {
                try server.get("/api/v1/query?query=reach_up%7Bvantage%3D%22sin%22%7D").body.contains("\"result\":[]")
            }
            try await Task.sleep(for: .seconds(2))
            #expect(lines(scratch).count == 2)
            try await listeners[0].start()
            try await listeners[1].start()
            try await eventually("up again", within: .seconds(20), context: context) {
                lines(scratch) == ["unknown→up", "up→down", "down→up"]
            }
            _ = watch
        }

        @Test func `the screen shows the targets, the vantage points and the problem of the server`() async throws {
            let points = [try await vantagePoint(0), try await vantagePoint(1), try await vantagePoint(2)]
            listeners[2].stop()
            let server = try Prometheus(vantagePoints: Array(zip(names, points.map(\.port))), in: scratch)
            _ = try await server.samples("count(reach_up) == 3")
            let url = "http://127.0.0.1:\(server.port)"
            let terminal = try Pty([Program.path, "fleet", "--no-history", url], in: scratch)
            try await terminal.wait(for: "Shop", within: .seconds(15))
            terminal.type("5")
            for name in names { try await terminal.wait(for: name) }
            try await terminal.wait(for: "sin disagrees", within: .seconds(15))
            try await server.stop()
            try await terminal.wait(for: "refused", within: .seconds(15))
            terminal.type("q")
            #expect(try await terminal.child.end() == 0)
        }

        @Test func `a page of a proxy, and a server that rejects the token, are named`() async throws {
            let page = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\n\r\n<html></html>"
            let proxy = try Listener(greeting: page, waitsForRequest: true)
            let denial = "HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n"
            let guarded = try Listener(greeting: denial, waitsForRequest: true)
            let token = try scratch.write("secret-token\n", to: "token")
            let settings = try scratch.write(
                """
                [[prometheus]]
                name = "proxy"
                url = "http://127.0.0.1:\(proxy.port)"
                [[prometheus]]
                name = "guarded"
                url = "http://127.0.0.1:\(guarded.port)"
                token_file = "\(token)"
                """,
                to: "fleet.toml"
            )
            let log = scratch.file("log")
            let words = [Program.path, "watch", "--config", settings, "--log", log, "-vv"]
            let watch = try scratch.start(words)
            for text in ["proxy: HTML instead of JSON", "guarded: HTTP 401"] {
                try await eventually(text, context: { scratch.text(of: "err") }) {
                    scratch.text(of: "err").contains(text)
                }
            }
            #expect(!(scratch.text(of: "err") + scratch.text(of: "log")).contains("secret-token"))
            _ = watch
        }
    }
}

extension EndToEnd {
    /// A Prometheus that requires a client certificate and a password.
    @Suite(
        .serialized,
        .enabled(if: Machine.hasPrometheus && Machine.hasPeers, "prometheus or openssl is not installed")
    )
    struct FleetCredentialTests {
        private let scratch: Scratch
        private let server: Prometheus
        private var url: String { "https://127.0.0.1:\(server.port)" }

        init() throws {
            scratch = try Scratch()
            let make = """
                openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 3 -subj /CN=localhost \
                    -addext subjectAltName=IP:127.0.0.1 -keyout own.key -out own.pem
                """
            try Tool.must(["sh", "-c", make], in: scratch.path)
            try scratch.write("test\n", to: "password")
            // The hash of Prometheus's own guide to basic authentication.
            let config = """
                tls_server_config:
                  cert_file: own.pem
                  key_file: own.key
                  client_auth_type: RequireAndVerifyClientCert
                  client_ca_file: own.pem
                basic_auth_users:
                  admin: $2b$12$hNf2lSsxfm0.i4a.1kVpSOVyBCfIB51VRjgBUyv6kdnyTlgWj81Ay
                """
            server = try Prometheus(webConfig: try scratch.write(config, to: "web.yml"), in: scratch)
        }

        @Test func `with the authority, the certificate and the password, targets are read`() async throws {
            let settings = """
                [[prometheus]]
                url = "\(url)"
                interval = "1s"
                ca = "own.pem"
                cert = "own.pem"
                key = "own.key"
                user = "admin"
                password_file = "password"
                """
            let path = try scratch.write(settings, to: "fleet.toml")
            let watch = try scratch.start([Program.path, "watch", "--config", path])
            let context = {
                ["out", "err", "prometheus.err"].map { self.scratch.text(of: $0) }.joined(separator: "\n")
            }
            try await eventually("the target of Prometheus", within: .seconds(20), context: context) {
                scratch.lines(of: "out").contains { $0.contains("127.0.0.1:1  down") }
            }
            watch.send(SIGTERM)
            #expect(try await watch.end() == 143)
        }

        @Test(arguments: [
            ([], "self-signed"), (["--ca", "own.pem"], "client certificate"),
            (["--ca", "own.pem", "--cert", "own.pem", "--key", "own.key"], "HTTP 401: it requires credentials"),
        ])
        func `what is missing is named`(options: [String], words: String) async throws {
            let pty = try Pty([Program.path, "fleet", "--no-history"] + options + [url], in: scratch)
            try await pty.wait(for: words, within: .seconds(20))
            pty.type("q")
            #expect(try await pty.end() == 0)
        }
    }
}
