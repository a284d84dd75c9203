import Foundation
import Testing

extension EndToEnd {
    /// Detection of the terminal's background, clipboard and pictures.
    @Suite(.serialized) struct AppearanceTests {
        private static let backgroundQuery = "\u{1B}]11;?\u{7}"
        /// The light theme's green in 256 colours.
        private static let lightGreen = "38;5;28m"
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private func start() async throws -> Pty {
            let pty = try Pty([Program.path, "127.0.0.1:\(listener.port)"], in: scratch)
            try await pty.wait(for: "● 1 up")
            #expect(pty.text.contains(Self.backgroundQuery))
            return pty
        }

        /// Presses two keys and checks that no other key was received.
        private func endQuietly(_ pty: Pty) async throws {
            #expect(!pty.text.contains("probing"), "a part of the reply was taken for a key")
            pty.type("S")
            try await pty.wait(for: "reversed")
            pty.type("q")
            #expect(try await pty.end() == 0)
        }

        @Test(arguments: [
            ["\u{1B}]11;rgb:ffff/ffff/ffff\u{1B}\\"], ["\u{1B}]11;rgb:fd/f6/e3\u{7}"],
            ["\u{1B}", "]11;rgb:ffff/", "ffff/ffff\u{7}"],
            ["\u{1B}]11;rgb:ffff/rrrr\u{7}\u{1B}]11;rgb:eeee/eeee/eeee\u{7}"],
        ])
        func `a light terminal gets the light theme, also from a late or split reply`(
            answer: [String]
        ) async throws {
            let pty = try await start()
            #expect(!pty.text.contains(Self.lightGreen))
            try await Task.sleep(for: .milliseconds(150))
            for (index, piece) in answer.enumerated() {
                // A lone escape becomes the key after a timeout, so the second piece follows at once. The others may be
                // delayed, as on a slow connection.
                if index > 1 { try await Task.sleep(for: .milliseconds(60)) }
                pty.type(piece)
            }
            try await pty.wait(for: Self.lightGreen)
            try await endQuietly(pty)
        }

        @Test(arguments: [
            "\u{1B}]11;rgb:0000/0000/0000\u{7}", "\u{1B}]11;rrr\u{7}", "\u{1B}]11;?\u{7}",
            "\u{1B}]11;rgb:ffff/rrrr\u{18}",
            "",
        ])
        func `a dark, invalid or missing reply keeps the dark theme`(answer: String) async throws {
            let pty = try await start()
            pty.type(answer)
            try await Task.sleep(for: .milliseconds(150))
            try await endQuietly(pty)
            #expect(!pty.text.contains(Self.lightGreen))
        }

        @Test func `y copies the row to the terminal's clipboard`() async throws {
            let pty = try await start()
            pty.type("y")
            try await pty.wait(for: "copied the row of 127.0.0.1:\(listener.port)")
            let begin = try #require(pty.text.firstRange(of: "\u{1B}]52;c;"))
            let code = pty.text[begin.upperBound...].prefix { $0 != "\u{7}" }
            let text = try #require(Data(base64Encoded: String(code))).map { Character(Unicode.Scalar($0)) }
            #expect(String(text).hasPrefix("127.0.0.1:\(listener.port)  tcp://127.0.0.1:\(listener.port)  up"))
        }

        @Test func `w saves a picture, and reports a failure`() async throws {
            let pty = try await start()
            pty.type("w")
            try await pty.wait(for: "saved reach-")
            let names = try FileManager.default.contentsOfDirectory(atPath: scratch.path)
            let name = try #require(names.first { $0.hasPrefix("reach-") && $0.hasSuffix(".svg") })
            let picture = scratch.lines(of: name)
            #expect(picture.first?.hasPrefix("<svg ") == true && picture.last == "</svg>")
            #expect(picture.contains { $0.contains(">● 1 up</text>") })
            try FileManager.default.removeItem(atPath: scratch.path)
            pty.type("w")
            try await pty.wait(for: "cannot save reach-")
        }

        @Test func `a picture needs no terminal and runs no hook`() async throws {
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "touch hooked"
                """
            let fixture = try WatchFixture()
            let (scratch, path) = (fixture.scratch, try fixture.settings(hooks))
            let words = ["--config", path, "--svg", "door.svg", "--after", "1s", "--columns", "80", "--rows", "10"]
            let tool = try Tool.run([Program.path] + words + ["--theme", "light", "--press", "e"], in: scratch.path)
            #expect(tool.status == 0 && tool.output.isEmpty && tool.errors.isEmpty, "\(tool)")
            let picture = scratch.lines(of: "door.svg")
            #expect(picture.first?.contains("viewBox=\"0 0 740 210\"") == true)
            #expect(picture.contains { $0.contains(">● 1 up</text>") && $0.contains("#1a7f1a") })
            #expect(picture.contains { $0.contains(">Events</text>") })
            #expect(
                scratch.lines(of: "hooked").isEmpty && !FileManager.default.fileExists(atPath: scratch.file("hooked"))
            )
        }

        @Test(arguments: [
            // The interval of an hour does not delay the picture.
            (
                ["--svg", "missing/x.svg", "--after", "1h", "127.0.0.1:1"],
                "cannot write missing/x.svg: No such file or directory"
            ),
            (["--svg", ".", "--after", "1h", "127.0.0.1:1"], ". is a folder"),
            (["--svg", "", "--after", "1h", "127.0.0.1:1"], "invalid file name \"\""),
            (["--svg", "x.svg", "--after", "5"], "--after"), (["--svg", "x.svg", "--columns", "9999"], "--columns"),
            (["--rows", "9"], "--svg"),
            // The settings may define themes, so they are read before.
            (["--theme", "ligth", "127.0.0.1:1"], "--theme: unknown theme \"ligth\" – did you mean \"light\"?"),
        ])
        func `invalid options are reported, and nothing is written`(words: [String], text: String) throws {
            let tool = try Tool.run([Program.path] + words, in: scratch.path)
            #expect(tool.status == 2 && tool.errors.contains(text), "\(tool)")
            #expect(!FileManager.default.fileExists(atPath: scratch.file("x.svg")))
        }
    }
}

extension EndToEnd {
    /// Drawing in terminals of every size.
    @Suite(.serialized, .enabled(if: Machine.hasTmux, "tmux is not installed")) struct SizeTests {
        private static let names = ["Router", "打印机", "Staging 🚧", "cafe\u{301}", "라우터 3", "Plain"]

        private func settings(_ scratch: Scratch, port: UInt16) throws -> String {
            let targets = Self.names.map { "[[target]]\nname = \"\($0)\"\nurl = \"tcp://127.0.0.1:\(port)\"\n" }
            return try scratch.write("[defaults]\ninterval = \"300ms\"\n" + targets.joined(), to: "settings.toml")
        }

        @Test(arguments: [(20, 5), (40, 10), (80, 24), (200, 50), (300, 100)])
        func `the frame fills every size and never wraps`(columns: Int, rows: Int) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch, columns: columns, rows: rows)
            // The narrowest of these terminals has no room for the words of the header.
            let count = columns > 20 ? "● 6 up" : "●6"
            try await screen.wait(for: count)
            let lines = try screen.rows
            #expect(lines.count == rows)
            #expect(try screen.unwrappedLines == rows, "a line wraps")
            #expect(lines.allSatisfy { $0.columns <= columns })
            #expect(lines.first?.contains(count) == true)
            #expect(lines.last?.contains("? help") == true, "\(lines)")
            #expect(lines.contains { $0.contains("Router") })
        }

        @Test func `after many resizes the frame matches the last size`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch)
            try await screen.wait(for: "● 6 up")
            for _ in 0..<50 {
                try screen.resize(columns: .random(in: 10...250), rows: .random(in: 2...80))
            }
            try screen.resize(columns: 100, rows: 30)
            let fresh = try Screen.running("--config \(path)", in: try Scratch(), columns: 100, rows: 30)
            try await fresh.wait(for: "● 6 up")

            // Figures change; everything else must be equal, on the same row.
            let outline = { (screen: Screen) in
                try screen.rows.prefix { !$0.contains("Events") }.map { $0.prefix(45).filter { !$0.isNumber } }
                    + [String(screen.rows.last?.prefix(90) ?? "")]
            }
            try await eventually("equal frame", context: { "\(screen.text)\n\n\(fresh.text)" }) {
                try outline(screen) == outline(fresh)
            }
            #expect(try screen.rows.count == 30)
            try screen.press("?")
            try await screen.wait(for: " Help ")
        }

        @Test(arguments: [80, 120, 200])
        func `wide characters do not shift the columns after them`(columns: Int) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let path = try settings(scratch, port: listener.port)
            let screen = try Screen.running("--config \(path)", in: scratch, columns: columns, rows: 30)
            try await screen.wait(for: "● 6 up")
            // The narrowest of these terminals shortens the host, but not the port.
            let host = columns > 80 ? "127.0.0.1:" : "127."
            let rows = try screen.rows.filter { $0.contains(host) && $0.contains(" up ") }
            #expect(rows.count == Self.names.count)
            // The unit of the last round trip is milliseconds or microseconds.
            for word in [host, " up ", "s ", "%"] {
                #expect(Set(rows.map { $0.column(of: word) }).count == 1, "\(word) in:\n\(screen.text)")
            }
            for name in Self.names {
                // The narrowest of these terminals has no room for the end of a long name.
                #expect(rows.contains { $0.contains(columns > 80 ? name[...] : name.prefix(4)) }, "\(name)")
            }
        }
    }
}
