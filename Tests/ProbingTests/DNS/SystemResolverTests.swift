import Monitoring
import TestSupport
import Testing

@testable import Probing

/// Scripted resolvers of this machine, on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SystemResolverTests {
    private func end(querying ports: [UInt16]) async throws -> (probe: Probe, outcome: Outcome) {
        let loopback = try #require(IPAddress(literal: "127.0.0.1"))
        let servers = ports.map { DNSServer(address: loopback, port: $0) }
        let probe = Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: .dns(DNSQuestion(server: .system, name: "www.example.com")),
            timeout: .milliseconds(1_500),
            made: .zero
        )
        return try await ProberBench.end(of: probe) { parts in
            DNSProber(loop: parts.loop, resolvers: { _ in servers }, time: parts.time, report: parts.report)
        }
    }

    @Test func `a silent resolver is followed by the next one`() async throws {
        let silent = try await NameServer.on { _ in [] }
        let server = try await NameServer.on { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let (probe, outcome) = try await end(querying: [silent.port, server.port])
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.detail == "A 192.0.2.1")
        // The silent resolver gets half of the remaining time, which is less on a busy machine.
        #expect(try #require(reply.roundTrip) >= .milliseconds(50))
        #expect(probe.address == IPAddress(literal: "127.0.0.1"))
        try await silent.close()
        try await server.close()
    }

    @Test func `a failing resolver is followed by the next at once`() async throws {
        let failing = try await NameServer.on { [.send(DNSMessage.answer(to: $0.query, code: 2))] }
        let port = failing.port
        let (_, outcome) = try await end(querying: [port, port, port])
        #expect(outcome == .failure(Failure(.resolverFailed, detail: "SERVFAIL")))
        try await failing.close()
    }

    @Test func `several silent resolvers are a failure and a single one is a timeout`() async throws {
        let silent = try await NameServer.on { _ in [] }
        let failure = Failure(.resolverFailed, detail: "none of 2 resolvers replied")
        #expect(try await end(querying: [silent.port, silent.port]).outcome == .failure(failure))
        #expect(try await end(querying: [silent.port]).outcome == .timeout)
        try await silent.close()
    }
}
