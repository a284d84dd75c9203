import Foundation
import Testing

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
