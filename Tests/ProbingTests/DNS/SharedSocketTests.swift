import Monitoring
import TestSupport
import Testing

@testable import Probing

/// Concurrent queries share a socket, and each is answered.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SharedSocketTests {
    @Test func `concurrent queries on a shared socket are all answered`() async throws {
        let server = try await NameServer.on { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let harness = EngineHarness()
        let questions = (0..<100).map { number in
            Question.dns(DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "n\(number).example"))
        }
        harness.watch(questions, interval: .seconds(1), timeout: .seconds(1))
        let outcomes = await harness.observations(200).map(\.outcome)
        await harness.engine.shutdown()
        try await server.close()
        let unanswered = outcomes.filter(\.isLoss)
        // A reader that drops datagrams loses one of each batch.
        #expect(unanswered.count < 10, "\(unanswered.count) of \(outcomes.count)")
    }
}
