import Foundation
import Testing

extension EndToEnd {
    /// The command of `reach wait` takes the program's place, and finds everything as the program was started.
    @Suite struct ReplacementTests {
        private let scratch: Scratch
        private let listener: Listener
        private var door: String { "127.0.0.1:\(listener.port)" }

        init() throws {
            scratch = try Scratch()
            listener = try Listener()
        }

        private func start(_ words: [String]) throws -> Child {
            try scratch.start(words)
        }

        /// What a command can tell of what it was started with.
        private static let report = #"""
            ls /proc/self/fd | sort -n; ulimit -Sn; ulimit -Hn; umask; pwd
            # Above 31 are signals that the C library keeps for itself.
            sed -nE 's/^(SigBlk|SigIgn):.*(.{8})$/\1 \2/p' /proc/self/status
            echo $$
            """#

        @Test(arguments: ["", "exec 0<&-;", "trap '' HUP INT PIPE; exec 7< /dev/null; ulimit -Sn 300; umask 027;"])
        func `descriptors, signals and limits are those that the program was started with`(_ before: String)
            async throws
        {
            let targets = [
                door, "127.0.0.1", "https://\(door)", "session://\(door)", "udp://\(door)", "link:any", "--any",
            ]
            let words = ["sh", "-c", "\(before) exec \"$@\"", "sh"]
            let told = ["sh", "-c", Self.report]
            let plain = try start(words + told)
            #expect(try await plain.end() == 0)
            let expected = scratch.lines(of: "out")
            #expect(expected.count > 8 && expected.last == "\(plain.id)")
            // Its libraries open descriptors when they please.
            for _ in 0..<5 {
                let child = try start(words + [Program.path, "wait"] + targets + ["--"] + told)
                #expect(try await child.end() == 0)
                #expect(scratch.lines(of: "out").dropLast() == expected.dropLast())
                #expect(scratch.lines(of: "out").last == "\(child.id)", "it is the same process")
                #expect(scratch.text(of: "err") == "")
            }
        }

        @Test(.enabled(if: Machine.hasSetpriv, "setpriv is not installed"))
        func `capabilities are those that the program was started with`() throws {
            let program = try Nobody(in: scratch).program
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: scratch.path)
            let privileges = [
                "setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all,+net_raw",
                "--ambient-caps=-all,+net_raw",
            ]
            let report = ["grep", "^Cap", "/proc/self/status"]
            let expected = try Tool.must(privileges + report, in: scratch.path).lines
            #expect(expected.contains("CapAmb:\t0000000000002000"), "\(expected)")
            let words = privileges + [program, "wait", door, "--"] + report
            #expect(try Tool.must(words, in: scratch.path).lines == expected)
        }

        @Test func `nothing of its standard input is taken`() async throws {
            let child = try start(["sh", "-c", "echo first | \(Program.path) wait \(door) -- cat"])
            #expect(try await child.end() == 0)
            #expect(scratch.text(of: "out") == "first\n")
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1, SIGWINCH])
        func `signals are the command's own from then on`(_ signal: Int32) async throws {
            let script = "trap 'exit 9' \(signal); echo > ready; while :; do sleep 0.02; done"
            let child = try start([Program.path, "wait", door, "--", "sh", "-c", script])
            try await eventually("command") { FileManager.default.fileExists(atPath: scratch.file("ready")) }
            child.send(signal)
            #expect(try await child.end() == 9)
        }

        @Test(arguments: [SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGUSR1])
        func `a signal that the command does not take ends it`(_ signal: Int32) async throws {
            let script = "echo > ready; exec sleep 60"
            let child = try start([Program.path, "wait", door, "--", "sh", "-c", script])
            try await eventually("command") { FileManager.default.fileExists(atPath: scratch.file("ready")) }
            try await Task.sleep(for: .milliseconds(50))
            child.send(signal)
            #expect(try await child.end() == 128 + signal)
        }

        @Test func `a signal that is to be survived is, while it waits`() async throws {
            listener.stop()
            let script = "trap '' HUP; exec \(Program.path) wait \(door) --interval 50ms -- echo there"
            let child = try start(["sh", "-c", script])
            try await Task.sleep(for: .milliseconds(500))
            child.send(SIGHUP)
            try await Task.sleep(for: .milliseconds(300))
            #expect(child.status == nil)
            try await listener.start()
            #expect(try await child.end() == 0)
            #expect(scratch.text(of: "out") == "there\n")
        }

        @Test func `a command of exec that runs still is ended first`() async throws {
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
            #expect(state(of: held) == nil, "it was left behind")
        }
    }
}
