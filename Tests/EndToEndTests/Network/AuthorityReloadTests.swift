import Foundation
import Testing

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
