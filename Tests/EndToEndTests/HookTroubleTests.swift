import Foundation
import Testing

extension EndToEnd {
    /// Commands that hang, flood, or come too late.
    @Suite struct HookTroubleTests {
        private let door: Door

        init() throws {
            door = try Door()
        }

        private var scratch: Scratch { door.scratch }
        private var listener: Listener { door.listener }

        private func wait(forErrors count: Int, with text: String, within limit: Duration = .seconds(8)) async throws {
            try await eventually("\(count) × \(text)", within: limit, context: { scratch.text(of: "err") }) {
                scratch.lines(of: "err").count { $0.contains(text) } >= count
            }
        }

        @Test func `what no longer holds when its turn comes is dropped, and what holds last runs`() async throws {
            let hooks = """
                interval = "100ms"
                fall = 1
                flapping = false
                [[target.hooks]]
                on = "up"
                run = "echo up $(wc -l < out) >> runs; while [ ! -e go ]; do sleep 0.05; done"
                [[target.hooks]]
                on = "down"
                run = "echo down >> runs"
                """
            let child = try door.watch(hooks)
            /// Waits for the verdict with this number, counted from one.
            func verdict(_ count: Int) async throws {
                try await eventually("verdict \(count)", context: { scratch.text(of: "out") }) {
                    scratch.lines(of: "out").count >= count
                }
            }
            try await verdict(1)
            listener.stop()
            try await verdict(2)
            try await eventually("first run") { scratch.lines(of: "runs") == ["down"] }
            try await listener.start()
            try await verdict(3)
            try await eventually("slow run") { scratch.lines(of: "runs").count == 2 }
            // All of this within the one slow run.
            listener.stop()
            try await verdict(4)
            try await listener.start()
            try await verdict(5)
            listener.stop()
            try await verdict(6)
            try await listener.start()
            try await verdict(7)
            try await wait(forErrors: 3, with: "did not run")
            #expect(scratch.lines(of: "runs") == ["down", "up 3"])
            try scratch.write("", to: "go")

            try await eventually("last run") { scratch.lines(of: "runs").count == 3 }
            #expect(scratch.lines(of: "runs") == ["down", "up 3", "up 7"])
            let dropped = scratch.lines(of: "err").filter { $0.contains("did not run") }
            #expect(dropped.count == 3)
            #expect(dropped.allSatisfy { $0.contains("obsolete: the target changed") }, "\(dropped)")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a command that hangs is gone with its children, and the screen goes on meanwhile`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                timeout = "1s"
                run = '''trap "" TERM; sleep 100 & one=$!; (sleep 200; sleep 200) & echo $$ $one $! > ids
                    while :; do sleep 1; done'''
                """
            let path = try door.settings(hooks)
            let pty = try Pty([Program.path, "--config", path], in: scratch)
            let ids = try await eventually("numbers of the processes") {
                let ids = scratch.lines(of: "ids").first?.split(separator: " ").compactMap { Int32($0) }
                return ids?.count == 3 ? ids : nil
            }
            let start = ContinuousClock.now
            #expect(ids.allSatisfy { state(of: $0) != nil })
            try await eventually("end of the processes", within: .milliseconds(6_500)) {
                ids.allSatisfy { state(of: $0) == nil }
            }
            let end = ContinuousClock.now
            #expect(end - start > .seconds(1), "it was ended before its time")
            try await pty.wait(for: "timed out")
            // The clock alone is a frame every other second.
            let seconds = (end - start) / .seconds(1)
            let frames = pty.frames.count { $0.time >= start && $0.time <= end }
            print("\(Double(frames) / seconds) frames a second while a command hung for \(seconds) s")
            #expect(Double(frames) > seconds / 2 - 1)
            pty.type("q")
            #expect(try await pty.child.end() == 0)
        }

        @Test func `of a gigabyte of output the tail is kept, and no memory is taken`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                timeout = "2m"
                run = "while [ ! -e go ]; do sleep 0.05; done; head -c 1000000000 /dev/zero && echo && echo the end is near; exit 7"
                """
            let child = try door.watch(hooks)
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

        @Test func `quitting with two commands that do not want to end kills them after five seconds`() async throws {
            let pty = try Pty([Program.path, "--config", try door.settings(Self.stubborn)], in: scratch)
            let ids = [try await scratch.number(in: "one"), try await scratch.number(in: "two")]
            pty.type("q")
            let start = ContinuousClock.now
            try await Task.sleep(for: .seconds(3))
            #expect(pty.child.status == nil && ids.allSatisfy { state(of: $0) != nil }, "TERM comes first")
            #expect(try await pty.child.end() == 0)
            #expect(ContinuousClock.now - start > .milliseconds(4_500))
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command was left behind")
        }

        @Test func `a second interrupt does not wait for them`() async throws {
            let pty = try Pty([Program.path, "--config", try door.settings(Self.stubborn)], in: scratch)
            let ids = [try await scratch.number(in: "one"), try await scratch.number(in: "two")]
            pty.type("\u{3}")
            // The terminal is the shell's again: the second one is a signal.
            try await pty.wait(for: "\u{1B}[?1049l")
            #expect(pty.child.status == nil)
            pty.type("\u{3}")
            _ = try await pty.child.end(within: .seconds(3))
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command was left behind")
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
