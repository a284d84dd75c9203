import Foundation
import Testing

extension EndToEnd {
    /// `reach hooks`: the list of hooks, and test runs for one target.
    @Suite(.serialized) struct HooksCommandTests {
        private let scratch: Scratch
        private let path: String

        init() throws {
            scratch = try Scratch()
            let settings = """
                [[target]]
                name = "NAS"
                url = "tcp://127.0.0.1:9"
                when_reachable = "echo $REACH_EVENT $REACH_TARGET; cat > input.json"
                [[target.hooks]]
                on = ["down", "degraded"]
                run = ["sh", "-c", "printf '\\\\033]0;owned\\\\007'; echo no good >&2; exit 3"]
                once = true
                cooldown = "10m"
                [[target]]
                name = "Router"
                url = "icmp://127.0.0.1"
                """
            path = try scratch.write(settings, to: "settings.toml")
        }

        private func hooks(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "hooks", "--config", path] + words, in: scratch.path)
        }

        @Test func `the rules are listed in a table`() throws {
            let tool = try hooks()
            #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
            #expect(tool.lines.count == 3)
            #expect(tool.lines[0].hasPrefix("TARGET  ON"))
            #expect(tool.lines[1].contains("NAS     up") && tool.lines[1].hasSuffix("timeout 30s"))
            #expect(tool.lines[2].contains("down, degraded  sh -c"))
            #expect(tool.lines[2].hasSuffix("once, cooldown 10m, timeout 30s"), "\(tool.lines[2])")
        }

        @Test func `a test runs each hook, and prints its result and output`() throws {
            let tool = try hooks("--test", "NAS")
            #expect(tool.status == 1, "one of them fails")
            #expect(tool.output.contains("exited 0 in") && tool.output.contains("  test NAS\n"), "\(tool.output)")
            #expect(tool.output.contains("exited 3 in") && tool.output.contains("no good\n"))
            #expect(!tool.output.contains("\u{1B}"))
            let input = scratch.text(of: "input.json")
            #expect(input.contains("\"target\":\"NAS\"") && input.contains("\"event\":\"test\""), "\(input)")
        }

        @Test func `an unknown target or one without hooks is an error`() throws {
            let misspelt = try hooks("--test", "NSA")
            #expect(misspelt.status == 2)
            #expect(misspelt.errors == "reach: no target \"NSA\" in the settings – did you mean \"NAS\"?\n")
            let without = try hooks("--test", "@Router")
            #expect(without.status == 1)
            #expect(without.errors == "reach: target \"Router\" has no hooks\n")
        }

        @Test func `a secret that a command prints is hidden`() throws {
            try scratch.write("hunter42\n", to: "secret")
            let settings = """
                [[target]]
                name = "Web"
                url = "http://127.0.0.1:9"
                http.headers = { Authorization = "Bearer ${file:secret}" }
                when_reachable = "cat secret"
                """
            try scratch.write(settings, to: "settings.toml")
            let tool = try hooks("--test", "Web")
            #expect(tool.status == 0 && tool.output.contains("  ${file:secret}\n"), "\(tool.output)\(tool.errors)")
        }

        @Test func `an interrupt ends a test and its command`() async throws {
            let settings = """
                [[target]]
                name = "Slow"
                url = "icmp://127.0.0.1"
                when_reachable = "echo $$ > hook; sleep 100"
                """
            try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start([Program.path, "hooks", "--config", path, "--test", "Slow"])
            let id = try await scratch.number(in: "hook")
            child.send(SIGINT)
            #expect(try await child.end() == 130)
            #expect(state(of: id) == nil, "the command is still running")
            #expect(scratch.text(of: "out").contains("was cancelled after"))
        }
    }
}
