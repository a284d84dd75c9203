import Foundation
import TestSupport
import Testing

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
                let child = try start(words + [Program.path, "wait"] + targets + ["--"] + command)
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
