import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The options of probes on the command line.
    @Suite(.serialized) struct ProbeOptionTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func reach(_ words: String...) throws -> Tool {
            try Tool.run([Program.path] + words, in: scratch.path)
        }

        @Test func `check and wait expect the status, the body and the request of the command line`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("503 Service Unavailable", body: "in maintenance"))
            #expect(try reach("check", server.url).status == 1)
            let found = try reach(
                "check",
                server.url,
                "--status",
                "200,503",
                "--body",
                "maintenance$",
                "--method",
                "PUT",
                "--header",
                "X-Key: k:1"
            )
            #expect(found.status == 0, "\(found.output)\(found.errors)")
            #expect(server.requests.last?.hasPrefix("PUT / HTTP/1.1\r\n") == true)
            #expect(server.requests.last?.contains("\r\nX-Key: k:1\r\n") == true)
            #expect(try reach("wait", "--within", "8s", "--status", "503", server.url).status == 0)
            let other = try reach("check", server.url, "--status", "503", "--body", "^ready")
            #expect(other.status == 1 && other.output.contains("no match in the body"), "\(other.output)")
        }

        @Test func `the options replace those of the settings`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("404 Not Found"))
            let settings = "[[target]]\nname = \"Web\"\nurl = \"\(server.url)\"\nhttp = { status = 200 }\n"
            try scratch.write(settings, to: "dashboard.toml")
            #expect(try reach("check").status == 1)
            #expect(try reach("check", "--status", "404").status == 0)
            #expect(try reach("wait", "@Web", "--status", "404", "--within", "8s").status == 0)
            let watch = try reach("watch", "--status", "99")
            #expect(watch.status == 2)
            #expect(watch.errors == "reach: --status: 99 is out of range – from 100 to 599\n")
        }

        @Test func `a timeout and a pattern apply to a connection`() throws {
            let peer = try HostilePeer(.hold(Array("SSH-2.0\r\n".utf8)))
            let door = "127.0.0.1:\(peer.port)"
            #expect(try reach("check", "--timeout", "8s", "--expect", "^SSH", door).status == 0)
            let silent = try reach("check", "--timeout", "200ms", "--expect", "^HTTP$", door)
            #expect(silent.status == 1 && silent.output.contains("SSH-2.0"), "\(silent.output)")
        }

        @Test func `an option that applies to no target is an error with the fix`() throws {
            let tool = try reach("check", "--status", "200", "--insecure", "127.0.0.1:9")
            #expect(tool.status == 2 && tool.output == "")
            #expect(
                tool.errorLines.first
                    == "reach: --status: applies to none of the targets – remove it, or probe by http, https"
            )
            #expect(tool.errorLines.count == 2 && tool.errorLines[1].hasPrefix("reach: --insecure: applies to none"))
            let late = try reach("watch", "--timeout", "20s", "tcp://127.0.0.1:9")
            #expect(late.status == 2 && late.errors.contains("at most 2s, or a longer interval"), "\(late.errors)")
        }

        @Test(.quiet) func `with --backoff, the time between probes grows`() async throws {
            let server = try ScriptedServer(ScriptedServer.answer("503 Service Unavailable"))
            let words = ["--interval", "100ms", "--within", "2s"]
            // Probes at once, and after 100, 200, 400 and 800 ms; a tick takes up to 100 ms each.
            let wait = [Program.path, "wait", server.url, "--backoff", "1m"] + words
            #expect(try Tool.run(wait, in: scratch.path).status == 124)
            #expect((3...6).contains(server.requests.count), "\(server.requests.count)")
        }

        @Test func `a backoff ends with the first reply, and is validated`() async throws {
            let listener = try Listener()
            let door = "127.0.0.1:\(listener.port)"
            listener.stop()
            let child = try scratch.start([Program.path, "wait", door, "--backoff", "400ms", "--interval", "50ms"])
            try await Task.sleep(for: .milliseconds(500))
            try await listener.start()
            #expect(try await child.end() == 0)
            #expect(try reach("wait", door, "--interval", "1s", "--backoff", "500ms").status == 2)
            #expect(try reach("check", door, "--backoff", "5s").status == 2)
            #expect(try reach("check", door, "--backoff", "5s", "--count", "2").status == 0)
        }
    }
}
