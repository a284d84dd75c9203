import Monitoring
import ReachKit
import ReachKitTesting
import TestSupport
import Testing

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
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        network.clock.advance(by: .seconds(3))
        let check = await check()
        network.reply()
        #expect(await check.value == .reachable(via: .wired))
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `a probe that was sent before the check does not count`() async throws {
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        let id = try #require(network.watched.first?.id)
        network.clock.advance(by: .seconds(3))
        let check = await check()
        let late = Observation(target: id, sequence: 9, sent: .seconds(2), time: .seconds(3), outcome: .timeout)
        network.backend?.report([.observation(late)])
        network.clock.advance(by: .seconds(1))
        network.reply()
        #expect(await check.value == .reachable(via: .wired))
    }

    @Test func `one loss confirms that a subject is down, and three that one is no longer reachable`() async {
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        let down = await check()
        network.report(.timeout)
        #expect(await down.value == .unreachable(.timeout))
        network.reply()
        #expect(await changes.next() == .reachable(via: .wired))
        network.clock.advance(by: .seconds(3))
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
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        network.clock.advance(by: .seconds(3_600))
        let check = await check()
        network.report(.timeout)
        #expect(await check.value == .unreachable(.timeout))
        let paces = (network.backend?.performed ?? []).compactMap { request -> Duration? in
            if case .pace(_, let interval, _) = request { interval } else { nil }
        }
        #expect(paces.last == .seconds(1))
    }
}
