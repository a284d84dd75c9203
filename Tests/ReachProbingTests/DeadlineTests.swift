import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct DeadlineTests {
    /// The outcome of a probe whose name lookup took all but 0.2 s of its 20 s.
    private func outcome(
        _ question: Question,
        by make: @escaping @Sendable (ProberBench.Parts) -> any MethodProber
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

    @Test func `the timeout of a TCP probe includes its name lookup`() async throws {
        let listener = try await Listener.on()
        let outcome = try await outcome(.tcp(host: "a", port: listener.port, TCPOptions(expect: "x"))) {
            ConnectProber($0.environment)
        }
        #expect(outcome == .timeout)
        try await listener.close()
    }

    @Test func `the timeout of a UDP probe includes its name lookup`() async throws {
        let server = try await NameServer.on { _ in [] }
        let outcome = try await outcome(.udp(host: "a", port: server.port)) {
            DatagramProber($0.environment)
        }
        #expect(outcome == .timeout)
        try await server.close()
    }

    @Test func `the timeout of a DNS probe includes the lookup of its server`() async throws {
        let server = try await NameServer.on { _ in [] }
        let question = DNSQuestion(server: .host("a", port: server.port), name: "example.com")
        let outcome = try await outcome(.dns(question)) {
            DNSProber($0.environment, resolvers: { _ in [] })
        }
        #expect(outcome == .timeout)
        try await server.close()
    }
}
