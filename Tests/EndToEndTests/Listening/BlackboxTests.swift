import Foundation
import Testing

extension EndToEnd {
    /// `GET /probe`, and its likeness to Prometheus's blackbox exporter.
    @Suite(.serialized) struct BlackboxTests {
        private static let blackbox = """
            modules:
              tcp_connect: { prober: tcp, timeout: 2s }
              secret: { prober: http, timeout: 2s, http: { bearer_token: s3cr3t-token, headers: { X: s3cr3t-field } } }
            """

        private func watch(_ settings: String = "", file: String = blackbox) async throws -> ListeningWatch {
            let folder = try Scratch()
            let path = try folder.write(file, to: "blackbox.yml")
            defer { withExtendedLifetime(folder) {} }
            return try await ListeningWatch(settings, options: ["--blackbox", path])
        }

        @Test(.enabled(if: Machine.canComparePairs, "prometheus-blackbox-exporter, dnsmasq or a right is missing"))
        func `a tenth of the pairs of module and target agree with Debian's blackbox exporter`() throws {
            let script = URL(filePath: #filePath).deletingLastPathComponent().appending(
                path: "../../../Scripts/blackbox-pairs"
            )
            let words = ["/usr/bin/python3", script.standardized.path, "--quick", "--program", Program.path]
            let scratch = try Scratch()
            let tool = try Tool.run(words, in: scratch.path, within: .seconds(60))
            #expect(tool.status == 0, "\(tool.output)\(tool.errors)")
            #expect(tool.output.contains(" pairs, ") && tool.output.contains(": 0 unexpected differences"))
        }

        @Test func `the status is 200 whether a probe succeeds or fails, and 400 for an invalid request`() async throws
        {
            let listener = try Listener()
            let closed = try Listener()
            closed.stop()
            let watch = try await watch()
            let path = "/probe?module=tcp_connect&target=127.0.0.1:"
            let good = try watch.get("\(path)\(listener.port)")
            #expect(good.status == 200 && good.lines.contains("probe_success 1"), "\(good.body)")
            let bad = try watch.get("\(path)\(closed.port)")
            #expect(bad.status == 200 && bad.lines.contains("probe_success 0"), "\(bad.body)")
            let unknown = try watch.get("/probe?module=none&target=a")
            #expect(unknown.status == 400 && unknown.body == "Unknown module \"none\"\n")
            #expect(try watch.get("/probe?module=tcp_connect").body == "Target parameter is missing\n")
            #expect(try watch.get("/").body.contains("/probe"))
        }

        @Test func `the text for debugging has the log and no secrets`() async throws {
            let listener = try Listener()
            listener.stop()
            let text = try await watch().get(
                "/probe?module=secret&debug=true&target=http://127.0.0.1:\(listener.port)/"
            ).body
            #expect(text.contains("Making HTTP request") && text.contains("Metrics that would have been returned:"))
            #expect(text.contains("level=error msg=\"Error for HTTP request\"") && text.contains("    X: <secret>"))
            #expect(!text.contains("s3cr3t"), "\(text)")
        }

        @Test func `a client that goes away cancels its probe`() async throws {
            let holding = try HoldingListener()
            let file = "modules: { m: { prober: tcp, timeout: 60s, tcp: { query_response: [{ expect: never }] } } }"
            let watch = try await watch(file: file)
            for isHalf in [true, false] {
                var client: RawHTTPClient? = try RawHTTPClient(watch.port)
                client?.send("GET /probe?module=m&target=127.0.0.1:\(holding.port) HTTP/1.1\r\nHost: localhost\r\n\r\n")
                try await eventually("connection") { try connections(to: holding.port) == 1 }
                if isHalf { client?.endSending() } else { client = nil }
                try await eventually("end of the connection") {
                    try connections(to: holding.port) == 0
                }
                withExtendedLifetime(client) {}
            }
        }

        /// The number of connections to a port that are established.
        private func connections(to port: UInt16) throws -> Int {
            try Tool.must(["ss", "-Htn", "state", "established", "dst", "127.0.0.1:\(port)"]).lines.count
        }

        @Test func `a reload reads the modules again, and keeps the old ones if they are invalid`() async throws {
            let watch = try await ListeningWatch("[module.one]\nmethod = \"tcp\"\n")
            #expect(try watch.get("/probe?module=one").body == "Target parameter is missing\n")
            try watch.scratch.write("[module.two]\nmethod = \"tcp\"\n", to: "settings.toml")
            watch.child.send(SIGHUP)
            try await eventually("new module") {
                try watch.get("/probe?module=two").body == "Target parameter is missing\n"
            }
            #expect(try watch.get("/probe?module=one").status == 400)
            try watch.scratch.write("[module.three]\nmethod = \"smtp\"\n", to: "settings.toml")
            watch.child.send(SIGHUP)
            try await eventually("rejection") { watch.scratch.text(of: "err").contains("settings refused") }
            #expect(try watch.get("/probe?module=two").body == "Target parameter is missing\n")
        }

        @Test func `what is not supported ends the program at its start, with the line and the reason`() throws {
            let scratch = try Scratch()
            let path = try scratch.write("modules:\n  m:\n    prober: grpc\n", to: "blackbox.yml")
            let tool = try Tool.run([Program.path, "watch", "--listen", "0", "--blackbox", path], in: scratch.path)
            let message = "\(path):3: module \"m\": prober: not supported: reach has no prober grpc"
            #expect(tool.status == 2 && tool.errors.contains(message), "\(tool.errors)")
            let words = [Program.path, "watch", "--blackbox", path, "127.0.0.1"]
            let usage = try Tool.run(words, in: scratch.path)
            #expect(usage.status == 2 && usage.errors.contains("--blackbox needs --listen"), "\(usage.errors)")
        }
    }
}
