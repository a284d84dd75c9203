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

extension EndToEnd {
    /// `reach watch` with a reader that does not read.
    @Suite(.serialized) struct StalledReaderTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        @Test(.enabled(if: Machine.canPing, "no ICMP here"))
        func `events are buffered until it reads again, and hooks run meanwhile`() async throws {
            let fixture = try WatchFixture()
            let path = try fixture.settings(
                """
                [[target.hooks]]
                on = "down"
                run = "touch \(scratch.file("hook")); printf '%0300000d' 7"
                """
            )
            // The shell fills the pipe before the program starts.
            let line = """
                mkfifo go
                { head -c 65536 /dev/zero; exec \(Program.path) watch --json --config \(path); } | { read < go; head -c 65536 > skipped; cat; }
                """
            let shell = try scratch.start(["bash", "-c", line])
            // With the second probe, the answer to the first is known.
            try await eventually("probes") { fixture.listener.count >= 2 }
            fixture.listener.stop()
            try await eventually("hook") { FileManager.default.fileExists(atPath: scratch.file("hook")) }
            try Tool.must(["sh", "-c", "echo > go"], in: scratch.path)
            try await eventually("line of the hook", context: { scratch.text(of: "err") }) {
                scratch.lines(of: "out").count == 3
            }
            let schema = try Schema("events")
            let lines = scratch.lines(of: "out")
            for line in lines { #expect(try schema.problems(of: line) == []) }
            #expect(lines.map { $0.contains("\"to\":\"down\"") } == [false, true, false])
            #expect(lines.last?.contains("\"output_dropped_bytes\":234464") == true)
            #expect(scratch.text(of: "err") == "" && shell.status == nil)
        }
    }
}
