import Monitoring
import NIOCore
import TestSupport
import Testing

@testable import Probing

@Suite(
    .serialized,
    .live,
    .timeLimit(.minutes(1)),
    .enabled(if: Firewall.isAllowed, "no raw socket may be opened here")
)
struct FirewallTests {
    /// Returns the first outcomes of probes of a server whose answers are ICMP errors.
    private func outcomes(type: UInt8, code: UInt8, _ questions: (UInt16) -> [Question]) async throws -> [Outcome] {
        let server = try await NameServer.on { question in
            Firewall()?.refuse(from: UInt16(question.source.port ?? 0), to: question.port, type: type, code: code)
            return []
        }
        let harness = EngineHarness()
        harness.watch(questions(server.port), interval: .milliseconds(500), timeout: .milliseconds(500))
        let observations = await harness.observations(4)
        await harness.engine.shutdown()
        try await server.close()
        return observations.map(\.outcome)
    }

    @Test(
        arguments: [
            (3, 3, .failure(Failure(.refused))),
            // Administratively prohibited: by network, by host, by a filter.
            (3, 9, .failure(Failure(.prohibited))),
            (3, 10, .failure(Failure(.prohibited))),
            (3, 13, .failure(Failure(.prohibited))),
            // The kernel reports these only to sockets with an error queue.
            (3, 0, .failure(Failure(.networkUnreachable))),
            (3, 1, .failure(Failure(.hostUnreachable))),
            (11, 0, .failure(Failure(.ttlExceeded))),
            // "Parameter problem" does not end a probe.
            (12, 0, .timeout),
        ] as [(UInt8, UInt8, Outcome)]
    )
    func `an ICMP error is the outcome of a datagram`(type: UInt8, code: UInt8, outcome: Outcome) async throws {
        let outcomes = try await outcomes(type: type, code: code) { port in
            [
                .udp(host: "127.0.0.1", port: port, UDPOptions(send: "x")),
                .dns(DNSQuestion(server: .host("127.0.0.1", port: port), name: "example.com")),
            ]
        }
        #expect(outcomes == [outcome, outcome, outcome, outcome])
    }
}
