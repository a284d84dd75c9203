import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach check`: probes each target and prints the results.
    @Suite(.serialized) struct CheckTests {
        private let scratch: Scratch
        private let (open, closed): (Listener, Listener)

        init() throws {
            scratch = try Scratch()
            (open, closed) = (try Listener(), try Listener())
            closed.stop()
            let settings = """
                [[target]]
                name = "Gone"
                url = "tcp://127.0.0.1:\(closed.port)"
                group = "Home"
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(open.port)"
                group = "Home"
                depends_on = ["Gone"]
                [[target.hooks]]
                on = ["up", "down"]
                at_start = true
                run = "touch hook"
                [[target]]
                name = "Warns"
                url = "exec:"
                exec = { run = "echo disk 93 % full; exit 2" }
                """
            try scratch.write(settings, to: "dashboard.toml")
        }

        private func check(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "check"] + words, in: scratch.path)
        }

        @Test func `targets are read from standard input`() throws {
            let list = "# one\\n\\nDoor=127.0.0.1:\(open.port)\\n127.0.0.1:\(closed.port) # gone\\n"
            let tool = try Tool.run(
                ["/bin/sh", "-c", "printf '\(list)' | '\(Program.path)' check -"],
                in: scratch.path
            )
            #expect(tool.status == 1 && tool.errors == "")
            let words = tool.lines.dropFirst().dropLast().map { $0.split(separator: " ").map(String.init) }
            #expect(words.map(\.first) == ["Door", "127.0.0.1:\(closed.port)"])
            let bad = try Tool.run(
                ["/bin/sh", "-c", "printf 'tcp://a\\nx:99999\\n' | '\(Program.path)' check - --quiet"],
                in: scratch.path
            )
            #expect(bad.status == 2 && bad.errorLines.count == 2, "\(bad.errors)")
            #expect(bad.errorLines.last?.hasPrefix("reach: standard input:2: \"x:99999\": ") == true, "\(bad.errors)")
            let none = try check("-")
            #expect(none.status == 2 && none.errors.contains("standard input: no targets"))
        }

        @Test func `a table without control sequences in a pipe`() throws {
            let tool = try check()
            #expect(tool.status == 1 && tool.errors == "")
            #expect(!tool.output.contains("\u{1B}"))
            #expect(tool.lines.last == "3 targets: 1 up, 1 degraded, 1 down")
            let words = tool.lines.dropLast().map { $0.split(separator: " ").map(String.init) }
            #expect(words.map(\.first) == ["TARGET", "Gone", "Door", "Warns"])
            #expect(words.dropFirst().map { $0[2] } == ["down", "up", "degraded"])
            #expect(tool.lines[1].hasSuffix("-  refused") && tool.lines[3].hasSuffix("disk 93 % full"))
            #expect(!FileManager.default.fileExists(atPath: scratch.file("hook")))
        }

        @Test func `--json prints one object that matches the schema`() throws {
            let tool = try check("--json")
            #expect(tool.status == 1 && tool.lines.count == 1)
            #expect(try Schema("targets").problems(of: tool.output) == [])
            #expect(tool.output.contains(#""time":"20"#))
            #expect(tool.output.contains(#""health":"degraded""#) && tool.output.contains(#""reason":"refused""#))
            #expect(
                tool.output.hasPrefix(#"{"degraded":1,"down":1,"#)
                    && tool.output.hasSuffix(#"],"unknown":0,"up":2}"# + "\n")
            )
        }

        @Test func `a degraded target counts as up`() throws {
            #expect(try check("@Warns").status == 0)
        }

        @Test(arguments: [1, 3])
        func `--count probes each target that many times`(_ count: Int) async throws {
            let tool = try check("@Door", "@Gone", "--json", "--count", "\(count)")
            // The listener may count the last connection after the end of the program.
            try await eventually("connections") { open.count >= count }
            #expect(open.count == count)
            #expect(tool.output.contains(#""received":0,"sent":\#(count),"target":"Gone""#), "\(tool.output)")
        }

        @Test(.quiet) func `one reply is sufficient`() async throws {
            let child = try scratch.start([Program.path, "check", "@Gone", "--count", "3", "--json"])
            try await Task.sleep(for: .milliseconds(1_400))
            try await closed.start()
            #expect(try await child.end() == 0)
            #expect(scratch.text(of: "out").contains(#""health":"up","received":1,"#), "\(scratch.text(of: "out"))")
        }

        @Test func `unknown names are all reported, with suggestions`() throws {
            let tool = try check("@Dor", "@group:Hime", "@Gone", "::1:x")
            #expect(tool.status == 2 && tool.output == "")
            #expect(tool.errorLines.first == "reach: no target \"Dor\" in the settings – did you mean \"Door\"?")
            #expect(tool.errorLines[1] == "reach: no group \"Hime\" in the settings – did you mean \"Home\"?")
            #expect(tool.errorLines.count == 3 && tool.errorLines[2].hasPrefix("reach: \"::1:x\": "))
        }

        @Test func `with -q, only the exit status reports the result`() throws {
            let tool = try check("-q")
            #expect(tool.status == 1 && tool.output == "" && tool.errors == "")
        }

        @Test func `a full disk is reported`() throws {
            let tool = try Tool.run(["sh", "-c", "\(Program.path) check @Door > /dev/full"], in: scratch.path)
            #expect(tool.status == 1)
            #expect(tool.errors == "reach: cannot write to standard output: No space left on device\n")
        }

        @Test(.enabled(if: Machine.hasTmux, "needs tmux"))
        func `on a terminal each pending target has a line, and all are erased at the end`() async throws {
            let script = "echo before; \(Program.path) check @Door @Gone --count 2; echo after $?"
            let screen = try Screen(script, in: scratch)
            try await screen.wait(forRowWith: "0s  Gone", "refused")
            try await screen.wait(for: "after 1")
            let rows = try screen.rows.filter { !$0.isEmpty }
            #expect(
                rows.map { $0.split(separator: " ")[0] } == ["before", "TARGET", "Door", "Gone", "2", "after"],
                "\(rows)"
            )
        }
    }
}

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
