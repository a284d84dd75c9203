import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// `reach wait`: its conditions and its messages.
    @Suite(.serialized) struct WaitTests {
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

        @Test func `the command runs as soon as the last of 200 targets is up`() async throws {
            let crowd = try Listener(address: 0)
            listener.stop()
            let targets = (1..<200).map { "127.0.0.\($0):\(crowd.port)" }
            let command = ["--", "sh", "-c", "date +%s.%N > started"]
            let child = try scratch.start([Program.path, "wait"] + targets + [door] + command)
            try await eventually("all other targets") { crowd.count >= 400 }
            #expect(child.status == nil)
            try await listener.start()
            let begin = wallTime()
            #expect(try await child.end() == 0)
            let lapse = try #require(Double(scratch.lines(of: "started").first ?? "")) - begin
            // An interval of 250 ms, plus the start of a shell on a busy machine.
            #expect(lapse < 1.25, "it took \(lapse) s")
        }

        @Test func `the first probe is sent at once, and one reply is sufficient`() throws {
            let tool = try run(door, "--interval", "1h", "--within", "5s", "--", "echo", "there")
            #expect(tool.output == "there\n" && tool.errorLines.count == 1 && tool.errors.hasSuffix("Z  \(door)  up\n"))
            #expect(listener.count == 1)
        }

        @Test func `--not waits until the target stops answering`() async throws {
            let child = try start("--not", door, "--interval", "50ms", "--", "touch", "gone")
            try await eventually("probes") { listener.count >= 5 }
            #expect(child.status == nil)
            listener.stop()
            #expect(try await child.end() == 0)
            #expect(FileManager.default.fileExists(atPath: scratch.file("gone")))
        }

        @Test func `all targets must be up at the same time`() async throws {
            let other = try Listener()
            other.stop()
            let both = [door, "127.0.0.1:\(other.port)", "--interval", "50ms"]
            let child = try scratch.start([Program.path, "wait"] + both)
            try await eventually("probes of the first target") { listener.count >= 2 }
            listener.stop()
            // Time for three losses in a row.
            try await Task.sleep(for: .milliseconds(600))
            try await other.start()
            try await eventually("probes of the second target") { other.count >= 3 }
            #expect(child.status == nil, "it ended with the first target down")
            try await listener.start()
            #expect(try await child.end() == 0)
        }

        @Test func `IPv6 addresses with and without a port`() throws {
            listener.stop()
            let closed = "[::1]:\(listener.port)"
            #expect(try run("--not", closed, "--within", "8s").status == 0)
            let late = try run(closed, "--within", "300ms")
            #expect(late.status == 124)
            #expect(late.errors == "reach: not up after 300ms: \(closed) (refused)\n")
            guard Machine.canPing else { return }
            #expect(try run("::1", "--within", "8s").status == 0)
            #expect(try run("[::1]", "--within", "8s").status == 0)
        }

        @Test func `missing targets are named with their reasons, but not with -q`() throws {
            listener.stop()
            let many = (1...7).map { "127.0.0.\($0):\(listener.port)" }
            let tool = try Tool.run([Program.path, "wait", "--within", "300ms"] + many, in: scratch.path)
            let all = many.prefix(5).map { "\($0) (refused)" }.joined(separator: ", ")
            #expect(tool.errors == "reach: not up after 300ms: \(all) and 2 more\n")
            #expect(try run("-q", "--within", "300ms", door).errors == "")
        }

        @Test func `--not reports targets that still answer or have a fault`() throws {
            let answers = try run("--not", door, "--within", "300ms")
            #expect(answers.errors.hasSuffix("Z  \(door)  up\nreach: still up after 300ms: \(door)\n"))
            let settings = try scratch.write(
                "[[target]]\nname = \"I\"\nurl = \"tcp://127.0.0.1:1\"\nsource = \"nope0\"\n",
                to: "settings.toml"
            )
            let faulty = try run("--not", "@I", "--within", "300ms", "--config", settings)
            #expect(faulty.errors.contains("not known to be down after 300ms: I ("), "\(faulty.errors)")
            #expect(answers.status == 124 && faulty.status == 3)
        }

        @Test func `dependencies block no target, and no hooks run`() throws {
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
            // The parent is down by then.
            let tool = try run("@Parent", "@Child", "--any", "--within", "8s", "--", "sleep", "0.3")
            #expect(tool.status == 0 && tool.errorLines.count == 1 && tool.errors.hasSuffix("Z  Child  up\n"))
            #expect(!FileManager.default.fileExists(atPath: scratch.file("hook")))
        }

        @Test func `without a terminal, each change is a line, and with --json an object`() async throws {
            let other = try Listener()
            other.stop()
            let gone = "127.0.0.1:\(other.port)"
            let words = ["--interval", "20ms", "--within", "1s", door, gone]
            let tool = try Tool.run([Program.path, "wait"] + words, in: scratch.path)
            #expect(tool.status == 124 && tool.output == "")
            let lines = tool.errorLines
            try #require(lines.count == 3, "\(lines)")
            #expect(lines.contains { $0.hasSuffix("Z  \(door)  up") })
            #expect(lines.contains { $0.hasSuffix("Z  \(gone)  down after 3 losses: refused") })
            #expect(lines.last == "reach: not up after 1s: \(gone) (refused)")

            let json = try Tool.run([Program.path, "wait", "--json"] + words, in: scratch.path)
            #expect(json.status == 124 && json.errorLines == ["reach: not up after 1s: \(gone) (refused)"])
            try #require(json.lines.count == 3, "\(json.output)")
            for line in json.lines.dropLast() {
                #expect(try Schema("events").problems(of: line) == [])
                #expect(line.contains(#""type":"transition""#))
            }
            let last = json.lines[2]
            #expect(try Schema("targets").problems(of: last) == [])
            #expect(last.hasPrefix(#"{"degraded":0,"down":1,"#) && last.hasSuffix(#""up":1}"#), "\(last)")
            let silent = try Tool.run([Program.path, "wait", "--json", "-q"] + words, in: scratch.path)
            #expect(silent.status == 124 && silent.output + silent.errors == "")
            let broken = ["sh", "-c", "\(Program.path) wait --json \(words.joined(separator: " ")) > /dev/full"]
            let full = try Tool.run(broken, in: scratch.path)
            #expect(full.status == 1 && full.errors.contains("cannot write to standard output"), "\(full)")
        }

        @Test func `--junit writes the result, also after a timeout or a signal`() async throws {
            let other = try Listener()
            other.stop()
            let gone = "127.0.0.1:\(other.port)"
            let late = try run("--within", "300ms", "-q", "--junit", "late.xml", door, gone)
            #expect(late.status == 124 && late.errors == "")
            let text = scratch.text(of: "late.xml")
            #expect(text.contains(#"tests="2" failures="1" errors="0" skipped="0""#), "\(text)")
            #expect(
                text.contains(#"<failure message="not up: refused" type="refused">tcp://\#(gone): not up"#),
                "\(text)"
            )

            let any = try run("--any", "-q", "--junit", "any.xml", door, gone, "--", "cat", "any.xml")
            #expect(any.status == 0 && any.output.contains(#"failures="0" errors="0" skipped="1""#), "\(any.output)")

            let child = try start("--junit", "ended.xml", gone)
            try await eventually("verdict") { scratch.text(of: "err").contains("down after 3 losses") }
            child.send(SIGTERM)
            #expect(try await child.end() == 128 + SIGTERM)
            #expect(scratch.text(of: "ended.xml").contains("not up: refused, ended by signal \(SIGTERM)"))

            let folder = try run("--junit", ".", door)
            #expect(folder.status == 2 && folder.errors == "reach: --junit: . is a folder – name a file in it\n")
            let full = try run("-q", "--junit", "/dev/full", door, "--", "echo", "there")
            #expect(full.status == 1 && full.output == "", "the command does not run")
            #expect(full.errors.hasPrefix("reach: --junit: cannot write /dev/full: No space"), "\(full.errors)")
        }

        @Test(.enabled(if: Machine.hasTmux, "needs tmux"))
        func `on a terminal each target has a line, and all are erased at the end`() async throws {
            listener.stop()
            let script = "echo before; \(Program.path) wait \(door) --within 2s; echo after $?"
            let screen = try Screen(script, in: scratch)
            try await screen.wait(forRowWith: "tcp://\(door)", "refused")
            try await screen.wait(for: "after 124")
            let rows = try screen.rows.filter { !$0.isEmpty }
            #expect(rows == ["before", "reach: not up after 2s: \(door) (refused)", "after 124"])
        }

        @Test func `with its output redirected, a terminal shows no status lines`() async throws {
            listener.stop()
            let pty = try Pty(["sh", "-c", "\(Program.path) wait \(door) --within 500ms -q > out"], in: scratch)
            #expect(try await pty.end() == 124)
            #expect(pty.bytes.isEmpty)
            let program = try Pty(["sh", "-c", "\(Program.path) wait \(door) --within 500ms > out"], in: scratch)
            #expect(try await program.end() == 124)
            #expect(!program.text.contains("\u{1B}") && program.text.contains("not up after 500ms"))
        }
    }
}

extension EndToEnd {
    /// The command of `reach wait` replaces the program by exec(2), and inherits the state with which it was started.
    @Suite(.serialized) struct WaitCommandTests {
        private let scratch: Scratch
        private let listener: Listener
        private var address: String { "127.0.0.1:\(listener.port)" }

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private func start(_ words: [String]) throws -> Child {
            try scratch.start(words)
        }

        /// A script that prints the inherited process state.
        private static let report = #"""
            ls /proc/self/fd | sort -n; ulimit -Sn; ulimit -Hn; umask; pwd
            # The last eight digits are signals 1 to 32; the C library reserves some above 31.
            sed -nE 's/^(SigBlk|SigIgn):.*(.{8})$/\1 \2/p' /proc/self/status
            echo $$
            """#

        @Test(arguments: ["", "exec 0<&-;", "trap '' HUP INT PIPE; exec 7< /dev/null; ulimit -Sn 300; umask 027;"])
        func `the command inherits descriptors, signals and limits unchanged`(_ before: String)
            async throws
        {
            let targets = [
                address, "127.0.0.1", "https://\(address)", "session://\(address)", "udp://\(address)", "link:any",
                "--any",
            ]
            let words = ["sh", "-c", "\(before) exec \"$@\"", "sh"]
            let command = ["sh", "-c", Self.report]
            let plain = try start(words + command)
            #expect(try await plain.end() == 0)
            let expected = scratch.lines(of: "out")
            #expect(expected.count > 8 && expected.last == "\(plain.id)")
            // Libraries open descriptors at varying times, so the test repeats.
            for _ in 0..<5 {
                let child = try start(words + [Program.path, "wait", "-q"] + targets + ["--"] + command)
                #expect(try await child.end() == 0)
                #expect(scratch.lines(of: "out").dropLast() == expected.dropLast())
                #expect(scratch.lines(of: "out").last == "\(child.id)", "not the same process")
                #expect(scratch.text(of: "err") == "")
            }
        }

        @Test(.enabled(if: Machine.hasSetpriv, "setpriv is not installed"))
        func `the command inherits capabilities unchanged`() throws {
            let program = try UnprivilegedUser(in: scratch).program
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path)
            let privileges = [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all,+net_raw",
                "--ambient-caps=-all,+net_raw",
            ]
            let report = ["grep", "^Cap", "/proc/self/status"]
            let expected = try Tool.must(privileges + report, in: scratch.path).lines
            #expect(expected.contains("CapAmb:\t0000000000002000"), "\(expected)")
            let words = privileges + [program, "wait", address, "--"] + report
            #expect(try Tool.must(words, in: scratch.path).lines == expected)
        }

        @Test func `standard input is left to the command`() async throws {
            let child = try start(["sh", "-c", "echo first | \(Program.path) wait \(address) -- cat"])
            #expect(try await child.end() == 0)
            #expect(scratch.text(of: "out") == "first\n")
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGWINCH])
        func `signals reach the command directly`(_ signal: Int32) async throws {
            let script = "trap 'exit 9' \(signal); echo > ready; while :; do sleep 0.02; done"
            let child = try start([Program.path, "wait", address, "--", "sh", "-c", script])
            try await eventually("command") { FileManager.default.fileExists(atPath: scratch.file("ready")) }
            child.send(signal)
            #expect(try await child.end() == 9)
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1])
        func `a signal that the command does not handle ends it`(_ signal: Int32) async throws {
            let script = "echo > ready; exec sleep 60"
            let child = try start([Program.path, "wait", address, "--", "sh", "-c", script])
            try await eventually("command") { FileManager.default.fileExists(atPath: scratch.file("ready")) }
            try await Task.sleep(for: .milliseconds(50))
            child.send(signal)
            #expect(try await child.end() == 128 + signal)
        }

        @Test func `an ignored signal stays ignored while it waits`() async throws {
            listener.stop()
            let script = "trap '' HUP; exec \(Program.path) wait \(address) --interval 50ms -- echo there"
            let child = try start(["sh", "-c", script])
            try await Task.sleep(for: .milliseconds(500))
            child.send(SIGHUP)
            try await Task.sleep(for: .milliseconds(300))
            #expect(child.status == nil)
            try await listener.start()
            #expect(try await child.end() == 0)
            #expect(scratch.text(of: "out") == "there\n")
        }

        @Test func `a running exec command is ended first`() async throws {
            let settings = """
                [[target]]
                name = "Held"
                url = "exec:"
                exec = { run = "echo $$ > held; exec sleep 60" }
                [[target]]
                name = "Door"
                url = "exec:"
                exec = { run = "until [ -s held ]; do sleep 0.02; done" }
                """
            try scratch.write(settings, to: "dashboard.toml")
            let child = try start([Program.path, "wait", "@Held", "@Door", "--any", "--", "true"])
            let held = try await scratch.number(in: "held")
            #expect(try await child.end() == 0)
            #expect(state(of: held) == nil, "it is still running")
        }
    }
}
