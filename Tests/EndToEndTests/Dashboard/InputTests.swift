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
