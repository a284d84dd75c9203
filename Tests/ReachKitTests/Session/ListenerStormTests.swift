import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// Subscribers that are cancelled while an event is delivered to them. Resuming a task under a lock that the cancelling of the
/// task takes would be a deadlock.
@Suite(.timeLimit(.minutes(1)))
struct ListenerStormTests {
    private let network = ScriptedNetwork()

    /// Cancels subscriber after subscriber while two findings are reported over and over.
    private func storm(_ finding: Finding, _ other: Finding, listen: @escaping @Sendable () async -> Void) async {
        let asker = await network.asker(0)
        let teller = Task.detached {
            while !Task.isCancelled {
                asker.find([finding, other])
                await Task.yield()
            }
        }
        for _ in 0..<300 {
            let listeners = (0..<4).map { _ in Task.detached { await listen() } }
            await Task.yield()
            for listener in listeners { listener.cancel() }
            for listener in listeners { await listener.value }
        }
        teller.cancel()
        await teller.value
    }

    @Test func `those of a session`() async throws {
        let session = Session(to: "nas.example", port: 445, by: network.prober)
        let states = session.states.makeAsyncIterator()
        let id = try #require(await network.made[0].firstID)
        await storm(.session(id, .ready, address: "192.0.2.1", at: .zero), .session(id, .preparing, at: .zero)) {
            for await _ in session.states {}
        }
        withExtendedLifetime(states) {}
    }

    @Test func `those of a monitor`() async throws {
        let monitor = Monitor([.make("NAS")], by: network.prober)
        let events = monitor.events.makeAsyncIterator()
        let id = monitor.standings[0].id
        let observation = Observation(target: id, sequence: 1, time: .zero, outcome: .timeout)
        await storm(.observation(observation), .observation(observation)) {
            for await _ in monitor.events {}
        }
        withExtendedLifetime(events) {}
    }
}
