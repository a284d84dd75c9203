import Foundation
import Testing

extension EndToEnd {
    /// The state of the terminal after every way to end the dashboard.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct RestoreTests {
        /// A cause of the program's end.
        enum Way: Sendable, CustomTestStringConvertible {
            case key(String)
            case signal(String, Int32)

            var testDescription: String {
                switch self {
                case .key(let name): name
                case .signal(let name, _): "SIG\(name)"
                }
            }

            /// The exit status that the shell sees.
            var status: Int32 {
                switch self {
                case .key: 0
                case .signal(_, let number): 128 + number
                }
            }
        }

        private static let ways: [Way] = [
            .key("q"), .key("C-c"), .signal("TERM", SIGTERM), .signal("HUP", SIGHUP), .signal("INT", SIGINT),
            .signal("QUIT", SIGQUIT), .signal("ILL", SIGILL), .signal("SEGV", SIGSEGV), .signal("ABRT", SIGABRT),
            .signal("USR2", SIGUSR2), .signal("ALRM", SIGALRM), .signal("RTMIN+6", 40),
        ]

        @Test(arguments: ways)
        func `the terminal is restored`(_ way: Way) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let script = """
                stty -g > before
                \(Screen.program("127.0.0.1:\(listener.port)"))
                echo $? > status
                stty -g > after
                echo 'the shell is back'
                """
            let screen = try Screen(script, in: scratch)
            try await screen.wait(for: "● 1 up")
            let inside = try screen.flags
            #expect(inside.isAlternate && !inside.hasCursor)
            #expect(try !screen.isMouseOn)
            try screen.press("m")
            try await eventually("mouse") { try screen.isMouseOn }

            switch way {
            case .key(let key): try screen.press(key)
            case .signal(_, let number): kill(try await scratch.number(in: "pid"), number)
            }
            try await screen.wait(for: "the shell is back")
            let outside = try screen.flags
            #expect(!outside.isAlternate, "the alternate screen is still active")
            #expect(outside.hasCursor, "the cursor is hidden")
            #expect(try !screen.isMouseOn, "mouse reporting is still on")
            #expect(scratch.lines(of: "status") == ["\(way.status)"])
            #expect(scratch.lines(of: "before") == scratch.lines(of: "after"))
            #expect(!scratch.lines(of: "before").isEmpty)

            let rows = try screen.rows
            if case .key = way {
                // The last table stays in the scrollback.
                #expect(rows.contains { $0.contains("● 127.0.0.1:\(listener.port)") && $0.contains(" up ") })
                #expect(rows.contains { $0.contains("● 1 up") })
            } else {
                #expect(!rows.contains { $0.contains("TARGET") }, "a frame remains on the shell's screen")
            }
        }

        @Test(arguments: [SIGTERM, SIGILL])
        func `the last bytes leave the alternate screen, show the cursor and reset every mode`(_ signal: Int32)
            async throws
        {
            let scratch = try Scratch()
            let pty = try Pty([Program.path, "127.0.0.1:1"], in: scratch)
            try await pty.wait(for: "TARGET")
            pty.child.send(signal)
            #expect(try await pty.end() == 128 + signal)
            try await Task.sleep(for: .milliseconds(100))
            let text = pty.text
            for (begin, end) in [
                ("\u{1B}[?1049h", "\u{1B}[?1049l"), ("\u{1B}[?25l", "\u{1B}[?25h"), ("\u{1B}[?2004h", "\u{1B}[?2004l"),
                ("\u{1B}[?7l", "\u{1B}[?7h"), ("\u{1B}[?2026h", "\u{1B}[?2026l"),
            ] {
                let last = try #require(text.ranges(of: begin).last, "\(begin.dropFirst()) was never sent")
                #expect(text[last.upperBound...].contains(end), "\(begin.dropFirst()) was not undone")
            }
            let left = try #require(text.ranges(of: "\u{1B}[?1049l").last)
            #expect(!text[left.upperBound...].contains("\u{1B}[?2026h"), "a frame was painted on the shell's screen")
        }

        @Test(arguments: ["q", "ILL"])
        func `standard error is kept off the screen and shown at the end`(_ way: String) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let program = Screen.program("127.0.0.1:\(listener.port)")
            let screen = try Screen("\(program)\necho 'the shell is back'", in: scratch)
            try await screen.wait(for: "● 1 up")
            let id = try await scratch.number(in: "pid")
            // Writes to standard error as a library in the program would.
            let error = try #require(FileHandle(forWritingAtPath: "/proc/\(id)/fd/2"))
            try error.seekToEnd()
            try error.write(contentsOf: Data("a library complains\n".utf8))
            try error.close()
            #expect(!screen.text.contains("a library complains"))
            if way == "q" { try screen.press("q") } else { kill(id, SIGILL) }
            try await screen.wait(for: "the shell is back")
            #expect(screen.text.contains("a library complains"))
        }

        @Test(arguments: ["C-z", "TSTP"])
        func `a program that continues after a stop redraws the whole screen`(_ way: String) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let shell = "exec bash --norc --noprofile -i"
            let screen = try Screen("PS1='ready> ' HISTFILE=\nexport PS1 HISTFILE\n\(shell)", in: scratch)
            try await screen.wait(for: "ready>")
            try screen.enter("stty -g > before; \(Screen.program("127.0.0.1:\(listener.port)"))")
            try await screen.wait(for: "● 1 up")
            let id = try await scratch.number(in: "pid")

            if way == "TSTP" { kill(id, SIGTSTP) } else { try screen.press(way) }
            try await screen.wait(for: "Stopped")
            #expect(state(of: id) == "T")
            #expect(try !screen.flags.isAlternate && screen.flags.hasCursor)
            try screen.enter("stty -g > stopped; echo 'that' 'was all'")
            try await screen.wait(for: "that was all")
            #expect(scratch.lines(of: "stopped") == scratch.lines(of: "before"))

            try screen.enter("clear; fg")
            try await screen.wait(for: "● 1 up")
            try await screen.wait(forRowWith: "● 127.0.0.1:\(listener.port)", " up ")
            #expect(try screen.flags.isAlternate && !screen.flags.hasCursor)
            let rows = try screen.rows
            #expect(rows.first?.hasPrefix(" reach  127.0.0.1") == true)
            #expect(rows.last?.hasPrefix(" space pause") == true)
            #expect(!rows.contains { $0.contains("ready>") })

            try screen.press("q")
            try await screen.wait(for: "ready>")
            try screen.enter("stty -g > after; echo 'that' 'is the end'")
            try await screen.wait(for: "that is the end")
            #expect(scratch.lines(of: "after") == scratch.lines(of: "before"))
        }

        @Test func `in the background, the program stops instead of using the terminal, and ends on SIGTERM`()
            async throws
        {
            let scratch = try Scratch()
            let listener = try Listener()
            let shell = "exec bash --norc --noprofile -i"
            let screen = try Screen("PS1='ready> ' HISTFILE=\nexport PS1 HISTFILE\n\(shell)", in: scratch)
            try await screen.wait(for: "ready>")
            try screen.enter("\(Screen.program("127.0.0.1:\(listener.port)")) &")
            let id = try await scratch.number(in: "pid")
            try await eventually("stop at the start") { state(of: id) == "T" }
            try screen.enter("fg")
            try await screen.wait(for: "● 1 up")
            try screen.press("C-z")
            try await screen.wait(for: "Stopped")
            for _ in 0..<2 {
                try screen.enter("clear; bg; sleep 0.2; echo 'the shell' 'goes on'")
                try await screen.wait(for: "the shell goes on")
                try await eventually("stop in the background") { state(of: id) == "T" }
                #expect(try !screen.flags.isAlternate)
            }
            try screen.enter("clear; fg")
            try await screen.wait(for: "● 1 up")
            try screen.press("C-z")
            try await screen.wait(for: "Stopped")
            try screen.enter("kill %1")
            try await eventually("end of the program") { state(of: id) == nil }
            #expect(try !screen.flags.isAlternate)
        }

        @Test func `closing the terminal ends the program`() async throws {
            let scratch = try Scratch()
            let id: Int32
            do {
                let screen = try Screen.running("127.0.0.1:1", in: scratch)
                try await screen.wait(for: "TARGET")
                id = try await scratch.number(in: "pid")
            }
            try await eventually("end of the program") { state(of: id) == nil }
        }

        @Test func `quitting restores the terminal, then ends running commands`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "echo $$ > hook; sleep 100 & echo $! > grandchild; trap 'sleep 1; exit' TERM; wait"
                """
            let fixture = try WatchFixture()
            let (scratch, path) = (fixture.scratch, try fixture.settings(hooks))
            let screen = try Screen("\(Screen.program("--config \(path)"))\necho $? > status", in: scratch)
            try await screen.wait(forRowWith: "● Door", "hook running")
            let ids = [try await scratch.number(in: "hook"), try await scratch.number(in: "grandchild")]
            try screen.press("q")
            try await eventually("shell's screen", within: .milliseconds(900)) { try !screen.flags.isAlternate }
            #expect(scratch.lines(of: "status").isEmpty, "the command had no time to clean up")
            try await eventually("exit status") { scratch.lines(of: "status") == ["0"] }
            #expect(ids.allSatisfy { state(of: $0) == nil }, "a command was left behind")
        }
    }
}

extension EndToEnd {
    /// Suspension of the whole program, as by a debugger or a sleeping machine.
    @Suite(.serialized) struct SuspensionTests {
        @Test func `suspension for eight seconds takes no target down and runs no hook`() async throws {
            let scratch = try Scratch()
            let listeners = try (0..<50).map { _ in try Listener() }
            let tcp = listeners.map { "tcp://127.0.0.1:\($0.port)" }
            let icmp = Machine.canPing ? (1...50).map { "icmp://127.0.1.\($0)" } : []
            let targets = (tcp + icmp).map { "[[target]]\nurl = \"\($0)\"\n" }
            let defaults = "[defaults]\ninterval = \"1s\"\ntimeout = \"1s\"\nfall = 1\n"
            let hook = "[[hook]]\non = \"change\"\nrun = 'echo $REACH_TARGET >> \(scratch.file("runs"))'\n"
            let path = try scratch.write(defaults + hook + targets.joined(), to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--config", path])
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("verdicts", context: context) { scratch.lines(of: "out").count == targets.count }
            child.send(SIGSTOP)
            try await Task.sleep(for: .seconds(8))
            let before = listeners.map(\.count)
            child.send(SIGCONT)
            let resumed = ContinuousClock.now
            try await eventually("connections", context: context) {
                zip(listeners.map(\.count), before).allSatisfy { $0 > $1 }
            }
            // Probes resume at once, not spread over an interval.
            #expect(ContinuousClock.now - resumed < .seconds(1))
            try await Task.sleep(for: .seconds(3))
            let later = scratch.lines(of: "out").dropFirst(targets.count)
            #expect(later.count == 1 && later.allSatisfy { $0.contains(#""type":"stalled""#) }, "\(Array(later))")
            #expect(scratch.lines(of: "runs").isEmpty)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
