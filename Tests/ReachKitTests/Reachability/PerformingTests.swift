import Foundation
import ReachKit
import ReachKitTesting
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

/// The guarantees of a task that waits for a subject: the six directives of Lotus, and cases that they leave open.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct PerformingTests {
    private let network = ScriptedNetwork()
    private let runs = Counter()

    /// A counter.
    final class Counter: Sendable {
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

    /// Waits on a host with an operation that counts its runs.
    private func waiting(on host: Reachability, within limit: Duration? = nil) -> ReachableTask<Int, Never> {
        host.whenReachable(within: limit) { [runs] in runs.add() }
    }

    @Test func `reachable at the start: it is performed at once`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(await waiting(on: host).value == .performed(1))
        #expect(network.startCount == 1)
    }

    @Test func `reachable again within the limit: it is performed once`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        await network.clock.advance(by: .seconds(29))
        #expect(runs.count == 0)
        network.reply()
        #expect(await task.value == .performed(1))
        network.timeOut()
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 1)
    }

    @Test func `reachable again after the limit: it is never performed`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        await network.clock.untilAsleep()
        await network.clock.advance(by: .seconds(31))
        // The reply arrives before the task has noticed that the limit has passed.
        network.reply()
        #expect(await task.value == .expired)
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 0)
    }

    @Test func `cancelled before it is reachable: it is never performed`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let task = waiting(on: host, within: .seconds(30))
        await network.clock.untilAsleep()
        task.cancel()
        #expect(await task.value == .cancelled)
        #expect(network.clock.sleeperCount == 0)
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        #expect(runs.count == 0)
    }

    @Test func `cancelled after it began: the operation is not undone`() async {
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = network.reachability().whenReachable { [runs] in
            begun.yield()
            // Unstructured, so that it is not cancelled with the task.
            await Task { for await _ in ends {} }.value
            return runs.add()
        }
        network.reply()
        for await _ in begins { break }
        task.cancel()
        end.finish()
        #expect(await task.value == .performed(1))
    }

    @Test func `many tasks at a time are independent`() async {
        let host = network.reachability()
        let kept = (0..<10).map { _ in waiting(on: host) }
        let late = (0..<10).map { _ in waiting(on: host, within: .seconds(5)) }
        let cancelled = (0..<10).map { _ in waiting(on: host, within: .seconds(60)) }
        await network.clock.untilAsleep(20)
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .cancelled) }
        await network.clock.advance(by: .seconds(6))
        for task in late { #expect(await task.value == .expired) }
        network.reply()
        var values: Set<Int> = []
        for task in kept { if case .performed(let value) = await task.value { values.insert(value) } }
        #expect(values == Set(1...10))
        #expect(network.startCount == 1, "all of them share one run of probes")
    }

    @Test func `a hundred at a time on one instance are each performed once`() async {
        let host = network.reachability()
        let tasks = (0..<100).map { _ in waiting(on: host, within: .seconds(30)) }
        #expect(network.watched.count == 1)
        await network.clock.untilAsleep(100)
        network.reply()
        var values: Set<Int> = []
        for task in tasks { if case .performed(let value) = await task.value { values.insert(value) } }
        #expect(values == Set(1...100))
    }

    @Test func `two instances are independent`() async {
        let (one, other) = (network.reachability(of: "one.example"), network.reachability(of: "other.example"))
        let (first, second) = (waiting(on: one), waiting(on: other))
        network.report(.reply(roundTrip: .milliseconds(1)), from: "icmp://one.example")
        #expect(await first.value == .performed(1))
        #expect(other.currentStatus == .unknown)
        second.cancel()
        #expect(await second.value == .cancelled)
        #expect(other.currentStatus == .unknown)
    }

    @Test func `a one-shot is performed exactly once over ten recoveries`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let task = waiting(on: host)
        for _ in 1...10 {
            network.timeOut()
            #expect(await changes.next() == .unreachable(.timeout))
            network.reply()
            #expect(await changes.next() == .reachable(via: .wired))
            #expect(await task.value == .performed(1))
        }
        #expect(runs.count == 1)
    }

    @Test func `without allowCellular, it waits for another link than a mobile network`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.changeLink(to: .cellular)
        let any = waiting(on: host)
        let task = host.whenReachable(allowCellular: false) { [runs] in runs.add() }
        network.reply()
        #expect(await changes.next() == .reachable(via: .cellular))
        #expect(await any.value == .performed(1))
        network.changeLink(to: .wifi)
        network.reply()
        #expect(await changes.next() == .reachable(via: .wifi))
        #expect(await task.value == .performed(2))
    }

    @Test func `an error of the operation is thrown with its type`() async {
        struct OperationError: Error, Equatable {}
        let task = network.reachability().whenReachable { () async throws(OperationError) -> Int in
            throw OperationError()
        }
        network.reply()
        await #expect(throws: OperationError()) { try await task.value }
    }

    @Test func `nothing is probed while the operation runs`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = network.reachability().whenReachable {
            for await _ in ends {}
            return 7
        }
        let backend = try #require(network.backend)
        network.reply()
        // The requests end when probing stops.
        for await _ in backend.requests {}
        end.finish()
        #expect(await task.value == .performed(7))
    }

    private final class Resource: Sendable {
        let value = 7
    }

    /// An operation that captures a resource.
    private func waiting(with resource: Resource) -> ReachableTask<Int, Never> {
        network.reachability().whenReachable { resource.value }
    }

    @Test func `an operation that has ended is released`() async {
        var resource: Resource? = Resource()
        weak let released = resource
        let task = waiting(with: resource ?? Resource())
        resource = nil
        #expect(released != nil)
        network.reply()
        #expect(await task.value == .performed(7))
        // The task releases it asynchronously, even while its handle is kept.
        while released != nil { await Task.yield() }
        task.cancel()
    }
}

/// The limits of waits, and waits that are part of the calling task.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct WaitingTests {
    private let network = ScriptedNetwork()
    private let host: Reachability

    init() {
        host = network.reachability()
    }

    @Test func `a limit of zero performs where the subject is known to be reachable`() async throws {
        // With the clock of the system, which advances meanwhile.
        let listener = try LoopbackListener()
        try listener.open()
        let host = Reachability(host: "127.0.0.1", port: listener.port)
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .expired)
        #expect(await host.check() == .reachable(via: .loopback))
        for _ in 1...20 {
            #expect(await host.whenReachable(within: .zero) { 7 }.value == .performed(7))
            try await host.waitUntilReachable(within: .zero)
        }
        var changes = host.changes.makeAsyncIterator()
        while await changes.next() == .unknown {}
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .performed(7))
    }

    @Test func `a limit of zero expires where the subject is down`() async {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .expired)
    }

    @Test func `with a clock of the caller, a limit is one sleep until its deadline`() async {
        let task = host.whenReachable(within: .seconds(30)) { 7 }
        await network.clock.untilAsleep()
        await network.clock.advance(by: .seconds(29))
        #expect(network.clock.sleeperCount == 1)
        await network.clock.advance(by: .seconds(1))
        #expect(network.clock.sleeperCount == 0)
        #expect(await task.value == .expired)
    }

    @Test func `it returns once the subject is reachable`() async throws {
        let wait = Task { [host] in try await host.waitUntilReachable(within: .seconds(30)) }
        await network.clock.untilAsleep()
        network.timeOut()
        await network.clock.advance(by: .seconds(29))
        network.reply()
        try await wait.value
        #expect(network.clock.sleeperCount == 0)
        for await _ in await network.backend(0).requests {}
    }

    @Test func `it throws after the limit, with what is known`() async {
        let wait = Task { [host] in try await host.waitUntilReachable(within: .seconds(30)) }
        await network.clock.untilAsleep()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        await network.clock.advance(by: .seconds(30))
        let error = await #expect(throws: Reachability.WaitError.self) { try await wait.value }
        #expect(error == .expired(.unreachable(.timeout)))
        #expect(error?.description == "not reachable in time: timeout")
    }

    @Test func `it throws the cause of the last loss, where the limit ends before a verdict`() async {
        let host = network.reachability(of: "nas.example:445")
        for round in 0..<3 {
            let wait = Task { try await host.waitUntilReachable(within: .seconds(2)) }
            await network.clock.untilAsleep()
            if round == 0 { network.report(.timeout, .failure(Failure(.refused))) }
            if round == 2 { network.report(.failure(Failure(.refused)), .timeout) }
            await network.clock.advance(by: .seconds(2))
            let error = await #expect(throws: Reachability.WaitError.self) { try await wait.value }
            let cause = [": refused", "", ": timeout"][round]
            #expect(error?.description == "not reachable in time" + cause)
            #expect(host.currentStatus == .unknown)
        }
    }

    @Test func `an invalid subject is not waited for`() async {
        let host = network.reachability(of: "-")
        #expect(await host.whenReachable { 7 }.value == .expired)
        let error = await #expect(throws: Reachability.WaitError.self) { try await host.waitUntilReachable() }
        #expect(error?.description == "invalid subject: the host is missing")
        #expect(error?.localizedDescription == error?.description)
    }

    @Test func `it ends with its task, and so does the probing`() async {
        let wait = Task { [host] in try await host.waitUntilReachable() }
        let backend = await network.backend(0)
        wait.cancel()
        await #expect(throws: Reachability.WaitError.cancelled) { try await wait.value }
        for await _ in backend.requests {}
    }
}
