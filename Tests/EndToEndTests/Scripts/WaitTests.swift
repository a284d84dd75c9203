import Foundation
import Testing

extension EndToEnd {
    /// `reach wait`: what it waits for, and what it says meanwhile.
    @Suite struct WaitTests {
        private let scratch: Scratch
        private let listener: Listener
        private var door: String { "127.0.0.1:\(listener.port)" }

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private func start(_ words: String...) throws -> Child {
            try scratch.start([Program.path, "wait"] + words)
        }

        private func run(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "wait"] + words, in: scratch.path)
        }

        @Test func `of two hundred targets one comes last, and then the command runs`() async throws {
            let crowd = try Listener(address: 0)
            listener.stop()
            let targets = (1..<200).map { "127.0.0.\($0):\(crowd.port)" }
            let command = ["--", "sh", "-c", "date +%s.%N > started"]
            let child = try scratch.start([Program.path, "wait"] + targets + [door] + command)
            try await eventually("everybody else") { crowd.count >= 400 }
            #expect(child.status == nil)
            try await listener.start()
            let begin = wallTime()
            #expect(try await child.end() == 0)
            let lapse = try #require(Double(scratch.lines(of: "started").first ?? "")) - begin
            // An interval of 250 ms, and what a busy machine needs to start a shell.
            #expect(lapse < 1.25, "it took \(lapse) s")
        }

        @Test func `the first question goes out at once, and one answer is enough`() throws {
            let tool = try run(door, "--interval", "1h", "--within", "5s", "--", "echo", "there")
            #expect(tool.output == "there\n" && tool.errors == "")
            #expect(listener.count == 1)
        }

        @Test func `until it stops answering`() async throws {
            let child = try start("--not", door, "--interval", "50ms", "--", "touch", "gone")
            try await eventually("questions") { listener.count >= 5 }
            #expect(child.status == nil)
            listener.stop()
            #expect(try await child.end() == 0)
            #expect(FileManager.default.fileExists(atPath: scratch.file("gone")))
        }

        @Test func `all are there at the same time, or it goes on`() async throws {
            let other = try Listener()
            other.stop()
            let both = [door, "127.0.0.1:\(other.port)", "--interval", "50ms"]
            let child = try scratch.start([Program.path, "wait"] + both)
            try await eventually("the first one") { listener.count >= 2 }
            listener.stop()
            // Three losses in a row.
            try await Task.sleep(for: .milliseconds(600))
            try await other.start()
            try await eventually("the second one") { other.count >= 3 }
            #expect(child.status == nil, "the first one is gone")
            try await listener.start()
            #expect(try await child.end() == 0)
        }

        @Test func `IPv6 addresses, with a port and without`() throws {
            listener.stop()
            let closed = "[::1]:\(listener.port)"
            #expect(try run("--not", closed, "--within", "8s").status == 0)
            let late = try run(closed, "--within", "300ms")
            #expect(late.status == 124)
            #expect(late.errors == "reach: no answer after 300ms: \(closed) (connection refused)\n")
            guard Machine.canPing else { return }
            #expect(try run("::1", "--within", "8s").status == 0)
            #expect(try run("[::1]", "--within", "8s").status == 0)
        }

        @Test func `who is waited for in vain is named, and why; quietly, nobody is`() throws {
            listener.stop()
            let many = (1...7).map { "127.0.0.\($0):\(listener.port)" }
            let tool = try Tool.run([Program.path, "wait", "--within", "300ms"] + many, in: scratch.path)
            let all = many.prefix(5).map { "\($0) (connection refused)" }.joined(separator: ", ")
            #expect(tool.errors == "reach: no answer after 300ms: \(all) and 2 more\n")
            #expect(try run("-q", "--within", "300ms", door).errors == "")
        }

        @Test func `who is not gone still answers, or cannot be asked`() throws {
            let answers = try run("--not", door, "--within", "300ms")
            #expect(answers.errors == "reach: still answering after 300ms: \(door)\n")
            let settings = try scratch.write(
                "[[target]]\nname = \"I\"\nurl = \"tcp://127.0.0.1:1\"\nsource = \"nope0\"\n",
                to: "settings.toml"
            )
            let faulty = try run("--not", "@I", "--within", "300ms", "--config", settings)
            #expect(faulty.errors.contains("not known to be down after 300ms: I ("), "\(faulty.errors)")
            #expect(answers.status == 124 && faulty.status == 124)
        }

        @Test func `dependencies hold nobody back, and no hooks run`() throws {
            let closed = try Listener()
            closed.stop()
            let settings = """
                [[target]]
                name = "Parent"
                url = "tcp://127.0.0.1:\(closed.port)"
                [[target]]
                name = "Child"
                url = "tcp://\(door)"
                depends_on = ["Parent"]
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "touch hook"
                """
            try scratch.write(settings, to: "dashboard.toml")
            // Its parent is down by then.
            let tool = try run("@Parent", "@Child", "--any", "--within", "8s", "--", "sleep", "0.3")
            #expect(tool.status == 0 && tool.errors == "")
            #expect(!FileManager.default.fileExists(atPath: scratch.file("hook")))
        }

        @Test(.enabled(if: Machine.hasTmux, "needs tmux"))
        func `on a terminal there is a line for each, and none at the end`() async throws {
            listener.stop()
            let script = "echo before; \(Program.path) wait \(door) --within 2s; echo after $?"
            let screen = try Screen(script, in: scratch)
            try await screen.wait(forRowWith: "tcp://\(door)", "connection refused")
            try await screen.wait(for: "after 124")
            let rows = try screen.rows.filter { !$0.isEmpty }
            #expect(rows == ["before", "reach: no answer after 2s: \(door) (connection refused)", "after 124"])
        }

        @Test func `with its output elsewhere, a terminal shows nothing`() async throws {
            listener.stop()
            let pty = try Pty(["sh", "-c", "\(Program.path) wait \(door) --within 500ms -q > out"], in: scratch)
            #expect(try await pty.child.end() == 124)
            #expect(pty.bytes.isEmpty)
            let told = try Pty(["sh", "-c", "\(Program.path) wait \(door) --within 500ms > out"], in: scratch)
            #expect(try await told.child.end() == 124)
            #expect(!told.text.contains("\u{1B}") && told.text.contains("no answer after 500ms"))
        }
    }
}
