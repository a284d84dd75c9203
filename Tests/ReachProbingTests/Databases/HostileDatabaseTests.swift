import NIOCore
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// Database servers that break their protocols, and slow ones that do not.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HostileDatabaseTests {
    private struct Missing: Error {}

    /// Answers of each protocol that accept a client. MySQL's is two: the greeting, and the result of the login.
    private static let redis = "+PONG\r\n"
    private static let postgres = "R\0\0\0\u{8}\0\0\0\0S\0\0\0\u{18}server_version\015.3\0Z\0\0\0\u{5}I"
    private static let greeting = "\u{27}\0\0\0\u{A}8.0.36\0" + String(repeating: "x", count: 31)
    private static let okay = "\u{7}\0\0\u{2}\0\0\0\u{2}\0\0\0"

    private func outcome(
        of wireProtocol: DatabaseQuestion.WireProtocol,
        greeting: WebServer.Action? = nil,
        timeout: Duration = .seconds(10),
        answer: WebServer.Action = .close
    ) async throws -> Outcome {
        let server = try await WebServer.on(greeting: greeting, waitsForRequest: false) { _ in answer }
        let harness = EngineHarness()
        let question = DatabaseQuestion(wireProtocol, host: "127.0.0.1", port: server.port)
        harness.watch([.database(question)], interval: timeout, timeout: timeout)
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func reply(_ outcome: Outcome) throws -> Reply {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply
    }

    @Test func `an answer of one byte at a time is a reply`() async throws {
        let redis = try reply(await outcome(of: .redis, answer: .trickle(.milliseconds(5), Self.redis)))
        #expect(redis.phases.map(\.phase) == [.connect, .processing] && redis.detail == nil)
        let postgres = try reply(await outcome(of: .postgres, answer: .trickle(.milliseconds(2), Self.postgres)))
        #expect(postgres.detail == "PostgreSQL 15.3")
        // The server sends both parts of MySQL before it has read the login.
        let both = Self.greeting + Self.okay
        let mysql = try reply(await outcome(of: .mysql, greeting: .trickle(.milliseconds(2), both)))
        #expect(mysql.detail == "8.0.36")
    }

    @Test(arguments: DatabaseQuestion.WireProtocol.allCases)
    func `silence is a timeout`(wireProtocol: DatabaseQuestion.WireProtocol) async throws {
        let outcome = try await outcome(of: wireProtocol, greeting: .sendAndHold(""), timeout: .milliseconds(300))
        #expect(outcome == .timeout)
    }

    @Test func `silence after the beginning of an answer is a timeout`() async throws {
        let short = Duration.milliseconds(300)
        #expect(try await outcome(of: .redis, timeout: short, answer: .sendAndHold("+PO")) == .timeout)
        let login = String(Self.postgres.prefix(9))
        #expect(try await outcome(of: .postgres, timeout: short, answer: .sendAndHold(login)) == .timeout)
        #expect(try await outcome(of: .mysql, greeting: .sendAndHold(Self.greeting), timeout: short) == .timeout)
    }

    @Test(arguments: DatabaseQuestion.WireProtocol.allCases)
    func `a closed connection is a failure`(wireProtocol: DatabaseQuestion.WireProtocol) async throws {
        #expect(
            try await outcome(of: wireProtocol, greeting: wireProtocol == .mysql ? .close : nil)
                == .failure(Failure(.closed, detail: "closed without an answer"))
        )
    }

    @Test func `a connection that closes in the middle of the login is a failure`() async throws {
        let failure = Failure(.closed, detail: "closed in the middle of the login")
        #expect(try await outcome(of: .redis, answer: .send("+PO")) == .failure(failure))
        // The login may reach a socket that is closed already.
        guard case .failure(let other) = try await outcome(of: .mysql, greeting: .send(Self.greeting)) else {
            throw Missing()
        }
        #expect(other == failure || other.reason == .reset)
    }

    @Test(arguments: DatabaseQuestion.WireProtocol.allCases, ["HTTP/1.1 400 Bad Request\r\n\r\n", "\0\0\0\0\0\0"])
    func `another protocol is a failure`(wireProtocol: DatabaseQuestion.WireProtocol, text: String) async throws {
        guard case .failure(let failure) = try await outcome(of: wireProtocol, greeting: .sendAndHold(text)) else {
            throw Missing()
        }
        #expect(failure.reason == .protocolError && failure.detail.hasPrefix("the answer is not "), "\(failure)")
    }

    @Test func `an endless answer is a failure`() async throws {
        let line = WebServer.Action.endless("+", String(repeating: "x", count: 1_000))
        #expect(
            try await outcome(of: .redis, answer: line)
                == .failure(Failure(.protocolError, detail: "the answer of Redis exceeds 64 KiB"))
        )
        let notice = "N\0\0\u{3}\u{4}" + String(repeating: "x", count: 768)
        #expect(
            try await outcome(of: .postgres, answer: .endless("", notice))
                == .failure(Failure(.protocolError, detail: "the answer of PostgreSQL exceeds 64 KiB"))
        )
    }

    @Test func `a server that refuses TLS is a failure`() async throws {
        let server = try await WebServer.on(waitsForRequest: false) { _ in .sendAndHold("N") }
        let question = DatabaseQuestion(
            .postgres,
            isSecure: true,
            host: "127.0.0.1",
            port: server.port,
            tls: TLSOptions(verifies: false)
        )
        let harness = EngineHarness()
        harness.watch([.database(question)], interval: .seconds(10), timeout: .seconds(10))
        let outcome = await harness.observations(1).first?.outcome
        #expect(outcome == .failure(Failure(.tlsFailed, detail: "the server refuses TLS")))
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test func `Redis over TLS shows the days of its certificate`() async throws {
        let root = try Authority()
        let server = try await WebServer.on(tls: root.certify().context(), waitsForRequest: false) { _ in
            .sendAndHold(Self.redis)
        }
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let question = DatabaseQuestion(
            .redis,
            isSecure: true,
            host: "good.example",
            port: server.port,
            tls: TLSOptions(ca: try root.file())
        )
        harness.watch([.database(question)], interval: .seconds(20), timeout: .seconds(20))
        let reply = try reply(try #require(await harness.observations(1).first).outcome)
        #expect(reply.detail == "61 days" && reply.certificateExpiry != nil)
        #expect(reply.phases.map(\.phase) == [.resolve, .connect, .tls, .processing])
        await harness.engine.shutdown()
        try await server.close()
    }
}
