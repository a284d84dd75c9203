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

extension EndToEnd {
    /// More targets than available descriptors.
    @Suite(.serialized, .enabled(if: Machine.canLimit, "prlimit is not installed"))
    struct DescriptorTests {
        private static let count = 2_000
        /// The target with a hook. When it comes up, some targets have waited for descriptors and others still wait.
        private static let hooked = 1_200

        /// Settings with targets that each hold a connection for one second of five, so 400 descriptors at any time.
        private static func settings(port: UInt16) -> String {
            let targets = (0..<count).map { number in
                let hook = "[[target.hooks]]\non = \"up\"\nat_start = true\nrun = \"echo came > hook\""
                return """
                    [[target]]
                    name = "Target \(number)"
                    url = "tcp://127.1.\(number / 250).\(number % 250 + 1):\(port)"
                    \(number == hooked ? hook : "")
                    """
            }
            let defaults = "[defaults]\ninterval = \"5s\"\ntcp = { expect = \"\(SlowListener.greeting)\" }\n"
            return defaults + targets.joined(separator: "\n")
        }

        @Test func `with too few descriptors, targets wait, hooks run, and a raised limit takes effect at once`()
            async throws
        {
            let scratch = try Scratch()
            let listener = try SlowListener(pause: 1)
            let path = try scratch.write(Self.settings(port: listener.port), to: "settings.toml")
            let child = try scratch.start(["prlimit", "--nofile=200:4096", Program.path, "watch", "--config", path])
            let limit = { (soft: Int) in
                _ = try Tool.must(["prlimit", "--pid", "\(child.id)", "--nofile=\(soft):4096"])
            }
            // The program raises its soft limit to the hard limit, which only root may raise.
            try await eventually("raised limit") { descriptorLimit(of: child.id) == 4_096 }
            try limit(256)
            let said = { scratch.lines(of: "err").suffix(20).joined(separator: "\n") }
            let ups = { scratch.lines(of: "out").count { $0.hasSuffix("  up") } }
            let faults = { scratch.lines(of: "err").count { $0.contains("  cannot be probed: ") } }
            let cleared = { scratch.lines(of: "err").count { $0.contains("  can be probed again") } }
            let began = wallTime()
            var most = 0
            try await eventually("hook", within: .seconds(30), context: said) {
                most = max(most, descriptorCount(of: child.id))
                return scratch.text(of: "hook") == "came\n"
            }
            let (upsBefore, faultsBefore) = (ups(), faults())
            print(
                "2,000 targets of 1 s, 256 descriptors: \(upsBefore) verdicts and \(faultsBefore) faults",
                "after \(Int(wallTime() - began)) s, \(most) descriptors at most"
            )
            let cure = "cannot be probed: out of file descriptors: prlimit --pid \(child.id) --nofile=65536:65536"
            #expect(scratch.text(of: "err").contains(cure), "\(said())")
            // One target a second is probed to find out whether descriptors are available again; the others wait.
            #expect(faultsBefore <= 40, "\(said())")
            #expect(most > 128 && most <= 224, "no descriptors were reserved for hooks and name lookups")

            try limit(4_096)
            let raised = wallTime()
            try await eventually("2,000 verdicts", within: .seconds(30), context: said) { ups() == Self.count }
            try await eventually("end of all faults", within: .seconds(15), context: said) { faults() == cleared() }
            print("2,000 verdicts and no fault \(Int((wallTime() - raised) * 1_000)) ms after the limit was raised")
            #expect(scratch.lines(of: "out").count == Self.count, "the shortage was charged to a target")
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
