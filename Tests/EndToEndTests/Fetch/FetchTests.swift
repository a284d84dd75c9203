import Foundation
import Testing

extension EndToEnd {
    /// `reach fetch` with failing servers.
    @Suite(.serialized) struct FetchTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func start(_ words: [String], environment: [String: String] = [:]) throws -> Child {
            try scratch.start([Program.path, "fetch"] + words, environment: environment)
        }

        /// The files of the folder, except the test's own.
        private var files: [String] {
            let all = (try? FileManager.default.contentsOfDirectory(atPath: scratch.path)) ?? []
            return all.filter { $0 != "out" && $0 != "err" }.sorted()
        }

        @Test func `fetch retries until the answer is complete, and reports each cause`() async throws {
            let date = Date.now.addingTimeInterval(3).formatted(
                Date.VerbatimFormatStyle(
                    format: """
                        \(weekday: .abbreviated), \(day: .twoDigits) \(month: .abbreviated) \(year: .defaultDigits) \
                        \(hour: .twoDigits(clock: .twentyFourHour, hourCycle: .zeroBased)):\(minute: .twoDigits):\
                        \(second: .twoDigits) GMT
                        """,
                    locale: Locale(identifier: "en_US_POSIX"),
                    timeZone: .gmt,
                    calendar: Calendar(identifier: .gregorian)
                )
            )
            let server = try ScriptedServer(
                .hang,
                ScriptedServer.answer("503 Service Unavailable", "Retry-After: 1"),
                ScriptedServer.answer("429 Too Many Requests", "Retry-After: \(date)"),
                .reset(after: "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"),
                .text("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf an ans"),
                ScriptedServer.answer("200 OK", body: "all of it"),
                isListening: false
            )
            let child = try start([server.url + "/a", "-o", "file", "--timeout", "500ms", "--within", "40s"])
            try await eventually("report of the refusal", context: { scratch.text(of: "err") }) {
                scratch.text(of: "err").contains("refused")
            }
            try await server.start()
            let status = try await child.end(within: .seconds(40))
            let lines = scratch.lines(of: "err")
            #expect(status == 0, "\(lines)")
            #expect(scratch.text(of: "file") == "all of it")
            #expect(files == ["file"])
            #expect(scratch.text(of: "out").isEmpty)
            #expect(server.requests.count == 6)
            let expected = [
                "waiting for 127.0.0.1:\(server.port): refused", "try 1: timeout; again in ",
                "try 2: HTTP 503; again in ", "try 3: HTTP 429; again in ",
                "try 4: connection lost after 11 of 100 B; again in ",
                "try 5: connection lost after 11 of 100 B; again in ",
            ]
            #expect(lines.count == expected.count, "\(lines)")
            for (line, words) in zip(lines, expected) { #expect(line.hasPrefix("reach: \(words)"), "\(line)") }
            // Without Retry-After, the pause would be half a second at most.
            let pause = lines[2].firstMatch(of: /again in ([\d.]+)s/).flatMap { Double($0.1) }
            #expect(try #require(pause) >= 1)
            #expect(server.requests.allSatisfy { $0.hasPrefix("GET /a HTTP/1.1\r\n") })
        }

        @Test func `a Retry-After beyond the time limit ends the fetch at once`() async throws {
            let server = try ScriptedServer(ScriptedServer.answer("503 Busy", "Retry-After: 3600"))
            let child = try start([server.url, "--within", "40s"])
            #expect(try await child.end(within: .seconds(20)) == 1)
            let message = scratch.text(of: "err")
            #expect(message.hasPrefix("reach: not fetched: the server is busy until 2"), "\(message)")
            #expect(server.requests.count == 1)
        }

        @Test(
            arguments: [
                ([], 1, 1), (["--retry-unsafe"], 0, 3), (["-H", "Idempotency-Key: 7"], 0, 3), (["-X", "PUT"], 0, 3),
            ] as [([String], Int32, Int)]
        )
        func `unsafe requests are repeated only on demand`(_ words: [String], _ status: Int32, _ count: Int)
            async throws
        {
            let busy = ScriptedServer.answer("503 Busy")
            let server = try ScriptedServer(busy, .text(""), ScriptedServer.answer("200 OK", body: "fine"))
            try scratch.write("b=2\n", to: "data")
            let child = try start([server.url, "-d", "a=1", "-d", "@data"] + words)
            #expect(try await child.end(within: .seconds(20)) == status, "\(scratch.text(of: "err"))")
            #expect(server.requests.count == count)
            let method = words.first == "-X" ? "PUT" : "POST"
            #expect(server.requests.allSatisfy { $0.hasPrefix("\(method) / HTTP/1.1\r\n") })
            #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\na=1&b=2\n") })
            #expect(scratch.text(of: "out") == (status == 0 ? "fine" : ""))
        }

        @Test func `standard input is sent at every try`() async throws {
            let server = try ScriptedServer(ScriptedServer.answer("503 Busy"), ScriptedServer.answer("200 OK"))
            let line =
                "printf 'from a pipe' | \(Program.path) fetch -X PUT -d @- -H 'Content-Type: text/plain' \(server.url)"
            let tool = try Tool.run(["sh", "-c", line], in: scratch.path)
            #expect(tool.status == 0, "\(tool.errors)")
            #expect(server.requests.count == 2)
            #expect(server.requests.allSatisfy { $0.hasSuffix("\r\n\r\nfrom a pipe") })
            #expect(server.requests.allSatisfy { $0.contains("\r\nContent-Type: text/plain\r\n") })
        }

        @Test(arguments: [
            SIGTERM, SIGINT, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO, SIGPWR, 40,
        ])
        func `a signal during the transfer leaves no file`(_ signal: Int32) async throws {
            let server = try ScriptedServer(.slow(pieces: 100, pause: 0.05))
            let child = try start([server.url, "-o", "file"])
            try await eventually("partial file") { files.contains { $0.hasPrefix(".reach-") } }
            child.send(signal)
            #expect(try await child.end(within: .seconds(3)) == 128 + signal)
            #expect(files.isEmpty)
        }

        @Test(arguments: [[], ["--within", "1s"]])
        func `an unread output does not delay the end`(_ words: [String]) async throws {
            let server = try ScriptedServer(.zeros(mebibytes: 50))
            let command = ([Program.path, "fetch", server.url] + words).joined(separator: " ")
            let child = try scratch.start([
                "sh", "-c", "{ \(command) 2>&1 & echo $! > id; wait $!; echo $? > status; } | sleep 20",
            ])
            let id = try await scratch.number(in: "id")
            try await eventually("request") { !server.requests.isEmpty }
            try await Task.sleep(for: .milliseconds(300))
            if words.isEmpty { kill(id, SIGTERM) }
            #expect(try await scratch.number(in: "status") == (words.isEmpty ? 143 : 124))
            withExtendedLifetime(child) {}
        }

        @Test func `a signal ends it while it reads standard input`() async throws {
            let line =
                "sleep 20 | { \(Program.path) fetch http://127.0.0.1:1 -d @- <&0 & echo $! > id; wait $!; echo $? > status; }"
            let child = try scratch.start(["bash", "-c", line])
            let id = try await scratch.number(in: "id")
            try await Task.sleep(for: .milliseconds(500))
            kill(id, SIGTERM)
            #expect(try await scratch.number(in: "status") == 143)
            withExtendedLifetime(child) {}
        }

        @Test func `--within ends it, and the last problem is reported`() async throws {
            let server = try ScriptedServer(.slow(pieces: 100, pause: 0.05))
            let slow = try start([server.url, "-o", "file", "--within", "1s"])
            #expect(try await slow.end() == 124)
            #expect(scratch.text(of: "err").hasPrefix("reach: not fetched within 1s: "))
            #expect(scratch.text(of: "err").hasSuffix(" of 10 MB received\n"))
            #expect(files.isEmpty)

            let closed = try ScriptedServer(.hang, isListening: false)
            let refused = try start([closed.url, "--within", "600ms"])
            #expect(try await refused.end() == 124)
            #expect(scratch.lines(of: "err").last == "reach: not fetched within 600ms: refused")
        }

        @Test func `a slow transfer does not time out`() async throws {
            let server = try ScriptedServer(.slow(pieces: 100, pause: 0.02))
            let child = try start([server.url, "-o", "file", "--timeout", "500ms"])
            #expect(try await child.end(within: .seconds(20)) == 0, "\(scratch.text(of: "err"))")
            #expect(scratch.text(of: "file").utf8.count == 10_000_000)
            #expect(scratch.text(of: "err").isEmpty)
        }

        @Test(arguments: [
            // The head byte by byte, then the body.
            "HTTP/1.1 200 OK\r\nLength: 4\r\n\r\n".map(String.init) + ["fine"],
            // Interim responses.
            Array(repeating: "HTTP/1.1 102 Processing\r\n\r\n", count: 20)
                + ["HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine"],
        ])
        func `a slow head does not time out`(_ pieces: [String]) async throws {
            let server = try ScriptedServer(.paced(pieces, pause: 0.05))
            let child = try start([server.url, "--timeout", "700ms", "--retries", "0"])
            #expect(try await child.end(within: .seconds(20)) == 0, "\(scratch.text(of: "err"))")
            #expect(scratch.text(of: "out") == "fine")
            #expect(server.requests.allSatisfy { !$0.contains("Reach-Deadline") })
        }

        @Test func `an unfinished head times out`() async throws {
            let server = try ScriptedServer(.paced(["HTTP/1.1 200 OK\r\n", "Length: 4\r\n\r\n"], pause: 3))
            let child = try start([server.url, "--timeout", "500ms", "--retries", "0"])
            #expect(try await child.end(within: .seconds(20)) == 1)
            #expect(scratch.text(of: "err") == "reach: not fetched: timeout\n")
        }

        @Test(
            arguments: [
                (["URL"], 0, "fine", ""), (["URL", "-o", "-"], 0, "fine", ""), (["URL", "-o", "/dev/null"], 0, "", ""),
                (["URL", "-o", "/dev/stdout"], 0, "fine", ""), (["URL/404"], 1, "", "not fetched: HTTP 404"),
                (["URL/404", "--fail-with-body"], 1, "nope", "not fetched: HTTP 404"), (["URL/404", "-q"], 1, "", ""),
                (["URL/302", "--follow", "0"], 1, "", "not fetched: HTTP 302"), (["URL/302"], 0, "fine", ""),
                (["URL", "-o", "/dev/full"], 1, "", "not fetched: cannot write /dev/full: No space left on device"),
                (["http://me:secret@127.0.0.1:0/"], 2, "", "the URL: invalid port \"0\""),
                (["ftp://me:secret@h/"], 2, "", "the URL: only http:// and https:// can be fetched"),
                (["URL", "-o", "."], 2, "", "-o: . is a folder"),
                (["URL", "-o", "no/file"], 2, "", "-o: cannot write"),
                (["URL", "-d", "@none"], 2, "", "cannot read none: No such file"), ([], 2, "", "Missing expected"),
                (["URL", "-H", "a: b", "-H", "secret"], 2, "", "-H no. 2"),
                (["URL", "-H", "Content-Length: 7"], 2, "", "-H Content-Length"),
                (["URL", "-X", "GE T"], 2, "", "-X"), (["URL", "--within", "5"], 2, "", "The value '5' is invalid"),
                (["URL", "--retries", "11"], 2, "", "--retries 11: must be between 0 and 10"),
            ] as [([String], Int32, String, String)]
        )
        func `the exit status matches the result`(
            _ words: [String],
            _ status: Int32,
            _ output: String,
            _ errors: String
        ) throws {
            let server = try ScriptedServer(
                words.first?.hasSuffix("/404") == true
                    ? ScriptedServer.answer("404 Not Found", body: "nope")
                    : words.first?.hasSuffix("/302") == true
                        ? ScriptedServer.answer("302 Found", "Location: /")
                        : ScriptedServer.answer("200 OK", body: "fine"),
                ScriptedServer.answer("200 OK", body: "fine")
            )
            let words = words.map { $0.replacing("URL", with: server.url) }
            let tool = try Tool.run([Program.path, "fetch"] + words, in: scratch.path)
            #expect(tool.status == status, "\(tool.errors)")
            #expect(tool.output == output)
            #expect(errors.isEmpty ? tool.errors.isEmpty : tool.errors.hasPrefix("reach: \(errors)"), "\(tool.errors)")
            #expect(!tool.errors.contains("secret"))
        }

        @Test func `a closed pipe ends it silently`() throws {
            let server = try ScriptedServer(.zeros(mebibytes: 20))
            let line = "{ \(Program.path) fetch \(server.url); echo $? > status; } | head -c 5 | wc -c"
            let tool = try Tool.run(["bash", "-c", line], in: scratch.path)
            #expect(tool.output.trimmingCharacters(in: .whitespacesAndNewlines) == "5")
            #expect(tool.errors.isEmpty)
            #expect(scratch.text(of: "status") == "141\n")
        }

        @Test(.enabled(if: geteuid() == 0, "mounting needs root"))
        func `a name whose second address alone answers is fetched`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("200 OK", body: "fine"))
            try scratch.write("::1 twofold.test\n127.0.0.1 twofold.test\n", to: "hosts", mode: 0o644)
            let line = """
                mount --bind \(scratch.file("hosts")) /etc/hosts
                \(Program.path) fetch http://twofold.test:\(server.port) --within 5s
                """
            let tool = try Tool.run(["unshare", "--mount", "sh", "-c", line], in: scratch.path)
            #expect(tool.output == "fine", "\(tool.errors)")
            #expect(tool.status == 0)
        }

        @Test func `a closed standard output is an error`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("200 OK", body: "fine"))
            let tool = try Tool.run(["sh", "-c", "\(Program.path) fetch \(server.url) >&-; echo $?"], in: scratch.path)
            #expect(tool.errorLines == ["reach: not fetched: cannot write standard output: Bad file descriptor"])
            #expect(tool.output == "1\n")
        }

        @Test func `the file's permissions follow the umask`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("200 OK", body: "fine"))
            let line = "umask 027; \(Program.path) fetch \(server.url) -o file && stat -c %a file"
            let tool = try Tool.run(["sh", "-c", line], in: scratch.path)
            #expect(tool.output == "640\n", "\(tool.errors)")
        }
    }
}
