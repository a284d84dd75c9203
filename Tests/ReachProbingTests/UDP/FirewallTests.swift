import NIOCore
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

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

/// A firewall that sends ICMP errors about datagrams on loopback. It needs a raw socket.
struct Firewall: ~Copyable {
    private let descriptor: CInt

    init?() {
        descriptor = socket(AF_INET, SocketType.raw, CInt(IPPROTO_ICMP))
        guard descriptor >= 0 else { return nil }
    }

    deinit {
        close(descriptor)
    }

    /// Whether this user may open a raw socket.
    static let isAllowed: Bool = {
        guard let firewall = Firewall() else { return false }
        return firewall.descriptor >= 0
    }()

    /// Sends an ICMP error about a datagram between these ports, with a type and code of RFC 792 or RFC 1812 §5.2.7.1.
    func refuse(from source: UInt16, to destination: UInt16, type: UInt8, code: UInt8) {
        let loopback: [UInt8] = [127, 0, 0, 1]
        let header: [UInt8] = [0x45, 0, 0, 36, 0, 0, 0, 0, 64, UInt8(IPPROTO_UDP), 0, 0] + loopback + loopback
        // The minimum that RFC 792 requires: many routers quote no more.
        let datagram = source.inNetworkOrder + destination.inNetworkOrder + [0, 16, 0, 0]
        var message: [UInt8] = [type, code, 0, 0, 0, 0, 0, 0] + header + datagram
        let checksum = message.withUnsafeBytes { InternetChecksum.of($0) }
        message.replaceSubrange(2..<4, with: checksum.inNetworkOrder)
        guard let address = IPAddress(bytes: loopback) else { return }
        _ = address.withSocketAddress { sendto(descriptor, message, message.count, 0, $0, $1) }
    }
}
