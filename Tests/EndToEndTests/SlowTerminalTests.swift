import Foundation
import Testing

extension EndToEnd {
    /// A terminal at the end of a poor line: it misses frames, and nothing else suffers.
    @Suite struct SlowTerminalTests {
        @Test func `a terminal that takes half a kilobyte a second delays no probe and no key`() async throws {
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
            // A whole frame alone, of some six thousand bytes, takes longer than all that follows.
            try await Task.sleep(for: .seconds(8))
            let span = wallTime() - start
            let asked = Double(listener.times.count { $0 >= start })
            let after = try #require(residentMemory(of: pty.child.id))
            print("at 0.5 KB/s: \(asked / span) probes a second of 40, from \(before) to \(after) KiB")
            #expect(asked > 36 * span && asked < 44 * span)
            #expect(after - before < 16_384)

            // A key acts, though its frame cannot be seen yet.
            pty.type("p")
            try await Task.sleep(for: .seconds(1))
            let paused = listener.count
            try await Task.sleep(for: .seconds(1))
            #expect(listener.count == paused, "the key was not heard")

            // The next frame that comes through is the newest.
            #expect(!pty.text.contains("20 paused"))
            pty.hurry()
            try await pty.wait(for: "20 paused", within: .seconds(2))
            pty.type("q")
            #expect(try await pty.child.end() == 0)
        }

        @Test func `a terminal that takes nothing more does not keep the program from ending`() async throws {
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
    }
}
