import TestSupport
import Testing

@testable import ReachMonitoring

/// Whether an accused router has answered since the outages began.
struct ConfirmedHopTests {
    typealias Node = SimulatedNetwork.Node

    private struct Confirmed: Equatable {
        let id: Int
        let hop: String
        let answered: Bool
    }

    private static func confirmed(_ events: [PathEvent]) -> [Confirmed] {
        events.compactMap { event in
            guard case .confirmed(let id, let hop, let answered) = event else { return nil }
            return Confirmed(id: id.rawValue, hop: hop, answered: answered)
        }
    }

    /// Known paths behind routers 1 and 2.
    private static func star(_ count: Int) -> Simulation {
        var simulation = Simulation(SimulatedNetwork.star(count))
        simulation.addAll()
        simulation.run(for: .seconds(900))
        simulation.events = []
        return simulation
    }

    private static func ask(
        _ simulation: inout Simulation,
        _ hop: String,
        of id: Int = 0,
        since: Duration? = nil
    ) -> [Confirmed] {
        let since = since ?? simulation.now
        simulation.plan.confirm(hop, of: Target.ID(id), since: since, at: simulation.now)
        return confirmed(simulation.plan.takeEvents())
    }

    @Test func `the results of traces are enough, and nothing is sent`() {
        var simulation = Self.star(3)
        simulation.network.nodes[0].isBlackHole = true
        let start = simulation.now
        for id in 0..<3 { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .seconds(3))
        let sent = simulation.network.sent
        #expect(Self.ask(&simulation, "10.0.1.1", since: start) == [Confirmed(id: 0, hop: "10.0.1.1", answered: true)])
        #expect(Self.ask(&simulation, "10.0.2.1", since: start) == [Confirmed(id: 0, hop: "10.0.2.1", answered: false)])
        let deadline = simulation.plan.nextDeadline
        #expect(simulation.network.sent == sent && deadline.map { $0 > simulation.now } ?? true)
    }

    /// A trace sees its first losses after 0.3 s, and is done later.
    @Test func `the losses of single hops count before any trace is done`() {
        var simulation = Self.star(8)
        simulation.network.nodes[0].isBlackHole = true
        let start = simulation.now
        for id in 0..<8 { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .milliseconds(1_400))
        #expect(Self.ask(&simulation, "10.0.2.1", since: start) == [Confirmed(id: 0, hop: "10.0.2.1", answered: false)])
    }

    @Test func `without results, the router is probed twice, and once if it answers`() {
        var simulation = Self.star(3)
        simulation.network.nodes[1].isSilent = true
        let sent = simulation.network.sent
        #expect(Self.ask(&simulation, "10.0.1.1") + Self.ask(&simulation, "10.0.2.1", of: 1) == [])
        let start = simulation.now
        simulation.run(for: .milliseconds(10))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.1.1", answered: true)])
        simulation.run(for: .milliseconds(1_400))
        #expect(Self.confirmed(simulation.events).last == Confirmed(id: 1, hop: "10.0.2.1", answered: false))
        #expect(simulation.network.sent == sent + 3)
        simulation.run(for: .seconds(20))
        #expect(Self.confirmed(simulation.events).count == 2)
        #expect(simulation.network.sent == sent + 3)
        let times = (simulation.network.arrivals["10.0.2.1"] ?? []).filter { $0 >= start }
        #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) == 1)
    }

    @Test func `answers and losses from before the time do not count`() {
        var simulation = Self.star(3)
        let start = simulation.now
        simulation.network.nodes[0].isBlackHole = true
        for id in 0..<3 { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .seconds(10))
        simulation.network.nodes[0].isBlackHole = false
        #expect(Self.ask(&simulation, "10.0.2.1").isEmpty)
        simulation.run(for: .milliseconds(10))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: true)])
    }

    @Test func `one loss does not decide`() {
        var simulation = Self.star(3)
        simulation.network.nodes[1].isSilent = true
        let start = simulation.now
        simulation.plan.traceNow(0, at: start)
        simulation.run(for: .milliseconds(500))
        simulation.network.nodes[1].isSilent = false
        #expect(Self.ask(&simulation, "10.0.2.1", since: start).isEmpty)
        simulation.run(for: .milliseconds(600))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: true)])
    }

    @Test func `the question passes the traces of a hundred other targets, within the budget of the router`() {
        var simulation = Self.star(100)
        let start = simulation.now
        for id in 0..<100 { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .milliseconds(2_015))
        simulation.network.nodes[1].isSilent = true
        simulation.events = []
        #expect(Self.ask(&simulation, "10.0.2.1", of: 50).isEmpty)
        simulation.run(for: .milliseconds(2_400))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 50, hop: "10.0.2.1", answered: false)])
        for address in ["10.0.1.1", "10.0.2.1"] {
            let times = (simulation.network.arrivals[address] ?? []).filter { $0 >= start }
            #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) == 1)
        }
    }

    @Test func `a late answer, and one to a watch of another path, ends the wait`() {
        var simulation = Self.star(3)
        simulation.network.nodes[1].answerDelay = .milliseconds(800)
        #expect(Self.ask(&simulation, "10.0.2.1").isEmpty)
        simulation.run(for: .milliseconds(850))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: true)])
        simulation.events = []
        simulation.network.nodes[1].answerDelay = .zero
        simulation.run(for: .seconds(5))
        simulation.plan.open(2, at: simulation.now)
        simulation.run(for: .milliseconds(1))
        #expect(Self.ask(&simulation, "10.0.2.1", since: simulation.now - .seconds(1)).isEmpty)
        simulation.run(for: .milliseconds(20))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: true)])
    }

    @Test func `the report of the router before says that this one does not answer`() {
        var simulation = Self.star(3)
        simulation.network.nodes[0].obstacle = .hostUnreachable
        let start = simulation.now
        #expect(Self.ask(&simulation, "10.0.2.1").isEmpty)
        simulation.run(for: .milliseconds(1_100))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: false)])
        // The reports are answers of the first router.
        #expect(Self.ask(&simulation, "10.0.1.1", since: start) == [Confirmed(id: 0, hop: "10.0.1.1", answered: true)])
    }

    @Test func `another router at the hop, and a probe that cannot be sent, are no answer`() {
        var simulation = Self.star(3)
        simulation.network.nodes[1].address = "10.9.2.1"
        #expect(Self.ask(&simulation, "10.0.2.1").isEmpty)
        simulation.run(for: .milliseconds(1_100))
        #expect(Self.confirmed(simulation.events) == [Confirmed(id: 0, hop: "10.0.2.1", answered: false)])
        #expect(Self.ask(&simulation, "10.0.1.1", since: simulation.now).isEmpty)
        var (plan, events) = (simulation.plan, [PathEvent]())
        while let time = plan.nextDeadline, time < simulation.now + .seconds(5) {
            for probe in plan.due(at: time) { plan.fail(probe: probe.number, at: time) }
            events += plan.takeEvents()
        }
        #expect(Self.confirmed(events) == [Confirmed(id: 0, hop: "10.0.1.1", answered: false)])
    }

    @Test func `what is unknown or removed has not answered`() {
        var simulation = Self.star(3)
        #expect(Self.ask(&simulation, "10.0.1.1", of: 7) == [Confirmed(id: 7, hop: "10.0.1.1", answered: false)])
        #expect(Self.ask(&simulation, "10.5.5.5") == [Confirmed(id: 0, hop: "10.5.5.5", answered: false)])
        #expect(Self.ask(&simulation, "10.0.1.1").isEmpty && Self.ask(&simulation, "10.0.1.1").isEmpty)
        simulation.plan.remove(0, at: simulation.now)
        #expect(Self.confirmed(simulation.plan.takeEvents()) == [Confirmed(id: 0, hop: "10.0.1.1", answered: false)])
        simulation.run(for: .seconds(10))
        #expect(Self.confirmed(simulation.events).isEmpty)
    }

    /// Routers are cut at random while questions are asked. The answer to each is compared with what the routers received.
    @Test(arguments: 1...20 as ClosedRange<UInt64>) func `every question has one true answer`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var simulation = Self.star(12)
        for _ in 0..<60 {
            let cut = Int.random(in: 0...2, using: &generator)
            for index in 0..<2 { simulation.network.nodes[index].isBlackHole = index == cut }
            let start = simulation.now
            for id in 0..<12 where Bool.random(using: &generator) { simulation.plan.traceNow(id, at: start) }
            if Bool.random(using: &generator) { simulation.plan.open(3, at: start) }
            simulation.run(for: .milliseconds(Int.random(in: 1...3_000, using: &generator)))
            let hop = Int.random(in: 1...2, using: &generator)
            simulation.events = []
            let id = Int.random(in: 0..<12, using: &generator)
            let atOnce = Self.ask(&simulation, "10.0.\(hop).1", of: id, since: start)
            simulation.run(for: .milliseconds(3_100))
            let expected = Confirmed(id: id, hop: "10.0.\(hop).1", answered: hop - 1 <= cut)
            #expect(atOnce + Self.confirmed(simulation.events) == [expected])
            while simulation.plan.trace(of: 3)?.isWatched == true { simulation.plan.close(3, at: simulation.now) }
            simulation.run(for: .seconds(Int.random(in: 0...20, using: &generator)))
        }
    }
}
