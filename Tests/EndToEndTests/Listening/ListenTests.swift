import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The HTTP server of `watch --listen`.
    @Suite(.serialized) struct ListenTests {
        private let listener: Listener
        private let settings: String

        init() throws {
            listener = try Listener()
            settings = """
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "100ms"
                when_reachable = "true"
                """
        }

        private let openMetrics = "application/openmetrics-text;version=1.0.0,text/plain;version=0.0.4;q=0.5"

        @Test(arguments: ["[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"])
        func `a loopback address is one in every notation`(address: String) async throws {
            let scratch = try Scratch()
            try scratch.write(settings, to: "dashboard.toml")
            let child = try scratch.start([Program.path, "watch", "--listen", "\(address):0"])
            let url = try await eventually("address", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").firstMatch(of: /listening on (http:\S+)\n/).map { String($0.1) }
            }
            let status = { (host: String) in
                let words = ["curl", "-gs", "-o", "/dev/null", "-w", "%{http_code}", "-H", "Host: \(host)", url]
                return try Tool.run(words, in: scratch.path).output
            }
            #expect(try status("rebound.example") == "421")
            #expect(try status(address) == "200")
            #expect(try status("localhost") == "200")
            withExtendedLifetime(child) {}
        }

        @Test func `metrics follow the targets' health, in the accepted format`() async throws {
            let watch = try await ListeningWatch(settings)
            let door = #"target="Door",group="",method="tcp""#
            try await watch.wait(forLine: "reach_up{\(door)} 1")
            let text = try watch.get("/metrics")
            #expect(text.status == 200 && text.isComplete)
            #expect(text.head.contains("Content-Type: text/plain; version=0.0.4; charset=utf-8"))
            let open = try watch.get("/metrics", accept: openMetrics)
            #expect(open.head.contains("Content-Type: application/openmetrics-text; version=1.0.0; charset=utf-8"))
            #expect(open.lines.last == "# EOF" && open.isComplete)
            listener.stop()
            try await watch.wait(forLine: "reach_up{\(door)} 0")
            try await listener.start()
            try await watch.wait(forLine: #"reach_hook_runs_total{\#(door),event="up",status="success"} 1"#)
            let lines = try watch.get("/metrics").lines
            #expect(lines.contains(#"reach_transitions_total{\#(door),to="down"} 1"#))
            #expect(lines.contains(#"reach_transitions_total{\#(door),to="up"} 2"#))
            let page = try watch.get("/targets")
            #expect(page.head.contains("Content-Type: application/json"))
            #expect(page.body.hasSuffix("}],\"unknown\":0,\"up\":1}\n"), "\(page.body)")
            let object = try JSONSerialization.jsonObject(with: Data(page.body.utf8)) as? [String: Any]
            let target = try #require((object?["targets"] as? [[String: Any]])?.first)
            #expect(target["target"] as? String == "Door" && target["health"] as? String == "up")
            watch.child.send(SIGTERM)
            #expect(try await watch.child.end() == 143)
        }

        @Test func `other paths, methods and versions are rejected, and malformed requests are harmless`() async throws
        {
            let watch = try await ListeningWatch(settings)
            for (request, status) in [
                ("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
                ("GET /healthz HTTP/1.0\r\n\r\n", 200),
                ("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                ("GET /metrics/../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
                (
                    "POST /metrics HTTP/1.1\r\nHost: localhost\r\nContent-Length: 900000\r\n\r\n\(String(repeating: "x", count: 900_000))",
                    405
                ),
                ("DELETE /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
                ("GET /metrics HTTP/1.1\r\nHost: rebound.example:80\r\n\r\n", 421),
                ("GET /metrics HTTP/1.1\r\n\r\n", 400),
                ("GET /metrics HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding\r\n\r\n", 400),
                ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 505),
                ("\u{16}\u{3}\u{1}\r\n\r\n", 400),
                ("GET /\(String(repeating: "x", count: 100_000)) HTTP/1.1\r\n\r\n", 431),
                // RFC 9112 §2.2: empty lines before a request are ignored.
                ("\r\n\r\n\r\nGET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
                ("\n\n\nx\r\n\r\n", 400),
            ] {
                let client = try RawHTTPClient(watch.port)
                client.send(request)
                #expect(HTTPResponse(client.rest()).status == status, "\(request.prefix(60))")
            }
            let head = try RawHTTPClient(watch.port)
            head.send("HEAD /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            let answer = head.rest()
            #expect(answer.hasPrefix("HTTP/1.1 200 ") && answer.hasSuffix("\r\n\r\n"))
            #expect(try watch.get("/healthz").body == "ok\n")
        }

        @Test(.enabled(if: Machine.hasCurl, "curl is not installed"), arguments: ["127.0.0.1", "[::1]"])
        func `curl reads complete pages by each address family and HTTP version`(_ host: String) async throws {
            let scratch = try Scratch()
            let child = try scratch.start([
                Program.path, "watch", "--listen", "\(host):0", "127.0.0.1:\(listener.port)",
            ])
            defer { child.send(SIGTERM) }
            let url = try await eventually("address", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").firstMatch(of: /http:\/\/\S+:\d+/).map { String($0.0) }
            }
            #expect(url.hasPrefix("http://\(host):"))
            let curl = { (words: String...) in
                try Tool.run(["curl", "-s", "-S", "-g", "--fail"] + words, in: scratch.path)
            }
            for version in ["--http1.0", "--http1.1"] {
                #expect(try curl(version, "\(url)/healthz").output == "ok\n")
                let metrics = try curl(version, "-H", "Accept: application/openmetrics-text", "\(url)/metrics?x=y")
                #expect(metrics.status == 0 && metrics.lines.last == "# EOF", "\(metrics.errors)")
            }
            #expect(try curl("-I", "\(url)/targets").output.contains("Content-Type: application/json"))
            #expect(try curl("-d", "x", "\(url)/targets").errors.contains("405"))
            #expect(try curl("\(url)/nothing").errors.contains("404"))
        }

        @Test func `a client that does not complete its request is dropped after five seconds`() async throws {
            let watch = try await ListeningWatch(settings)
            let start = ContinuousClock.now
            let silent = try (0..<32).map { _ in try RawHTTPClient(watch.port) }
            // A client that sends byte after byte has no more time than a silent one.
            silent[0].send("GET /healthz HTTP/1.1\r\n")
            let deadline = ContinuousClock.now + .seconds(8)
            while silent[0].send("X"), ContinuousClock.now < deadline {
                try await Task.sleep(for: .milliseconds(100))
            }
            let time = ContinuousClock.now - start
            #expect(time > .seconds(4.5) && time < .seconds(7), "\(time)")
            #expect(silent.dropFirst().allSatisfy { $0.isReadable(within: .seconds(1)) && $0.rest() == "" })
        }

        @Test func `300 clients that send one byte and wait do not block others`() async throws {
            let watch = try await ListeningWatch(settings)
            let slow = try (0..<300).map { _ in try RawHTTPClient(watch.port) }
            for client in slow { client.send("G") }
            let clients = try (0..<50).map { _ in try RawHTTPClient(watch.port) }
            for client in clients { client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            #expect(clients.count { HTTPResponse($0.rest()).body == "ok\n" } == 50)
            // The program keeps 64 connections at most, and drops the longest waiting first.
            let waiting = slow.map { !$0.isReadable(within: .zero) }
            #expect(waiting.count(where: \.self) <= 64)
            #expect(waiting == waiting.sorted { !$0 && $1 })
        }

        /// Settings with so many targets that the metrics exceed the socket buffers of a client that does not read.
        private var many: String {
            (0..<2_000).map { "[[target]]\nname = \"T\($0)\"\nurl = \"link:lo\"\ninterval = \"1h\"\n" }.joined()
        }

        @Test func `a response in progress is not dropped for waiting clients`() async throws {
            let watch = try await ListeningWatch(many, options: ["--metrics", "histograms"])
            let scrape = try RawHTTPClient(watch.port, buffer: 4_096)
            scrape.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(scrape.isReadable(within: .seconds(5)))
            let slow = try (0..<100).map { _ in try RawHTTPClient(watch.port) }
            for client in slow { client.send("G") }
            #expect(try watch.get("/healthz").body == "ok\n")
            let page = HTTPResponse(scrape.rest())
            #expect(page.isComplete && page.lines.count { $0.hasPrefix("reach_health{") } == 8_000)
        }

        @Test(.enabled(if: Machine.hasCurl, "curl is not installed"))
        func `metrics are compressed for a client that accepts gzip`() async throws {
            let watch = try await ListeningWatch(many, options: ["--metrics", "histograms"])
            let url = "http://127.0.0.1:\(watch.port)/metrics"
            let page = watch.scratch.file("page")
            let words = ["curl", "-s", "-S", "--fail", "-D", "-", "-o", page, "-H", "Accept-Encoding: gzip", url]
            let head = try Tool.must(words, in: watch.scratch.path).output
            #expect(head.contains("Content-Encoding: gzip\r\n") && head.contains("Vary: Accept, Accept-Encoding\r\n"))
            let plain = try watch.get("/metrics").body
            let compressed = try #require(FileManager.default.contents(atPath: page))
            #expect(compressed.count * 10 < plain.utf8.count, "\(compressed.count) of \(plain.utf8.count) bytes")
            let text = try Tool.must(["gzip", "-dc", page], in: watch.scratch.path).lines
            let (first, last) = (try #require(text.first), try #require(text.last))
            #expect(first.hasPrefix("# HELP reach_up ") && last.hasPrefix("reach_build_info{"))
            #expect(text.count { $0.hasPrefix("reach_health{") } == 8_000)
            let answer = try Tool.must(["curl", "-s", "-I", "-H", "Accept-Encoding: gzip", url], in: "/tmp").output
            #expect(answer.contains("200 OK") && !answer.contains("Content-Encoding"))
        }

        @Test func `a client that closes its side after its request is answered`() async throws {
            let watch = try await ListeningWatch(settings)
            let client = try RawHTTPClient(watch.port)
            client.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            client.endSending()
            #expect(HTTPResponse(client.rest()).body == "ok\n")
            let half = try RawHTTPClient(watch.port)
            half.send("GET /healthz HT")
            half.endSending()
            #expect(HTTPResponse(half.rest()).status == 400)
            let silent = try RawHTTPClient(watch.port)
            silent.endSending()
            #expect(silent.isReadable(within: .seconds(2)) && silent.rest() == "")
        }

        @Test(.quiet) func `a client that does not read is dropped and delays no other`() async throws {
            let watch = try await ListeningWatch(many, options: ["--metrics", "histograms"])
            let slow = try (0..<8).map { _ in try RawHTTPClient(watch.port, buffer: 4_096) }
            for client in slow { client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n") }
            #expect(slow[0].isReadable(within: .seconds(5)))
            let start = ContinuousClock.now
            let page = try watch.get("/metrics")
            #expect(page.isComplete && page.lines.count { $0.hasPrefix("reach_health{") } == 8_000)
            #expect(ContinuousClock.now - start < .seconds(5))
            try await Task.sleep(for: .seconds(11))
            for client in slow {
                let answer = HTTPResponse(client.rest())
                #expect(answer.status == 200 && !answer.isComplete)
            }
            #expect(try watch.get("/healthz").body == "ok\n")
        }

        @Test func `a client that disconnects during a response is harmless`() async throws {
            let watch = try await ListeningWatch(many, options: ["--metrics", "histograms"])
            for _ in 0..<20 {
                let client = try RawHTTPClient(watch.port, buffer: 4_096)
                client.send("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n")
                #expect(client.isReadable(within: .seconds(5)))
            }
            #expect(try watch.get("/metrics").isComplete)
            #expect(watch.child.status == nil)
        }

        @Test(.enabled(if: Machine.canLimit, "prlimit is not installed"))
        func `a shortage of descriptors delays connections only`() async throws {
            let watch = try await ListeningWatch(settings)
            #expect(try watch.get("/healthz").body == "ok\n")
            let limit = { (count: Int) in
                try Tool.run(["prlimit", "--pid=\(watch.child.id)", "--nofile=\(count):"], in: watch.scratch.path)
            }
            // The limit is the highest number plus one, and a closed descriptor leaves a gap below the others. Only the
            // standard streams are certain to stay open.
            #expect(try limit(3).status == 0)
            let late = try RawHTTPClient(watch.port)
            late.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(!late.isReadable(within: .seconds(2)))
            #expect(try limit(1_024).status == 0)
            #expect(HTTPResponse(late.rest()).body == "ok\n")
            #expect(!watch.scratch.text(of: "err").contains("trying again"))
        }

        @Test func `settings are reloaded, and an invalid file is rejected`() async throws {
            let watch = try await ListeningWatch(settings)
            try watch.scratch.write(settings.replacing("Door", with: "Gate"), to: "settings.toml")
            watch.child.send(SIGHUP)
            try await watch.wait(forLine: #"reach_up{target="Gate",group="",method="tcp"} 1"#)
            #expect(try !watch.get("/metrics").body.contains("Door"))
            try watch.scratch.write("[[target]]\nurl = \"tcp://127.0.0.1\"\nintervall = 1\n", to: "settings.toml")
            watch.child.send(SIGHUP)
            try await eventually("rejection", context: { watch.scratch.text(of: "err") }) {
                watch.scratch.text(of: "err").contains("intervall")
            }
            let errors = watch.scratch.lines(of: "err")
            #expect(errors.contains("reach: settings refused, the old ones keep running:"))
            #expect(
                errors.contains { $0.contains("settings.toml:2:") }
                    && errors.contains { $0.contains("settings.toml:3:") }
            )
            #expect(errors.contains("reach: settings read again: 1 target"))
            #expect(try watch.get("/metrics").body.contains("Gate"))
        }

        @Test func `a normal exit reports nothing about the listener`() async throws {
            for _ in 0..<3 {
                let watch = try await ListeningWatch(settings)
                #expect(try watch.get("/healthz").status == 200)
                watch.child.send(SIGTERM)
                #expect(try await watch.child.end() == 143)
                let errors = watch.scratch.text(of: "err")
                #expect(!errors.contains("trying again"), "\(errors)")
            }
        }

        @Test func `a failure to listen is reported in one line before anything starts`() async throws {
            let scratch = try Scratch()
            let path = try scratch.write(settings, to: "settings.toml")
            for (address, problem) in [
                ("127.0.0.1:\(listener.port)", "another program listens there"),
                ("192.0.2.1:9720", "not an address of this machine"),
            ] {
                let tool = try Tool.run(
                    [Program.path, "watch", "--listen", address, "--config", path],
                    in: scratch.path
                )
                #expect(tool.status == 2 && tool.output == "")
                #expect(
                    tool.errorLines.count == 1
                        && tool.errors.hasPrefix("reach: cannot listen on \(address): \(problem)")
                )
            }
            let tool = try Tool.run([Program.path, "watch", "--listen", "70000"], in: scratch.path)
            #expect(tool.status == 2 && tool.errors.contains("port out of range"), "\(tool.errors)")
        }

        @Test func `a listener that is reachable from the network prints a warning`() async throws {
            let scratch = try Scratch()
            let child = try scratch.start([
                Program.path, "watch", "--listen", "0.0.0.0:0", "127.0.0.1:\(listener.port)",
            ])
            try await eventually("warning", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").contains("/metrics – reachable from the network, without authentication")
            }
            child.send(SIGINT)
            #expect(try await child.end() == 130)
        }
    }
}

/// `reach watch --listen` on a free loopback port.
struct ListeningWatch {
    let scratch: Scratch
    let child: Child
    let port: UInt16

    /// Starts the program and waits until it listens.
    init(_ settings: String, environment: [String: String] = [:], options: [String] = []) async throws {
        scratch = try Scratch()
        let path = try scratch.write(settings, to: "settings.toml")
        let words = [Program.path, "watch", "--listen", "0", "--config", path] + options
        child = try scratch.start(words, environment: environment)
        let scratch = scratch
        port = try await eventually("port", context: { scratch.text(of: "err") }) {
            let words = /listening on http:\/\/127\.0\.0\.1:(\d+)\/metrics/
            return scratch.text(of: "err").firstMatch(of: words).flatMap { UInt16($0.1) }
        }
    }

    func get(_ path: String, accept: String? = nil) throws -> HTTPResponse {
        try RawHTTPClient.get(path, at: port, accept: accept)
    }

    /// Waits until `/metrics` contains a line.
    func wait(forLine line: String) async throws {
        try await eventually(line, context: { (try? get("/metrics").body) ?? "" }) {
            try get("/metrics").lines.contains(line)
        }
    }
}
