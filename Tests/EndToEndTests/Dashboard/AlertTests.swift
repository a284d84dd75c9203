import Foundation
import Testing

extension EndToEnd {
    /// The bell, notifications and the window's title.
    @Suite(.serialized) struct AlertTests {
        private let restore = "\u{1B}]2;\u{7}\u{1B}[23;2t"

        /// Returns a dashboard whose only target was up and went down.
        private func outage(_ alerts: String, in scratch: Scratch) async throws -> Pty {
            let listener = try Listener()
            let settings = """
                \(alerts)
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "200ms"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let environment = ["TERM_PROGRAM": "WezTerm"]
            let pty = try Pty([Program.path, "--config", path], in: scratch, environment: environment)
            try await pty.wait(for: "● 1 up")
            try await pty.wait(for: "\u{1B}[22;2t\u{1B}]2;reach\u{7}")
            listener.stop()
            try await pty.wait(for: "\u{1B}]2;1 down – reach\u{7}")
            return pty
        }

        @Test func `an outage rings, and shows a notification`() async throws {
            let pty = try await outage("[alerts]\nbell = true\nnotify = true\n", in: try Scratch())
            try await pty.wait(for: "\u{1B}]9;reach: Door down\u{7}")
            let bells = pty.text.replacing(/\u{1B}\][^\u{7}]*\u{7}/.matchingSemantics(.unicodeScalar), with: "")
            #expect(bells.unicodeScalars.count { $0 == "\u{7}" } == 1)
            pty.child.send(SIGTERM)
            _ = try await pty.end()
        }

        @Test(arguments: [SIGTERM, SIGILL, 0])
        func `the window has its own title again at the end`(signal: Int32) async throws {
            let pty = try await outage("", in: try Scratch())
            #expect(!pty.text.contains("reach: Door down"))
            if signal == 0 { pty.type("q") } else { pty.child.send(signal) }
            #expect(try await pty.end() == (signal == 0 ? 0 : 128 + signal))
            try await eventually("title", context: { pty.text }) {
                guard let title = pty.text.ranges(of: "down – reach\u{7}").last else { return false }
                return pty.text[title.upperBound...].contains(restore)
            }
        }

        @Test func `without a title in the settings, the window keeps its own`() async throws {
            let scratch = try Scratch()
            let settings = "[alerts]\ntitle = false\n[[target]]\nurl = \"127.0.0.1:1\"\n"
            let path = try scratch.write(settings, to: "settings.toml")
            let pty = try Pty([Program.path, "--config", path], in: scratch)
            try await pty.wait(for: "○ 1 down")
            pty.type("q")
            #expect(try await pty.end() == 0)
            #expect(!pty.text.contains("\u{1B}]2;") && !pty.text.contains(";2t"))
        }
    }
}
