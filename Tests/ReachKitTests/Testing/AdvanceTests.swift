import ReachKit
import ReachKitTesting
import Synchronization
import TestSupport
import Testing

/// A simulated network and the tasks of a test have the same results, whatever the steps are in which the clock advances.
@Suite(.serialized, .live, .timeLimit(.minutes(2)))
struct AdvanceTests {
    /// What tasks have noted, in order.
    private final class Notes: Sendable {
        private let lines = Mutex<[String]>([])

        func add(_ line: String) {
            lines.withLock { $0.append(line) }
        }

        var all: [String] { lines.withLock { $0 } }
    }

    @Test func `a reply within the limit counts, in one step beyond both`() async {
        for _ in 0..<100 {
            let clock = ManualClock()
            let network = FakeNetwork(clock: clock)
            network.set("nas.local", to: .reply(after: .milliseconds(2)), after: .seconds(30))
            let nas = Reachability(of: "nas.local", prober: network.prober)
            let early = nas.whenReachable(within: .seconds(20)) { "early" }
            let done = nas.whenReachable(within: .seconds(60)) { "done" }
            await clock.advance(by: .seconds(61))
            #expect(await early.value == .expired)
            #expect(await done.value == .performed("done"))
        }
    }

    @Test func `a reply at the end of the limit is in time`() async {
        let clock = ManualClock()
        let network = FakeNetwork(clock: clock)
        network.set("nas.local", to: .reply(), after: .seconds(60))
        let nas = Reachability(of: "nas.local", prober: network.prober)
        let done = nas.whenReachable(within: .seconds(60)) { "done" }
        await clock.advance(by: .seconds(60))
        #expect(await done.value == .performed("done"))
    }

    @Test func `sleepers wake in the order of their deadlines, each at its own time`() async {
        let clock = ManualClock()
        let notes = Notes()
        let start = clock.now
        let sleepers = [3, 1, 2].map { seconds in
            Task {
                for _ in 1...2 {
                    try await clock.sleep(for: .seconds(seconds))
                    notes.add("\(seconds) at \(start.duration(to: clock.now))")
                }
            }
        }
        await clock.untilAsleep(3)
        await clock.advance(by: .seconds(10))
        for sleeper in sleepers { _ = await sleeper.result }
        // At four seconds, the one that fell asleep first.
        #expect(
            notes.all == [
                "1 at 1.0 seconds", "2 at 2.0 seconds", "1 at 2.0 seconds", "3 at 3.0 seconds", "2 at 4.0 seconds",
                "3 at 6.0 seconds",
            ]
        )
        #expect(start.duration(to: clock.now) == .seconds(10))
    }

    @Test func `an operation that waits for the test does not stop the clock`() async {
        let clock = ManualClock()
        let network = FakeNetwork(clock: clock)
        network.set("nas.local", to: .reply())
        let notes = Notes()
        let nas = Reachability(of: "nas.local", prober: network.prober)
        let task = nas.whenReachable {
            while notes.all.isEmpty { await Task.yield() }
            return "done"
        }
        await clock.advance(by: .seconds(5))
        notes.add("advanced")
        #expect(await task.value == .performed("done"))
    }

    @Test func `one hundred ways to advance by two minutes have one result`() async throws {
        let expected = try await play([120_000])
        #expect(expected.contains { $0.hasPrefix("within 60: performed") }, "\(expected)")
        #expect(expected.contains { $0.hasPrefix("within 20: expired") })
        var generator = SystemRandomNumberGenerator()
        for round in 1...99 {
            let count = round % 20
            let cuts = (0..<count).map { _ in Int.random(in: 0...120, using: &generator) * 1_000 }
            let others = (0..<count).map { _ in Int.random(in: 0...120_000, using: &generator) }
            let ends = (cuts + others + [120_000]).sorted()
            let steps = zip(ends, [0] + ends).map { $0 - $1 }
            let result = try await play(steps)
            #expect(result == expected, "steps of \(steps) ms")
            guard result == expected else { return }
        }
    }

    /// Notes everything that happens in two minutes, apart from the order of tasks at one time.
    ///
    /// - Parameter steps: The steps in milliseconds.
    private func play(_ steps: [Int]) async throws -> [String] {
        let clock = ManualClock()
        let network = FakeNetwork(clock: clock)
        let notes = Notes()
        let start = clock.now
        let note = { @Sendable (line: String) in notes.add("\(line) at \(start.duration(to: clock.now))") }
        network.set("nas.local", to: .reply(after: .milliseconds(2)), after: .seconds(30))
        network.set("nas.local", to: .noReply, after: .seconds(70))
        network.set("nas.local", to: .reply(after: .milliseconds(40)), after: .milliseconds(90_500))
        network.set("cache.local", to: .reply())
        network.set("cache.local", to: .failure(.reset), after: .seconds(45))
        network.set("cache.local", to: .reply(), after: .seconds(47))
        network.setLink(nil, after: .seconds(100))
        network.setLink(.wifi, after: .seconds(104))

        let nas = Reachability(of: "nas.local", prober: network.prober)
        let cache = Reachability(of: "cache.local:6379", prober: network.prober)
        let session = try Session(to: "cache.local", port: 6_379, prober: network.prober)
        let targets = [
            try Target("nas.local", name: "NAS"), try Target("tcp://cache.local:6379", interval: .seconds(10)),
        ]
        let monitor = try Monitor(targets, firstProbes: .atOnce, prober: network.prober)
        var tasks: [Task<Void, any Error>] = [20, 60].map { limit in
            Task {
                let task = nas.whenReachable(within: .seconds(limit)) { note("operation \(limit)") }
                // Only the result: when another task is resumed, is up to the runtime.
                notes.add("within \(limit): \(await task.value)")
            }
        }
        tasks += [
            Task {
                for await status in nas.changes { note("nas \(status)") }
            },
            Task {
                for await status in cache.changes {
                    note("cache \(status)")
                    // A subscriber that reacts.
                    if status.isReachable { cache.whenReachable(within: .seconds(5)) { note("cache is back") } }
                }
            },
            Task {
                for await state in session.states { note("session \(state)") }
            },
            Task {
                for await events in monitor.events { for event in events { note("monitor \(event)") } }
            },
            Task {
                for await path in network.prober.networkPaths { note("path \(path.interfaces.map(\.name))") }
            },
            Task {
                for _ in 1...16 {
                    try await clock.sleep(for: .seconds(7))
                    note("sleeper")
                }
            },
            Task {
                try await nas.waitUntilReachable(within: .seconds(45))
                notes.add("waited")
            },
        ]
        // All tasks have begun: three limits, a sleeper, the network; and the four sequences of values.
        await clock.untilAsleep(5)
        while !["nas", "cache", "session", "path"].allSatisfy({ name in notes.all.contains { $0.hasPrefix(name) } }) {
            await Task.yield()
        }
        for step in steps { await clock.advance(by: .milliseconds(step)) }
        let lines = notes.all
        for task in tasks { task.cancel() }
        for task in tasks { _ = await task.result }
        // The tasks of one moment run in any order.
        return lines.sorted()
    }
}
