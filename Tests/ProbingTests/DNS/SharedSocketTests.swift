import Monitoring
import Testing

@testable import Probing

/// Queries that leave together share a socket, and each is answered all the same.
@Suite(.timeLimit(.minutes(1)))
struct SharedSocketTests {
    @Test func `of many queries that leave together none goes unanswered`() async throws {
        let server = try await NameServer.on { question in
            [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let tower = Watchtower()
        let questions = (0..<100).map { number in
            Question.dns(DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "n\(number).example"))
        }
        tower.watch(questions, interval: .seconds(1), timeout: .seconds(1))
        let outcomes = await tower.observations(200).map(\.outcome)
        await tower.engine.shutdown()
        try await server.close()
        let unanswered = outcomes.filter(\.isLoss)
        // A reader that throws datagrams away loses one of each batch.
        #expect(unanswered.count < 10, "\(unanswered.count) of \(outcomes.count)")
    }
}
