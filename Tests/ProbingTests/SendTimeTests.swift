import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SendTimeTests {
    @Test func `a probe is sent when its name is resolved`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let isLookedUp = Mutex(false)
        let harness = EngineHarness(resolve: { _ in
            isLookedUp.withLock { $0 = true }
            hang.wait()
            return Resolution.system("127.0.0.1")
        })
        harness.watch([.tcp(host: "nas", port: listener.port)], interval: .seconds(5), timeout: .seconds(5))
        let other = harness.watch(one: .tcp(host: "127.0.0.1", port: listener.port))
        _ = await harness.observations { !$0.isEmpty && isLookedUp.withLock { $0 } }
        // Most of these are sent after the first lookup of the name.
        let early = await harness.observations(60)
        #expect(early.allSatisfy { $0.target == other })
        hang.end()
        let late = await harness.observations { $0.contains { $0.target != other } }
        let named = try #require(late.last)
        let before = try #require(early.last)
        guard case .reply(let reply) = named.outcome, let roundTrip = reply.roundTrip else {
            Issue.record("\(named)")
            return
        }
        #expect(named.sent > before.sent)
        #expect(named.sent <= named.time - roundTrip)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `an outcome without an address has the time of its lookup`() async throws {
        let harness = EngineHarness(resolve: { _ in .failure(Failure(.nameNotFound)) })
        harness.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observations = await harness.observations(3)
        #expect(observations.allSatisfy { $0.sent <= $0.time })
        #expect(zip(observations, observations.dropFirst()).allSatisfy { $0.sent < $1.sent })
        await harness.engine.shutdown()
    }
}
