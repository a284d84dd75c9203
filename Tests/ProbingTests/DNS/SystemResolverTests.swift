import Monitoring
import Testing

@testable import Probing

/// The machine's resolvers, played by servers on loopback.
@Suite(.timeLimit(.minutes(1)))
struct SystemResolverTests {
    private func end(asking ports: [UInt16]) async throws -> (probe: Probe, outcome: Outcome) {
        let loopback = try #require(IPAddress(literal: "127.0.0.1"))
        let servers = ports.map { DNSServer(address: loopback, port: $0) }
        let probe = Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: .dns(DNSQuestion(server: .system, name: "www.example.com")),
            timeout: .milliseconds(300),
            made: .zero
        )
        return try await ProberBench.end(of: probe) { parts in
            DNSProber(loop: parts.loop, resolvers: { _ in servers }, time: parts.time, tell: parts.tell)
        }
    }

    @Test func `a resolver that is silent is followed by the next, which is named`() async throws {
        let silent = try await NameServer.on { _ in [] }
        let server = try await NameServer.on { question in
            [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let (probe, outcome) = try await end(asking: [silent.port, server.port])
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.detail == "A 192.0.2.1")
        // The silent one has half of what is left of the timeout when it is asked, which a busy machine makes less.
        #expect(try #require(reply.roundTrip) >= .milliseconds(50))
        #expect(probe.address == IPAddress(literal: "127.0.0.1"))
        try await silent.close()
        try await server.close()
    }

    @Test func `a resolver that fails is followed by the next at once`() async throws {
        let failing = try await NameServer.on { [.say(DNSMessage.answer(to: $0.query, code: 2))] }
        let port = failing.port
        let (_, outcome) = try await end(asking: [port, port, port])
        #expect(outcome == .failure(Failure(.resolverFailed, detail: "SERVFAIL")))
        try await failing.close()
    }

    @Test func `resolvers that are all silent have failed, and an only one has timed out`() async throws {
        let silent = try await NameServer.on { _ in [] }
        let failure = Failure(.resolverFailed, detail: "none of 2 resolvers answers")
        #expect(try await end(asking: [silent.port, silent.port]).outcome == .failure(failure))
        #expect(try await end(asking: [silent.port]).outcome == .timeout)
        try await silent.close()
    }
}
