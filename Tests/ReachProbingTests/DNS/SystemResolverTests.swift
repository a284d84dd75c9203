import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

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
            DNSProber(parts.environment, resolvers: { _ in servers })
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

struct ResolverFileTests {
    @Test(
        arguments: [
            ("nameserver 192.0.2.1\n", ["192.0.2.1"]),
            ("nameserver\t192.0.2.1", ["192.0.2.1"]),
            ("search example.com\nnameserver 192.0.2.2\noptions timeout:1 attempts:9\n", ["192.0.2.2"]),
            ("nameserver 192.0.2.3   # the router\r\nnameserver 2001:db8::53\r\n", ["192.0.2.3", "2001:db8::53"]),
            ("nameserver fe80::1%lo\n", ["fe80::1%lo"]),
            ("# nameserver 192.0.2.9\n;nameserver 192.0.2.9\nnameserver 192.0.2.4\n", ["192.0.2.4"]),
            // The keyword starts the line and is a whole word.
            (" nameserver 192.0.2.9\nnameservers 192.0.2.9\nnameserver 192.0.2.5", ["192.0.2.5"]),
            ("nameserver one.example\nnameserver\nnameserver 999.0.2.1\nnameserver 192.0.2.6", ["192.0.2.6"]),
            (
                "nameserver 192.0.2.1\nnameserver 192.0.2.2\nnameserver 192.0.2.3\nnameserver 192.0.2.4\n",
                ["192.0.2.1", "192.0.2.2", "192.0.2.3"]
            ),
            // Without a resolver, localhost is used.
            ("", ["127.0.0.1"]),
            ("options edns0\n", ["127.0.0.1"]),
        ] as [(String, [String])]
    )
    func `resolvers are parsed in order`(text: String, resolvers: [String]) {
        #expect(ResolverFile(text).resolvers.map { "\($0)" } == resolvers)
    }

    @Test func `a changed file is read again, and localhost replaces a missing one`() throws {
        let file = try ScratchFile("nameserver 192.0.2.1\n")
        let resolvers = SystemResolvers(path: file.path)
        func now(_ seconds: Int) -> [String] { resolvers.servers(at: .seconds(seconds)).map { "\($0.address)" } }
        #expect(now(0) == ["192.0.2.1"])
        try file.write("nameserver 192.0.2.2\nnameserver 192.0.2.3\n")
        #expect(now(4) == ["192.0.2.1"])
        #expect(now(5) == ["192.0.2.2", "192.0.2.3"])
        file.remove()
        #expect(now(10) == ["127.0.0.1"])
    }
}
