import Foundation
import Testing

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
