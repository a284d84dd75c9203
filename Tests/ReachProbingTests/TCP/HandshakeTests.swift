#if os(Linux)
import ReachSystem

import NIOCore
import NIOPosix
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct HandshakeTests {
    private static func probe(_ port: UInt16, deadline: Duration) -> Probe {
        Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: .tcp(host: "127.0.0.1", port: port),
            timeout: deadline,
            made: .zero,
            address: IPAddress(literal: "127.0.0.1")
        )
    }

    @Test func `the round trip includes a retransmitted SYN`() async throws {
        let listener = try FullListener()
        let outcome = try await ProberBench.end(of: Self.probe(listener.port, deadline: .seconds(20))) { parts in
            // After this turn of the event loop, the first SYN has been dropped.
            parts.loop.execute { listener.open() }
            return HandshakeProber(parts.environment)
        }.outcome
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        // The kernel retransmits after a second.
        #expect(try #require(reply.roundTrip) > .milliseconds(900))
    }

    @Test func `a connection that is not accepted in time is a timeout`() async throws {
        let listener = try FullListener()
        let outcome = try await ProberBench.end(of: Self.probe(listener.port, deadline: .milliseconds(50))) {
            HandshakeProber($0.environment)
        }.outcome
        #expect(outcome == .timeout)
        withExtendedLifetime(listener) {}
    }

    @Test func `discarded probes report nothing, and later ones have an outcome`() async throws {
        let listener = try FullListener()
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = try await loop.submit {
            var ended: [Int] = []
            let environment = ProberEnvironment(gate: LoopGate(loop), time: { .zero }) { event in
                if case .ended(let probe, .timeout) = event { ended.append(Int(probe.timeout / .seconds(1))) }
            }
            let prober = HandshakeProber(environment)
            prober.send(Self.probe(listener.port, deadline: .seconds(1)))
            #expect(prober.nextDeadline == .seconds(1))
            prober.discardInFlight(at: .zero)
            #expect(prober.nextDeadline == nil)
            prober.send(Self.probe(listener.port, deadline: .seconds(2)))
            prober.listen(isPolled: true)
            prober.expire(at: .seconds(3))
            #expect(prober.nextDeadline == nil)
            prober.closeUnneeded(for: [])
            return ended
        }.get()
        #expect(ended == [2])
        withExtendedLifetime(listener) {}
    }

    @Test func `many concurrent probes each have their own outcome`() async throws {
        let open = try await Listener.on()
        let shut = try await Listener.on()
        let shutPort = shut.port
        try await shut.close()
        let harness = EngineHarness()
        let count = ConnectWatch.batch * 3
        harness.watch(
            (0..<count).map { .tcp(host: "127.0.0.1", port: $0.isMultiple(of: 3) ? shutPort : open.port) },
            interval: .milliseconds(500),
            timeout: .milliseconds(500)
        )
        harness.engine.perform(.now((0..<count).map { Target.ID($0) }))
        let observations = await harness.observations { Set($0.map(\.target)).count == count }
        for observation in observations {
            let isShut = (0..<count).first { Target.ID($0) == observation.target }?.isMultiple(of: 3)
            switch observation.outcome {
            case .reply: #expect(isShut == false)
            default: #expect(isShut == true && observation.outcome == .failure(Failure(.refused)))
            }
        }
        await harness.engine.shutdown()
        try await open.close()
    }

    @Test func `the epoll is closed without targets and opened again`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        for _ in 1...2 {
            harness.watch([.tcp(host: "127.0.0.1", port: listener.port)])
            let observation = try #require(await harness.observations(1).first)
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
            harness.engine.perform(.forget([Target.ID(0)]))
        }
        await harness.engine.shutdown()
        try await listener.close()
    }
}
#endif
