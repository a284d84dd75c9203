import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach watch` in a pipe.
    @Suite(.serialized) struct PipeTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }

        /// Starts a shell pipeline of `reach watch`; `$REACH` is the command with its settings.
        private func shell(_ line: String, settings: String? = nil) throws -> Child {
            let path = try settings.map { try scratch.write($0, to: "settings.toml") } ?? fixture.settings("")
            return try scratch.start(
                ["bash", "-c", line],
                environment: ["REACH": "\(Program.path) watch --config \(path)"]
            )
        }

        @Test(arguments: ["--json", "--json --observations", ""])
        func `a closed pipe ends it silently, even without further lines`(_ options: String) async throws {
            let child = try shell("$REACH \(options) | head -1; echo ${PIPESTATUS[0]}")
            #expect(try await child.end() == 0)
            let lines = scratch.lines(of: "out")
            #expect(lines.count == 2 && lines.last == "141", "\(lines)")
            #expect(scratch.text(of: "err") == "")
        }

        @Test(arguments: ["--json", "--observations"])
        func `a full disk is reported with its cause`(_ options: String) async throws {
            let child = try shell("$REACH \(options) > /dev/full")
            #expect(try await child.end() == 1)
            #expect(scratch.text(of: "err") == "reach: cannot write to standard output: No space left on device\n")
        }

        @Test func `check reports a full disk`() throws {
            let tool = try Tool.run(
                ["sh", "-c", "\(Program.path) check --json 127.0.0.1:\(fixture.listener.port) > /dev/full"],
                in: scratch.path
            )
            #expect(tool.status == 1)
            #expect(tool.errors == "reach: cannot write to standard output: No space left on device\n")
        }

        @Test func `a signal ends it at once while its output is unread, after a complete line`() async throws {
            let defaults = "[defaults]\ninterval = \"100ms\"\ntimeout = \"100ms\"\n"
            let settings = defaults + loopbackSettings(count: 250)
            // The pipe holds 64 KiB. The reader reads nothing until `go` is written.
            let line = """
                mkfifo go
                { $REACH --json --observations & echo $! > id; wait $!; echo $? > status; } | { read < go; cat; }
                """
            let child = try shell(line, settings: settings)
            let id = try await scratch.number(in: "id")
            try await Task.sleep(for: .seconds(2))
            let start = ContinuousClock.now
            kill(id, SIGTERM)
            let status = try await scratch.number(in: "status")
            #expect(status == 143)
            #expect(ContinuousClock.now - start < .seconds(2))
            try Tool.must(["sh", "-c", "echo > go"], in: scratch.path)
            #expect(try await child.end() == 0)
            let (text, lines) = (scratch.text(of: "out"), scratch.lines(of: "out"))
            #expect(text.hasSuffix("}\n") && lines.count > 100)
            let schema = try Schema("events")
            for line in lines { #expect(try schema.problems(of: line) == [], "\(line)") }
            #expect(scratch.text(of: "err").contains("standard output: the reader did not read the last "))
        }
    }
}
