import Monitoring
import Testing

@testable import Probing

/// A pattern that backtracks: each character nearly triples its time, and these take seconds. Nothing can end it.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SlowSearchTests {
    private let pattern = "^(a+)+$"
    private let answer = String(repeating: "a", count: 17) + "!"

    /// Watches a target with the pattern, by short timeouts, beside another one, and holds both against what they are to
    /// come to: a fault that names the pattern, and never a loss, while the other keeps its schedule.
    private func watch(_ question: Question, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        tower.watch([question, .tcp(host: "127.0.0.1", port: listener.port)])
        let observations = await tower.observations { taken in
            taken.count { $0.target == Target.ID(0) } >= 3
        }
        await tower.engine.shutdown()
        try await listener.close()

        let slow = observations.filter { $0.target == Target.ID(0) }.map(\.outcome)
        let fault = Fault(.internal, detail: "the pattern \(pattern) takes too long: simplify it")
        #expect(slow == [.fault(fault), .fault(fault), .fault(fault)], sourceLocation: sourceLocation)
        let others = observations.filter { $0.target == Target.ID(1) }
        #expect(others.count >= 2, sourceLocation: sourceLocation)
        for observation in others {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        }
        // Every slot was used: none was void or skipped.
        #expect(others.map(\.sequence) == Array(1...others.count), sourceLocation: sourceLocation)
    }

    @Test func `a pattern that backtracks for ever disables its TCP target, and no other`() async throws {
        let peer = try await Listener.on(says: answer)
        try await watch(.tcp(host: "127.0.0.1", port: peer.port, TCPOptions(expect: pattern)))
        try await peer.close()
    }

    @Test func `a pattern that backtracks for ever disables its UDP target, and no other`() async throws {
        let server = try await NameServer.on { [answer] _ in [.say(Array(answer.utf8))] }
        try await watch(.udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "x", expect: pattern)))
        try await server.close()
    }

    @Test func `a pattern that backtracks for ever disables its HTTP target, and no other`() async throws {
        let peer = try await Listener.on(says: "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n\(answer)", closes: false)
        let options = HTTPOptions(body: pattern)
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: peer.port, options: options)
        try await watch(.http(question))
        try await peer.close()
    }

    @Test func `a pattern that backtracks for ever disables its session, and no other`() async throws {
        let peer = try await Listener.on(says: answer, closes: false)
        try await watch(.session(host: "127.0.0.1", port: peer.port, SessionOptions(expect: pattern)))
        try await peer.close()
    }

    @Test func `of twelve targets whose patterns backtrack for ever, the thirteenth does not notice`() async throws {
        let slow = try await Listener.on(says: answer, closes: false)
        let good = try await Listener.on(says: "SSH-2.0\r\n", closes: false)
        let tower = Watchtower()
        let questions = (1...12).map { number in
            // Each is another pattern.
            Question.tcp(
                host: "127.0.0.1",
                port: slow.port,
                TCPOptions(expect: "^(a+)+\(String(repeating: "$", count: number))")
            )
        }
        let last = Question.tcp(host: "127.0.0.1", port: good.port, TCPOptions(expect: "^SSH"))
        tower.watch(questions + [last], interval: .milliseconds(500), timeout: .milliseconds(500))
        let observations = await tower.observations { taken in taken.count { $0.target == Target.ID(12) } >= 4 }
        await tower.engine.shutdown()
        for listener in [slow, good] { try await listener.close() }
        for observation in observations {
            switch (observation.target.rawValue, observation.outcome) {
            case (12, .reply), (0..<12, .fault): break
            default: Issue.record("\(observation)")
            }
        }
    }
}
