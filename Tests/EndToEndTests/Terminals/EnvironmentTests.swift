import Foundation
import Testing

extension EndToEnd {
    /// The effects of the environment on the bytes sent to the terminal.
    @Suite(.serialized) struct EnvironmentTests {
        /// The kinds of colour codes, from none to direct colour.
        enum Depth: Int, Sendable, Comparable {
            case none, sixteen, indexed, direct

            static func < (one: Depth, other: Depth) -> Bool { one.rawValue < other.rawValue }
        }

        private static let cases: [(environment: [String: String], words: [String], depth: Depth, sign: String)] = [
            (["TERM": "xterm"], [], .sixteen, "●"),
            (["TERM": "xterm-256color"], [], .indexed, "●"),
            (["TERM": "tmux-256color"], [], .indexed, "●"),
            (["TERM": "xterm-256color", "COLORTERM": "truecolor"], [], .direct, "●"),
            (["TERM": "xterm-256color", "COLORTERM": "24bit"], [], .direct, "●"),
            (["TERM": "xterm-256color", "COLORTERM": "1"], [], .indexed, "●"),
            (["TERM": "xterm-direct"], [], .direct, "●"),
            (["TERM": "linux"], [], .sixteen, "•"),
            (["TERM": "linux", "COLORTERM": "truecolor"], [], .sixteen, "•"),
            (["TERM": "xterm-256color", "NO_COLOR": "1"], [], .none, "●"),
            (["TERM": "xterm-256color", "NO_COLOR": "1", "COLORTERM": "truecolor"], ["--theme", "dark"], .none, "●"),
            (["TERM": "xterm-256color", "NO_COLOR": ""], [], .indexed, "●"),
            (["TERM": "xterm-256color"], ["--no-color"], .none, "●"),
            (["TERM": "xterm-256color"], ["--ascii"], .indexed, "+"),
            (["TERM": "xterm-256color", "LC_ALL": "C"], [], .indexed, "+"),
            (["TERM": "vt220", "LC_ALL": "POSIX"], [], .sixteen, "+"),
            (["TERM": "xterm", "LC_ALL": "", "LANG": "de_DE.ISO-8859-1"], [], .sixteen, "+"),
        ]

        @Test(arguments: cases)
        func `colours and characters match the terminal's abilities`(
            environment: [String: String],
            words: [String],
            depth: Depth,
            sign: String
        ) async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let settings = """
                [[target]]
                name = "東京 é"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "200ms"
                [[target]]
                name = "Gone"
                url = "tcp://127.0.0.1:1"
                interval = "200ms"

                """
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path] + words, in: scratch, environment: environment)
            try await pty.wait(for: "\(sign) 1 up")
            try await pty.wait(for: "1 down")
            for key in ["2", "3", "1", "\r", "\u{1B}", "e", "?", "q", "q", "q"] {
                pty.type(key)
                try await Task.sleep(for: .milliseconds(60))
            }
            #expect(try await pty.end() == 0)
            #expect(Self.depths(of: pty.drawn).max() ?? .none == depth)
            // The query is sent only to a terminal that can reply, and if its reply has a use.
            let isProbed = depth != .none && environment["TERM"] != "linux"
            #expect(pty.text.contains("\u{1B}]11;?") == isProbed)
            let locale = environment["LC_ALL"].flatMap { $0.isEmpty ? environment["LANG"] : $0 } ?? "C.UTF-8"
            #expect(pty.text.contains("東京") == locale.contains("UTF-8"))
            if !locale.contains("UTF-8") {
                #expect(pty.bytes.allSatisfy { $0 < 0x80 })
                #expect(pty.text.contains("???? ?"))
            }
        }

        @Test func `without UTF-8 in the locale, messages and tables are ASCII, and JSON is not`() throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let settings = """
                [[target]]
                name = "Café"
                url = "tcp://127.0.0.1:\(listener.port)"
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "echo olé"

                """
            let path = try scratch.write(settings, to: "settings.toml")
            let bad = try scratch.write("[[target]]\nurl = \"é\"\nintervall = 3\n", to: "bad.toml")
            let run = { (words: [String], locale: String) in
                try Tool.run([Program.path] + words, in: scratch.path, environment: ["LC_ALL": locale])
            }
            let texts = [
                ["check", "-c", path], ["validate", bad], ["hooks", "-c", path],
                ["hooks", "-c", path, "--test", "Café"],
                ["check", "@Cafe", "-c", path], ["check", "-c", "\(path).é"], ["wait", "é:x"], ["fetch", "é://"],
            ]
            for words in texts {
                let (plain, unicode) = (try run(words, "C"), try run(words, "C.UTF-8"))
                let (sent, usual) = (plain.output + plain.errors, unicode.output + unicode.errors)
                #expect(sent.utf8.allSatisfy { $0 < 0x80 }, "\(words)")
                #expect(usual.utf8.contains { $0 >= 0x80 }, "\(words) shows nothing")
                #expect(plain.status == unicode.status)
            }
            #expect(try run(["check", "-c", path], "C").output.contains("Caf?"))
            #expect(try run(["check", "-c", path, "--json"], "C").output.contains("Café"))
        }

        /// Returns the kinds of the colour codes in a text.
        private static func depths(of text: String) -> [Depth] {
            text.matches(of: /\u{1B}\[([0-9;]*)m/.matchingSemantics(.unicodeScalar)).map { match in
                let codes = match.output.1.split(separator: ";").compactMap { Int($0) }
                if let index = codes.firstIndex(of: 38) { return codes[index + 1] == 2 ? .direct : .indexed }
                return codes.contains { (30...37).contains($0) || (90...97).contains($0) } ? .sixteen : .none
            }
        }
    }
}
