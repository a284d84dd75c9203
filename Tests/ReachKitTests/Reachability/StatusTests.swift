import ReachKit
import ReachKitTesting
import ReachMonitoring
import TestSupport
import Testing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct StatusTests {
    private let network = ScriptedNetwork()

    @Test func `the last status is unknown before the first probe, and causes none`() {
        #expect(network.reachability().currentStatus == .unknown)
        #expect(network.startCount == 0)
    }

    @Test func `each read of the status probes anew, and probing stops after it`() async throws {
        let host = network.reachability()
        for round in 1...2 {
            async let status = host.check()
            while network.startCount < round { await Task.yield() }
            let backend = try #require(network.backend)
            for await request in backend.requests { if case .watch = request { break } }
            if round == 1 { network.reply() } else { network.timeOut() }
            #expect(await status == (round == 1 ? .reachable(via: .wired) : .unreachable(.timeout)))
            for await _ in backend.requests {}
        }
    }

    @Test func `with a subscriber, what is known needs no probe`() async throws {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        let requests = try #require(network.backend).performed
        #expect(host.currentStatus == .reachable(via: .wired))
        #expect(await host.firstVerdict() == .reachable(via: .wired))
        #expect(network.backend?.performed == requests)
        #expect(network.startCount == 1)
    }

    @Test func `one lost packet does not change the status`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.report(.timeout, .timeout, .reply(roundTrip: .milliseconds(1)), .timeout, .timeout)
        #expect(await changes.next() == .reachable(via: .wired))
        // The first reason stays.
        network.report(.failure(Failure(.hostUnreachable)))
        #expect(await changes.next() == .unreachable(.timeout))
    }

    @Test func `only changes are reported`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        for _ in 1...3 { network.reply() }
        #expect(await changes.next() == .reachable(via: .wired))
        for _ in 1...3 { network.reply() }
        network.timeOut()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `the present status comes first, as it was at the subscription`() async {
        let host = network.reachability()
        var first = host.changes.makeAsyncIterator()
        network.reply()
        #expect(await first.next() == .unknown)
        #expect(await first.next() == .reachable(via: .wired))
        var later = host.changes.makeAsyncIterator()
        #expect(await later.next() == .reachable(via: .wired))
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        for status in [await first.next(), await later.next(), await changes.next()] {
            #expect(status == .unreachable(.timeout))
        }
    }

    @Test func `cancelling the tasks ends the changes, and probing with the last one`() async throws {
        let host = network.reachability()
        let (subscriptions, subscribed) = AsyncStream.makeStream(of: Void.self)
        let subscribers = (0..<3).map { _ in
            Task {
                var changes = host.changes.dropFirst().makeAsyncIterator()
                subscribed.yield()
                while await changes.next() != nil {}
            }
        }
        for await _ in subscriptions.prefix(3) {}
        while network.watched.isEmpty { await Task.yield() }
        let backend = try #require(network.backend)
        for subscriber in subscribers { subscriber.cancel() }
        for subscriber in subscribers { await subscriber.value }
        // The requests end when probing stops.
        for await _ in backend.requests {}
        #expect(network.startCount == 1)
    }

    @Test func `releasing an iterator stops probing, and the next one starts it`() async {
        let host = network.reachability()
        for round in 1...3 {
            var changes: Reachability.Changes.AsyncIterator? = host.changes.makeAsyncIterator()
            #expect(network.startCount == round)
            network.reply()
            if round == 1 { #expect(await changes?.next() == .unknown) }
            #expect(await changes?.next() == .reachable(via: .wired))
            network.timeOut()
            // The first verdict of each run is no change if it equals the last one.
            #expect(await changes?.next() == .unreachable(.timeout))
            network.reply()
            #expect(await changes?.next() == .reachable(via: .wired))
            changes = nil
            #expect(host.currentStatus == .reachable(via: .wired))
        }
    }

    @Test func `what is known comes first, after a gap without subscribers too`() async {
        let host = network.reachability()
        var changes: Reachability.Changes.AsyncIterator? = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes?.next() == .unknown)
        #expect(await changes?.next() == .unreachable(.timeout))
        changes = nil
        changes = host.changes.makeAsyncIterator()
        #expect(await changes?.next() == host.currentStatus)
        // Another subscriber, before the first verdict of the run.
        var second = host.changes.makeAsyncIterator()
        #expect(await second.next() == .unreachable(.timeout))
        network.reply()
        #expect(await changes?.next() == .reachable(via: .wired))
        #expect(await second.next() == .reachable(via: .wired))
    }

    @Test func `an invalid subject is unreachable from the start`() async {
        let host = network.reachability(of: "-")
        guard case .unreachable(.invalidSubject) = host.currentStatus else {
            Issue.record("\(host.currentStatus)")
            return
        }
        #expect(await host.firstVerdict() == host.currentStatus)
        #expect(network.startCount == 0)
        var changes = host.changes.makeAsyncIterator()
        #expect(await changes.next() == host.currentStatus)
    }

    @Test(arguments: ["nas.example", "-"])
    func `subscribers by the thousand cost the same each`(_ subject: String) async {
        let host = network.reachability(of: .init(stringLiteral: subject))
        let subscribers = (1...50_000).map { _ in host.changes.makeAsyncIterator() }
        var last = host.changes.makeAsyncIterator()
        #expect(await last.next() == host.currentStatus)
        withExtendedLifetime(subscribers) {}
    }

    @Test func `another link is a change`() async {
        let host = network.reachability()
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        network.changeLink(to: .vpn)
        network.reply()
        #expect(await changes.next() == .reachable(via: .vpn))
    }

    @MainActor
    @Test func `on the main actor, the changes come on the main actor`() async {
        let host = network.reachability()
        var seen: [Reachability.Status] = []
        let start = Task.detached { [network] in
            while network.watched.isEmpty { await Task.yield() }
            network.reply()
        }
        for await status in host.changes.dropFirst() {
            MainActor.assertIsolated()
            seen.append(status)
            if seen.count == 2 { break }
            network.timeOut()
        }
        await start.value
        #expect(seen == [.reachable(via: .wired), .unreachable(.timeout)])
    }

    @Test func `a fault is not a verdict, and the first verdict replaces it`() async {
        let host = network.reachability(of: "tcp://nas.example:445")
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let fault = Fault(.tooManyFiles, detail: "too many open files")
        network.report(.fault(fault))
        #expect(await changes.next() == .unreachable(.fault(fault)))
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        network.report(.fault(fault))
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
    }
}

/// Checks while the subject is probed for other subscribers.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct CheckTests {
    private let network = ScriptedNetwork()
    private let host: Reachability

    init() {
        host = network.reachability(of: "http://nas.example/")
    }

    /// How often probes were requested in addition to the schedule.
    private var additionalProbes: Int {
        let requests = network.backend?.performed ?? []
        return requests.count { if case .now = $0 { true } else { false } }
    }

    /// Starts a check, and waits until its probe is requested.
    private func check() async -> Task<Reachability.Status, Never> {
        let count = additionalProbes
        let check = Task { [host] in await host.check() }
        while additionalProbes == count { await Task.yield() }
        return check
    }

    @Test func `a check of a subject that is down waits for a probe of its own`() async {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        await network.clock.advance(by: .seconds(3))
        let check = await check()
        network.reply()
        #expect(await check.value == .reachable(via: .wired))
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `a probe that was sent before the check does not count`() async throws {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        let id = try #require(network.watched.first?.id)
        await network.clock.advance(by: .seconds(3))
        let check = await check()
        let late = Observation(target: id, sequence: 9, sent: .seconds(2), time: .seconds(3), outcome: .timeout)
        network.backend?.report([.observation(late)])
        await network.clock.advance(by: .seconds(1))
        network.reply()
        #expect(await check.value == .reachable(via: .wired))
    }

    @Test func `one loss confirms that a subject is down, and three that one is no longer reachable`() async {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        let down = await check()
        network.report(.timeout)
        #expect(await down.value == .unreachable(.timeout))
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        await network.clock.advance(by: .seconds(3))
        let lost = await check()
        network.report(.timeout, .timeout)
        network.report(.timeout)
        #expect(await lost.value == .unreachable(.timeout))
    }

    @Test func `each new subscriber is a reason to probe`() async {
        let first = host.changes.makeAsyncIterator()
        #expect(additionalProbes == 0, "the first probe leaves at once anyway")
        let second = host.changes.makeAsyncIterator()
        #expect(additionalProbes == 1)
        let task = host.whenReachable { 7 }
        #expect(additionalProbes == 2)
        network.reply()
        #expect(await task.value == .performed(7))
        withExtendedLifetime((first, second)) {}
    }

    @Test func `an invalid subject has its status at once, with other subscribers too`() async {
        let host = network.reachability(of: "htps://nas.example")
        let first = host.changes.makeAsyncIterator()
        let status = await host.check()
        #expect("\(status)".hasPrefix("unreachable: unknown method"))
        withExtendedLifetime(first) {}
    }

    @Test func `a subject that is down is probed every second, without an end`() async {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        await network.clock.advance(by: .seconds(3_600))
        let check = await check()
        network.report(.timeout)
        #expect(await check.value == .unreachable(.timeout))
        let paces = (network.backend?.performed ?? []).compactMap { request -> Duration? in
            if case .pace(_, let interval, _) = request { interval } else { nil }
        }
        #expect(paces.last == .seconds(1))
    }
}
