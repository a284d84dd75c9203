import Foundation
import Testing

extension EndToEnd {
    /// `reach report` and `reach history` on files that `reach history --import` made.
    @Suite(.serialized) struct HistoryFileTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        /// Runs the program with the state folder of a name.
        private func reach(_ state: String, _ words: String...) throws -> Tool {
            try Tool.run([Program.path] + words, in: scratch.path, environment: ["XDG_STATE_HOME": scratch.file(state)])
        }

        private func add(_ lines: String, to state: String) throws -> Tool {
            try scratch.write(lines, to: "import.jsonl")
            return try Tool.run(
                ["sh", "-c", "\(Program.path) history --import jsonl < import.jsonl"],
                in: scratch.path,
                environment: ["XDG_STATE_HOME": scratch.file(state)]
            )
        }

        /// A target that is up for an hour until the present time, in whole seconds.
        private var lines: String {
            let time = { (secondsAgo: Double) in
                Date().addingTimeInterval(-secondsAgo).ISO8601Format(.init(includingFractionalSeconds: true))
            }
            return """
                {"id":1,"target":"NAS","type":"target","url":"icmp://192.0.2.1"}
                {"id":1,"seen":"\(time(0))","source":"a.toml","time":"\(time(3_600))","type":"run","until":"\(time(0))",\
                "version":"1"}
                {"kind":"transition","of":1,"run":1,"since":"\(time(3_600))","time":"\(time(3_600))","to":"up",\
                "type":"event"}

                """
        }

        @Test func `a period until now ends now, and one that begins now is refused`() throws {
            #expect(try add(lines, to: "a").status == 0)
            let report = try reach("a", "report", "--since", "30m", "--until", "now", "--format", "csv")
            #expect(report.status == 0 && report.lines.count == 2, "\(report.errors)")
            #expect(report.lines.last?.hasPrefix("NAS,icmp://192.0.2.1,,1.0,") == true)
            let refused = try reach("a", "report", "--since", "now")
            #expect(refused.status == 2)
            #expect(refused.errorLines == ["reach: --since now: not in the past – such as 24h, 30d or 2026-11-01"])
        }

        @Test func `times before 1970 are one line`() throws {
            #expect(try add(lines, to: "a").status == 0)
            for time in ["30000d", "1969-12-31", "1969-12-31T12:00Z"] {
                let report = try reach("a", "report", "--since", time)
                #expect(report.status == 2 && report.output.isEmpty)
                #expect(report.errorLines.count == 1)
                #expect(report.errors.hasPrefix("reach: --since \(time): before 1970 – such as"))
            }
        }

        @Test func `a report on a link to nothing is one line`() throws {
            try FileManager.default.createDirectory(
                atPath: scratch.file("b/reach"),
                withIntermediateDirectories: true,
                attributes: [.posixPermissions: 0o700]
            )
            let file = scratch.file("b/reach/history.sqlite")
            try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: "/nonexistent/h.sqlite")
            let problem = "\(file) is a symbolic link to /nonexistent/h.sqlite, which does not exist"
            for words in [["report"], ["history"], ["history", "--export", "jsonl"], ["history", "--prune"]] {
                let tool = try Tool.run(
                    [Program.path] + words,
                    in: scratch.path,
                    environment: ["XDG_STATE_HOME": scratch.file("b")]
                )
                #expect(tool.status == 2 && tool.output.isEmpty)
                #expect(tool.errorLines == ["reach: history: \(problem) – restore it, or replace the link"])
            }
        }

        @Test func `an import into a folder that is a link to nothing is one line`() throws {
            try FileManager.default.createSymbolicLink(atPath: scratch.file("d"), withDestinationPath: "nothing")
            let added = try add(lines, to: "d")
            let problem = "\(scratch.file("d")) is a symbolic link to nothing, which does not exist"
            #expect(added.status == 2)
            #expect(added.errorLines == ["reach: history: \(problem) – restore it, or replace the link"])
        }

        @Test func `an event that begins after its time is refused with its line, and nothing is imported`() throws {
            let event = """
                {"kind":"transition","of":1,"run":1,"since":"2026-01-01T05:00:00.000Z",\
                "time":"2026-01-01T02:00:00.000Z","from":"up","to":"down","type":"event"}

                """
            let added = try add(lines + event, to: "c")
            #expect(added.status == 2)
            #expect(
                added.errorLines == [
                    "reach: standard input:4: since 2026-01-01T05:00:00.000Z: after time – correct the line, or remove it",
                    "reach: nothing was imported",
                ]
            )
        }
    }
}
