import Foundation
import Testing

extension EndToEnd {
    /// The terminal hears of changes, and of nothing else.
    @Suite(.enabled(if: Machine.canPing, "ICMP is not permitted")) struct QuietTests {
        @Test func `twenty targets are a frame every other second, and paused ones a tick of the clock`()
            async throws
        {
            let scratch = try Scratch()
            let path = try scratch.write(loopbackSettings(count: 20), to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            try await pty.wait(for: "Target 20")
            // The first verdicts are events, each with a line of its own.
            try await Task.sleep(for: .milliseconds(2_500))
            let (start, seconds) = (ContinuousClock.now, 6)
            try await Task.sleep(for: .seconds(seconds))
            let frames = pty.frames
            let whole = try #require(frames.map(\.size).max())
            let sizes = frames.filter { $0.time >= start }.map(\.size).sorted()
            let median = try #require(sizes.isEmpty ? nil : sizes[sizes.count / 2])
            let sum = sizes.reduce(0, +)
            print(
                "20 targets, 200×50: \(Double(sizes.count) / Double(seconds)) frames a second of \(median) bytes",
                "(median; at most \(sizes.last ?? 0)), \(sum / seconds) bytes a second; a whole frame has \(whole)"
            )
            // Half of them are due. On a busy machine something happens besides, and each loss has a frame of its own; with a
            // frame for each answer there were hundreds.
            #expect(sizes.count <= 4 * seconds)
            #expect(median < whole, "a frame is more than what has changed")

            pty.type("p")
            try await pty.wait(for: "paused 20 targets")
            // The footer says so for four seconds.
            try await Task.sleep(for: .milliseconds(4_500))
            let paused = ContinuousClock.now
            try await Task.sleep(for: .seconds(3))
            let ticks = pty.frames.filter { $0.time >= paused }
            print("all paused: \(ticks.count) frames in 3 s, of at most \(ticks.map(\.size).max() ?? 0) bytes")
            #expect(ticks.count <= 4 * 3)
            #expect(pty.child.status == nil)
        }
    }
}
