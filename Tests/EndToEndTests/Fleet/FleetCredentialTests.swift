import Foundation
import Testing

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
            ([], "not trusted"), (["--ca", "own.pem"], "client certificate"),
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
