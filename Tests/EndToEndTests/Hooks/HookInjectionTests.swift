import Foundation
import Testing

extension EndToEnd {
    /// Names and data of peers are passed to commands as data only, and are drawn without control characters.
    @Suite(.serialized) struct HookInjectionTests {
        /// Shell syntax that would run a command or end a string.
        private static let shellSyntax = #"$(touch pwned) `touch pwned` '; touch pwned; " & | > pwned \ %s"#
        /// Control sequences and a line break. Settings reject such a name; a peer may send it.
        private static let controlCodes = "\u{1B}]0;owned\u{7}\u{9B}31m\n$(touch pwned)"

        @Test func `a hostile name and a hostile banner are passed unchanged and never run`() async throws {
            let scratch = try Scratch()
            let listener = try Listener(greeting: Self.shellSyntax + Self.controlCodes + "\r\n")
            // Escaped for TOML.
            let name = Self.shellSyntax.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
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
                [Program.path, "--config", path, "-vvv", "--log", scratch.file("log")],
                in: scratch,
                columns: 200,
                rows: 50
            )
            try await pty.wait(for: "failed, status 3")
            pty.type("e")
            try await Task.sleep(for: .milliseconds(300))
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)

            #expect(scratch.text(of: "name") == Self.shellSyntax)
            #expect(scratch.text(of: "group") == Self.shellSyntax)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            let input = scratch.text(of: "input.json")
            #expect(input.split(separator: "\n").count == 1 && !input.contains("\u{1B}"))
            let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
            #expect(object["target"] as? String == Self.shellSyntax)
            let detail = try #require(object["detail"] as? String)
            #expect(detail.contains("$(touch pwned)"), "\(detail)")
            for code in ["\u{1B}]", "\u{7}"] {
                #expect(!pty.drawn.contains(code), "\(code.debugDescription) reached the terminal")
                #expect(!scratch.text(of: "log").contains(code), "\(code.debugDescription) reached the log")
            }
        }

        @Test(.enabled(if: Machine.hasPeers, "openssl is not installed"))
        func `a hostile status line and certificate name are passed and quoted the same way`()
            async throws
        {
            let scratch = try Scratch()
            let web = try Listener(greeting: "HTTP/1.1 503 $(touch pwned) 'x'\u{1B}[31m\r\n\r\n", waitsForRequest: true)
            let port = Int.random(in: 12_000..<30_000)
            // OpenSSL has its own meanings for some of the characters.
            let names = "subjectAltName=DNS:\\$(touch pwned) \\`touch pwned\\` \u{1B}]0\\;owned\u{7}"
            let make = "openssl req -x509 -newkey rsa:2048 -nodes -keyout key.pem -out own.pem -subj /CN=own -addext"
            try Tool.must(["sh", "-c", make + #" "$1""#, "sh", names], in: scratch.path)
            let server = try Child(
                [
                    "openssl", "s_server", "-accept", "127.0.0.1:\(port)", "-cert", "own.pem", "-key", "key.pem",
                    "-quiet",
                ],
                in: scratch.path,
                streams: .files(output: scratch.file("server"), errors: scratch.file("server.err"))
            )
            let settings = """
                [defaults]
                interval = "300ms"
                fall = 1
                [[target]]
                name = "Web"
                url = "http://127.0.0.1:\(web.port)/"
                [[target]]
                name = "Own"
                url = "tls://127.0.0.1:\(port)"
                tls = { ca = "\(scratch.file("own.pem"))", server_name = "nas.example" }
                [[hook]]
                on = "down"
                at_start = true
                run = "cat > $REACH_TARGET.json; env > $REACH_TARGET.env"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 200, rows: 50)
            // Only the number of a status comes from the server.
            let expected = [
                ("Web", "HTTP 503 Service Unavailable", "http_status"),
                ("Own", "certificate is for $(touch pwned) `touch pwned`", "certificate_name"),
            ]
            for (name, words, reason) in expected {
                let input = try await eventually(
                    "input of \(name)",
                    context: { pty.text + scratch.text(of: "server.err") }
                ) {
                    let text = scratch.text(of: "\(name).json")
                    return text.hasSuffix("\n") ? text : nil
                }
                let object = try #require(try JSONSerialization.jsonObject(with: Data(input.utf8)) as? [String: Any])
                let detail = try #require(object["detail"] as? String)
                #expect(detail.hasPrefix(words), "\(detail)")
                #expect(!detail.contains("\u{1B}"))
                #expect(object["reason"] as? String == reason)
                #expect(!scratch.text(of: "\(name).env").contains("\u{1B}"))
            }
            pty.type("e")
            try await Task.sleep(for: .milliseconds(300))
            // Once to leave the events, once to quit.
            pty.type("qq")
            #expect(try await pty.end() == 0)
            #expect(!FileManager.default.fileExists(atPath: scratch.file("pwned")))
            #expect(!pty.drawn.contains("\u{1B}]") && !pty.drawn.contains("'x'\u{1B}"))
            server.send(SIGKILL)
        }
    }
}
