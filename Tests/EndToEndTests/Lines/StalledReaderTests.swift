import Foundation
import TestSupport
import Testing

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
