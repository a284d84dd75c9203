import Foundation
import TestSupport
import Testing

extension EndToEnd {
    /// The contents of the log and its destination.
    @Suite(.serialized) struct LogTests {
        private let fixture: WatchFixture

        init() throws {
            fixture = try WatchFixture()
        }

        private var scratch: Scratch { fixture.scratch }

        private static let hook = """
            [[target.hooks]]
            on = "up"
            at_start = true
            request = { url = "http://127.0.0.1:1/?token=secret", headers = { Authorization = "secret" } }
            retries = 0
            """

        private func watch(_ options: [String]) async throws {
            let child = try scratch.start(
                [Program.path, "watch", "--config", try fixture.settings(Self.hook)] + options
            )
            try await eventually("up") { scratch.lines(of: "out").contains { $0.hasSuffix("up") } }
            try await eventually("end of the hook") {
                options.contains("-q") || scratch.text(of: "err").contains("was not answered")
            }
            if options.contains("-q") {
                try await eventually("log entry of the hook") { scratch.text(of: "log").contains("was not answered") }
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a log has the entries of its level, and no secrets`() async throws {
            try await watch(["-q", "-vvv", "--log", scratch.file("log")])
            let log = scratch.text(of: "log")
            let stamp = #/time=\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z level=[a-z]+ logger=[a-z]+ message=/#
            #expect(scratch.lines(of: "log").allSatisfy { $0.prefixMatch(of: stamp) != nil })
            for words in [
                #" level=notice logger=targets message="settings read" source="#,
                #" level=info logger=targets message="target watched" target=Door url=tcp://"#,
                " level=notice logger=targets message=up target=Door",
                #" level=info logger=hooks message="hook started" action="POST http://127.0.0.1:1/?…""#,
                #" level=warning logger=hooks message="hook was not answered: "#,
                #" level=trace logger=probing message="probe ended: reply in "#,
            ] {
                #expect(log.contains(words), "no \(words) in \(log)")
            }
            #expect(!log.contains("secret"))
            #expect(scratch.text(of: "err") == "")
        }

        @Test func `a log that cannot be written is reported once`() async throws {
            let words = ["check", "-vvv", "--log", "/dev/full", "127.0.0.1:1"]
            let tool = try Tool.run([Program.path] + words, in: scratch.path)
            #expect(tool.status == 1)
            let line = "reach: cannot write the log /dev/full: No space left on device – lines are lost"
            #expect(tool.errorLines == [line])
        }

        @Test func `by default, a log has transitions and problems`() async throws {
            try await watch(["--log", scratch.file("log")])
            let words = scratch.lines(of: "log").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
            #expect(words.count == 3, "\(words)")
            #expect(words.contains("level=notice logger=targets message=up target=Door"))
            #expect(words.last?.hasPrefix(#"level=warning logger=hooks message="hook was not answered: "#) == true)
            #expect(!scratch.text(of: "err").contains("notice"))
        }

        @Test func `-v logs to standard error, and is rejected with the dashboard`() async throws {
            try await watch(["-v"])
            let entry = #" level=info logger=targets message="target watched" target=Door"#
            #expect(scratch.text(of: "err").contains(entry))
            #expect(!scratch.text(of: "err").contains("level=debug"))

            let tool = try Tool.run([Program.path, "-v", "127.0.0.1"], in: scratch.path)
            #expect(tool.status == 2)
            #expect(tool.errors == "reach: -v: needs --log FILE, since the dashboard uses the screen\n")
        }

        @Test func `the log is JSON with --log-format json, and every line matches the schema`() async throws {
            try await watch(["-q", "-vvv", "--log", scratch.file("log"), "--log-format", "json"])
            let schema = try Schema("log")
            let lines = scratch.lines(of: "log")
            for line in lines { #expect(try schema.problems(of: line) == [], "\(line)") }
            #expect(lines.contains { $0.contains(#""message":"target watched","target":"Door""#) })
            #expect(!scratch.text(of: "log").contains("secret"))

            let tool = try Tool.run([Program.path, "check", "--log-format", "xml", "127.0.0.1"], in: scratch.path)
            #expect(tool.status == 2 && tool.errors.contains("use logfmt or json"))
        }

        @Test func `in the journal, each line of standard error has its priority`() async throws {
            try scratch.write("", to: "err")
            let status = try FileManager.default.attributesOfItem(atPath: scratch.file("err"))
            let (device, inode) = (status[.systemNumber] as? NSNumber, status[.systemFileNumber] as? NSNumber)
            let stream = "\(try #require(device)):\(try #require(inode))"
            let child = try scratch.start(
                [Program.path, "watch", "-v", "--config", try fixture.settings("")],
                environment: ["JOURNAL_STREAM": stream]
            )
            try await eventually("up") { scratch.text(of: "out").hasSuffix("  Door  up\n") }
            try scratch.write("x", to: "settings.toml")
            child.send(SIGHUP)
            try await eventually("rejection") { scratch.text(of: "err").contains("settings.toml:1") }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            let lines = scratch.lines(of: "err")
            #expect(lines.allSatisfy { $0.prefixMatch(of: /<[3-7]>[a-z]/) != nil }, "\(lines)")
            #expect(lines.contains { $0.hasPrefix("<5>time=") && $0.hasSuffix("message=up target=Door") })
            #expect(lines.contains { $0.hasPrefix("<6>time=") && $0.contains("target watched") })
            #expect(lines.contains("<3>reach: settings refused, the old ones keep running:"))
            #expect(!scratch.text(of: "out").contains("<"))
        }

        @Test func `SIGHUP opens a renamed log again, and a failure to do so keeps the old one`() async throws {
            let log = scratch.file("log")
            let path = try fixture.settings("")
            let child = try scratch.start([Program.path, "watch", "--config", path, "--log", log])
            let reload = { (count: Int) in
                child.send(SIGHUP)
                try await eventually("reload") {
                    scratch.text(of: "err").split(separator: "settings read again").count == count + 1
                }
            }
            try await eventually("entries") { scratch.lines(of: "log").count == 2 }
            let lines = { (file: String, count: Int) in
                try await eventually("\(count) lines in \(file)") { scratch.lines(of: file).count == count }
            }
            try await reload(1)
            try await lines("log", 3)

            #expect(rename(log, "\(log).1") == 0)
            try await reload(2)
            try await lines("log", 1)
            #expect(scratch.lines(of: "log.1").count == 3)
            #expect(scratch.lines(of: "log").first?.contains(#"message="settings read""#) == true)

            #expect(rename(log, "\(log).2") == 0)
            try FileManager.default.createDirectory(atPath: log, withIntermediateDirectories: false)
            try await reload(3)
            try await lines("log.2", 3)
            let problem = "reach: cannot reopen the log \(log): Is a directory – the old file stays in use"
            #expect(scratch.lines(of: "err").contains(problem), "\(scratch.text(of: "err"))")
            try FileManager.default.removeItem(atPath: log)
            #expect(mkfifo(log, 0o600) == 0)
            try await reload(4)
            // A FIFO without a reader blocks nothing.
            try await lines("log.2", 5)
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }
    }
}
