import Monitoring
import NIOCore
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)), .enabled(if: Firewall.isAllowed, "no raw socket may be opened here"))
struct FirewallTests {
    /// The first outcomes of targets that ask a server which a firewall speaks for.
    private func outcomes(code: UInt8, _ questions: (UInt16) -> [Question]) async throws -> [Outcome] {
        let server = try await NameServer.on { question in
            Firewall()?.refuse(from: UInt16(question.source.port ?? 0), to: question.port, code: code)
            return []
        }
        let tower = Watchtower()
        tower.watch(questions(server.port), interval: .milliseconds(500), timeout: .milliseconds(500))
        let observations = await tower.observations(4)
        await tower.engine.shutdown()
        try await server.close()
        return observations.map(\.outcome)
    }

    @Test(
        arguments: [
            (3, .failure(Failure(.refused))),
            // Administratively prohibited, by network, by host and at all: the kernel takes these for final.
            (9, .failure(Failure(.networkUnreachable))),
            (10, .failure(Failure(.hostUnreachable))),
            (13, .failure(Failure(.hostUnreachable))),
            // Passing trouble: the kernel goes on waiting, and so do we.
            (1, .timeout),
        ] as [(UInt8, Outcome)]
    )
    func `what the network says of a datagram is the outcome`(code: UInt8, outcome: Outcome) async throws {
        let outcomes = try await outcomes(code: code) { port in
            [
                .udp(host: "127.0.0.1", port: port, UDPOptions(send: "x")),
                .dns(DNSQuestion(server: .host("127.0.0.1", port: port), name: "example.com")),
            ]
        }
        #expect(outcomes == [outcome, outcome, outcome, outcome])
    }
}
