import Foundation
import Logging
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachFleet
@testable import reach

/// Queries by HTTP.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FleetClientTests {
    /// The failure of a query to a server that answers with these words and the status 422.
    private func failure(_ words: String, _ credentials: ServerCredentials, _ redaction: SharedRedaction) async throws
        -> String
    {
        let body = #"{"status": "error", "errorType": "bad_data", "error": "\#(words)"}"#
        let server = try await ScriptedServer.on(.say(.answer("422 Unprocessable", body: body)))
        var settings = PrometheusSettings(name: "p", url: "http://127.0.0.1:\(server.port)")
        settings.credentials = credentials
        var planner = QueryPlanner(settings)
        let next = planner.next(at: .zero)
        let query = try #require(next)
        let client = FleetClient(environment: [:], redaction: redaction, now: { 0 }, logger: Logger(label: "test"))
        let result = await client.send(query.request, to: settings)
        await client.shutdown()
        try await server.stop()
        if case .failure(let failure) = result { return failure.text }
        return ""
    }

    @Test func `credentials that the server returns are hidden, also new ones of a file`() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let redaction = SharedRedaction()
        var credentials = ServerCredentials()
        credentials.tokenFile = file
        for token in ["token-one", "token-two"] {
            try token.write(toFile: file, atomically: true, encoding: .utf8)
            #expect(try await failure("got Bearer \(token)", credentials, redaction) == "got (hidden) (bad_data)")
        }
        (credentials.tokenFile, credentials.user, credentials.passwordFile) = (nil, "bob", file)
        try "hunter42\n".write(toFile: file, atomically: true, encoding: .utf8)
        let words = "Basic Ym9iOmh1bnRlcjQy, Ym9iOmh1bnRlcjQy, bob:hunter42"
        let hidden = "(hidden), (hidden), bob:(hidden) (bad_data)"
        #expect(try await failure(words, credentials, redaction) == hidden)
        // The log and the lines of watch have both tokens and the password hidden.
        #expect(redaction.current.text("token-one token-two hunter42") == "(hidden) (hidden) (hidden)")
    }

    @Test(arguments: [
        ("one\ntwo\n", "has several lines or control characters – it must have only a token or password"),
        (String(repeating: "x", count: 16_385), "is longer than 16384 bytes – it must have only a token or password"),
        (" \n", "has no token or password"),
    ])
    func `a file without one secret says why`(text: String, problem: String) throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        try text.write(toFile: file, atomically: true, encoding: .utf8)
        #expect(throws: QueryFailure.settings("\(file) \(problem)")) { try FleetClient.secret(in: file) }
    }

    @Test func `a FIFO without a writer is not waited for`() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "token-\(UUID().uuidString)").path
        defer { try? FileManager.default.removeItem(atPath: file) }
        #expect(mkfifo(file, 0o600) == 0)
        #expect(throws: QueryFailure.settings("\(file) has no token or password")) { try FleetClient.secret(in: file) }
    }

    @Test func `an answer without an end is read up to its limit`() async throws {
        let head = "HTTP/1.1 200 OK\r\nContent-Length: 9000000000\r\n\r\n"
        let (closings, closed) = AsyncStream.makeStream(of: Void.self)
        let server = try await ScriptedServer.on(.endless(head, "        "), onClose: { closed.yield() })
        let settings = PrometheusSettings(name: "p", url: "http://127.0.0.1:\(server.port)")
        let request = QueryRequest(
            path: "/api/v1/query",
            parameters: [],
            timeout: .seconds(40),
            limits: QueryResultReader.Limits(series: 1, bytes: 100_000)
        )
        let client = FleetClient(environment: [:], redaction: .init(), now: { 0 }, logger: Logger(label: "test"))
        #expect(await client.send(request, to: settings) == .failure(.tooLong))
        for await _ in closings { break }
        await client.shutdown()
        try await server.stop()
    }

    @Test(arguments: [
        ("http://p/graph", QueryFailure.status(404), "HTTP 404 – remove /graph from the URL"),
        ("http://p/x/alerts", .notJSON("HTML"), "HTML – remove /alerts from the URL"),
        ("http://p/graph", .status(503), "HTTP 503"),
        ("http://p/paragraph", .status(404), "HTTP 404"),
    ])
    func `the URL of a page has a fix`(url: String, failure: QueryFailure, text: String) {
        #expect(FleetClient.hint(failure, at: url).text == text)
    }
}
