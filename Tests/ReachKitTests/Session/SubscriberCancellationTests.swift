import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// Subscribers that are cancelled while an event is delivered to them. Resuming a task under a lock that its
/// cancellation needs as well would be a deadlock.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SubscriberCancellationTests {
    private let network = ScriptedNetwork()

    /// Cancels many subscribers while two findings are reported repeatedly.
    private func cancelSubscribers(
        of finding: Finding,
        _ other: Finding,
        subscribe: @escaping @Sendable () async -> Void
    ) async {
        let backend = await network.backend(0)
        let reporter = Task.detached {
            while !Task.isCancelled {
                backend.report([finding, other])
                await Task.yield()
            }
        }
        for _ in 0..<300 {
            let subscribers = (0..<4).map { _ in Task.detached { await subscribe() } }
            await Task.yield()
            for subscriber in subscribers { subscriber.cancel() }
            for subscriber in subscribers { await subscriber.value }
        }
        reporter.cancel()
        await reporter.value
    }

    @Test func `subscribers of a session`() async throws {
        let session = try Session(to: "nas.example", port: 445, prober: network.prober)
        let states = session.states.makeAsyncIterator()
        let id = try #require(await network.backends[0].firstID)
        await cancelSubscribers(
            of: .session(id, .ready, address: "192.0.2.1", at: .zero),
            .session(id, .preparing, at: .zero)
        ) {
            for await _ in session.states {}
        }
        withExtendedLifetime(states) {}
    }

    @Test func `subscribers of a monitor`() async throws {
        let monitor = Monitor([.make("NAS")], prober: network.prober)
        let events = monitor.events.makeAsyncIterator()
        let id = monitor.states[0].id
        let observation = Observation(target: id, sequence: 1, time: .zero, outcome: .timeout)
        await cancelSubscribers(of: .observation(observation), .observation(observation)) {
            for await _ in monitor.events {}
        }
        withExtendedLifetime(events) {}
    }
}
