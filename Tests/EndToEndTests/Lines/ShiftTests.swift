import Foundation
import Testing

extension EndToEnd {
    /// Lasting changes of latency: a command that takes as long as a file says.
    @Suite(.serialized) struct ShiftTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func lines(_ texts: String...) -> [String] {
            scratch.lines(of: "out").filter { line in texts.allSatisfy(line.contains) }
        }

        @Test func `a rise and its end are printed, reported to hooks and stored`()
            async throws
        {
            try scratch.write("0.01", to: "delay")
            let settings = """
                [[target]]
                name = "Job"
                url = "exec:"
                interval = "200ms"
                timeout = "200ms"
                exec.run = "sleep $(cat '\(scratch.file("delay"))')"
                [[target.hooks]]
                on = "shift"
                run = "echo \\"$REACH_EVENT $REACH_HEALTH $REACH_SHIFT\\" >> '\(scratch.file("hooks"))'"
                """
            let path = try scratch.write(settings, to: "settings.toml")
            let child = try scratch.start([Program.path, "watch", "--json", "--observations", "--config", path])
            let context = { scratch.text(of: "err") }
            try await eventually("the first level", within: .seconds(20), context: context) {
                lines(#""outcome":"reply""#).count >= 40
            }
            try scratch.write("0.1", to: "delay")
            try await eventually("a rise", within: .seconds(20), context: context) {
                !lines(#""type":"shift""#, #""change":"latency_rose""#, #""target":"Job""#).isEmpty
            }
            try scratch.write("0.01", to: "delay")
            try await eventually("its end", within: .seconds(20), context: context) {
                !lines(#""type":"shift""#, #""change":"latency_back""#, #""after_seconds":"#).isEmpty
            }
            try await eventually("two hook runs", within: .seconds(20)) { scratch.lines(of: "hooks").count >= 2 }
            child.send(SIGTERM)
            _ = try await child.end()
            #expect(lines(#""type":"transition""#).count == 1, "a shift is no change of health")
            let hooks = scratch.lines(of: "hooks")
            #expect(hooks.contains { $0.hasPrefix("shift up latency rose from ") })
            #expect(hooks.last?.hasPrefix("shift up latency back to ") == true)

            let report = try Tool.run([Program.path, "report", "--since", "1h"], in: scratch.path)
            #expect(report.lines.contains { $0.hasPrefix("Job") && $0.contains(" latency back to ") })
            let export = try Tool.run([Program.path, "history", "--export", "jsonl"], in: scratch.path)
            #expect(
                export.lines.contains { $0.contains(#""kind":"shift""#) && $0.contains(#""reason":"latency_rose""#) }
            )
            let replay = try Tool.run([Program.path, "shifts", "Job"], in: scratch.path)
            #expect(replay.lines.last?.contains(" of probing of all targets: ") == true)
        }

        @Test func `wrong limits and unknown targets are one line each`() throws {
            for (words, problem) in [
                (["--at-least", "20"], #"--at-least 20: invalid share – did you mean "20 %"?"#),
                (["--and", "5"], "--and 5: invalid time – did you mean 5ms?"),
                (["--since", "soon"], "--since soon: invalid time"),
            ] {
                let tool = try Tool.run([Program.path, "shifts"] + words, in: scratch.path)
                #expect(tool.status == 2)
                #expect(tool.errors.contains(problem), "\(tool.errors)")
            }
        }
    }
}
