import Foundation
import Testing

extension EndToEnd {
    /// Secrets never appear in the listener's pages, the log or the output of `watch`.
    @Suite(.serialized) struct SecretTests {
        private static let secrets = [
            "TOKEN": "s3cr3t-t0ken", "URL": "http://127.0.0.1:1/path-s3cr3t?key=s3cr3t-key", "WHO": "s3cr3t-name",
            "ROOM": "s3cr3t-room", "PATTERN": "s3cr3t-pattern",
        ]

        private static let settings = """
            [defaults]
            interval = "200ms"
            [[target]]
            url = "http://127.0.0.1:1/a?key=s3cr3t-one"
            [[target]]
            url = "http://127.0.0.1:1/a?key=s3cr3t-two"
            http = { headers = { X-Key = "${TOKEN}" } }
            [[target]]
            url = "${URL}"
            group = "${ROOM}"
            [[target]]
            name = "${WHO}"
            url = "exec:"
            # The command prints values of the environment, which are redacted.
            exec = { run = "echo at http://me:s3cr3t-me@h/?s3cr3t-q $TOKEN, $WHO" }
              [[target.hooks]]
              on = "up"
              at_start = true
              request = { url = "http://127.0.0.1:1/hook/${TOKEN}?key=${PATTERN}" }
              retries = 0
              [[target.hooks]]
              on = "up"
              at_start = true
              run = "echo $TOKEN; exit 3"
            [[target]]
            name = "Child"
            url = "link:any"
            depends_on = ["127.0.0.1:1/a?key=s3cr3t-one"]
            """

        @Test(arguments: [[], ["--json"]])
        func `environment values and query strings never appear in pages, log or output`(options: [String]) async throws
        {
            let watch = try await ListeningWatch(
                Self.settings,
                environment: Self.secrets,
                options: options + ["--observations", "-vvv", "--log", "log"]
            )
            let scratch = watch.scratch
            try await eventually("end of the hooks", context: { scratch.text(of: "log") }) {
                scratch.text(of: "log").contains("hook was not answered")
                    && scratch.text(of: "log").contains("hook exited 3")
            }
            try await watch.wait(forLine: #"reach_up{target="127.0.0.1:1/a",group="",method="http"} 0"#)
            let pages = try ["/metrics", "/targets"].map { try watch.get($0).body }
            try scratch.write(Self.settings.replacing("link:any", with: "tcp://${TOKEN}"), to: "settings.toml")
            watch.child.send(SIGHUP)
            try await eventually("rejection") { scratch.text(of: "err").contains("settings refused") }
            watch.child.send(SIGTERM)
            #expect(try await watch.child.end() == 143)

            for text in pages + ["log", "out", "err"].map(scratch.text) {
                let lines = text.split(separator: "\n").filter { $0.contains("s3cr3t") || $0.contains("key=") }
                #expect(lines.isEmpty, "\(lines.prefix(3))")
            }
            // The names remain, one for each target.
            for label in ["127.0.0.1:1/a", "127.0.0.1:1/a (2)", "${URL}", "${WHO}"] {
                #expect(pages[0].contains("target=\"\(label)\""), "\(label)")
                #expect(pages[1].contains("\"target\":\"\(label)\""), "\(label)")
            }
            #expect(pages[0].contains("group=\"${ROOM}\""))
            #expect(pages[1].contains("\"blocked_by\":\"127.0.0.1:1/a\""), "\(pages[1])")
            #expect(pages[1].contains("\"detail\":\"at http://h/ ${TOKEN}, ${WHO}\""), "\(pages[1])")
            #expect(scratch.text(of: "log").contains("POST http://${URL}:1/hook/${TOKEN}?…"))
            #expect(scratch.text(of: "log").contains("url=${URL}"))
        }

        @Test func `the user's own terminal and commands get unredacted values`() async throws {
            let scratch = try Scratch()
            let path = try scratch.write(
                """
                [[target]]
                url = "${URL}"
                fall = 1
                  [[target.hooks]]
                  on = "down"
                  at_start = true
                  run = "echo $REACH_URL > seen"
                """,
                to: "settings.toml"
            )
            let url = try #require(Self.secrets["URL"])
            let tool = try Tool.run(
                [Program.path, "check", "--json", "--config", path],
                in: scratch.path,
                environment: Self.secrets
            )
            #expect(tool.output.contains("\"url\":\"\(url)\""), "\(tool)")
            let child = try scratch.start([Program.path, "watch", "--config", path], environment: Self.secrets)
            try await eventually("hook") { scratch.lines(of: "seen") == [url] }
            child.send(SIGTERM)
            #expect(try await child.end() == 143)
            #expect(!scratch.text(of: "out").contains("s3cr3t"))
        }

        @Test func `a redirect to another origin drops the user's header fields`() async throws {
            let scratch = try Scratch()
            let other = try ScriptedServer(ScriptedServer.answer("200 OK"))
            let first = try ScriptedServer(ScriptedServer.answer("302 Found", "Location: \(other.url)/"))
            let path = try scratch.write(
                """
                [[target]]
                url = "http://127.0.0.1:\(first.port)/"
                http = { follow = 2, headers = { X-Key = "s3cr3t" } }
                """,
                to: "settings.toml"
            )
            #expect(try Tool.run([Program.path, "check", "--config", path], in: scratch.path).status == 0)
            let words = [Program.path, "fetch", "\(first.url)/", "-H", "X-Key: s3cr3t", "-H", "Accept: s3cr3t/s3cr3t"]
            #expect(try Tool.run(words, in: scratch.path).status == 0)
            #expect(
                first.requests.count == 2 && first.requests.allSatisfy { $0.contains("s3cr3t") },
                "\(first.requests)"
            )
            #expect(
                other.requests.count == 2 && other.requests.allSatisfy { !$0.contains("s3cr3t") },
                "\(other.requests)"
            )
        }
    }
}
