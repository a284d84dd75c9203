import Foundation
import Testing

extension EndToEnd {
    /// Many hostile peers at once: each is down with a reason, uses bounded memory and never controls the terminal.
    @Suite(.serialized) struct HostileTargetTests {
        /// Returns the lines with control or bidirectional characters.
        private static func unsafeLines(in text: String) -> [String] {
            let bidirectional: Set<Unicode.Scalar> = ["\u{202A}", "\u{202B}", "\u{202C}", "\u{202D}", "\u{202E}"]
            return text.split(separator: "\n").filter { line in
                line.unicodeScalars.contains {
                    $0.properties.generalCategory == .control || bidirectional.contains($0)
                }
            }
            .map(\.debugDescription)
        }

        @Test func `hostile peers are down with a reason, in bounded memory, without control characters`() async throws
        {
            let scratch = try Scratch()
            let hostile = try HostileTargets()
            let path = try scratch.write(hostile.settings, to: "settings.toml")
            let watch = { (name: String, words: String...) in
                try Child(
                    [Program.path, "watch", "--config", path] + words,
                    in: scratch.path,
                    streams: .files(output: scratch.file("\(name).out"), errors: scratch.file("\(name).err"))
                )
            }
            // Otherwise the first process runs all hooks.
            let text = try watch("text", "-vvv", "--log", scratch.file("log"), "--hooks")
            let json = try watch("json", "--json")
            let pty = try Pty([Program.path, "--config", path, "--hooks"], in: scratch, columns: 200, rows: 60)
            let downs = { scratch.lines(of: "json.out").filter { $0.contains("\"to\":\"down\"") } }
            let missing = {
                hostile.targets.filter { one in !downs().contains { $0.contains("\"target\":\"\(one.name)\"") } }
            }
            try await eventually("verdicts", within: .seconds(20), context: { "\(missing().map(\.name))" }) {
                missing().isEmpty
            }
            try await eventually("hooks", within: .seconds(10)) {
                scratch.text(of: "text.err").contains("HOOK") && pty.text.contains("failed, status 1")
            }
            for one in hostile.targets {
                let line = try #require(downs().first { $0.contains("\"target\":\"\(one.name)\"") })
                #expect(one.reasons.contains { line.contains("\"reason\":\"\($0)\"") }, "\(line)")
            }

            let programs = [text.id, json.id, pty.child.id]
            let before = programs.map { residentMemory(of: $0) ?? .max }
            let connections = hostile.connections
            try await Task.sleep(for: .seconds(5))
            let growth = zip(programs, before).map { (residentMemory(of: $0) ?? .max) - $1 }
            print(
                "\(hostile.targets.count) hostile peers probed by three programs for 5 s,",
                "\(hostile.connections - connections) connections: resident \(before.map { $0 / 1_024 }) MiB,",
                "growing by \(growth) KiB; at most \(hostile.mostBytesSent / 1_024) KiB accepted by one connection"
            )
            #expect(hostile.connections - connections > 100, "the targets are no longer probed")
            #expect(growth.allSatisfy { $0 < 16 * 1_024 }, "\(growth)")
            #expect(hostile.mostBytesSent < 24 << 20)

            pty.type("e")
            try await pty.wait(for: "HOOK")
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)
            for child in [text, json] {
                child.send(SIGTERM)
                #expect(try await child.end() == 143)
            }
            for name in ["text.out", "text.err", "json.out", "json.err", "log"] {
                #expect(Self.unsafeLines(in: scratch.text(of: name)) == [], "\(name)")
            }
            #expect(scratch.text(of: "text.out").contains("pwned"), "nothing is quoted")
            for code: Unicode.Scalar in ["\u{7}", "\u{85}", "\u{9B}", "\u{202E}"] {
                #expect(!pty.drawn.unicodeScalars.contains(code), "\(code.debugDescription)")
            }
            // The encoder itself moves the cursor by backspaces, but never behind the text of a payload.
            #expect(!pty.drawn.contains("31m\u{8}"))
            #expect(!pty.drawn.contains("\u{1B}]") && !pty.text.contains("\u{1B}[31mpwned"))
        }
    }
}

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
