import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// Targets with a row for each address of their name.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct EachAddressTests {
    private static let one = "127.0.0.1"
    private static let other = "127.0.0.2"

    private func target(_ addresses: AddressChoice, port: UInt16) -> Target {
        Target(
            name: "nas",
            question: .tcp(host: "nas", port: port),
            addresses: addresses,
            interval: .milliseconds(50),
            timeout: .milliseconds(500)
        )
    }

    private func addresses(in batch: [Finding]) -> [(Target.ID, [String])] {
        batch.compactMap { if case .addresses(let id, let addresses, _) = $0 { (id, addresses) } else { nil } }
    }

    private func observations(in batch: [Finding]) -> [Observation] {
        batch.compactMap { if case .observation(let observation) = $0 { observation } else { nil } }
    }

    @Test func `the addresses of a name are reported before it is probed, once`() async throws {
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(resolve: { _ in
            .addresses([Self.one, Self.other].compactMap { IPAddress(literal: $0) })
        })
        harness.engine.perform(
            .watch([ProbeRequest.Assignment(id: Target.ID(0), target: target(.each, port: server.port))])
        )
        var findings: [Finding] = []
        while observations(in: findings).count < 5 { findings += await harness.batch() }
        await harness.engine.shutdown()
        try await server.close()
        let found = addresses(in: findings)
        #expect(found.map(\.1) == [[Self.one, Self.other]])
        let first = findings.first { if case .link = $0 { false } else { true } }
        guard case .addresses? = first else {
            Issue.record("\(String(describing: first)) came first")
            return
        }
    }

    @Test func `a row is probed at its own address, even if another one replies`() async throws {
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(resolve: { _ in
            .addresses([Self.one, Self.other].compactMap { IPAddress(literal: $0) })
        })
        let rows = [Self.one, Self.other].enumerated().map { index, address in
            ProbeRequest.Assignment(id: Target.ID(index), target: target(.only(address), port: server.port))
        }
        harness.engine.perform(.watch(rows))
        let observations = await harness.observations { all in
            (0..<2).allSatisfy { row in all.count { $0.target == Target.ID(row) } >= 3 }
        }
        await harness.engine.shutdown()
        try await server.close()
        for observation in observations {
            switch (observation.target, observation.outcome) {
            case (Target.ID(0), .reply): #expect(observation.address == Self.one)
            case (Target.ID(1), .failure(let failure)):
                #expect(failure.reason == .refused)
                #expect(observation.address == Self.other)
            default: Issue.record("\(observation)")
            }
        }
    }

    @Test(arguments: [false, true])
    func `a change of addresses is reported, also for a session`(holds: Bool) async throws {
        let lookups = Mutex(0)
        let jump = Mutex(Duration.zero)
        let server = try await Listener.on(host: Self.one)
        let harness = EngineHarness(
            clockOffset: { jump.withLock(\.self) },
            resolve: { _ in
                let count = lookups.withLock { lookups in
                    lookups += 1
                    return lookups
                }
                let names = count == 1 ? [Self.one] : [Self.one, Self.other]
                return .addresses(names.compactMap { IPAddress(literal: $0) })
            }
        )
        var row = target(.only(Self.one), port: server.port)
        if holds { row.question = .session(host: "nas", port: server.port) }
        harness.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: row)]))
        var findings: [Finding] = []
        while observations(in: findings).count < 3 { findings += await harness.batch() }
        #expect(addresses(in: findings).map(\.1) == [[Self.one]])
        // The first lookup is cached for a minute.
        jump.withLock { $0 = .seconds(70) }
        while addresses(in: findings).count < 2 { findings += await harness.batch() }
        await harness.engine.shutdown()
        try await server.close()
        #expect(addresses(in: findings).last?.1 == [Self.one, Self.other])
    }
}
