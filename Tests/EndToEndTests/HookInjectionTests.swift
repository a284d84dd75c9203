import Foundation
import Testing

extension EndToEnd {
    /// Names and what peers say are facts that a command is told: never words of it, never drawn as they are.
    @Suite struct HookInjectionTests {
        /// What a shell would run, or end a string at.
        private static let words = #"$(touch pwned) `touch pwned` '; touch pwned; " & | > pwned \ %s"#
        /// What a terminal would obey, and a second line. Settings refuse such a name; a peer may say it.
        private static let codes = "\u{1B}]0;owned\u{7}\u{9B}31m\n$(touch pwned)"

        @Test func `a hostile name and a hostile banner are told as they are, and nothing of them runs`() async throws {
            let scratch = try Scratch()
            let listener = try Listener(greeting: Self.words + Self.codes + "\r\n")
            // As the settings write it.
            let name = Self.words.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
            let settings = """
                [defaults]
                interval = "200ms"
                [[target]]
                name = "\(name)"
                group = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                tcp = { expect = "^SSH-2" }
                [[target.hooks]]
                on = "down"
                at_start = true
                run = '''cat > input.json; printf %s "$REACH_TARGET" > name; printf %s "$REACH_GROUP" > group
                    echo "$REACH_TARGET"; exit 3'''
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty(
                [Program.path, "--config", path, "--log", scratch.file("log")],
                in: scratch,
                columns: 200,
                rows: 50
            )
            try await pty.wait(for: "exited 3")
            pty.type("e")
            try await Task.sleep(for: .milliseconds(300))
            pty.type("q")
            #expect(try await pty.child.end() == 0)

            #expect(scratch.text(of: "name") == Self.words)
            #expect(scratch.text(of: "group") == Self.words)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            let input = scratch.text(of: "input.json")
            #expect(input.split(separator: "\n").count == 1 && !input.contains("\u{1B}"))
            let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
            #expect(object["target"] as? String == Self.words)
            let detail = try #require(object["detail"] as? String)
            #expect(detail.contains("$(touch pwned)"), "\(detail)")
            for code in ["\u{1B}]", "\u{7}"] {
                #expect(!pty.text.contains(code), "\(code.debugDescription) reached the terminal")
                #expect(!scratch.text(of: "log").contains(code), "\(code.debugDescription) reached the log")
            }
        }
    }
}
