import Monitoring
import TestSupport
import Testing

@testable import ReachKit

/// Who listens to a monitor, and what it tells.
@Suite(.timeLimit(.minutes(1)))
struct MonitorTests {
    private let network = ScriptedNetwork()

    private func monitor(_ targets: [Target]) -> Monitor {
        Monitor(targets, by: network.prober)
    }

    private func reply(of id: Target.ID, _ sequence: Int = 1, at seconds: Int = 1) -> Finding {
        ended(id, .reply(roundTrip: .milliseconds(3)), sequence, at: seconds)
    }

    private func ended(_ id: Target.ID, _ outcome: Outcome, _ sequence: Int = 1, at seconds: Int = 1) -> Finding {
        .observation(Observation(target: id, sequence: sequence, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `nobody is asked before somebody listens, and the standings are there`() async throws {
        let monitor = monitor([.make("NAS"), .make("Door")])
        #expect(monitor.standings.map(\.target.name) == ["NAS", "Door"])
        #expect(monitor.standings.allSatisfy { $0.health == .unknown })
        monitor.probe(monitor.standings.map(\.id))
        #expect(network.made.isEmpty)
        let events = monitor.events.makeAsyncIterator()
        #expect(network.made[0].asked.count == 1)
        withExtendedLifetime(events) {}
    }

    @Test func `all who listen are told of probes and of what follows from them, in one batch`() async throws {
        let monitor = monitor([.make("NAS")])
        let id = monitor.standings[0].id
        var listeners = [monitor.events.makeAsyncIterator(), monitor.events.makeAsyncIterator()]
        network.made[0].find([reply(of: id)])
        for index in listeners.indices {
            let batch = try #require(await listeners[index].next())
            guard case .observation(let observation)? = batch.first, case .transition(id, let change)? = batch.last
            else {
                Issue.record("\(batch)")
                return
            }
            #expect(observation.sequence == 1)
            #expect(change.to == .up)
        }
        #expect(monitor[id]?.health == .up)
        #expect(monitor[id]?.since == .seconds(1))
        #expect(monitor[id]?.statistics.mean == .milliseconds(3))
    }

    @Test func `a paused target is not asked, and what comes of it late is nobody's`() async throws {
        let monitor = monitor([.make("NAS"), .make("Door")])
        let (nas, door) = (monitor.standings[0].id, monitor.standings[1].id)
        var events = monitor.events.makeAsyncIterator()
        let asker = network.made[0]
        monitor.pause([nas])
        #expect(asker.asked.last == .forget([nas]))
        monitor.probe([nas, door])
        #expect(asker.asked.last == .now([door]))
        asker.find([reply(of: nas), reply(of: door)])
        let batch = try #require(await events.next())
        #expect(batch.count == 2)
        #expect(monitor[nas]?.health == .unknown)
        monitor.resume([nas])
        #expect(asker.asked.last == .now([nas]))
    }

    @Test func `other targets keep the history of those that ask the same`() async throws {
        let monitor = monitor([.make("NAS"), .make("Door")])
        let (nas, door) = (monitor.standings[0].id, monitor.standings[1].id)
        var events = monitor.events.makeAsyncIterator()
        let asker = network.made[0]
        asker.find([reply(of: nas)])
        _ = await events.next()
        monitor.update([.make("Gate"), .make("NAS")])
        #expect(monitor.standings.map(\.target.name) == ["Gate", "NAS"])
        #expect(monitor.standings[1].id == nas)
        #expect(monitor[nas]?.health == .up)
        #expect(monitor[door] == nil)
        let gate = monitor.standings[0]
        let watched = ProbeRequest.watch([ProbeRequest.Assignment(id: gate.id, target: gate.target)])
        #expect(asker.asked.suffix(2) == [.forget([door]), watched])
    }

    @Test func `of several with one name the first counts`() {
        let monitor = monitor([.make("NAS", url: "icmp://a"), .make("NAS", url: "icmp://b"), .make("Door")])
        #expect(monitor.standings.map(\.target.question.url) == ["icmp://a", Target.make().question.url])
        monitor.update([.make("NAS", url: "icmp://b"), .make("NAS", url: "icmp://b")])
        #expect(monitor.standings.map(\.target.question.url) == ["icmp://b"])
    }

    @Test func `what depends on a target that is down is blocked until it is up again`() async throws {
        let monitor = monitor([.make("Router", fall: 1), .make("NAS", dependsOn: [.target("Router")])])
        let (router, nas) = (monitor.standings[0].id, monitor.standings[1].id)
        var events = monitor.events.makeAsyncIterator()
        let asker = network.made[0]
        asker.find([ended(router, .timeout)])
        #expect(await events.next()?.last == .blocked([nas], by: .target("Router"), at: .seconds(1)))
        #expect(monitor[nas]?.isBlocked == true)
        #expect(asker.asked.contains(.forget([nas])))
        asker.find([reply(of: router, 2, at: 2)])
        #expect(await events.next()?.last == .unblocked([nas], at: .seconds(2)))
        #expect(asker.asked.contains(.now([nas])))
    }

    @Test func `when nobody listens nobody is asked, and the next listener finds what was known`() async throws {
        let monitor = monitor([.make("NAS")])
        let id = monitor.standings[0].id
        let task = Task {
            for await events in monitor.events where events.contains(where: \.isTransition) { break }
        }
        let asker = await network.asker(0)
        asker.find([reply(of: id)])
        await task.value
        for await _ in asker.requests {}
        #expect(monitor[id]?.health == .up)
        let events = monitor.events.makeAsyncIterator()
        #expect(network.made.count == 2)
        let standing = try #require(monitor[id])
        #expect(network.made[1].asked == [.watch([ProbeRequest.Assignment(id: id, target: standing.target)])])
        withExtendedLifetime(events) {}
    }

    @Test func `the asking ends when the last listener is cancelled`() async throws {
        let monitor = monitor([.make("NAS")])
        let tasks = (0..<2).map { _ in Task { for await _ in monitor.events {} } }
        let asker = await network.asker(0)
        for task in tasks {
            task.cancel()
            await task.value
        }
        for await _ in asker.requests {}
        await network.prober.closed()
    }

    @Test func `who falls behind is told how many events are lost`() async throws {
        let monitor = monitor([.make("NAS")])
        let id = monitor.standings[0].id
        var slow = monitor.events.makeAsyncIterator()
        var quick = monitor.events.makeAsyncIterator()
        let count = Monitor.Events.capacity + 41
        network.made[0].find((1...count).map { reply(of: id, $0) })
        #expect(await quick.next()?.first == .dropped(42))
        let batch = try #require(await slow.next())
        // One of them is the transition, the first of all but one.
        #expect(batch.first == .dropped(42))
        #expect(batch.count == Monitor.Events.capacity + 1)
    }

    @Test func `one that is cancelled comes to its end, and is not begun again`() async throws {
        let monitor = monitor([.make("NAS")])
        var events = monitor.events.makeAsyncIterator()
        let asker = network.made[0]
        monitor.cancel()
        #expect(await events.next() == nil)
        for await _ in asker.requests {}
        var later = monitor.events.makeAsyncIterator()
        #expect(await later.next() == nil)
        #expect(network.made.count == 1)
    }

    @Test func `first probes are spread, or all at once`() {
        let targets = [Target.make("NAS"), .make("Door")]
        let spread = monitor(targets)
        let events = spread.events.makeAsyncIterator()
        #expect(network.made[0].asked.count == 1)
        withExtendedLifetime(events) {}
        let other = ScriptedNetwork()
        let atOnce = Monitor(targets, firstProbes: .atOnce, by: other.prober)
        let others = atOnce.events.makeAsyncIterator()
        #expect(other.made[0].asked.count == 2)
        withExtendedLifetime(others) {}
    }

    @Test func `a monitor that nobody listens to is gone`() async throws {
        weak var gone: Monitor?
        do {
            let monitor = monitor([.make("NAS")])
            gone = monitor
            let events = monitor.events.makeAsyncIterator()
            withExtendedLifetime(events) {}
        }
        for await _ in network.made[0].requests {}
        // Whoever was told of the end lets go in its own time.
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}

extension Monitor.Event {
    fileprivate var isTransition: Bool {
        if case .transition = self { true } else { false }
    }
}
