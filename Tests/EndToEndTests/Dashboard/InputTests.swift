import Foundation
import Testing

extension EndToEnd {
    /// Messages for invalid command lines and settings files.
    @Suite(.serialized) struct InputTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func run(_ words: String...) throws -> Tool {
            try Tool.run([Program.path] + words, in: scratch.path)
        }

        @Test(arguments: ["missing.toml", ".", "/dev/null", "binary.toml"])
        func `an unreadable file is reported in one line`(_ file: String) throws {
            try scratch.write(Data([0x61, 0x20, 0x3D, 0x0A, 0xFF, 0xFE, 0x0A]), to: "binary.toml")
            for words in [["validate", file], ["--config", file], ["watch", "--config", file]] {
                let tool = try Tool.run([Program.path] + words, in: scratch.path)
                #expect(tool.status == 2, "\(words)")
                #expect(tool.output.isEmpty, "\(words)")
                #expect(tool.errorLines.count == 1 && tool.errors.contains(file), "\(words): \(tool.errors)")
                #expect(!tool.errors.contains("\u{1B}"))
            }
        }

        @Test func `a file without targets is reported`() throws {
            let path = try scratch.write("", to: "empty.toml")
            let tool = try run("validate", path)
            #expect(tool.status == 0, "\(tool)")
            #expect(tool.output.contains("warning: no targets"), "\(tool)")
            #expect(tool.lines.count == 2 && tool.errors.isEmpty, "\(tool)")
        }

        private static let problems = """
            [[target]]
            name = "NAS"
            url = "tcp://nas.local"
            intervall = "2s"
            [[target]]
            name = "Router"
            url = "icmp://192.0.2.1"
            interval = 2

            """

        @Test func `every problem of a file is reported, one per line`() throws {
            let path = try scratch.write(Self.problems, to: "bad.toml")
            let tool = try run("validate", path)
            #expect(tool.status == 1)
            #expect(tool.errors.isEmpty)
            #expect(tool.lines.count == 3, "\(tool.output)")
            #expect(tool.lines.allSatisfy { $0.hasPrefix("\(path):") && $0.contains("target \"") })
            #expect(tool.output.contains("did you mean \"interval\"?"))
            #expect(tool.output.contains("did you mean \"2s\"?"))
        }

        @Test func `an invalid file starts nothing and leaves the terminal unchanged`() async throws {
            let path = try scratch.write(Self.problems, to: "bad.toml")
            let watch = try run("watch", "--config", path)
            #expect(watch.status == 2)
            #expect(watch.output.isEmpty)
            #expect(watch.errorLines.count == 3 && !watch.errors.contains("\u{1B}"), "\(watch.errors)")

            for words in [["--config", path], ["watch", "--config", path]] {
                let pty = try Pty([Program.path] + words, in: scratch)
                #expect(try await pty.end() == 2)
                try await pty.wait(for: "interval")
                #expect(!pty.bytes.contains(0x1B), "\(pty.text)")
            }
        }

        @Test(arguments: [
            (["--nosuch"], "--nosuch", nil), (["wach"], "wach", "\"watch\""), (["validat"], "validat", "\"validate\""),
            (["tcp://127.0.0.1"], "port", "tcp://127.0.0.1:443"), (["tpc://127.0.0.1:22"], "tpc", "\"tcp\""),
            (["127.0.0.1:70000"], "70000", "65535"), (["icmp://"], "host", nil), (["@Nobody"], "Nobody", nil),
            (["watch", "--jsno"], "--jsno", nil), (["validate", "a", "b"], "b", nil),
            (["version"], "version", "--version"),
        ])
        func `an invalid command line is reported in one line with a fix`(
            words: [String],
            culprit: String,
            hint: String?
        ) throws {
            try scratch.write("[[target]]\nurl = \"icmp://192.0.2.1\"\n", to: "dashboard.toml")
            let tool = try Tool.run([Program.path] + words, in: scratch.path)
            #expect(tool.status == 2)
            #expect(tool.output.isEmpty)
            #expect(tool.errors.contains(culprit), "\(tool.errors)")
            if let hint { #expect(tool.errors.contains(hint), "\(tool.errors)") }
            // One line, and optionally one that points to the help.
            #expect((1...2).contains(tool.errorLines.count), "\(tool.errors)")
            #expect(tool.errorLines.allSatisfy { $0.hasPrefix("reach: ") }, "\(tool.errors)")
        }

        @Test func `help and version exit with 0`() throws {
            for words in [["--help"], ["--version"], ["watch", "--help"], ["help"]] {
                let tool = try Tool.run([Program.path] + words, in: scratch.path)
                #expect(tool.status == 0, "\(words)")
                #expect(!tool.output.isEmpty && tool.errors.isEmpty, "\(words)")
            }
        }
    }
}

extension EndToEnd {
    /// Input history across runs.
    @Suite(.serialized) struct HistoryTests {
        private let scratch: Scratch
        private let listener: Listener

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        /// Runs the program, types keys, waits for a text and quits.
        private func play(_ keys: [String], until text: String, _ environment: [String: String] = [:]) async throws {
            let words = [Program.path, "127.0.0.1:\(listener.port)"]
            let pty = try Pty(words, in: scratch, environment: environment)
            try await pty.wait(for: "● 1 up")
            for key in keys {
                pty.type(key)
                try await Task.sleep(for: .milliseconds(50))
            }
            try await pty.wait(for: text)
            pty.type("q")
            #expect(try await pty.end() == 0)
        }

        private func mode(of name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: scratch.file(name))[.posixPermissions] as? Int
        }

        @Test func `history is restored from a private file`() async throws {
            try await play(["/127.0", "\r", "/", "\u{15}", "zzz", "\r"], until: "zzz")
            let file = ".local/state/reach/history"
            #expect(scratch.lines(of: file) == ["filter 127.0", "filter zzz"])
            #expect(try mode(of: file) == 0o600)
            #expect(try mode(of: ".local/state/reach") == 0o700)
            try await play(["x", "true", "\r"], until: "`true`")
            #expect(scratch.lines(of: file) == ["filter 127.0", "filter zzz", "command true"])
            try await play(["/", "\u{1B}[A", "\u{1B}[A", "\r"], until: "127.0")
            #expect(scratch.lines(of: file) == ["filter zzz", "command true", "filter 127.0"])
            let left = try FileManager.default.contentsOfDirectory(atPath: scratch.file(".local/state/reach"))
            #expect(left.filter { !$0.hasPrefix("history.sqlite") && !$0.hasSuffix(".lock") } == ["history"])
        }

        @Test func `the file is bounded, and invalid lines are dropped`() async throws {
            let folder = scratch.file("state/reach")
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let old = (1...250).map { "filter old\($0)\n" }.joined()
            try scratch.write(
                Data((old + "nonsense\nfilter \u{1B}]0;x\n\ncommand ls\n").utf8 + [0xFF, 0x0A]),
                to: "state/reach/history"
            )
            try await play(["/new", "\r"], until: "new", ["XDG_STATE_HOME": scratch.file("state")])
            let lines = scratch.lines(of: "state/reach/history")
            #expect(lines.count { $0.hasPrefix("filter ") } == 200)
            #expect(lines.suffix(2) == ["command ls", "filter new"] && lines.first == "filter old52")
        }

        @Test func `an unwritable history is ignored silently`() async throws {
            try scratch.write("a file\n", to: "state")
            try await play(["/127", "\r"], until: "127", ["XDG_STATE_HOME": scratch.file("state")])
            #expect(scratch.text(of: "state") == "a file\n")
        }

        @Test(.enabled(if: getuid() == 0, "only root can be in another's home"))
        func `nothing is written to another user's home, which sudo may leave in HOME`() async throws {
            let home = scratch.file("home")
            try FileManager.default.createDirectory(atPath: home, withIntermediateDirectories: false)
            chown(home, 65534, 65534)
            try await play(["/127", "\r"], until: "127", ["HOME": home])
            #expect(try FileManager.default.contentsOfDirectory(atPath: home).isEmpty)
        }
    }
}
