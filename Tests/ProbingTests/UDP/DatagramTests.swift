import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct DatagramTests {
    /// The first outcome of a target that sends to such a server.
    private func outcome(
        host: String = "127.0.0.1",
        _ options: UDPOptions,
        _ words: @escaping @Sendable (NameServer.Question) -> [NameServer.Word]
    ) async throws -> Outcome {
        let server = try await NameServer.on(host: host, words)
        let tower = Watchtower()
        tower.watch(
            [.udp(host: host, port: server.port, options)],
            interval: .milliseconds(500),
            timeout: .milliseconds(500)
        )
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `an echo is an answer`(host: String) async throws {
        let outcome = try await outcome(host: host, UDPOptions(send: "hello")) { [.say($0.query)] }
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.phases.map(\.phase) == [.resolve, .processing])
        #expect(try #require(reply.roundTrip) > .zero)
    }

    @Test func `any bytes may be sent, and an answer may have them`() async throws {
        let bytes: [UInt8] = [0, 1, 255, 0, 128]
        let options = UDPOptions(send: Payload(bytes: bytes), expect: #"^\x00\x01"#)
        let outcome = try await outcome(options) { $0.query == bytes ? [.say($0.query)] : [] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `an empty datagram may be sent, and is an answer`() async throws {
        let outcome = try await outcome(UDPOptions()) { $0.query.isEmpty ? [.say([])] : [] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `the expected answer is a reply`() async throws {
        let options = UDPOptions(send: "ping\n", expect: "^PONG [0-9]+$")
        let outcome = try await outcome(options) { question in
            question.query == Array("ping\n".utf8) ? [.say(Array("PONG 7".utf8))] : []
        }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `another answer is a mismatch and is quoted`() async throws {
        let options = UDPOptions(send: "ping", expect: "^PONG$")
        let outcome = try await outcome(options) { _ in [.say(Array("busy\u{1B}[31m".utf8))] }
        #expect(outcome == .failure(Failure(.answerMismatch, detail: #"unexpected answer "busy[31m""#)))
        let empty = try await self.outcome(options) { _ in [.say([])] }
        #expect(empty == .failure(Failure(.answerMismatch, detail: "an empty answer")))
    }

    @Test func `the longest datagram is an answer`() async throws {
        let options = UDPOptions(send: "x", expect: "^a{4096}")
        let outcome = try await outcome(options) { _ in [.say(Array(repeating: UInt8(ascii: "a"), count: 65_507))] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `an answer from elsewhere is none, and silence a timeout`() async throws {
        #expect(try await outcome(UDPOptions(send: "x")) { [.sayElsewhere($0.query)] } == .timeout)
        #expect(try await outcome(UDPOptions(send: "x")) { _ in [] } == .timeout)
    }

    @Test func `a port where nobody listens refuses, again and again`() async throws {
        let server = try await NameServer.on { _ in [] }
        let port = server.port
        try await server.close()
        let tower = Watchtower()
        tower.watch([.udp(host: "127.0.0.1", port: port, UDPOptions(send: "x"))])
        #expect(await tower.observations(3).allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await tower.engine.shutdown()
    }

    @Test func `a pattern that is none is our fault`() async throws {
        guard case .fault = try await outcome(UDPOptions(send: "x", expect: "("), { [.say($0.query)] }) else {
            Issue.record("no fault")
            return
        }
    }
}
