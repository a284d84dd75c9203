import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct DatagramTests {
    /// Returns the first outcome of a probe of a scripted server.
    private func outcome(
        host: String = "127.0.0.1",
        _ options: UDPOptions,
        _ answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Action]
    ) async throws -> Outcome {
        let server = try await NameServer.on(host: host, answer)
        let harness = EngineHarness()
        harness.watch(
            [.udp(host: host, port: server.port, options)],
            interval: .milliseconds(500),
            timeout: .milliseconds(500)
        )
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    @Test(arguments: ["127.0.0.1", "::1"])
    func `an echo is a reply`(host: String) async throws {
        let outcome = try await outcome(host: host, UDPOptions(send: "hello")) { [.send($0.query)] }
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.phases.map(\.phase) == [.resolve, .processing])
        #expect(try #require(reply.roundTrip) > .zero)
    }

    @Test func `payload and answer may have any bytes`() async throws {
        let bytes: [UInt8] = [0, 1, 255, 0, 128]
        let options = UDPOptions(send: Payload(bytes: bytes), expect: #"^\x00\x01"#)
        let outcome = try await outcome(options) { $0.query == bytes ? [.send($0.query)] : [] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `an empty datagram may be sent and is a reply`() async throws {
        let outcome = try await outcome(UDPOptions()) { $0.query.isEmpty ? [.send([])] : [] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `the expected answer is a reply`() async throws {
        let options = UDPOptions(send: "ping\n", expect: "^PONG [0-9]+$")
        let outcome = try await outcome(options) { question in
            question.query == Array("ping\n".utf8) ? [.send(Array("PONG 7".utf8))] : []
        }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `an unexpected answer is quoted`() async throws {
        let options = UDPOptions(send: "ping", expect: "^PONG$")
        let outcome = try await outcome(options) { _ in [.send(Array("busy\u{1B}[31m".utf8))] }
        #expect(outcome == .failure(Failure(.answerMismatch, detail: #"unexpected answer "busy[31m""#)))
        let empty = try await self.outcome(options) { _ in [.send([])] }
        #expect(empty == .failure(Failure(.answerMismatch, detail: "empty answer")))
    }

    @Test func `the longest datagram is a reply`() async throws {
        let options = UDPOptions(send: "x", expect: "^a{4096}")
        let outcome = try await outcome(options) { _ in [.send(Array(repeating: UInt8(ascii: "a"), count: 65_507))] }
        guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
    }

    @Test func `an answer from another port and no answer are timeouts`() async throws {
        #expect(try await outcome(UDPOptions(send: "x")) { [.sendFromOtherPort($0.query)] } == .timeout)
        #expect(try await outcome(UDPOptions(send: "x")) { _ in [] } == .timeout)
    }

    @Test func `a closed port is refused every time`() async throws {
        let harness = EngineHarness()
        let question = Question.udp(host: "127.0.0.1", port: Listener.closedPort, UDPOptions(send: "x"))
        harness.watch([question], timeout: .seconds(5))
        #expect(await harness.observations(3).allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await harness.engine.shutdown()
    }

    @Test func `an invalid pattern is a fault`() async throws {
        guard case .fault = try await outcome(UDPOptions(send: "x", expect: "("), { [.send($0.query)] }) else {
            Issue.record("no fault")
            return
        }
    }
}
