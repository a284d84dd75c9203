import NIOCore
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HTTPCheckTests {
    private static let health = #"{ "status": "degraded", "db": { "up": true, "count": 3 }, "items": [], "v": "1.2" }"#

    /// Returns the failure of a probe whose response is this text; nil for a reply.
    private func failure(of response: String = WebServer.ok(health), _ options: HTTPOptions) async throws -> Failure? {
        try await failure(of: .send(response), options)
    }

    private func failure(of answer: WebServer.Action, _ options: HTTPOptions) async throws -> Failure? {
        let server = try await WebServer.on { _ in answer }
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: server.port, options: options)
        let harness = EngineHarness()
        harness.watch([.http(question)], interval: .seconds(10), timeout: .seconds(10))
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        switch observation.outcome {
        case .reply: return nil
        case .failure(let failure): return failure
        case .timeout, .fault: throw Unexpected(outcome: observation.outcome)
        }
    }

    private func json(_ path: String, _ condition: HTTPOptions.Condition = .exists) throws -> HTTPOptions {
        HTTPOptions(json: [HTTPOptions.JSONCheck(try HTTPOptions.JSONPath(path), condition)])
    }

    @Test(
        arguments: [
            ("$.status", .exists), ("$.status", .equals(.string("degraded"))), ("$.db.up", .equals(.boolean(true))),
            ("$.db.count", .equals(.number(3))), ("$.items", .exists), ("$.v", .matches(#"^1\."#)),
            ("$.db.count", .matches("^3$")),
        ] as [(String, HTTPOptions.Condition)]
    )
    func `a JSON body with the expected value is a reply`(path: String, condition: HTTPOptions.Condition) async throws {
        #expect(try await failure(json(path, condition)) == nil)
    }

    @Test func `a failure has the beginning of its response`() async throws {
        let busy = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\nSet-Cookie: id=1\r\n\r\nback"
        let status = try #require(try await failure(of: busy, HTTPOptions()))
        #expect(status.response == "HTTP/1.1 503 Busy\nContent-Length: 4\nSet-Cookie: …\n\nback")
        let head = "HTTP/1.1 503 Busy\r\nContent-Length: 4\r\n\r\n"
        let later = try #require(
            try await failure(of: .sendInTwoParts(.nanoseconds(0), head, .milliseconds(5), "back"), HTTPOptions())
        )
        #expect(later.response == "HTTP/1.1 503 Busy\nContent-Length: 4\n\nback")
        // Without a body in a moment, the head is enough.
        let held = try #require(try await failure(of: .sendAndHold(head), HTTPOptions()))
        #expect(held.response == "HTTP/1.1 503 Busy\nContent-Length: 4" && held.httpStatus == 503)
        let chunked = "HTTP/1.1 503 Busy\r\nTransfer-Encoding: chunked\r\n\r\n"
        let wrong = try #require(
            try await failure(of: .sendInTwoParts(.nanoseconds(0), chunked, .milliseconds(5), "x\r\n"), HTTPOptions())
        )
        #expect(wrong.httpStatus == 503)
        let mismatch = try #require(try await failure(try json("$.gone")))
        #expect(mismatch.response?.hasSuffix(Self.health) == true)
    }

    @Test(
        arguments: [
            ("$.status", .equals(.string("ok")), #"JSON $.status is "degraded", not "ok""#),
            ("$.gone", .exists, "JSON $.gone is missing"),
            ("$.db.up", .equals(.string("true")), #"JSON $.db.up is true, not "true""#),
            ("$.db.count", .equals(.number(4)), "JSON $.db.count is 3, not 4"),
            ("$.db", .equals(.string("ok")), #"JSON $.db is an object, not "ok""#),
            ("$.items", .matches("x"), "JSON $.items is an array, not a text"),
            ("$.v", .matches("^2"), #"no match in JSON $.v: "1.2""#),
        ] as [(String, HTTPOptions.Condition, String)]
    )
    func `another JSON value is a failure in words`(
        path: String,
        condition: HTTPOptions.Condition,
        detail: String
    ) async throws {
        let failure = try await failure(json(path, condition))
        #expect(failure == Failure(.httpBody, detail: detail, httpStatus: 200))
    }

    @Test func `the first check that fails is reported`() async throws {
        let paths = ["$.status", "$.one", "$.other"].map { try? HTTPOptions.JSONPath($0) }.compactMap(\.self)
        let options = HTTPOptions(json: paths.map { HTTPOptions.JSONCheck($0) })
        #expect(try await failure(options)?.detail == "JSON $.one is missing")
    }

    @Test(arguments: [
        ("<html>down</html>", #"not JSON: unexpected "<html>do…" at byte 1"#), ("", "not JSON: the body is empty"),
        ("{\"status\":", "not JSON: it ends too early"),
    ])
    func `a body that is not JSON is a failure`(body: String, detail: String) async throws {
        #expect(try await failure(of: WebServer.ok(body), json("$.status"))?.detail == detail)
    }

    @Test func `a JSON body beyond the limit is a failure`() async throws {
        let body = "[\"\(String(repeating: "x", count: HTTPOptions.maxBodyLength))\"]"
        let failure = try await failure(of: WebServer.ok(body), json("$"))
        #expect(failure?.detail == "not JSON: the body is longer than 1 MiB")
    }

    @Test func `hostile values are shortened and have no control characters`() async throws {
        let text = "\\u001b[2J" + String(repeating: "A", count: 100_000)
        let body = "{ \"status\": \"\(text)\" }"
        let failure = try await failure(of: WebServer.ok(body), json("$.status", .equals(.string("ok"))))
        #expect(failure?.detail == #"JSON $.status is "[2JAAAAAAAAAAAAA…", not "ok""#)
        let header = WebServer.answer("200 OK", headers: "X-A: \u{1B}[2J\(String(repeating: "A", count: 1_000))\r\n")
        let options = HTTPOptions(responseHeaders: [.init("X-A", .equals(.string("b")))])
        #expect(try await self.failure(of: header, options)?.detail == #"header X-A is "[2JAAAAAAAAAAAAA…", not "b""#)
    }

    @Test(
        arguments: [
            ("content-type", .exists, nil), ("Content-Type", .equals(.string("application/json")), nil),
            ("Content-Type", .matches("json$"), nil), ("X-Tag", .equals(.string("b")), nil),
            ("X-Tag", .equals(.string("a, b")), nil), ("X-Tag", .matches("^a, b$"), nil),
            ("Content-Length", .equals(.number(2)), nil), ("Location", .equals(.string("/x")), nil),
            ("X-Gone", .exists, "header X-Gone is missing"),
            (
                "Content-Type", .equals(.string("text/html")),
                #"header Content-Type is "application/json", not "text/html""#
            ), ("Content-Type", .matches("^text/"), #"no match in header Content-Type: "application/json""#),
        ] as [(String, HTTPOptions.Condition, String?)]
    )
    func `header fields are checked`(name: String, condition: HTTPOptions.Condition, detail: String?) async throws {
        let headers = "Content-Type: application/json\r\nX-Tag: a\r\nx-tag: b\r\nLocation: /x\r\n"
        let response = WebServer.answer("200 OK", headers: headers, "{}")
        let failure = try await failure(of: response, HTTPOptions(responseHeaders: [.init(name, condition)]))
        #expect(failure == detail.map { Failure(.answerMismatch, detail: $0, httpStatus: 200) })
    }

    @Test func `a body must not match the negative pattern`() async throws {
        #expect(try await failure(of: WebServer.ok("all fine"), HTTPOptions(bodyNot: "error|fatal")) == nil)
        #expect(try await failure(of: WebServer.ok(""), HTTPOptions(bodyNot: "error|fatal")) == nil)
        let failure = try await failure(of: WebServer.ok("fatal: no space"), HTTPOptions(bodyNot: "error|fatal"))
        let detail = "unwanted match in the body: error|fatal"
        #expect(failure == Failure(.httpBody, detail: detail, httpStatus: 200))
    }

    @Test func `all checks of a response must hold`() async throws {
        var options = try json("$.status", .equals(.string("degraded")))
        options.body = "degraded"
        options.bodyNot = "fatal"
        options.responseHeaders = [.init("Content-Length", .matches("^[0-9]+$"))]
        #expect(try await failure(options) == nil)
        options.bodyNot = "db"
        #expect(try await failure(options)?.detail == "unwanted match in the body: db")
        options.body = "absent"
        #expect(try await failure(options)?.detail.hasPrefix("no match in the body") == true)
    }

    @Test func `a slow pattern for a header is a fault`() async throws {
        let value = String(repeating: "a", count: 17)
        let response = WebServer.answer("200 OK", headers: "X-A: \(value)!\r\n")
        let server = try await WebServer.on { _ in .send(response) }
        let options = HTTPOptions(responseHeaders: [.init("X-A", .matches("^(a+)+$"))])
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: server.port, options: options)
        let harness = EngineHarness()
        harness.watch([.http(question)], interval: .seconds(2), timeout: .seconds(2))
        let observation = try #require(await harness.observations(1).first)
        guard case .fault(let fault) = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        #expect(fault.detail == "the pattern ^(a+)+$ takes too long – simplify it")
        await harness.engine.shutdown()
        try await server.close()
    }
}
