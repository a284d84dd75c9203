import Foundation
import Testing

extension EndToEnd {
    /// Commands that hang, produce too much output or are outdated.
    @Suite(.serialized) struct HookFailureTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }
        private var listener: Listener { fixture.listener }

        private func wait(forErrors count: Int, with text: String, within limit: Duration = .seconds(8)) async throws {
            try await eventually("\(count) × \(text)", within: limit, context: { scratch.text(of: "err") }) {
                scratch.lines(of: "err").count { $0.contains(text) } >= count
            }
        }

        @Test func `an outdated hook run is dropped, and the latest one runs`() async throws {
            let hooks = """
                interval = "100ms"
                fall = 1
                flapping = false
                [[target.hooks]]
                on = "up"
                run = "echo up $REACH_SINCE >> runs; while [ ! -e go ]; do sleep 0.05; done"
                [[target.hooks]]
                on = "down"
                run = "echo down >> runs"
                """
            let child = try fixture.watch(hooks)
            /// Waits for a verdict, by its number from one.
            func verdict(_ count: Int) async throws {
                try await eventually("verdict \(count)", context: { scratch.text(of: "out") }) {
                    scratch.lines(of: "out").count >= count
                }
            }
            try await verdict(1)
            listener.stop()
            try await verdict(2)
            try await eventually("first run") { scratch.lines(of: "runs") == ["down"] }
            let first = Date.now
            try await listener.start()
            try await verdict(3)
            try await eventually("slow run") { scratch.lines(of: "runs").count == 2 }
            // All of these transitions happen during one slow run.
            listener.stop()
            try await verdict(4)
            let second = Date.now
            try await listener.start()
            try await verdict(5)
            listener.stop()
            try await verdict(6)
            let third = Date.now
            try await listener.start()
            try await verdict(7)
            try await wait(forErrors: 3, with: "did not run")
            let slow = try #require(scratch.lines(of: "runs").last)
            #expect(slow > "up \(first.timestamp)" && slow < "up \(second.timestamp)", "\(slow)")
            try scratch.write("", to: "go")

            try await eventually("last run") { scratch.lines(of: "runs").count == 3 }
            #expect(scratch.lines(of: "runs").prefix(2) == ["down", slow])
            let latest = try #require(scratch.lines(of: "runs").last)
            #expect(latest > "up \(third.timestamp)", "\(latest)")
            let dropped = scratch.lines(of: "err").filter { $0.contains("did not run") }
            #expect(dropped.count == 3)
            #expect(dropped.allSatisfy { $0.contains("obsolete: the target changed") }, "\(dropped)")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a hanging command is killed with its children, and the screen stays live`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                timeout = "1s"
                run = '''trap "" TERM; sleep 100 & one=$!; (sleep 200; sleep 200) & echo $$ $one $! > ids
                    while :; do sleep 1; done'''
                """
            let path = try fixture.settings(hooks)
            let pty = try Pty([Program.path, "--config", path], in: scratch)
            let ids = try await eventually("process IDs") {
                let ids = scratch.lines(of: "ids").first?.split(separator: " ").compactMap { Int32($0) }
                return ids?.count == 3 ? ids : nil
            }
            let start = ContinuousClock.now
            #expect(ids.allSatisfy { state(of: $0) != nil })
            try await eventually("end of the processes", within: .milliseconds(6_500)) {
                ids.allSatisfy { state(of: $0) == nil }
            }
            let end = ContinuousClock.now
            #expect(end - start > .seconds(1), "it ended before its timeout")
            try await pty.wait(for: "timed out")
            // The clock alone draws a frame every other second.
            let seconds = (end - start) / .seconds(1)
            let frames = pty.frames.count { $0.time >= start && $0.time <= end }
            print("\(Double(frames) / seconds) frames a second while a command hung for \(seconds) s")
            #expect(Double(frames) > seconds / 2 - 1)
            pty.type("q")
            #expect(try await pty.end() == 0)
        }

        @Test func `a gigabyte of output is truncated to its tail in bounded memory`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                timeout = "2m"
                run = "while [ ! -e go ]; do sleep 0.05; done; head -c 1000000000 /dev/zero && echo && echo the end is near; exit 7"
                """
            let child = try fixture.watch(hooks)
            try await eventually("verdict") { scratch.lines(of: "out").count >= 1 }
            let before = try #require(peakMemory(of: child.id))
            try scratch.write("", to: "go")
            try await wait(forErrors: 1, with: "exited 7", within: .seconds(60))
            try await wait(forErrors: 1, with: "the end is near")
            let after = try #require(peakMemory(of: child.id))
            print("a gigabyte of output: from \(before) to \(after) KiB at most")
            #expect(after - before < 16_384)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `quitting kills commands that ignore TERM after five seconds`() async throws {
            let pty = try Pty([Program.path, "--config", try fixture.settings(Self.stubborn)], in: scratch)
            let ids = [try await scratch.number(in: "one"), try await scratch.number(in: "two")]
            pty.type("q")
            let start = ContinuousClock.now
            try await Task.sleep(for: .seconds(3))
            #expect(pty.child.status == nil && ids.allSatisfy { state(of: $0) != nil }, "TERM comes first")
            #expect(try await pty.end() == 0)
            #expect(ContinuousClock.now - start > .milliseconds(4_500))
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command is still running")
        }

        @Test func `a second interrupt kills them at once`() async throws {
            let pty = try Pty([Program.path, "--config", try fixture.settings(Self.stubborn)], in: scratch)
            let ids = [try await scratch.number(in: "one"), try await scratch.number(in: "two")]
            pty.type("\u{3}")
            try await pty.wait(for: "\u{1B}[?1049l")
            #expect(pty.child.status == nil)
            // Until the terminal's modes are restored too, the interrupt is a key and not a signal.
            try await eventually("end of the program", within: .seconds(3)) {
                pty.type("\u{3}")
                return pty.child.status != nil
            }
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command is still running")
        }

        /// Two targets, each with a command that ignores TERM.
        private static let stubborn = """
            [[target.hooks]]
            on = "up"
            at_start = true
            run = "trap '' TERM; echo $$ > one; while :; do sleep 1; done"
            [[target]]
            name = "Second"
            url = "exec:"
            exec = { run = ["true"] }
            interval = "1s"
            [[target.hooks]]
            on = "up"
            at_start = true
            run = "trap '' TERM; echo $$ > two; while :; do sleep 1; done"
            """
    }
}

extension Date {
    /// The time as in `REACH_SINCE`.
    fileprivate var timestamp: String { formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true)) }
}
