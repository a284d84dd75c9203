import Dispatch
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

/// The start and the end of runs, the order of events, and the locking of a shared subscription.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SharedSubscriptionTests {
    private typealias Subscription = SharedSubscription<SequenceModel>
    private typealias Reader = EventBuffer<Int>.Reader

    private let network = ScriptedNetwork()

    private func subscription(
        capacity: Int = 1_000_000,
        onRecord: @escaping @Sendable () -> Void = {}
    ) -> Subscription {
        let client = network.prober.makeClient()
        return Subscription(SequenceModel(client.firstID, onRecord: onRecord), on: client, capacity: capacity)
    }

    private func finding(_ sequence: Int, of subscription: Subscription) -> Finding {
        observation(sequence, of: subscription.read { $0.id })
    }

    private func observation(_ sequence: Int, of id: Target.ID) -> Finding {
        .observation(Observation(target: id, sequence: sequence, time: .zero, outcome: .timeout))
    }

    /// Waits until all backends are shut down, and expects one run for each.
    private func expectBalance(of subscription: Subscription, runs: Int? = nil) async {
        for backend in network.backends { for await _ in backend.requests {} }
        let (starts, stops) = subscription.read { ($0.startCount, $0.stopCount) }
        #expect(starts == stops)
        #expect(starts == network.backends.count)
        if let runs { #expect(starts == runs) }
    }

    @Test func `the first subscriber starts a run, the last one to leave stops it`() async {
        let subscription = subscription()
        #expect(network.backends.isEmpty)
        for run in 1...3 {
            var readers: [Reader?] = (0..<3).map { _ in subscription.subscribe() }
            #expect(network.backends.count == run)
            readers[0] = nil
            readers[1]?.cancel()
            readers[1]?.cancel()
            #expect(subscription.read { $0.startCount - $0.stopCount } == 1)
            readers[2] = nil
            #expect(subscription.read { $0.startCount - $0.stopCount } == 0)
        }
        await expectBalance(of: subscription, runs: 3)
    }

    @Test func `a subscriber gets its first events, and then all later ones`() async {
        let subscription = subscription()
        let first = subscription.subscribe { _ in [-1] }
        network.backends[0].report([finding(1, of: subscription)])
        for event in [-1, 0, 1] { #expect(await first.next(isolation: nil) == event) }
        let second = subscription.subscribe { [$0.last] }
        subscription.update { model, _ in .init(events: [model.last + 1]) }
        for event in [1, 2] { #expect(await second.next(isolation: nil) == event) }
        #expect(await first.next(isolation: nil) == 2)
    }

    @Test func `above the capacity the oldest events are dropped and counted`() async throws {
        let subscription = subscription(capacity: 3)
        let reader = subscription.subscribe()
        subscription.update { _, _ in .init(events: Array(1...5)) }
        let batch = try #require(await reader.nextBatch(isolation: nil))
        #expect(batch.events == [3, 4, 5])
        #expect(batch.droppedCount == 3)
    }

    @Test func `after the end, subscribers get the rest of the events, and later ones start nothing`() async {
        let subscription = subscription()
        let reader = subscription.subscribe()
        subscription.cancel { _ in .init(events: [7]) }
        subscription.cancel { _ in .init(events: [8]) }
        for event in [0, 7, nil] { #expect(await reader.next(isolation: nil) == event) }
        let later = subscription.subscribe { _ in [9] }
        for event in [9, nil] { #expect(await later.next(isolation: nil) == event) }
        await expectBalance(of: subscription, runs: 1)
    }

    @Test func `late findings of an earlier run are ignored`() async {
        let subscription = Mutex<Subscription?>(nil)
        let reader = Mutex<Reader?>(nil)
        // This client gets its part of a batch first, and starts another run before the subscription gets the other
        // part.
        let client = network.prober.startClient { _ in
            reader.withLock { $0 = nil }
            reader.withLock { reader in reader = subscription.withLock { $0 }?.subscribe() }
        }
        let tested = self.subscription()
        subscription.withLock { $0 = tested }
        reader.withLock { $0 = tested.subscribe() }
        network.backends[0].report([observation(1, of: Target.ID(client.firstID)), finding(1, of: tested)])
        network.backends[0].report([finding(2, of: tested)])
        while tested.read({ $0.last }) != 2 { await Task.yield() }
        let batch = await reader.withLock { $0 }?.nextBatch(isolation: nil)
        #expect(batch?.events == [0, 2])
        client.stop(forgetting: [])
        reader.withLock { $0 = nil }
        subscription.withLock { $0 = nil }
    }

    @Test func `a subscriber may be cancelled during a delivery, and the others get the event`() async {
        let subscriber = Mutex<Task<Void, Never>?>(nil)
        let subscription = subscription {
            // The lock is held here. Once the task is cancelled, its termination handler waits for the lock.
            guard let task = subscriber.withLock({ $0 }) else { return }
            DispatchQueue.global().async { task.cancel() }
            while !task.isCancelled {}
        }
        let other = subscription.subscribe()
        _ = await other.next(isolation: nil)
        for sequence in 1...200 {
            let reader = subscription.subscribe { _ in [-1] }
            let (starts, start) = AsyncStream.makeStream(of: Void.self)
            let task = Task.detached {
                while let event = await reader.next(isolation: nil) { if event == -1 { start.finish() } }
            }
            for await _ in starts {}
            subscriber.withLock { $0 = task }
            network.backends[0].report([finding(sequence, of: subscription)])
            await task.value
            #expect(await other.next(isolation: nil) == sequence)
            subscriber.withLock { $0 = nil }
        }
    }

    /// Publishes numbers in a row until the task is cancelled.
    private func publishNumbers(of subscription: Subscription) -> Task<Void, Never> {
        Task.detached { [self] in
            var sequence = 0
            while !Task.isCancelled {
                sequence += 1
                network.backend?.report([finding(sequence, of: subscription)])
                await Task.yield()
            }
        }
    }

    /// Reads numbers, expects that none is missing, and leaves after some of them.
    private static func read(_ count: Int, of subscription: Subscription) async {
        let reader = subscription.subscribe()
        var last: Int?
        for _ in 0..<count {
            guard let event = await reader.next(isolation: nil) else { return }
            // Each run begins with a zero.
            if let last, last != 0, event != last + 1 { Issue.record("\(event) after \(last)") }
            last = event
        }
    }

    @Test func `concurrent subscribers get all events between their start and end`() async {
        let subscription = subscription()
        let publisher = publishNumbers(of: subscription)
        for round in 0..<300 {
            let subscribers = (1...4).map { number in
                Task.detached { await Self.read(number % 2 == 0 ? number : .max, of: subscription) }
            }
            if round % 3 == 0 { await Task.yield() }
            if round % 5 == 0 { await Self.read(3, of: subscription) }
            for subscriber in subscribers { subscriber.cancel() }
            for subscriber in subscribers { await subscriber.value }
        }
        // Subscribers at any stage end when the subscription is cancelled.
        let last = (1...20).map { _ in Task.detached { await Self.read(.max, of: subscription) } }
        await Task.yield()
        subscription.cancel()
        for subscriber in last { await subscriber.value }
        publisher.cancel()
        await publisher.value
        await expectBalance(of: subscription)
    }

    @Test func `permanent subscribers get every event in order, while others come and go`() async {
        let subscription = subscription()
        let count = 2_000
        // The first one gets the zero of the start of the run, the others get it as the last number.
        let readers = [subscription.subscribe()] + (1...2).map { _ in subscription.subscribe { [$0.last] } }
        let permanent = readers.map { reader in
            Task.detached {
                var events: [Int] = []
                while events.count <= count, let event = await reader.next(isolation: nil) { events.append(event) }
                return events
            }
        }
        let backend = network.backends[0]
        for sequence in 1...count {
            let subscriber = Task.detached { await Self.read(.max, of: subscription) }
            backend.report([finding(sequence, of: subscription)])
            subscriber.cancel()
        }
        for task in permanent { #expect(await task.value == Array(0...count)) }
    }

    @Test func `without subscribers it is released`() async {
        weak var released: Subscription?
        do {
            let subscription = subscription()
            released = subscription
            let reader = subscription.subscribe()
            _ = await reader.next(isolation: nil)
        }
        for await _ in network.backends[0].requests {}
        while released != nil { await Task.yield() }
    }
}

/// Publishes the sequence number of each observation of its target, and counts its runs.
private struct SequenceModel: SubscriptionModel {
    typealias Event = Int

    let id: Target.ID
    private(set) var startCount = 0
    private(set) var stopCount = 0
    private(set) var last = 0
    private let onRecord: @Sendable () -> Void

    init(_ firstID: Int, onRecord: @escaping @Sendable () -> Void) {
        id = Target.ID(firstID)
        self.onRecord = onRecord
    }

    mutating func start(link: Finding?, at now: Duration) -> Step {
        startCount += 1
        return Step(events: [0], requests: [.watch([ProbeRequest.Assignment(id: id, target: .make())])])
    }

    mutating func stop(at now: Duration) -> [Target.ID] {
        stopCount += 1
        return [id]
    }

    mutating func record(_ findings: [Finding]) -> Step {
        onRecord()
        var step = Step()
        for case .observation(let observation) in findings {
            last = observation.sequence
            step.append(Step(events: [last]))
        }
        return step
    }
}

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
        let monitor = try Monitor([.make("NAS")], prober: network.prober)
        let events = monitor.events.makeAsyncIterator()
        let id = monitor.states[0].id
        let observation = Observation(target: id, sequence: 1, time: .zero, outcome: .timeout)
        await cancelSubscribers(of: .observation(observation), .observation(observation)) {
            for await _ in monitor.events {}
        }
        withExtendedLifetime(events) {}
    }
}
