import Foundation
import Testing

extension EndToEnd {
    /// A slow terminal misses frames; probes and keys are not delayed.
    @Suite(.serialized) struct SlowTerminalTests {
        @Test func `a terminal that reads half a kilobyte a second delays no probe and no key`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let targets = (1...20).map { number in
                "[[target]]\nname = \"Door \(number)\"\nurl = \"tcp://127.0.0.1:\(listener.port)\"\n"
            }
            let settings = "[defaults]\ninterval = \"500ms\"\n" + targets.joined()
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty(
                [Program.path, "--config", path],
                in: scratch,
                columns: 200,
                rows: 50,
                bytesPerSecond: 500
            )
            try await eventually("first probes") { listener.count >= 20 }
            let (start, before) = (wallTime(), try #require(residentMemory(of: pty.child.id)))
            // One whole frame, about six thousand bytes, takes longer to write than the rest of the test.
            try await Task.sleep(for: .seconds(8))
            let span = wallTime() - start
            let probes = Double(listener.times.count { $0 >= start })
            let after = try #require(residentMemory(of: pty.child.id))
            print("at 0.5 KB/s: \(probes / span) probes a second of 40, from \(before) to \(after) KiB")
            #expect(probes > 36 * span && probes < 44 * span)
            #expect(after - before < 16_384)

            // A key takes effect before its frame is written.
            pty.type("Py")
            try await Task.sleep(for: .seconds(1))
            let paused = listener.count
            try await Task.sleep(for: .seconds(1))
            #expect(listener.count == paused, "the key had no effect")

            // The next frame that is written is the newest.
            #expect(!pty.text.contains("20 paused"))
            pty.removeRateLimit()
            try await pty.wait(for: "20 paused", within: .seconds(2))
            pty.type("q")
            #expect(try await pty.child.end() == 0)
        }

        @Test func `a terminal that stops reading does not block the exit`() async throws {
            let scratch = try Scratch()
            let path = try scratch.write("[[target]]\nurl = \"tcp://127.0.0.1:9\"\n", to: "settings.toml")
            let pty = try Pty(
                [Program.path, "--config", path],
                in: scratch,
                columns: 200,
                rows: 50,
                bytesPerSecond: 10
            )
            try await eventually("first bytes") { !pty.bytes.isEmpty }
            try await Task.sleep(for: .seconds(1))
            pty.type("q")
            #expect(try await pty.child.end(within: .seconds(5)) == 0)
        }

        @Test func `a terminal that stops reading blocks neither a continuation nor messages at the end`() async throws
        {
            let scratch = try Scratch()
            let pty = try Pty([Program.path, "127.0.0.1:9"], in: scratch, columns: 200, rows: 50, bytesPerSecond: 10)
            try await eventually("first bytes") { !pty.bytes.isEmpty }
            // What a library would write, and more than the terminal accepts.
            let error = try #require(FileHandle(forWritingAtPath: "/proc/\(pty.child.id)/fd/2"))
            try error.seekToEnd()
            try error.write(contentsOf: Data(String(repeating: "a library complains\n", count: 3_000).utf8))
            try error.close()
            // Each continuation repaints the whole screen.
            for _ in 0..<5 {
                pty.child.send(SIGCONT)
                try await Task.sleep(for: .milliseconds(200))
            }
            pty.child.send(SIGTERM)
            #expect(try await pty.child.end(within: .seconds(5)) == 128 + SIGTERM)
        }
    }
}
