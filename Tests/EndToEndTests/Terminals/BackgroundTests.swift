import Foundation
import Testing

extension EndToEnd {
    /// The query for the background colour, from the first frame to the shell after the exit.
    @Suite(.serialized) struct BackgroundTests {
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private var target: String { "127.0.0.1:\(listener.port)" }

        @Test(
            .enabled(if: Machine.hasXTerm, "xterm and Xvfb are not installed"),
            arguments: [
                ("white", "xterm-256color", "38:5:28"), ("black", "xterm-256color", "32"), ("white", "xterm", "32"),
                ("#fdf6e3", "xterm-direct", "38:2::26:127:26"), ("#002b36", "xterm-direct", "32"),
            ]
        )
        func `xterm gets the theme for its background, in its number of colours`(
            background: String,
            terminal: String,
            green: String
        ) async throws {
            let xterm = try await XTerm(
                "exec \(Program.path) 127.0.0.1:\(listener.port)",
                in: scratch,
                options: ["-bg", background, "-tn", terminal]
            )
            var last = ""
            try await eventually("green of \(green)", context: { last.replacing("\u{1B}", with: "␛") }) {
                last = try await xterm.print()
                return last.contains("\u{1B}[0;\(green)m●") || last.contains("\u{1B}[\(green)m●")
            }
        }

        @Test(arguments: [
            (quit: 0, pieces: [(10, "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}")]),
            (quit: 0, pieces: [(5, "\u{1B}]11;rgb:ffff/"), (10, "ffff/ffff\u{1B}\\")]),
            (quit: 200, pieces: [(150, "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}")]),
            (quit: 250, pieces: [(120, "\u{1B}]11;rgb:ff"), (80, "ff/ffff/ffff\u{1B}\\")]),
            (quit: 150, pieces: []),
            (quit: 0, pieces: [(400, "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}\u{1B}[?62;22c")]),
            (quit: 1_000, pieces: [(1_300, "\u{1B}]11;rgb:ffff/ffff/ffff\u{7}"), (20, "\u{1B}[?62;22c")]),
            (quit: 0, pieces: [(300, "\u{1B}[?6c")]),
        ])
        func `no part of a reply reaches the shell`(quit: Int, pieces: [(Int, String)]) async throws {
            let script = """
                stty -echo
                \(Program.path) 127.0.0.1:\(listener.port)
                IFS= read -r line
                printf 'read <%s>' "$line" | tr '\\033' E
                """
            let pty = try Pty(["sh", "-c", script], in: scratch)
            try await pty.wait(for: "\u{1B}]11;?\u{7}")
            var time = 0
            var typed = pieces.map { pause, piece in
                time += pause
                return (time: time, text: piece)
            }
            typed.insert((quit, "q"), at: typed.firstIndex { $0.time > quit } ?? typed.endIndex)
            let begin = ContinuousClock.now
            for (time, text) in typed {
                try await Task.sleep(until: begin + .milliseconds(time))
                pty.type(text)
            }
            try await pty.wait(for: "\u{1B}[?1049l")
            try await Task.sleep(for: .milliseconds(50))
            pty.type("date\n")
            try await pty.wait(for: "read <")
            try await eventually("end of the line") { pty.text.hasSuffix(">") }
            #expect(pty.text.hasSuffix("read <date>"))
        }

        @Test(arguments: ["\u{1B}]11;rgb:ffff/ffff/ffff\u{7}", "\u{1B}[?6c", ""])
        func `answered queries do not delay the exit`(answer: String) async throws {
            let pty = try Pty([Program.path, target], in: scratch)
            try await pty.wait(for: "\u{1B}]11;?\u{7}")
            pty.type(answer)
            try await pty.wait(for: "● 1 up")
            // A terminal that is silent for longer does not answer.
            try await Task.sleep(for: .milliseconds(answer.isEmpty ? 2_100 : 150))
            let begin = ContinuousClock.now
            pty.type("q")
            try await pty.wait(for: "\u{1B}[?1049l")
            #expect(begin.duration(to: .now) < .milliseconds(350))
        }

        @Test(arguments: ["\u{1B}]11;rgb:00", "\u{1B}P1$r", "\u{1B}[1;"])
        func `keys after a reply without an end are keys`(reply: String) async throws {
            let pty = try Pty([Program.path, "127.0.0.1:\(listener.port)"], in: scratch)
            try await pty.wait(for: "\u{1B}]11;?\u{7}")
            try await pty.wait(for: "● 1 up")
            pty.type(reply)
            // Faster than any pause, and each could be part of a reply.
            for key in "a127.0.0.1\rqy" {
                try await Task.sleep(for: .milliseconds(100))
                pty.type(String(key))
            }
            #expect(try await pty.end() == 0)
            #expect(pty.text.contains("added 127.0.0.1"))
        }

        @Test func `a terminal without a reply is queried once and delays nothing`() async throws {
            let pty = try Pty([Program.path, "127.0.0.1:\(listener.port)"], in: scratch)
            try await pty.wait(for: "\u{1B}]11;?\u{7}")
            let begin = ContinuousClock.now
            pty.type("q")
            #expect(try await pty.end() == 0)
            // The reply's timeout of 100 ms, plus the exit of a program on a busy machine.
            #expect(begin.duration(to: .now) < .seconds(1))
            #expect(pty.text.ranges(of: "\u{1B}]11;?\u{7}").count == 1)
        }
    }
}
