import Testing

extension EndToEnd {
    /// Pausing and resuming targets.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct PauseTests {
        @Test func `a paused target is not probed, and its changes run no command`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let settings = """
                [defaults]
                interval = "200ms"
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                when_reachable = "echo >> \(scratch.file("runs"))"
                [[target.hooks]]
                on = "change"
                run = "echo >> \(scratch.file("runs"))"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 1 up")

            try screen.press("Space")
            try await screen.wait(forRowWith: "‖ Door", "paused")
            try await screen.wait(for: "‖ 1 paused")
            let count = listener.count
            // More than three intervals.
            try await Task.sleep(for: .milliseconds(800))
            #expect(listener.count == count, "a paused target was probed")

            listener.stop()
            try await Task.sleep(for: .milliseconds(800))
            try await screen.wait(forRowWith: "‖ Door", "paused")
            try await listener.start()
            try await Task.sleep(for: .milliseconds(400))
            #expect(listener.count == count, "a paused target was probed")

            try screen.press("Space")
            try await screen.wait(forRowWith: "● Door", "up")
            try await Task.sleep(for: .milliseconds(300))
            #expect(scratch.lines(of: "runs").isEmpty, "a command ran for a paused target")
        }

        @Test func `a resumed target is probed at once`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let settings = """
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "30s"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(forRowWith: "Door")
            try screen.press("Space")
            try await screen.wait(forRowWith: "‖ Door", "paused")
            let count = listener.count

            try screen.press("Space")
            try await eventually("connection", within: .seconds(2)) { listener.count > count }
            try await screen.wait(forRowWith: "● Door", "up")
        }

        @Test func `P pauses all and resumes all, after a question`() async throws {
            let scratch = try Scratch()
            let listeners = try [Listener(), Listener()]
            let screen = try Screen.running(
                listeners.map { "127.0.0.1:\($0.port)" }.joined(separator: " "),
                in: scratch
            )
            try await screen.wait(for: "● 2 up")
            try screen.press("P")
            try await screen.wait(for: "pause all 2 targets?  y yes  n no")
            try screen.press("y")
            try await screen.wait(for: "‖ 2 paused")
            try screen.press("P")
            try await screen.wait(for: "resume all 2 targets?  y yes  n no")
            try screen.press("y")
            try await screen.wait(for: "● 2 up")
        }
    }
}
