import Foundation
import Testing

extension EndToEnd {
    /// Hook rules in the running program: which transitions run a hook, and how runs are reported.
    @Suite(.serialized) struct HookTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func watch(_ target: String, _ hooks: String, in network: Namespace? = nil) throws -> Child {
            let settings = """
                [defaults]
                interval = "100ms"
                fall = 1
                [[target]]
                name = "Door"
                url = "\(target)"
                \(hooks)
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let words = [Program.path, "watch", "--config", path]
            return try scratch.start((network?.words() ?? []) + words)
        }

        private func wait(forLines count: Int) async throws {
            try await eventually("\(count) lines", context: { scratch.text(of: "out") + scratch.text(of: "err") }) {
                scratch.lines(of: "out").count >= count
            }
        }

        private func wait(forError text: String) async throws {
            try await eventually(text, context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").contains(text)
            }
        }

        @Test func `within and min_down select hooks by the length of the outage`() async throws {
            let listener = try Listener()
            let hooks = """
                [[target.hooks]]
                on = "up"
                within = "3s"
                run = "echo soon >> runs"
                [[target.hooks]]
                on = "up"
                min_down = "3s"
                run = "echo long >> runs"
                """
            let child = try watch("tcp://127.0.0.1:\(listener.port)", hooks)
            try await wait(forLines: 1)
            listener.stop()
            try await wait(forLines: 2)
            try await listener.start()
            try await wait(forError: "hook echo long >> runs did not run: down for")
            try await eventually("first run") { scratch.lines(of: "runs") == ["soon"] }

            listener.stop()
            try await wait(forLines: 4)
            try await Task.sleep(for: .milliseconds(3_300))
            try await listener.start()
            try await wait(forError: "hook echo soon >> runs did not run: not reachable within 3s")
            try await eventually("second run") { scratch.lines(of: "runs") == ["soon", "long"] }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a failing command is retried until it succeeds`() async throws {
            let listener = try Listener()
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                retries = 5
                run = "echo $REACH_ATTEMPT >> runs; [ $REACH_ATTEMPT = 3 ]"
                """
            let child = try watch("tcp://127.0.0.1:\(listener.port)", hooks)
            try await wait(forError: ", attempt 3 of 6\n")
            try await wait(forError: "exited 0")
            #expect(scratch.lines(of: "runs") == ["1", "2", "3"])
            let retries = scratch.lines(of: "err").count { $0.contains("is retried in ") }
            #expect(retries == 2)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test(.enabled(if: Machine.canMakeNetworks, "network namespaces cannot be made here"))
        func `allow_cellular = false skips a hook on a mobile network`() async throws {
            let network = try Namespace()
            try network.ip("link", "add", "wwan0", "type", "veth", "peer", "name", "v1")
            try network.ip("address", "add", "192.0.2.1/24", "dev", "wwan0")
            try network.ip("link", "set", "wwan0", "up")
            try network.ip("link", "set", "v1", "up")
            let hooks = """
                [[target.hooks]]
                on = "up"
                at_start = true
                allow_cellular = false
                run = "echo backup >> runs"
                [[target.hooks]]
                on = "up"
                at_start = true
                run = "echo note >> runs"
                """
            let child = try watch("link:any", hooks, in: network)
            try await wait(forError: "hook echo backup >> runs did not run: the route is a mobile network")
            try await eventually("other run") { scratch.lines(of: "runs") == ["note"] }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}

extension EndToEnd {
    /// The report of `watch` about hooks that its end or a reload interrupts.
    @Suite(.serialized) struct HookReportTests {
        /// One hook runs, the other is queued.
        private static let settings = """
            [dashboard]
            max_hooks = 1
            [[target]]
            name = "Door"
            url = "exec:"
            exec = { run = ["true"] }
            interval = "200ms"
            [[target.hooks]]
            on = "up"
            at_start = true
            run = "echo > begun; until [ -e end ]; do sleep 0.05; done; echo done"
            [[target.hooks]]
            on = "up"
            at_start = true
            run = "echo second"
            """

        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// The records of hook runs: status, reason and output.
        private var records: [[String]] {
            scratch.lines(of: "out").compactMap { line in
                guard let record = try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any],
                    record["type"] as? String == "hook"
                else { return nil }
                return ["status", "reason", "output"].compactMap { record[$0] as? String }
            }
        }

        private func begin() async throws -> Child {
            let path = try scratch.write(Self.settings, to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--config", path])
            try await eventually("start of the hook", context: { scratch.text(of: "err") }) {
                !scratch.lines(of: "begun").isEmpty
            }
            return child
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func `at the end, running hooks are reported as cancelled, queued ones as dropped`(_ signal: Int32) async throws
        {
            let child = try await begin()
            child.send(signal)
            #expect(try await child.end() == 128 + signal)
            #expect(records == [["dropped", "quitting"], ["cancelled"]])
        }

        @Test func `after the target's removal, queued hooks are dropped, and running ones finish`()
            async throws
        {
            let child = try await begin()
            try scratch.write("[[target]]\nurl = \"link:any\"\n", to: "settings.toml")
            child.send(SIGHUP)
            try await eventually("drop", context: { scratch.text(of: "out") }) { !records.isEmpty }
            #expect(records == [["dropped", "target_gone"]])
            try scratch.write("", to: "end")
            try await eventually("result", context: { scratch.text(of: "out") }) { records.count == 2 }
            #expect(records.last == ["exited", "done\n"])
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            #expect(records.count == 2)
        }
    }
}

extension EndToEnd {
    /// `reach hooks`: the list of hooks, and test runs for one target.
    @Suite(.serialized) struct HooksCommandTests {
        private let scratch: Scratch
        private let path: String

        init() throws {
            scratch = try Scratch()
            let settings = """
                [[target]]
                name = "NAS"
                url = "tcp://127.0.0.1:9"
                when_reachable = "echo $REACH_EVENT $REACH_TARGET; cat > input.json"
                [[target.hooks]]
                on = ["down", "degraded"]
                run = ["sh", "-c", "printf '\\\\033]0;owned\\\\007'; echo no good >&2; exit 3"]
                once = true
                cooldown = "10m"
                [[target]]
                name = "Router"
                url = "icmp://127.0.0.1"
                """
            path = try scratch.write(settings, to: "settings.toml")
        }

        private func hooks(_ words: String...) throws -> Tool {
            try Tool.run([Program.path, "hooks", "--config", path] + words, in: scratch.path)
        }

        @Test func `the rules are listed in a table`() throws {
            let tool = try hooks()
            #expect(tool.status == 0 && tool.errors.isEmpty, "\(tool.errors)")
            #expect(tool.lines.count == 3)
            #expect(tool.lines[0].hasPrefix("TARGET  ON"))
            #expect(tool.lines[1].contains("NAS     up") && tool.lines[1].hasSuffix("timeout 30s"))
            #expect(tool.lines[2].contains("down, degraded  sh -c"))
            #expect(tool.lines[2].hasSuffix("once, cooldown 10m, timeout 30s"), "\(tool.lines[2])")
        }

        @Test func `a test runs each hook, and prints its result and output`() throws {
            let tool = try hooks("--test", "NAS")
            #expect(tool.status == 1, "one of them fails")
            #expect(tool.output.contains("exited 0 in") && tool.output.contains("  test NAS\n"), "\(tool.output)")
            #expect(tool.output.contains("exited 3 in") && tool.output.contains("no good\n"))
            #expect(!tool.output.contains("\u{1B}"))
            let input = scratch.text(of: "input.json")
            #expect(input.contains("\"target\":\"NAS\"") && input.contains("\"event\":\"test\""), "\(input)")
        }

        @Test func `an unknown target or one without hooks is an error`() throws {
            let misspelt = try hooks("--test", "NSA")
            #expect(misspelt.status == 2)
            #expect(misspelt.errors == "reach: no target \"NSA\" in the settings – did you mean \"NAS\"?\n")
            let without = try hooks("--test", "@Router")
            #expect(without.status == 1)
            #expect(without.errors == "reach: target \"Router\" has no hooks\n")
        }

        @Test func `a secret that a command prints is hidden`() throws {
            try scratch.write("hunter42\n", to: "secret")
            let settings = """
                [[target]]
                name = "Web"
                url = "http://127.0.0.1:9"
                http.headers = { Authorization = "Bearer ${file:secret}" }
                when_reachable = "cat secret"
                """
            try scratch.write(settings, to: "settings.toml")
            let tool = try hooks("--test", "Web")
            #expect(tool.status == 0 && tool.output.contains("  ${file:secret}\n"), "\(tool.output)\(tool.errors)")
        }

        @Test func `an interrupt ends a test and its command`() async throws {
            let settings = """
                [[target]]
                name = "Slow"
                url = "icmp://127.0.0.1"
                when_reachable = "echo $$ > hook; sleep 100"
                """
            try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start([Program.path, "hooks", "--config", path, "--test", "Slow"])
            let id = try await scratch.number(in: "hook")
            child.send(SIGINT)
            #expect(try await child.end() == 130)
            #expect(state(of: id) == nil, "the command is still running")
            #expect(scratch.text(of: "out").contains("was cancelled after"))
        }
    }
}

extension EndToEnd {
    /// Dependencies between targets in the running program.
    @Suite(.serialized) struct DependencyTests {
        @Test func `a failed switch runs its own hook, and none of its three dependants'`() async throws {
            let scratch = try Scratch()
            let listeners = try (0..<4).map { _ in try Listener() }
            let names = ["Switch", "NAS", "Printer", "Camera"]
            let targets = zip(names, listeners).map { name, listener in
                """
                [[target]]
                name = "\(name)"
                url = "tcp://127.0.0.1:\(listener.port)"
                interval = "\(name == "Switch" ? "1s" : "100ms")"
                \(name == "Switch" ? "" : "depends_on = \"Switch\"")
                """
            }
            let hook =
                "[[hook]]\non = \"change\"\nrun = 'echo \"$REACH_TARGET $REACH_HEALTH\" >> \(scratch.file("runs"))'\n"
            let path = try scratch.write(hook + targets.joined(separator: "\n"), to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--config", path])
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("four verdicts", context: context) { scratch.lines(of: "out").count == 4 }
            listeners.forEach { $0.stop() }
            try await eventually("three blocked", context: context) {
                scratch.lines(of: "out").count { $0.contains(#""blocked_by":"Switch""#) } == 3
            }
            let counts = listeners.dropFirst().map(\.count)
            for listener in listeners { try await listener.start() }
            try await eventually("three unblocked", context: context) {
                scratch.lines(of: "out").count { $0.contains(#""type":"unblocked""#) } == 3
            }
            try await eventually("connections", context: context) {
                zip(listeners.dropFirst().map(\.count), counts).allSatisfy { $0 > $1 }
            }
            try await eventually("two runs") { scratch.lines(of: "runs").count >= 2 }
            try await Task.sleep(for: .milliseconds(500))
            #expect(scratch.lines(of: "runs") == ["Switch down", "Switch up"])
            #expect(scratch.lines(of: "out").count { $0.contains(#""type":"transition""#) } == 4 + 2)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
