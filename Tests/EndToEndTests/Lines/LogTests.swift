import Foundation
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
            let stamp = #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z /#
            #expect(scratch.lines(of: "log").allSatisfy { $0.prefixMatch(of: stamp) != nil })
            for words in [
                " notice targets: settings read source=", " info targets: target watched target=Door url=tcp://",
                " notice targets: up target=Door", " info hooks: hook started action=POST http://127.0.0.1:1/?…",
                " info hooks: hook was not answered: ", " trace probing: probe ended: reply in ",
            ] {
                #expect(log.contains(words), "no \(words) in \(log)")
            }
            #expect(!log.contains("secret"))
            #expect(scratch.text(of: "err") == "")
        }

        @Test func `by default, a log has transitions and problems`() async throws {
            try await watch(["--log", scratch.file("log")])
            let words = scratch.lines(of: "log").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
            #expect(words.count == 2 && words.last == "notice targets: up target=Door", "\(words)")
            #expect(!scratch.text(of: "err").contains("notice"))
        }

        @Test func `-v logs to standard error, and is rejected with the dashboard`() async throws {
            try await watch(["-v"])
            #expect(scratch.text(of: "err").contains(" info targets: target watched target=Door"))
            #expect(!scratch.text(of: "err").contains(" debug "))

            let tool = try Tool.run([Program.path, "-v", "127.0.0.1"], in: scratch.path)
            #expect(tool.status == 2)
            #expect(tool.errors == "reach: -v: needs --log FILE, since the dashboard uses the screen\n")
        }
    }
}
