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
