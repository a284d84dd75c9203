import Monitoring
import Testing

@testable import Probing

/// A pattern that backtracks: each character nearly triples its time, and these take seconds. Nothing can end it.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct SlowSearchTests {
    private let pattern = "^(a+)+$"
    private let answer = String(repeating: "a", count: 17) + "!"

    /// Watches a target with the pattern, by short timeouts, beside another one, and holds both against what they are to
    /// come to: a timeout, and from then on a fault that names the pattern, while the other keeps its schedule.
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
        let fault = Fault(.internal, detail: "the search for \(pattern) takes longer than the timeout")
        #expect(slow == [.timeout, .fault(fault), .fault(fault)], sourceLocation: sourceLocation)
        let others = observations.filter { $0.target == Target.ID(1) }
        #expect(others.count >= 2, sourceLocation: sourceLocation)
        for observation in others {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        }
        // Every slot was used: none was void or skipped.
        #expect(others.map(\.sequence) == Array(1...others.count), sourceLocation: sourceLocation)
    }

    @Test func `a pattern that backtracks for ever costs its TCP target a probe, and the others nothing`() async throws
    {
        let peer = try await Listener.on(says: answer)
        try await watch(.tcp(host: "127.0.0.1", port: peer.port, TCPOptions(expect: pattern)))
        try await peer.close()
    }

    @Test func `a pattern that backtracks for ever costs its UDP target a probe, and the others nothing`() async throws
    {
        let server = try await NameServer.on { [answer] _ in [.say(Array(answer.utf8))] }
        try await watch(.udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "x", expect: pattern)))
        try await server.close()
    }

    @Test func `a pattern that backtracks for ever costs its HTTP target a probe, and the others nothing`() async throws
    {
        let peer = try await Listener.on(says: "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n\(answer)", closes: false)
        let options = HTTPOptions(body: pattern)
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: peer.port, options: options)
        try await watch(.http(question))
        try await peer.close()
    }
}
