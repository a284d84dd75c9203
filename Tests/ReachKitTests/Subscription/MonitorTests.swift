import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachKit

/// The subscribers of a monitor, and its events.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct MonitorTests {
    private let network = ScriptedNetwork()

    private func monitor(_ targets: [Target]) throws -> Monitor {
        try Monitor(targets, prober: network.prober)
    }

    private func reply(of id: Target.ID, _ sequence: Int = 1, at seconds: Int = 1) -> Finding {
        ended(id, .reply(roundTrip: .milliseconds(3)), sequence, at: seconds)
    }

    private func ended(_ id: Target.ID, _ outcome: Outcome, _ sequence: Int = 1, at seconds: Int = 1) -> Finding {
        .observation(Observation(target: id, sequence: sequence, time: .seconds(seconds), outcome: outcome))
    }

    @Test func `nothing is probed without a subscriber, and the states are readable`() async throws {
        let monitor = try monitor([.make("NAS"), .make("Door")])
        #expect(monitor.states.map(\.target.name) == ["NAS", "Door"])
        #expect(monitor.states.allSatisfy { $0.health == .unknown })
        monitor.probe(monitor.states.map(\.id))
        #expect(network.backends.isEmpty)
        let events = monitor.events.makeAsyncIterator()
        #expect(network.backends[0].performed.count == 1)
        withExtendedLifetime(events) {}
    }

    @Test func `names and dependencies that the program refuses are an error, and change nothing`() throws {
        func problem(_ targets: [Target]) -> String? {
            do throws(Monitor.TargetError) {
                _ = try Monitor(targets, prober: network.prober)
                return nil
            } catch {
                return error.description
            }
        }
        let nas = Target.make("NAS")
        #expect(problem([nas, .make("NAS", url: "icmp://nas.local")]) == "duplicate name \"NAS\" – rename one")
        #expect(
            problem([nas, .make("Shop", dependsOn: [.target("typo"), .link])])
                == "unknown target \"typo\" in dependsOn of \"Shop\" – the name of a target, or .link"
        )
        #expect(
            problem([.make("A", dependsOn: [.target("B")]), .make("B", dependsOn: [.target("A")])])
                == "circular dependency: A → B → A – remove one"
        )
        #expect(
            problem([.make("A", dependsOn: [.target("A")])])
                == "a target cannot depend on itself – remove \"A\" from its dependsOn"
        )
        #expect(problem([nas, .make("Shop", dependsOn: [.target("NAS")]), .make("Web", dependsOn: [.link])]) == nil)

        let monitor = try monitor([nas])
        #expect(throws: Monitor.TargetError.duplicateName("NAS")) { try monitor.update([nas, nas]) }
        #expect(monitor.states.map(\.target.name) == ["NAS"])
    }

    @Test func `a long circle of dependencies is found, and named by its ends`() throws {
        let count = 20_000
        let targets = (0..<count).map { Target.make("T\($0)", dependsOn: [.target("T\(($0 + 1) % count)")]) }
        let error = #expect(throws: Monitor.TargetError.self) { try Monitor.TargetError.check(targets) }
        #expect(error?.description == "circular dependency: T0 → T1 → T2 → T3 → … → T19999 → T0 – remove one")
        #expect(error?.localizedDescription == error?.description)
        try Monitor.TargetError.check(Array(targets.dropLast()) + [.make("T\(count - 1)")])
    }

    @Test func `after the end of a monitor, there are no further events, and its states stay`() async throws {
        let monitor = try monitor([.make("NAS")])
        var events = monitor.events.makeAsyncIterator()
        network.backends[0].report([reply(of: monitor.states[0].id)])
        #expect(await events.next()?.count == 2)
        monitor.cancel()
        #expect(await events.next() == nil)
        var later = monitor.events.makeAsyncIterator()
        #expect(await later.next() == nil)
        #expect(monitor.states[0].health == .up)
    }

    @Test func `all subscribers receive observations and transitions in one batch`() async throws {
        let monitor = try monitor([.make("NAS")])
        let id = monitor.states[0].id
        var subscribers = [monitor.events.makeAsyncIterator(), monitor.events.makeAsyncIterator()]
        network.backends[0].report([reply(of: id)])
        for index in subscribers.indices {
            let batch = try #require(await subscribers[index].next())
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

    @Test func `a paused target is not probed, and its late reply is ignored`() async throws {
        let monitor = try monitor([.make("NAS"), .make("Door")])
        let (nas, door) = (monitor.states[0].id, monitor.states[1].id)
        var events = monitor.events.makeAsyncIterator()
        let backend = network.backends[0]
        monitor.pause([nas])
        #expect(backend.performed.last == .forget([nas]))
        monitor.probe([nas, door])
        #expect(backend.performed.last == .now([door]))
        backend.report([reply(of: nas), reply(of: door)])
        let batch = try #require(await events.next())
        #expect(batch.count == 2)
        #expect(monitor[nas]?.health == .unknown)
        monitor.resume([nas])
        #expect(backend.performed.last == .now([nas]))
    }

    @Test func `an update keeps the history of targets with the same question`() async throws {
        let monitor = try monitor([.make("NAS"), .make("Door")])
        let (nas, door) = (monitor.states[0].id, monitor.states[1].id)
        var events = monitor.events.makeAsyncIterator()
        let backend = network.backends[0]
        backend.report([reply(of: nas)])
        _ = await events.next()
        try monitor.update([.make("Gate"), .make("NAS")])
        #expect(monitor.states.map(\.target.name) == ["Gate", "NAS"])
        #expect(monitor.states[1].id == nas)
        #expect(monitor[nas]?.health == .up)
        #expect(monitor[door] == nil)
        let gate = monitor.states[0]
        let watched = ProbeRequest.watch([ProbeRequest.Assignment(id: gate.id, target: gate.target)])
        #expect(backend.performed.suffix(2) == [.forget([door]), watched])
    }

    @Test func `a target is blocked while its dependency is down`() async throws {
        let monitor = try monitor([.make("Router", fall: 1), .make("NAS", dependsOn: [.target("Router")])])
        let (router, nas) = (monitor.states[0].id, monitor.states[1].id)
        var events = monitor.events.makeAsyncIterator()
        let backend = network.backends[0]
        backend.report([ended(router, .timeout)])
        #expect(await events.next()?.last == .blocked([nas], by: .target("Router"), at: .seconds(1)))
        #expect(monitor[nas]?.isBlocked == true)
        #expect(backend.performed.contains(.forget([nas])))
        backend.report([reply(of: router, 2, at: 2)])
        #expect(await events.next()?.last == .unblocked([nas], at: .seconds(2)))
        #expect(backend.performed.contains(.now([nas])))
    }

    @Test func `without subscribers nothing is probed, and the states are kept`() async throws {
        let monitor = try monitor([.make("NAS")])
        let id = monitor.states[0].id
        let task = Task {
            for await events in monitor.events where events.contains(where: \.isTransition) { break }
        }
        let backend = await network.backend(0)
        backend.report([reply(of: id)])
        await task.value
        for await _ in backend.requests {}
        #expect(monitor[id]?.health == .up)
        let events = monitor.events.makeAsyncIterator()
        #expect(network.backends.count == 2)
        let state = try #require(monitor[id])
        #expect(network.backends[1].performed == [.watch([ProbeRequest.Assignment(id: id, target: state.target)])])
        withExtendedLifetime(events) {}
    }

    @Test func `probing stops when the last subscriber is cancelled`() async throws {
        let monitor = try monitor([.make("NAS")])
        let tasks = (0..<2).map { _ in Task { for await _ in monitor.events {} } }
        let backend = await network.backend(0)
        for task in tasks {
            task.cancel()
            await task.value
        }
        for await _ in backend.requests {}
        await network.prober.closed()
    }

    @Test func `a slow subscriber receives the number of dropped events`() async throws {
        let monitor = try monitor([.make("NAS")])
        let id = monitor.states[0].id
        var slow = monitor.events.makeAsyncIterator()
        var fast = monitor.events.makeAsyncIterator()
        let count = Monitor.Events.capacity + 41
        network.backends[0].report((1...count).map { reply(of: id, $0) })
        #expect(await fast.next()?.first == .dropped(42))
        let batch = try #require(await slow.next())
        // The transition is an event too, so 42 are dropped and not 41.
        #expect(batch.first == .dropped(42))
        #expect(batch.count == Monitor.Events.capacity + 1)
    }

    @Test func `a cancelled monitor ends, and does not start again`() async throws {
        let monitor = try monitor([.make("NAS")])
        var events = monitor.events.makeAsyncIterator()
        let backend = network.backends[0]
        monitor.cancel()
        #expect(await events.next() == nil)
        for await _ in backend.requests {}
        var later = monitor.events.makeAsyncIterator()
        #expect(await later.next() == nil)
        #expect(network.backends.count == 1)
    }

    @Test func `first probes are staggered, or all at once`() throws {
        let targets = [Target.make("NAS"), .make("Door")]
        let staggered = try monitor(targets)
        let events = staggered.events.makeAsyncIterator()
        #expect(network.backends[0].performed.count == 1)
        withExtendedLifetime(events) {}
        let other = ScriptedNetwork()
        let atOnce = try Monitor(targets, firstProbes: .atOnce, prober: other.prober)
        let others = atOnce.events.makeAsyncIterator()
        #expect(other.backends[0].performed.count == 2)
        withExtendedLifetime(others) {}
    }

    @Test func `an unused monitor is released`() async throws {
        weak var released: Monitor?
        do {
            let monitor = try monitor([.make("NAS")])
            released = monitor
            let events = monitor.events.makeAsyncIterator()
            withExtendedLifetime(events) {}
        }
        for await _ in network.backends[0].requests {}
        // The end of the subscription is handled asynchronously.
        while released != nil { await Task.yield() }
        #expect(released == nil)
    }
}

extension Monitor.Event {
    fileprivate var isTransition: Bool {
        if case .transition = self { true } else { false }
    }
}

/// A monitor with the network of this machine, by the public interface only.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct MonitorLiveTests {
    @Test func `an open port is up, and down once it is closed`() async throws {
        let peer = try await SessionPeer.on()
        let url = "tcp://127.0.0.1:\(peer.port)"
        let target = Target(
            name: "Peer",
            question: try Question(url),
            interval: .milliseconds(50),
            timeout: .seconds(20)
        )
        let monitor = try Monitor([target])
        var isClosed = false
        loop: for await events in monitor.events {
            for case .transition(let id, let transition) in events {
                #expect(monitor[id]?.target.name == "Peer")
                guard transition.to == .up else { break loop }
                #expect(!isClosed)
                try await peer.close()
                isClosed = true
            }
        }
        #expect(monitor.states.map(\.health) == [.down])
    }
}
