import Foundation
import Testing

extension EndToEnd {
    /// The program in pipelines and services, which have no terminal.
    @Suite(.serialized) struct NoTerminalTests {
        private func expectRefusal(_ scratch: Scratch) {
            #expect(scratch.text(of: "out").isEmpty)
            let lines = scratch.lines(of: "err")
            #expect(lines.count == 1 && lines.first?.contains("reach watch") == true, "\(lines)")
        }

        @Test func `without a terminal, the dashboard names the alternative`() async throws {
            let scratch = try Scratch()
            let tool = try scratch.start([Program.path, "127.0.0.1"])
            #expect(try await tool.end() == 2)
            expectRefusal(scratch)
        }

        @Test func `with output in a file, the dashboard does not use the terminal`() async throws {
            let scratch = try Scratch()
            let pty = try Pty(["sh", "-c", "\(Program.path) 127.0.0.1 < /dev/null > out 2> err"], in: scratch)
            #expect(try await pty.end() == 2)
            expectRefusal(scratch)
            #expect(pty.bytes.isEmpty)
        }

        @Test(arguments: ["dumb", "unknown", "", nil])
        func `on a terminal without cursor movements, the dashboard names the alternative`(_ name: String?) async throws
        {
            let scratch = try Scratch()
            let variable = name.map { "TERM='\($0)'" } ?? "-u TERM"
            let pty = try Pty(["sh", "-c", "env \(variable) \(Program.path) 127.0.0.1 2> err"], in: scratch)
            #expect(try await pty.end() == 2)
            expectRefusal(scratch)
            #expect(pty.bytes.isEmpty)
        }

        @Test(arguments: ["dumb", ""])
        func `on a terminal without cursor movements, fetch and check write only lines`(_ name: String) async throws {
            let scratch = try Scratch()
            for words in ["fetch --within 400ms http://127.0.0.1:1/", "wait --within 400ms 127.0.0.1:1"] {
                let pty = try Pty(["sh", "-c", "TERM='\(name)' \(Program.path) \(words)"], in: scratch)
                _ = try await pty.end()
                #expect(!pty.bytes.contains(0x1B), "\(words): \(pty.text)")
            }
        }

        @Test func `watch ends when its reader is gone`() async throws {
            let scratch = try Scratch()
            let listener = try Listener()
            let settings = """
                [defaults]
                interval = "100ms"
                fall = 1
                [[target]]
                name = "Door"
                url = "tcp://127.0.0.1:\(listener.port)"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let script = "(\(Program.path) watch --config \(path); echo $? > status) | head -n 1; echo over >> over"
            let child = try scratch.start(["sh", "-c", script])
            try await eventually("first line") { scratch.lines(of: "out").count == 1 }
            // The next line is written to a closed pipe.
            listener.stop()
            _ = try await child.end()
            #expect(scratch.lines(of: "status") == ["141"])
            #expect(scratch.lines(of: "out").count == 1)
        }
    }
}
