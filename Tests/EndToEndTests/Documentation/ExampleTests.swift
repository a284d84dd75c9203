import Foundation
import Testing

extension EndToEnd {
    /// The programs of Examples/, which use only the library's public interface.
    @Suite(.serialized, .enabled(if: Example.areBuilt, "Examples/ is not built beside the program: Scripts/check does"))
    struct ExampleTests {
        private let scratch: Scratch

        init() throws {
            scratch = try Scratch()
        }

        private func words(_ words: [String]) -> [String] {
            [Example.path(of: words[0])] + words.dropFirst()
        }

        private func run(_ arguments: String...) throws -> Tool {
            try Tool.run(words(arguments), in: scratch.path, within: .seconds(20))
        }

        private func start(_ arguments: String...) throws -> Child {
            try scratch.start(words(arguments))
        }

        /// Waits until the program has written exactly these lines.
        private func lines(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) async throws {
            let written = { scratch.lines(of: "out") }
            try await eventually("lines \(expected)", within: .seconds(20), context: { "\(written())" }) {
                written().count >= expected.count
            }
            #expect(written() == expected, sourceLocation: sourceLocation)
        }

        @Test func `reachable prints whether a target answers, or the reason`() throws {
            let listener = try Listener()
            let place = "127.0.0.1:\(listener.port)"

            let up = try run("reachable", place)
            #expect(up.status == 0)
            #expect(up.lines == ["so far: unknown", "\(place) answers by loopback"])

            listener.stop()
            let down = try run("reachable", place)
            #expect(down.status == 1)
            #expect(down.lines.last == "\(place) does not: refused")

            let wrong = try run("reachable", "htps://127.0.0.1")
            #expect(wrong.status == 2)
            #expect(wrong.lines == ["unknown method \"htps\" – did you mean \"https\"?"])
        }

        @Test func `first has the shortest uses`() throws {
            let listener = try Listener()
            let up = try run("first", "127.0.0.1", "\(listener.port)")
            #expect(up.status == 0)
            #expect(up.lines.first?.hasPrefix("internet: ") == true)
            #expect(
                up.lines.dropFirst() == [
                    "host: reachable by loopback", "port: reachable by loopback", "so far: reachable by loopback",
                    "still there",
                ]
            )

            let wrong = try run("first", "-", "80")
            #expect(wrong.status == 1)
            #expect(wrong.lines.last == "invalid subject: the host is missing")
        }

        @Test func `service logs changes, and ends with its group`() async throws {
            let listener = try Listener()
            let place = "tcp://127.0.0.1:\(listener.port)"
            let child = try start("service", place)
            defer { child.send(SIGKILL) }
            let logged = { scratch.text(of: "err") + scratch.text(of: "out") }
            try await eventually("the first change", within: .seconds(20), context: logged) {
                logged().contains("\(place): reachable by loopback")
            }
            child.send(SIGTERM)
            #expect(try await child.end(within: .seconds(20)) == 0)
        }

        @Test func `changes prints the current status, then each change`() async throws {
            let listener = try Listener()
            let place = "tcp://127.0.0.1:\(listener.port)"
            let child = try start("changes", place)
            defer { child.send(SIGKILL) }
            try await lines(["\(place): unknown", "\(place): reachable by loopback"])
            listener.stop()
            try await lines([
                "\(place): unknown", "\(place): reachable by loopback", "\(place): unreachable: refused",
            ])
        }

        @Test func `once waits for its host until the timeout`() async throws {
            let listener = try Listener()
            listener.stop()
            let place = "127.0.0.1:\(listener.port)"
            let late = try run("once", place, "1")
            #expect(late.status == 124)
            #expect(late.lines.last == "\(place): timeout")

            let child = try start("once", place, "60")
            defer { child.send(SIGKILL) }
            try await eventually("waiting message") { scratch.text(of: "err") == "waiting for \(place)\n" }
            try await listener.start()
            #expect(try await child.end(within: .seconds(20)) == 0)
            #expect(scratch.text(of: "out").hasPrefix("done at "))
        }

        @Test func `requests writes each request in its way`() throws {
            let server = try ScriptedServer(ScriptedServer.answer("200 OK", body: "fine"))
            let tool = try run("requests", "127.0.0.1:\(server.port)")
            #expect(tool.lines == ["4", "4", "4", "4", "4", "200 4", "200", "4"], "\(tool.lines)")
            #expect(
                server.requests.compactMap { $0.split(separator: " ").dropFirst().first }
                    == ["/text", "/", "/url", "/limit", "/fields", "/typed", "/stream"]
            )
            #expect(server.requests.filter { $0.contains("\r\nAccept: text/plain\r\n") }.count == 2)
        }

        @Test func `fetch retries until there is an answer`() async throws {
            let server = try ScriptedServer(
                ScriptedServer.answer("503 Service Unavailable"),
                ScriptedServer.answer("200 OK", body: "at last\n")
            )
            let child = try start("fetch", server.url)
            defer { child.send(SIGKILL) }
            #expect(try await child.end(within: .seconds(20)) == 0)
            #expect(scratch.text(of: "out") == "at last\n")
            #expect(scratch.lines(of: "err").first?.hasPrefix("try 1: HTTP 503; again in ") == true)
            #expect(server.requests.count == 2)

            let missing = try ScriptedServer(ScriptedServer.answer("404 Not Found", body: "no such page"))
            let tool = try run("fetch", missing.url)
            #expect(tool.status == 22)
            #expect(tool.errorLines == ["HTTP 404: no such page"])
            #expect(missing.requests.count == 1)
        }

        @Test func `connection prints the states of a connection that is reset and restored`() async throws {
            let listener = try HoldingListener()
            let child = try start("connection", "127.0.0.1", "\(listener.port)")
            defer { child.send(SIGKILL) }
            try await lines(["setup", "preparing", "ready: 127.0.0.1"])
            listener.reset()
            let whole = ["setup", "preparing", "ready: 127.0.0.1"]
            try await lines(whole + ["failed: reset"] + whole.dropFirst())
        }

        @Test func `many prints the changes of each target`() async throws {
            let (one, other) = (try Listener(), try Listener())
            let urls = [one, other].map { "tcp://127.0.0.1:\($0.port)" }
            let child = try start("many", urls[0], urls[1])
            defer { child.send(SIGKILL) }
            try await eventually("both up", context: { scratch.text(of: "out") }) {
                Set(scratch.lines(of: "out")) == Set(urls.map { "\($0) is up" })
            }
            one.stop()
            try await eventually("one down", within: .seconds(20), context: { scratch.text(of: "out") }) {
                scratch.lines(of: "out").last == "\(urls[0]) is down: refused"
            }
            #expect(scratch.lines(of: "out").count == 3)
        }

        @Test func `network prints the usable interfaces`() throws {
            let tool = try run("network", "127.0.0.1")
            #expect(tool.status == 0)
            #expect(tool.lines.count == 3)
            #expect(tool.lines.last == "route to 127.0.0.1: reachable by loopback")
        }
    }
}
