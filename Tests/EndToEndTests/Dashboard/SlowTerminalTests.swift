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

extension EndToEnd {
    /// The number and size of frames: the terminal receives changes only.
    @Suite(.serialized, .enabled(if: Machine.canPing, "ICMP is not permitted")) struct RedrawTests {
        @Test func `twenty targets draw each reply, at most ten frames a second`() async throws {
            let scratch = try Scratch()
            let path = try scratch.write(loopbackSettings(count: 20), to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            try await pty.wait(for: "Target 20")
            try await Task.sleep(for: .milliseconds(2_500))
            let seconds = 4
            let sizes = try await quietest(of: pty, seconds: seconds, atMost: seconds * 10 + 1)
            print(
                "20 targets live: \(Double(sizes.count) / Double(seconds)) frames a second,",
                "\(sizes.reduce(0, +) / seconds) bytes a second"
            )
            #expect(sizes.count <= seconds * 10 + 1)
            #expect(sizes.count >= seconds, "at least the clock")
            #expect(pty.child.status == nil)
        }

        @Test func `with refresh = "eco", twenty targets draw a frame every other second, paused ones only the clock`()
            async throws
        {
            let scratch = try Scratch()
            let eco = "[dashboard]\nrefresh = \"eco\"\n"
            let path = try scratch.write(eco + loopbackSettings(count: 20), to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            try await pty.wait(for: "Target 20")
            // The first verdicts are events, each with its own line.
            try await Task.sleep(for: .milliseconds(2_500))
            let seconds = 6
            let sizes = try await quietest(of: pty, seconds: seconds, atMost: seconds + 1).sorted()
            let full = try #require(pty.frames.map(\.size).max())
            let median = try #require(sizes.isEmpty ? nil : sizes[sizes.count / 2])
            let sum = sizes.reduce(0, +)
            print(
                "20 targets, 200×50: \(Double(sizes.count) / Double(seconds)) frames a second of \(median) bytes",
                "(median; at most \(sizes.last ?? 0)), \(sum / seconds) bytes a second; a full frame has \(full)"
            )
            // Twice the frames of the clock, as a margin for other changes.
            #expect(sizes.count <= seconds + 1)
            #expect(median < full, "a frame has more than the changes")

            pty.type("Py")
            try await pty.wait(for: "paused 20 targets")
            // The footer shows this message for four seconds.
            try await Task.sleep(for: .milliseconds(4_500))
            let ticks = try await quietest(of: pty, seconds: 3, atMost: 2 * 3 + 1)
            print("all paused: \(ticks.count) frames in 3 s, of at most \(ticks.max() ?? 0) bytes")
            #expect(ticks.count <= 2 * 3 + 1)
            #expect(pty.child.status == nil)
        }

        /// Measures the sizes of the frames within a time, up to three times, and returns the first measurement with at
        /// most `most` frames, or the last. On a busy machine, other events draw further frames.
        private func quietest(of pty: Pty, seconds: Int, atMost most: Int) async throws -> [Int] {
            var sizes: [Int] = []
            for _ in 1...3 {
                let start = ContinuousClock.now
                try await Task.sleep(for: .seconds(seconds))
                sizes = pty.frames.filter { $0.time >= start }.map(\.size)
                if sizes.count <= most { break }
            }
            return sizes
        }
    }
}
