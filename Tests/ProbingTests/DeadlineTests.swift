import Monitoring
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct DeadlineTests {
    /// How a probe of this question ends, of whose 20 s all but 0.2 s were spent on its name.
    private func outcome(
        _ question: Question,
        by make: @escaping @Sendable (ProberBench.Parts) -> any Prober
    ) async throws -> Outcome {
        let probe = Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: question,
            timeout: .seconds(20),
            made: .seconds(-19.8),
            address: IPAddress(literal: "127.0.0.1")
        )
        let start = ContinuousClock.now
        let outcome = try await ProberBench.end(of: probe, by: make).outcome
        #expect(ContinuousClock.now - start < .seconds(10))
        return outcome
    }

    @Test func `a timeout is for the whole of a TCP probe, with the time that its name took`() async throws {
        let listener = try await Listener.on()
        let outcome = try await outcome(.tcp(host: "a", port: listener.port, TCPOptions(expect: "x"))) {
            ConnectProber(loop: $0.loop, desk: $0.searches, time: $0.time, tell: $0.tell)
        }
        #expect(outcome == .timeout)
        try await listener.close()
    }

    @Test func `a timeout is for the whole of a UDP probe, with the time that its name took`() async throws {
        let server = try await NameServer.on { _ in [] }
        let outcome = try await outcome(.udp(host: "a", port: server.port)) {
            DatagramProber(loop: $0.loop, desk: $0.searches, time: $0.time, tell: $0.tell)
        }
        #expect(outcome == .timeout)
        try await server.close()
    }

    @Test func `a timeout is for the whole of a query, with the time that its server's name took`() async throws {
        let server = try await NameServer.on { _ in [] }
        let question = DNSQuestion(server: .host("a", port: server.port), name: "example.com")
        let outcome = try await outcome(.dns(question)) {
            DNSProber(loop: $0.loop, resolvers: { _ in [] }, time: $0.time, tell: $0.tell)
        }
        #expect(outcome == .timeout)
        try await server.close()
    }
}
