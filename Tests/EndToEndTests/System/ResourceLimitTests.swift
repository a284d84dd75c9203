import Foundation
import Testing

extension EndToEnd {
    /// Environments with too few resources: the program prints one line and exits, without a trap or a hang.
    @Suite(.serialized) struct ResourceLimitTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
            try scratch.write(
                """
                [[target]]
                name = "Port"
                url = "tcp://127.0.0.1:1"
                [[target]]
                name = "Name"
                url = "http://localhost:1/"
                [[target]]
                name = "Command"
                url = "exec:"
                exec = { run = "true" }
                  [[target.hooks]]
                  on = "up"
                  run = "true"
                """,
                to: "dashboard.toml",
                mode: 0o644
            )
        }

        private static let commands = [
            [], ["watch"], ["watch", "--listen", "0"], ["check"], ["wait", "127.0.0.1:1"],
            ["fetch", "http://127.0.0.1:1/"], ["doctor"], ["hooks"], ["hooks", "--test", "Command"],
            ["--svg", "x.svg", "--after", "100ms"],
        ]

        private func run(_ prefix: [String], _ words: [String]) throws -> Tool {
            // No terminal is needed: the dashboard checks its resources without one too.
            try Tool.run(prefix + [Program.path] + words, in: scratch.path)
        }

        @Test(.enabled(if: Machine.canLimit, "prlimit is not installed"), arguments: [4, 12, 16], commands)
        func `too few descriptors are reported`(limit: Int, words: [String]) throws {
            let tool = try run(["prlimit", "--nofile=\(limit)", "--"], words)
            #expect(tool.status == 2 && tool.errorLines.count == 1, "\(tool)")
            #expect(tool.errors.hasPrefix("reach: too few file descriptors: "), "\(tool)")
        }

        @Test(.enabled(if: Machine.canLimit, "prlimit is not installed"), arguments: commands)
        func `too little address space is reported`(words: [String]) throws {
            let tool = try run(["prlimit", "--as=\(150 << 20)", "--"], words)
            // So little that the program may not even load, depending on its build.
            guard tool.status != 127 else { return }
            #expect(tool.status == 2 && tool.errorLines.count == 1, "\(tool)")
            #expect(tool.errors.hasPrefix("reach: too little address space: "), "\(tool)")
        }

        @Test(
            .enabled(if: Machine.canLimit && geteuid() == 0, "prlimit is not installed, or this is not root"),
            arguments: [1, 3, 6],
            commands
        )
        func `too few processes are reported`(limit: Int, words: [String]) throws {
            // The limit does not apply to root and counts all processes of a user, so no other test uses this one.
            let user = ["setpriv", "--reuid=4242\(limit)", "--regid=4242", "--clear-groups"]
            let tool = try run(user + ["prlimit", "--nproc=\(limit)", "--"], words)
            #expect(tool.status == 2 && tool.errorLines.count == 1, "\(tool)")
            #expect(tool.errors.hasPrefix("reach: too few processes or threads: "), "\(tool)")
        }

        @Test(
            .enabled(if: geteuid() == 0, "only root can do without /proc"),
            arguments: commands + [["validate"], ["init", "x.toml"], ["--help"]]
        )
        func `a missing proc is reported`(words: [String]) throws {
            let script = "mount --make-rprivate / && umount -l /proc && exec \"$0\" \"$@\""
            let tool = try run(["unshare", "-m", "sh", "-c", script], words)
            #expect(tool.status == 2 && tool.errorLines.count == 1, "\(tool)")
            #expect(tool.errors.hasPrefix("reach: cannot read the arguments: /proc is not mounted"), "\(tool)")
        }

        @Test func `a reload of too deeply nested settings keeps the old ones`() async throws {
            let watch = try await ListeningWatch("[[target]]\nname = 'Old'\nurl = 'link:any'\n")
            try watch.scratch.write("a\(String(repeating: ".a", count: 300_000)) = 1\n", to: "settings.toml")
            watch.child.send(SIGHUP)
            try await eventually("refusal") { watch.scratch.text(of: "err").contains("nested too deeply") }
            #expect(try watch.get("/targets").body.contains("Old"))
            watch.child.send(SIGTERM)
            #expect(try await watch.child.end() == 143)
        }

        @Test(.enabled(if: Machine.canLimit, "prlimit is not installed"))
        func `commands with low needs work with few resources`() throws {
            let prefix = ["prlimit", "--nofile=6", "--"]
            #expect(try run(prefix, ["validate"]).output == "ok: 3 targets, 1 hook\n")
            #expect(try run(prefix, ["init", "new.toml"]).status == 0)
            #expect(try run(prefix, ["--help"]).status == 0)
        }
    }
}
