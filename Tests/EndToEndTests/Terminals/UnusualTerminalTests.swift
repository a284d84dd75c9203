import Foundation
import Testing

extension EndToEnd {
    /// Terminals without a shell, a controlling terminal or an alternate screen, and those inside of other programs.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct UnusualTerminalTests {
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private var target: String { "127.0.0.1:\(listener.port)" }

        @Test(arguments: ["exec \(Program.path)", Program.path, "setsid -w \(Program.path)"])
        func `without a shell that could resume the program, it is not stopped`(_ program: String) async throws {
            // The shell of the script has no job control.
            let screen = try Screen("\(program) \(target)\necho 'the shell is back'", in: scratch)
            try await screen.wait(for: "● 1 up")
            try screen.press("C-z")
            try await screen.wait(for: "not suspended: no shell could resume reach")
            let count = listener.count
            try await eventually("probes") { listener.count > count + 1 }
            #expect(try screen.flags.isAlternate && !screen.flags.hasCursor)
            // The window ends with its only program.
            guard !program.hasPrefix("exec") else { return }
            try screen.press("q")
            try await screen.wait(for: "the shell is back")
            #expect(try !screen.flags.isAlternate && screen.flags.hasCursor)
        }

        @Test(arguments: [false, true])
        func `without a controlling terminal, the standard streams are used`(isOtherUser: Bool) async throws {
            var program = "setsid -w \(Program.path)"
            if isOtherUser {
                guard getuid() == 0 else { return }
                // It may not open the device, which belongs to another user.
                program = "su -s /bin/sh nobody -c '\(try UnprivilegedUser(in: scratch).program) \(target)'; :"
            }
            let script = "stty -g > before\n\(program) \(target)\nstty -g > after\necho 'the shell is back'"
            let screen = try Screen(script, in: scratch, columns: 90, rows: 24)
            try await screen.wait(for: "● 1 up")
            #expect(try screen.flags.isAlternate && !screen.flags.hasCursor)
            // There is no SIGWINCH.
            try screen.resize(columns: 70, rows: 20)
            try await eventually("new size", context: { screen.text }) {
                try screen.rows.count == 20 && screen.rows.last?.hasPrefix(" space pause") == true
            }
            try screen.press("q")
            try await screen.wait(for: "the shell is back")
            #expect(try !screen.flags.isAlternate && screen.flags.hasCursor)
            #expect(scratch.lines(of: "after") == scratch.lines(of: "before"))
        }

        @Test(arguments: ["q", "TERM"])
        func `a terminal without an alternate screen is cleared`(_ way: String) async throws {
            let script = """
                tmux set-window-option alternate-screen off
                \(Screen.program(target))
                echo 'the shell is back'
                """
            let screen = try Screen(script, in: scratch)
            try await screen.wait(for: "● 1 up")
            #expect(try !screen.flags.isAlternate)
            if way == "q" { try screen.press("q") } else { kill(try await scratch.number(in: "pid"), SIGTERM) }
            try await screen.wait(for: "the shell is back")
            let rows = try screen.rows
            let last = try #require(rows.firstIndex { $0.contains("the shell is back") })
            // The last table is above the prompt, and nothing else is left.
            #expect(rows[(last + 1)...].allSatisfy { $0.isEmpty }, "\(rows)")
            #expect(rows.count { $0.contains("TARGET") } == (way == "q" ? 1 : 0))
            #expect(!rows.contains { $0.contains("space pause") })
        }

        @Test(.enabled(if: Machine.hasScreen, "GNU screen is not installed"))
        func `GNU screen is cleared`() async throws {
            let path = try scratch.write(
                "\(Program.path) \(target)\necho 'the shell is back'\nsleep 60\n",
                to: "run.sh"
            )
            let folder = scratch.file("screens")
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let screen = { (words: String...) in
                try Tool.run(["screen", "-S", "s"] + words, in: scratch.path, environment: ["SCREENDIR": folder])
            }
            _ = try screen("-U", "-c", "/dev/null", "-dm", "sh", path)
            defer { _ = try? screen("-X", "quit") }
            let picture = { () -> [String] in
                _ = try screen("-X", "hardcopy", scratch.file("copy"))
                return scratch.text(of: "copy").split(separator: "\n", omittingEmptySubsequences: false).map(
                    String.init
                )
            }
            try await eventually("dashboard") { try picture().contains { $0.contains("1 up") } }
            _ = try screen("-X", "stuff", "q")
            try await eventually("shell") { try picture().contains { $0.contains("the shell is back") } }
            // The copy is written after the command has returned, so that the file may be empty.
            var rows: [String] = []
            while !rows.contains(where: { $0.contains("the shell is back") }) { rows = try picture() }
            let last = try #require(rows.firstIndex { $0.contains("the shell is back") })
            #expect(rows[(last + 1)...].allSatisfy { $0.allSatisfy(\.isWhitespace) }, "\(rows)")
            #expect(!rows.contains { $0.contains("space pause") })
        }

        @Test func `in tmux, y copies to its buffer`() async throws {
            let screen = try Screen.running(target, in: scratch)
            try await screen.wait(for: "● 1 up")
            try screen.press("y")
            try await screen.wait(for: "copied to the buffer of tmux")
            #expect(try screen.buffer.hasPrefix("\(target)  tcp://\(target)  up"))
        }

        @Test func `in tmux that cannot be asked, the message names the option`() async throws {
            let script = "mkdir none; PATH=$PWD/none exec \(Program.path) \(target)"
            let screen = try Screen(script, in: scratch)
            try await screen.wait(for: "● 1 up")
            try screen.press("y")
            try await screen.wait(for: "copied, if tmux has `set -g set-clipboard on`")
        }

        @Test(.enabled(if: Machine.hasScreen, "GNU screen is not installed"))
        func `GNU screen passes what is copied on to its terminal`() async throws {
            let folder = scratch.file("screens")
            try FileManager.default.createDirectory(
                atPath: folder,
                withIntermediateDirectories: false,
                attributes: [.posixPermissions: 0o700]
            )
            let name = String(repeating: "long name ", count: 20)
            let settings = "[[target]]\nname = \"\(name)\"\nurl = \"tcp://\(target)\"\n"
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty(
                ["screen", "-U", "-c", "/dev/null", Program.path, "--config", path],
                in: scratch,
                environment: ["SCREENDIR": folder]
            )
            try await pty.wait(for: "1 up")
            pty.type("y")
            let begin = "\u{1B}]52;c;"
            try await pty.wait(for: begin)
            let copied = try await eventually("end of the text") { () -> String? in
                let text = pty.text
                guard let start = text.firstRange(of: begin)?.upperBound else { return nil }
                return text[start...].firstIndex(of: "\u{7}").map { String(text[start..<$0]) }
            }
            let bytes = try #require(Data(base64Encoded: copied), "\(copied)")
            #expect(String(decoding: bytes, as: UTF8.self).hasPrefix(name.trimmingCharacters(in: .whitespaces)))
            pty.type("q")
        }

        @Test(
            arguments: [([:], 30), (["SSH_TTY": "/dev/pts/9"], 100), (["ESCDELAY": "600"], 300)]
                as [([String: String], Int)]
        )
        func `the parts of a key may come one after the other`(environment: [String: String], pause: Int) async throws {
            let pty = try Pty([Program.path, target], in: scratch, environment: environment)
            try await pty.wait(for: "1 up")
            for part in ["\u{1B}", "[D", "\u{1B}[", "D", "\u{1B}[1;5", "D"] {
                pty.type(part)
                try await Task.sleep(for: .milliseconds(pause))
            }
            #expect(!pty.text.contains("remove"), "the rest of the key was a key")
            pty.type("\u{1B}")
            try await Task.sleep(for: .milliseconds(700))
            pty.type("D")
            try await pty.wait(for: "remove")
        }
    }
}
