import Foundation
import Testing

extension EndToEnd {
    /// Data from a peer is quoted, and never controls the terminal.
    @Suite(.serialized) struct HostilePeerTests {
        /// Sequences for the title, the screen, colours and the clipboard, with 7-bit and 8-bit control characters.
        private static let greeting =
            "\u{1B}]0;owned\u{7}\u{1B}[2J\u{1B}[31mHELLO\u{9B}5mFRIEND\u{1B}]52;c;b3duZWQ=\u{7}\r\n\u{8}\u{8}"

        private let scratch: Scratch
        private let listener: Listener
        private let path: String

        init() throws {
            scratch = try Scratch()
            listener = try Listener(greeting: Self.greeting)
            let settings = """
                [defaults]
                interval = "200ms"
                [[target]]
                name = "Liar 🤥 名"
                url = "tcp://127.0.0.1:\(listener.port)"
                tcp = { expect = "^SSH-2" }
                [[target.hooks]]
                on = "down"
                at_start = true
                run = '''printf '\\033]0;owned\\007\\033[31mHOOK\\n'; exit 1'''
                """
            path = try scratch.write(settings, to: "settings.toml")
        }

        @Test func `no escape code of a peer or a command reaches the terminal of the dashboard`() async throws {
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            try await pty.wait(for: "down after 3 losses")
            try await pty.wait(for: "failed, status 1")
            pty.type("e")
            try await pty.wait(for: "HOOK")
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)
            // The final table is read after the end of the program.
            try await pty.wait(for: "Liar 🤥 名")
            let text = pty.drawn
            #expect(text.contains("HELLO"), "the answer is not quoted")
            for code in ["\u{1B}]", "\u{9B}", "\u{7}", "\u{1B}[31mHELLO", "\u{1B}[31mHOOK"] {
                #expect(!text.contains(code), "\(code.debugDescription)")
            }
            // The dashboard itself moves the cursor with backspaces, but only after a line feed.
            #expect(!text.contains(#/FRIEND[^\u{1B}\n]*\u{8}/#), "\(text.debugDescription)")
        }

        @Test func `watch prints no escape code of a peer or a command`() async throws {
            let child = try scratch.start([Program.path, "watch", "--config", path])
            try await eventually("end of the command") { scratch.text(of: "err").contains("HOOK") }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            let output = scratch.text(of: "out")
            #expect(output.contains("  Liar 🤥 名  down after 3 losses: ") && output.contains("HELLO"), "\(output)")
            for text in [output, scratch.text(of: "err")] {
                let controls = text.unicodeScalars.filter { $0.properties.generalCategory == .control && $0 != "\n" }
                #expect(controls.isEmpty, "\(text.debugDescription)")
            }
        }
    }
}
