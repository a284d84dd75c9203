import Foundation
import Testing

extension EndToEnd {
    /// The history file of the built program, read with `sqlite3`.
    @Suite(.serialized) struct StoredHistoryTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }
        private var listener: Listener { fixture.listener }
        private static let file = ".local/state/reach/history.sqlite"

        /// The lines that a query prints.
        private func query(_ sql: String, of file: String? = nil) throws -> [String] {
            try Tool.must(["sqlite3", "-readonly", file ?? scratch.file(Self.file), sql]).lines
        }

        private func reach(_ words: String..., environment: [String: String] = [:]) throws -> Tool {
            try Tool.run([Program.path] + words, in: scratch.path, environment: environment)
        }

        private func wait(forLines count: Int) async throws {
            let context = { scratch.text(of: "out") + scratch.text(of: "err") }
            try await eventually("\(count) lines", within: .seconds(20), context: context) {
                scratch.lines(of: "out").count >= count
            }
        }

        @Test(.timeLimit(.minutes(3))) func `what watch printed is in the file after kill -9 at any moment`()
            async throws
        {
            // In memory: where a disk takes longer than a second, lines are printed before they are stored.
            let memory = "/dev/shm/\(URL(filePath: scratch.path).lastPathComponent)"
            try FileManager.default.createDirectory(atPath: memory, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: memory) }
            let file = "\(memory)/reach/history.sqlite"
            let path = try fixture.settings("")
            try scratch.write(scratch.text(of: "settings.toml").replacing("200ms", with: "20ms"), to: "settings.toml")
            let toggling = Task { [listener] in
                while !Task.isCancelled {
                    try await Task.sleep(for: .milliseconds(130))
                    listener.stop()
                    try await Task.sleep(for: .milliseconds(130))
                    try await listener.start()
                }
            }
            defer { toggling.cancel() }
            // Scripts/kill-history does it a hundred times, and compares the figures too.
            for _ in 0..<10 {
                let child = try scratch.start(
                    [Program.path, "watch", "--json", "--config", path],
                    environment: ["XDG_STATE_HOME": memory]
                )
                try await wait(forLines: 1)
                try await Task.sleep(for: .milliseconds(Int.random(in: 0..<400)))
                child.send(SIGKILL)
                _ = try await child.end()
                #expect(try query("PRAGMA integrity_check", of: file) == ["ok"])
                let stored = try Set(query("SELECT time / 1000.0 FROM event WHERE kind = 'transition'", of: file))
                for line in scratch.lines(of: "out") {
                    let object = try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
                    guard let object, object["type"] as? String == "transition", let text = object["time"] as? String,
                        let time = try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
                    else { continue }
                    let seconds = time.timeIntervalSince1970
                    let isStored = stored.contains { Double($0).map { abs($0 - seconds) < 0.002 } ?? false }
                    #expect(isStored, "\(line)")
                }
            }
        }

        @Test func `once and a cooldown hold after kill -9`() async throws {
            // The history keeps the commands, so their runs can be counted there.
            let rules = """
                [[target.hooks]]
                on = "down"
                run = "true"
                cooldown = "1h"
                [[target.hooks]]
                on = "down"
                run = "true once"
                once = true
                [[target.hooks]]
                on = "down"
                run = "true each"
                """
            let runs = "SELECT count(*) FROM event WHERE kind = 'hook' AND detail LIKE 'true"
            for pass in 1...2 {
                let child = try fixture.watch(rules)
                try await wait(forLines: 1)
                // The first reply may come before the history was read.
                let file = scratch.file(Self.file)
                try await eventually("run \(pass) is stored", within: .seconds(20)) {
                    (try? Tool.must(["sqlite3", "-readonly", file, "SELECT count(*) FROM run"]).lines) == ["\(pass)"]
                }
                try await Task.sleep(for: .milliseconds(500))
                listener.stop()
                let expected = pass == 1 ? 3 : 4
                try await eventually("\(expected) hook runs", within: .seconds(20)) {
                    let all = try? Tool.must(["sqlite3", "-readonly", file, "\(runs)%'"]).lines
                    return all == ["\(expected)"]
                }
                child.send(SIGKILL)
                _ = try await child.end()
                try await listener.start()
            }
            #expect(try query("\(runs) exited%'") == ["1"])
            #expect(try query("\(runs) once%'") == ["1"])
            #expect(try query("\(runs) each%'") == ["2"])
        }

        @Test func `a report and an export show what watch has seen`() async throws {
            let child = try fixture.watch("")
            try await wait(forLines: 1)
            listener.stop()
            try await wait(forLines: 2)
            try await listener.start()
            try await wait(forLines: 3)
            child.send(SIGTERM)
            _ = try await child.end()

            let report = try reach("report", "--format", "json", "--since", "1h")
            let object = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
            let target = try #require((object?["targets"] as? [[String: Any]])?.first)
            #expect(target["target"] as? String == "Door" && target["outages"] as? Int == 1)
            let outage = try #require((object?["worst_outages"] as? [[String: Any]])?.first)
            #expect(outage["detail"] as? String == "refused")
            let table = try reach("report", "Door")
            #expect(table.status == 0 && table.lines.contains { $0.hasPrefix("Door ") }, "\(table.output)")
            #expect(table.output.contains("An outage begins when its first lost probe was sent"))
            for format in ["markdown", "csv"] {
                #expect(try reach("report", "--format", format).output.contains("Door"))
            }
            #expect(try reach("report", "Dor").errors.contains("did you mean \"Door\"?"))
            #expect(try reach("report", "--since", "someday").status == 2)

            let export = try reach("history", "--export", "jsonl")
            let kinds = export.lines.count { $0.contains("\"kind\":\"transition\"") }
            #expect(kinds == 3)
            try scratch.write(export.output, to: "export.jsonl")
            let state = ["XDG_STATE_HOME": scratch.file("copy")]
            for expected in ["\(export.lines.count) lines read", "0 records added"] {
                let added = try Tool.run(
                    ["sh", "-c", "\(Program.path) history --import jsonl < export.jsonl"],
                    in: scratch.path,
                    environment: state
                )
                #expect(added.status == 0 && added.errors.contains(expected), "\(added.errors)")
            }
            let copy = try reach("history", "--export", "jsonl", environment: state)
            #expect(copy.output == export.output)
            let summary = try reach("history")
            #expect(summary.output.contains("targets  1") && summary.output.contains("events   3"))
            #expect(try reach("history", "--prune").status == 0)
            let none = scratch.file("none")
            let pruned = try reach("history", "--prune", environment: ["XDG_STATE_HOME": none])
            #expect(pruned.status == 2 && pruned.errors.contains("history.sqlite does not exist"), "\(pruned.errors)")
            #expect(!FileManager.default.fileExists(atPath: none))
        }

        /// The days on which daylight saving time begins and ends.
        @Test(arguments: [("2026-03-29", "2026-03-30", 23), ("2026-10-25", "2026-10-26", 25)])
        func `a report of a local day has its 23 or 25 hours`(day: String, next: String, hours: Int) throws {
            let lines = """
                {"id":1,"target":"NAS","type":"target","url":"icmp://192.0.2.1"}
                {"id":1,"seen":"2026-12-01T00:00:00.000Z","source":"a.toml","time":"2026-03-01T00:00:00.000Z",\
                "type":"run","until":"2026-12-01T00:00:00.000Z","version":"1"}
                {"kind":"transition","of":1,"run":1,"since":"2026-03-01T00:00:00.000Z",\
                "time":"2026-03-01T00:00:00.000Z","to":"up","type":"event"}
                {"kind":"transition","of":1,"run":1,"since":"\(day)T01:30:00.000Z","detail":"refused",\
                "time":"\(day)T01:30:01.000Z","from":"up","to":"down","type":"event"}
                {"kind":"transition","of":1,"run":1,"since":"\(day)T02:00:00.000Z",\
                "time":"\(day)T02:00:00.000Z","from":"down","to":"up","type":"event"}
                """
            try scratch.write(lines + "\n", to: "day.jsonl")
            let environment = ["TZ": "Europe/Berlin"]
            let added = try Tool.run(
                ["sh", "-c", "\(Program.path) history --import jsonl < day.jsonl"],
                in: scratch.path,
                environment: environment
            )
            #expect(added.status == 0, "\(added.errors)")
            let report = try reach(
                "report",
                "--since",
                day,
                "--until",
                next,
                "--format",
                "json",
                environment: environment
            )
            let object = try JSONSerialization.jsonObject(with: Data(report.output.utf8)) as? [String: Any]
            let target = try #require((object?["targets"] as? [[String: Any]])?.first)
            #expect(target["up_seconds"] as? Double == Double(hours) * 3_600 - 1_800)
            #expect(target["down_seconds"] as? Double == 1_800 && target["coverage"] as? Double == 1)
            let page = try reach(
                "report",
                "--since",
                day,
                "--until",
                next,
                "--format",
                "html",
                environment: environment
            )
            // Slices of 15 or 20 minutes of local time.
            #expect(page.status == 0 && page.output.contains("class=\"down\" x=\"10\" width=\"2\""), "\(page.output)")
            let empty = try reach("report", "--since", day, "--until", day, environment: environment)
            #expect(empty.status == 2 && empty.errors.contains("not before the end of the period"))
            let future = try reach("report", "--since", "9998-01-01", "--until", "9999-01-01")
            #expect(future.status == 2 && future.errors.contains("--since 9998-01-01: not in the past"))
        }

        @Test func `a second process reads only, and no history is written when it is off`() async throws {
            let first = try fixture.watch("")
            try await wait(forLines: 1)
            let errors = scratch.file("second")
            let second = try Child(
                [Program.path, "watch", "--config", scratch.file("settings.toml")],
                in: scratch.path,
                streams: .files(output: "/dev/null", errors: errors)
            )
            try await eventually("message", context: { scratch.text(of: "second") }) {
                scratch.text(of: "second").contains(
                    "reach already runs here (process \(first.id)): it keeps the history"
                )
            }
            // The second one would write when the first one has ended.
            for child in [second, first] {
                child.send(SIGTERM)
                _ = try await child.end()
            }
            #expect(try query("SELECT count(*) FROM run") == ["1"])
            for words in [["--no-history"], []] {
                try scratch.write("history = \"off\"\n" + scratch.text(of: "settings.toml"), to: "off.toml")
                let settings = scratch.file(words.isEmpty ? "off.toml" : "settings.toml")
                let child = try scratch.start([Program.path, "watch", "--config", settings] + words)
                try await wait(forLines: 1)
                child.send(SIGTERM)
                _ = try await child.end()
            }
            #expect(try query("SELECT count(*) FROM run") == ["1"])
        }

        @Test func `the dashboard shows the events and the outage from before its start`() async throws {
            listener.stop()
            let child = try fixture.watch("")
            try await wait(forLines: 1)
            child.send(SIGTERM)
            _ = try await child.end()
            let pty = try Pty([Program.path, "--config", scratch.file("settings.toml")], in: scratch)
            try await pty.wait(for: "was down when last seen")
            try await pty.wait(for: "down: refused")
            pty.type("q")
            #expect(try await pty.end() == 0)
        }
    }
}

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
