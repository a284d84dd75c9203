import Monitoring
import Synchronization
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct SendTimeTests {
    @Test func `a probe is sent when its name is resolved, and the outcome is known later`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let isAsked = Mutex(false)
        let tower = Watchtower(resolve: { _ in
            isAsked.withLock { $0 = true }
            hang.wait()
            return Resolution.system("127.0.0.1")
        })
        tower.watch([.tcp(host: "nas", port: listener.port)], interval: .seconds(5), timeout: .seconds(5))
        let other = tower.watch(one: .tcp(host: "127.0.0.1", port: listener.port))
        _ = await tower.observations { !$0.isEmpty && isAsked.withLock { $0 } }
        // Most of these were sent after the name was looked up first.
        let early = await tower.observations(60)
        #expect(early.allSatisfy { $0.target == other })
        hang.end()
        let late = await tower.observations { $0.contains { $0.target != other } }
        let named = try #require(late.last)
        let before = try #require(early.last)
        guard case .reply(let reply) = named.outcome, let roundTrip = reply.roundTrip else {
            Issue.record("\(named)")
            return
        }
        #expect(named.sent > before.sent)
        #expect(named.sent <= named.time - roundTrip)
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a name that is not found is an outcome of the time at which it was looked up`() async throws {
        let tower = Watchtower(resolve: { _ in .failure(Failure(.nameNotFound)) })
        tower.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observations = await tower.observations(3)
        #expect(observations.allSatisfy { $0.sent <= $0.time })
        #expect(zip(observations, observations.dropFirst()).allSatisfy { $0.sent < $1.sent })
        await tower.engine.shutdown()
    }
}
