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

        @Test func `health, reload and their metrics are those of the blackbox exporter`() async throws {
            let folder = try Scratch()
            let path = try folder.write(Self.blackbox, to: "blackbox.yml")
            let watch = try await ListeningWatch("", options: ["--blackbox", path])
            #expect(try watch.get("/-/healthy").body == "Healthy")
            let valid = "blackbox_exporter_config_last_reload_successful"
            #expect(try watch.get("/metrics").lines.contains("\(valid) 1"))
            #expect(try watch.get("/metrics").body.contains("\n\(valid.dropLast(10))success_timestamp_seconds 1"))
            try folder.write("modules: { m: { prober: tcp, foo: 1 } }\n", to: "blackbox.yml")
            let refused = try send("POST /-/reload", to: watch)
            #expect(refused.status == 500, "\(refused)")
            #expect(refused.body.hasPrefix("failed to reload config: ") && refused.body.contains("unknown key \"foo\""))
            #expect(try watch.get("/metrics").lines.contains("\(valid) 0"))
            #expect(try watch.get("/probe?module=tcp_connect").body == "Target parameter is missing\n")
            try folder.write("modules: { new: { prober: tcp } }\n", to: "blackbox.yml")
            #expect(try send("PUT /-/reload", to: watch).status == 200)
            #expect(try watch.get("/metrics").lines.contains("\(valid) 1"))
            #expect(try watch.get("/probe?module=new").body == "Target parameter is missing\n")
            #expect(try watch.get("/-/reload").status == 405)
            #expect(try send("POST /-/reload", "Origin: https://a.example", to: watch).status == 403)
            #expect(try send("POST /-/reload", host: "a.example", to: watch).status == 421)
        }

        @Test(arguments: ["{}\n", "modules:\n"])
        func `the paths stay while the file has no modules, so that a client can reload the repaired file`(
            text: String
        ) async throws {
            let folder = try Scratch()
            for first in [Self.blackbox, text] {
                let path = try folder.write(first, to: "blackbox.yml")
                let watch = try await ListeningWatch("", options: ["--blackbox", path])
                try folder.write(text, to: "blackbox.yml")
                #expect(try send("POST /-/reload", to: watch).status == 200)
                #expect(try watch.get("/-/healthy").body == "Healthy")
                let unknown = try watch.get("/probe?module=tcp_connect&target=a")
                #expect(unknown.status == 400 && unknown.body == "Unknown module \"tcp_connect\"\n", "\(unknown)")
                let metrics = try watch.get("/metrics")
                #expect(metrics.lines.contains("blackbox_exporter_config_last_reload_successful 1"))
                try folder.write(Self.blackbox, to: "blackbox.yml")
                #expect(try send("POST /-/reload", to: watch).status == 200)
                #expect(try watch.get("/probe?module=tcp_connect").body == "Target parameter is missing\n")
            }
            withExtendedLifetime(folder) {}
        }

        @Test func `the paths stay when a reload removes the modules of the settings`() async throws {
            let watch = try await ListeningWatch("[module.one]\nmethod = \"tcp\"\n")
            try watch.scratch.write("", to: "settings.toml")
            #expect(try send("POST /-/reload", to: watch).status == 200)
            #expect(try watch.get("/probe?module=one").body == "Unknown module \"one\"\n")
            try watch.scratch.write("[module.two]\nmethod = \"tcp\"\n", to: "settings.toml")
            #expect(try send("POST /-/reload", to: watch).status == 200)
            #expect(try watch.get("/probe?module=two").body == "Target parameter is missing\n")
        }

        private func send(
            _ request: String,
            _ field: String = "X: y",
            host: String = "localhost",
            to watch: ListeningWatch
        ) throws -> HTTPResponse {
            let client = try RawHTTPClient(watch.port)
            let fields = ["Host: \(host)", field, "Content-Length: 0", "Connection: close"]
            client.send("\(request) HTTP/1.1\r\n\(fields.joined(separator: "\r\n"))\r\n\r\n")
            return HTTPResponse(client.rest())
        }

        @Test func `a module that is not supported is a warning, and its probes have status 400`() async throws {
            let watch = try await watch(file: "modules:\n  m:\n    prober: grpc\n  tcp_connect: { prober: tcp }\n")
            let reason = "module \"m\": prober: not supported: reach has no prober grpc – http, tcp, dns or icmp"
            let warning = reason.replacing("prober: not", with: "prober: warning: not")
            let lines = watch.scratch.text(of: "err").split(separator: "\n")
            #expect(lines.filter { $0.hasSuffix("blackbox.yml:3: \(warning)") }.count == 1, "\(lines)")
            let page = try watch.get("/probe?module=m&target=127.0.0.1")
            #expect(page.status == 400 && page.body == reason + "\n", "\(page)")
            let listener = try Listener()
            let other = try watch.get("/probe?module=tcp_connect&target=127.0.0.1:\(listener.port)")
            #expect(other.status == 200 && other.lines.contains("probe_success 1"))
        }

        @Test func `the file that Debian ships is read, with warnings for gRPC`() async throws {
            let path = "/etc/prometheus/blackbox.yml"
            guard let text = try? String(contentsOfFile: path, encoding: .utf8), text.contains("grpc_plain") else {
                return
            }
            let watch = try await watch(file: text)
            let warnings = watch.scratch.text(of: "err").split(separator: "\n").filter { $0.contains("not supported") }
            #expect(warnings.count == 2 && warnings.allSatisfy { $0.contains("module \"grpc") }, "\(warnings)")
            #expect(try watch.get("/probe?module=irc_banner").body == "Target parameter is missing\n")
        }

        @Test func `strict refuses a module that is not supported, with the line and the reason`() throws {
            let scratch = try Scratch()
            let path = try scratch.write("modules:\n  m:\n    prober: grpc\n", to: "blackbox.yml")
            let words = [Program.path, "watch", "--listen", "0", "--blackbox", path, "--strict"]
            let tool = try Tool.run(words, in: scratch.path)
            let message = "\(path):3: module \"m\": prober: not supported: reach has no prober grpc"
            #expect(tool.status == 2 && tool.errors.contains(message), "\(tool.errors)")
            for (options, problem) in [
                (["--blackbox", path], "--blackbox needs --listen"),
                (["--strict"], "--strict: only allowed with --blackbox"),
            ] {
                let usage = try Tool.run([Program.path, "watch", "127.0.0.1"] + options, in: scratch.path)
                #expect(usage.status == 2 && usage.errors.contains(problem), "\(usage.errors)")
            }
        }
    }
}
