import Foundation
import Testing

extension EndToEnd {
    /// What is logged of the program's own doings, and where.
    @Suite struct LogTests {
        private let door: Door

        init() throws {
            door = try Door()
        }

        private var scratch: Scratch { door.scratch }

        private static let hook = """
            [[target.hooks]]
            on = "up"
            at_start = true
            request = { url = "http://127.0.0.1:1/?token=secret", headers = { Authorization = "secret" } }
            retries = 0
            """

        private func watch(_ options: [String]) async throws {
            let child = try scratch.start([Program.path, "watch", "--config", try door.settings(Self.hook)] + options)
            try await eventually("up") { scratch.lines(of: "out").contains { $0.hasSuffix("up") } }
            try await eventually("the end of the hook") {
                options.contains("-q") || scratch.text(of: "err").contains("was not answered")
            }
            if options.contains("-q") {
                try await eventually("a log of it") { scratch.text(of: "log").contains("was not answered") }
            }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
        }

        @Test func `a log has what its level asks for, with the words of the vocabulary and no secrets`() async throws {
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

        @Test func `without more words, a log has changes and trouble`() async throws {
            try await watch(["--log", scratch.file("log")])
            let words = scratch.lines(of: "log").map { $0.split(separator: " ").dropFirst().joined(separator: " ") }
            #expect(words.count == 2 && words.last == "notice targets: up target=Door", "\(words)")
            #expect(!scratch.text(of: "err").contains("notice"))
        }

        @Test func `-v logs to standard error, and not at all where the screen is`() async throws {
            try await watch(["-v"])
            #expect(scratch.text(of: "err").contains(" info targets: target watched target=Door"))
            #expect(!scratch.text(of: "err").contains(" debug "))

            let tool = try Tool.run([Program.path, "-v", "127.0.0.1"], in: scratch.path)
            #expect(tool.status == 2)
            #expect(tool.errors == "reach: -v needs --log FILE here: the screen is the dashboard's\n")
        }
    }
}
