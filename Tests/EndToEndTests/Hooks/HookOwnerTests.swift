import Foundation
import Testing

extension EndToEnd {
    /// Several processes with the same settings, of which one runs the hooks.
    @Suite(.serialized) struct HookOwnerTests {
        private let fixture: WatchFixture
        private let path: String

        init() throws {
            fixture = try WatchFixture()
            path = try fixture.settings(
                """
                interval = "50ms"
                flapping = false
                  [[target.hooks]]
                  on = "up"
                  run = "echo $REACH_EVENT $PPID >> runs"
                """
            )
        }

        private var scratch: Scratch { fixture.scratch }

        /// Starts `reach watch`, and waits until it has seen the target.
        private func watch(
            _ name: String,
            _ words: String...,
            environment: [String: String] = [:],
            program: [String] = [Program.path]
        ) async throws -> Child {
            let child = try Child(
                program + ["watch", "--config", path] + words,
                in: scratch.path,
                environment: environment,
                streams: .files(output: scratch.file("\(name).out"), errors: scratch.file("\(name).err"))
            )
            try await wait(for: "up", in: "\(name).out")
            return child
        }

        private func wait(for text: String, in file: String) async throws {
            let context = { scratch.text(of: file) }
            try await eventually(text, within: .seconds(20), context: context) {
                scratch.text(of: file).contains(text)
            }
        }

        /// Takes the target down and up again, until all processes have seen it.
        private func fail(_ names: String...) async throws {
            let counts = names.map { scratch.lines(of: "\($0).out").count }
            fixture.listener.stop()
            try await wait(for: names, counts.map { $0 + 1 })
            // A dashboard, which prints no lines, needs three losses too.
            try await Task.sleep(for: .milliseconds(500))
            try await fixture.listener.start()
            try await wait(for: names, counts.map { $0 + 2 })
        }

        private func wait(for names: [String], _ counts: [Int]) async throws {
            for (name, count) in zip(names, counts) {
                let context = { scratch.text(of: "\(name).out") + scratch.text(of: "\(name).err") }
                try await eventually("\(count) lines of \(name)", within: .seconds(20), context: context) {
                    scratch.lines(of: "\(name).out").count >= count
                }
            }
        }

        private func expect(_ runs: [String]) async throws {
            try await eventually("the runs \(runs)", context: { scratch.text(of: "runs") }) {
                scratch.lines(of: "runs") == runs
            }
        }

        private func end(_ children: Child...) async throws {
            for child in children {
                child.send(SIGTERM)
                #expect(try await child.end() == 143)
            }
        }

        private func line(_ child: Child) -> String { "up \(child.id)" }

        @Test func `a hook runs once, and after kill -9 in the next process`() async throws {
            let first = try await watch("first")
            let second = try await watch("second")
            try await wait(for: "reach already runs here (process \(first.id)): it runs the hooks", in: "second.err")
            try await fail("first", "second")
            try await expect([line(first)])
            // A reload does not change it.
            second.send(SIGHUP)
            try await wait(for: "settings read again", in: "second.err")
            try await fail("first", "second")
            try await expect([line(first), line(first)])

            first.send(SIGKILL)
            _ = try await first.end()
            try await wait(for: "hooks: this process runs them now", in: "second.err")
            try await fail("second")
            try await expect([line(first), line(first), line(second)])
            #expect(!scratch.text(of: "first.err").contains("hooks: "))
            #expect(!scratch.text(of: "second.err").contains("did not run"))
            try await end(second)
        }

        @Test func `of two processes that start together, one runs the hooks`() async throws {
            async let starting = (watch("first"), watch("second"))
            let (first, second) = try await starting
            try await fail("first", "second")
            try await eventually("a run") { !scratch.lines(of: "runs").isEmpty }
            try await fail("first", "second")
            try await eventually("two runs") { scratch.lines(of: "runs").count == 2 }
            let owner = scratch.lines(of: "runs")[0]
            #expect([line(first), line(second)].contains(owner) && scratch.lines(of: "runs")[1] == owner)
            try await end(first, second)
        }

        @Test func `the options decide otherwise`() async throws {
            let silent = try await watch("silent", "--no-hooks")
            let second = try await watch("second", "--quiet")
            try await fail("silent", "second")
            try await expect([line(second)])
            let chosen = try await watch("chosen", "--hooks", "--no-history")
            try await Task.sleep(for: .seconds(3))
            try await fail("silent", "second", "chosen")
            try await expect([line(second), line(chosen)])
            for name in ["second", "silent"] { #expect(!scratch.text(of: "\(name).err").contains("hooks: ")) }
            try await end(chosen)
            try await Task.sleep(for: .seconds(1))
            try await fail("silent", "second")
            try await expect([line(second), line(chosen), line(second)])
            try await end(silent, second)
        }

        @Test(.enabled(if: Machine.hasSetpriv && getuid() == 0, "needs root and setpriv"))
        func `another user finds the service`() async throws {
            let program = scratch.file("reach")
            try Tool.must(["install", "-m", "755", Program.path, program])
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: path)
            try Tool.must(["install", "-d", "-o", "nobody", scratch.file("state")])
            let user = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", program]
            let other = ["XDG_STATE_HOME": scratch.file("state")]
            let first = try await watch("first")
            let second = try await watch("second", environment: other, program: user)
            try await wait(for: "reach already runs here (process \(first.id)): it runs the hooks", in: "second.err")
            try await fail("first", "second")
            try await expect([line(first)])
            first.send(SIGKILL)
            _ = try await first.end()
            try await wait(for: "hooks: this process runs them now", in: "second.err")
            // The lock is a file of the first user.
            let third = try await watch("third")
            try await wait(for: "reach already runs here (process \(second.id)): it runs the hooks", in: "third.err")
            try await end(second)
            try await wait(for: "hooks: this process runs them now", in: "third.err")
            try await end(third)
        }

        @Test func `a dashboard beside watch shows its runs, and runs armed commands and then all`() async throws {
            let first = try await watch("first")
            let pty = try Pty([Program.path, "--config", path], in: scratch, columns: 120)
            try await pty.wait(for: "hooks run in process \(first.id)")
            try await fail("first")
            try await expect([line(first)])
            pty.type("h")
            try await pty.wait(for: "in another process")
            pty.type("h")
            pty.type("xecho armed $PPID >> runs\r")
            try await expect([line(first), "armed \(pty.child.id)"])
            first.send(SIGKILL)
            _ = try await first.end()
            try await pty.wait(for: "this process runs them now")
            let second = try await watch("second")
            try await wait(
                for: "reach already runs here (process \(pty.child.id)): it runs the hooks",
                in: "second.err"
            )
            try await fail("second")
            try await expect([line(first), "armed \(pty.child.id)", "up \(pty.child.id)"])
            pty.type("q")
            _ = try await pty.end()
            try await wait(for: "hooks: this process runs them now", in: "second.err")
            try await end(second)
        }
    }
}
