import Monitoring
import ReachKit
import Synchronization
import Testing
import TestSupport

/// What a task that waits for somebody promises: Lotus's six directives, and what it left open.
@Suite(.timeLimit(.minutes(1)))
struct PerformingTests {
    private let network = ScriptedNetwork()
    private let runs = Tally()

    /// Counts.
    final class Tally: Sendable {
        private let value = Mutex(0)
        var count: Int { value.withLock { $0 } }
        @discardableResult
        func add() -> Int {
            value.withLock { value in
                value += 1
                return value
            }
        }
    }

    /// An operation that is counted.
    private func waiting(on host: Reachability, within limit: Duration? = nil) -> ReachableTask<Int, Never> {
        host.whenReachable(within: limit) { [runs] in runs.add() }
    }

    @Test func `reachable at the start: it is performed at once`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(await waiting(on: host).value == .performed(1))
        #expect(network.askings == 1)
    }

    @Test func `back within the limit: it is performed once`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        network.fallSilent()
        #expect(await changes.next() == .unreachable(.noAnswer))
        network.clock.advance(by: .seconds(29))
        #expect(runs.count == 0)
        network.answer()
        #expect(await task.value == .performed(1))
        network.fallSilent()
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 1)
    }

    @Test func `back only after the limit: it is never performed`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        network.fallSilent()
        #expect(await changes.next() == .unreachable(.noAnswer))
        await network.clock.untilAsleep()
        network.clock.advance(by: .seconds(31))
        // The answer comes before anybody has noticed that the time is over.
        network.answer()
        #expect(await task.value == .expired)
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 0)
    }

    @Test func `cancelled before it is reachable: it is never performed`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        await network.clock.untilAsleep()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(network.clock.sleeperCount == 0)
        network.answer()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 0)
    }

    @Test func `cancelled after it began: the operation is not undone`() async {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = network.reachability().whenReachable { [runs] in
            begun.yield()
            // Not of the task that is cancelled.
            await Task { for await _ in ends {} }.value
            return runs.add()
        }
        network.answer()
        for await _ in begins { break }
        task.cancel()
        end.finish()
        #expect(await task.value == .performed(1))
    }

    @Test func `many at a time never disturb each other`() async {
        let host = network.reachability()
        let kept = (0..<10).map { _ in waiting(on: host) }
        let late = (0..<10).map { _ in waiting(on: host, within: .seconds(5)) }
        let cancelled = (0..<10).map { _ in waiting(on: host, within: .seconds(60)) }
        await network.clock.untilAsleep(20)
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .cancelled) }
        network.clock.advance(by: .seconds(6))
        for task in late { #expect(await task.value == .expired) }
        network.answer()
        var values: Set<Int> = []
        for task in kept { if case .performed(let value) = await task.value { values.insert(value) } }
        #expect(values == Set(1...10))
        #expect(network.askings == 1, "all of them have one host asked, by one watch")
    }

    @Test func `a hundred at a time on one instance are each performed once`() async {
        let host = network.reachability()
        let tasks = (0..<100).map { _ in waiting(on: host, within: .seconds(30)) }
        #expect(network.asked.count == 1)
        await network.clock.untilAsleep(100)
        network.answer()
        var values: Set<Int> = []
        for task in tasks { if case .performed(let value) = await task.value { values.insert(value) } }
        #expect(values == Set(1...100))
    }

    @Test func `two instances never hear each other`() async {
        let (one, other) = (network.reachability(of: "one.example"), network.reachability(of: "other.example"))
        let (first, second) = (waiting(on: one), waiting(on: other))
        network.find(.reply(roundTrip: .milliseconds(1)), from: "icmp://one.example")
        #expect(await first.value == .performed(1))
        #expect(other.lastStatus == .unknown)
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(other.lastStatus == .unknown)
    }

    @Test func `a one-shot is performed exactly once over ten recoveries`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        let task = waiting(on: host)
        for _ in 1...10 {
            network.fallSilent()
            #expect(await changes.next() == .unreachable(.noAnswer))
            network.answer()
            #expect(await changes.next() == .reachable(via: .wired))
            #expect(await task.value == .performed(1))
        }
        #expect(runs.count == 1)
    }

    @Test func `a mobile network does not do for who wants none, until another link leads there`() async {
        let host = network.reachability()
        var changes = host.changes.makeAsyncIterator()
        network.lead(by: .cellular)
        let any = waiting(on: host)
        let task = host.whenReachable(allowCellular: false) { [runs] in runs.add() }
        network.answer()
        #expect(await changes.next() == .reachable(via: .cellular))
        #expect(await any.value == .performed(1))
        network.lead(by: .wifi)
        network.answer()
        #expect(await changes.next() == .reachable(via: .wifi))
        #expect(await task.value == .performed(2))
    }

    @Test func `what the operation throws comes out, in its own type`() async {
        struct Trouble: Error, Equatable {}
        let task = network.reachability().whenReachable { () async throws(Trouble) -> Int in throw Trouble() }
        network.answer()
        await #expect(throws: Trouble()) { try await task.value }
    }

    @Test func `nothing asks any more while the operation goes on`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = network.reachability().whenReachable {
            for await _ in ends {}
            return 7
        }
        let asker = try #require(network.asker)
        network.answer()
        // They end with the asking.
        for await _ in asker.requests {}
        end.finish()
        #expect(await task.value == .performed(7))
    }

    private final class Cargo: Sendable {
        let weight = 7
    }

    /// An operation that carries something.
    private func carrying(_ cargo: Cargo) -> ReachableTask<Int, Never> {
        network.reachability().whenReachable { cargo.weight }
    }

    @Test func `nothing is kept of an operation that has ended`() async {
        var cargo: Cargo? = Cargo()
        weak let gone = cargo
        let task = carrying(cargo ?? Cargo())
        cargo = nil
        #expect(gone != nil)
        network.answer()
        #expect(await task.value == .performed(7))
        // The task lets go in its own time, though its handle is kept.
        while gone != nil { await Task.yield() }
        task.cancel()
    }
}
