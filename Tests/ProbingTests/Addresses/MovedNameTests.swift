import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// A name whose address changes while a probe to the old one is in flight.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct MovedNameTests {
    private static let dead = "127.0.0.3"

    /// The first observation after the change, away from an address that accepts no connections.
    private func observation(movingTo new: String, port: UInt16) async throws -> Observation? {
        let full = try FullListener(host: Self.dead, port: port)
        let lookups = Mutex(0)
        let offset = Mutex(Duration.zero)
        let addresses = [Self.dead, new].compactMap { IPAddress(literal: $0) }
        let harness = EngineHarness(
            clockOffset: { offset.withLock { $0 } },
            resolve: { _ in
                let count = lookups.withLock { lookups in
                    defer { lookups += 1 }
                    return lookups
                }
                return .addresses([addresses[min(count, 1)]])
            }
        )
        harness.watch([.tcp(host: "nas", port: port)], interval: .seconds(2), timeout: .seconds(1))
        let first = try #require(await harness.observations(1).first)
        #expect(first.outcome == .timeout && first.address == Self.dead)
        // After this time, the next probe looks the name up again.
        offset.withLock { $0 = .seconds(100) }
        let second = await harness.observations(1).first
        await harness.engine.shutdown()
        withExtendedLifetime(full) {}
        return second
    }

    @Test func `a loss at an old address does not count, and the new one is probed`() async throws {
        let listener = try await Listener.on(host: "127.0.0.1")
        let observation = try #require(try await observation(movingTo: "127.0.0.1", port: listener.port))
        #expect(observation.address == "127.0.0.1")
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        try await listener.close()
    }

    @Test func `a loss at the new address counts`() async throws {
        let listener = try await Listener.on(host: "127.0.0.1")
        let port = listener.port
        let full = try FullListener(host: "127.0.0.4", port: port)
        let observation = try #require(try await observation(movingTo: "127.0.0.4", port: port))
        #expect(observation.address == "127.0.0.4")
        #expect(observation.outcome == .timeout)
        withExtendedLifetime(full) {}
        try await listener.close()
    }
}
