import Testing

@testable import ReachMonitoring

/// Traces of targets that went down.
struct DownPathTests {
    @Test func `a target that went down is traced at once, before all others`() {
        var network = SimulatedNetwork.star(200)
        let router = network.add(.router(3))
        let host = network.add(.host("203.0.113.9"))
        let way = [0, 1, router, host]
        network.routes["203.0.113.9"] = .init(ways: [way])
        var simulation = Simulation(network)
        simulation.addAll()
        let id = 200
        simulation.run(for: .seconds(1_500))
        #expect(simulation.plan.trace(of: id)?.end().isReached == true)
        simulation.network.nodes[router].isBlackHole = true
        // Others are traced for the first time meanwhile.
        for index in 0..<50 { simulation.plan.remove(index, at: simulation.now) }
        simulation.addAll()
        simulation.events = []
        let sent = simulation.probes.count
        simulation.plan.traceNow(id, at: simulation.now)
        let start = simulation.now
        simulation.run(for: .seconds(15))
        var ends: [PathEnd] = []
        for case .completed(Target.ID(id), let completion) in simulation.events where completion.cause == .down {
            ends.append(completion.end)
            #expect(completion.probes <= 8)
        }
        #expect(ends.map(\.summary) == ["ends after 10.0.3.1, hop 3 of 4"])
        let own = simulation.probes[sent...].filter { $0.probe.destination.address == "203.0.113.9" }
        #expect(own.prefix(4).allSatisfy { $0.time <= start + .seconds(2) })
        #expect(simulation.plan.trace(of: id)?.hops()[2].isShared == false)
    }

    @Test func `the end of a known path is found before three losses a second apart are a verdict`() {
        var simulation = Simulation(SimulatedNetwork.chain(5))
        simulation.addAll()
        simulation.run(for: .seconds(60))
        simulation.network.nodes[1].isBlackHole = true
        simulation.events = []
        let start = simulation.now
        simulation.plan.traceNow(0, at: start)
        simulation.run(for: .milliseconds(1_900))
        let done = simulation.events.compactMap { event in
            if case .completed(_, let completion) = event { completion } else { nil }
        }
        #expect(done.map(\.end.summary) == ["ends after 10.0.2.1, hop 2 of 5"])
        #expect(done.first?.hops == ["10.0.1.1", "10.0.2.1"])
    }

    @Test func `a trace while the path is shown counts no answers from before it`() {
        var simulation = Simulation(SimulatedNetwork.chain(4))
        simulation.addAll()
        simulation.plan.open(0, at: .zero)
        simulation.run(for: .seconds(60))
        simulation.network.nodes[1].isBlackHole = true
        simulation.run(for: .seconds(1))
        simulation.events = []
        simulation.plan.traceNow(0, at: simulation.now)
        simulation.run(for: .seconds(6))
        let ends = simulation.events.compactMap { event in
            if case .completed(_, let completion) = event { completion.end.summary } else { nil }
        }
        #expect(ends == ["ends after 10.0.2.1, hop 2 of 4"])
    }

    @Test func `targets behind a router that is off share its silence`() {
        var simulation = Simulation(SimulatedNetwork.star(250))
        simulation.addAll()
        simulation.run(for: .seconds(900))
        simulation.network.nodes[0].isBlackHole = true
        simulation.events = []
        for id in 0..<250 { simulation.plan.traceNow(id, at: simulation.now) }
        simulation.run(for: .seconds(90))
        var ends: [String: Int] = [:]
        for case .completed(_, let completion) in simulation.events where completion.cause == .down {
            ends[completion.end.summary, default: 0] += 1
        }
        #expect(ends == ["ends after 10.0.1.1, hop 1 of 3": 250])
    }

    @Test func `hundreds of targets that go down together end where they do, and no router is probed twice a second`() {
        var simulation = Simulation(SimulatedNetwork.star(300))
        simulation.addAll()
        simulation.run(for: .seconds(900))
        simulation.network.nodes[1].isBlackHole = true
        simulation.events = []
        let start = simulation.now
        for id in 0..<300 { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .seconds(150))
        var ends: [String: Int] = [:]
        for case .completed(_, let completion) in simulation.events where completion.cause == .down {
            ends[completion.end.summary, default: 0] += 1
        }
        #expect(ends == ["ends after 10.0.2.1, hop 2 of 3": 300])
        for address in ["10.0.1.1", "10.0.2.1"] {
            let times = (simulation.network.arrivals[address] ?? []).filter { $0 > start }
            #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) <= 1)
        }
    }

    @Test func `targets of unknown paths that are down together share the silence behind the first router`() {
        var network = SimulatedNetwork(seed: 1)
        let near = (1...2).map { network.add(.router($0)) }
        for index in 0..<200 {
            let host = network.add(.host("100.0.\(index).1"))
            network.routes[network.nodes[host].address] = .init(ways: [near + [host]])
        }
        network.nodes[0].isBlackHole = true
        var simulation = Simulation(network)
        simulation.addAll()
        for id in 0..<200 { simulation.plan.traceNow(id, at: .zero) }
        simulation.run(for: .seconds(240))
        var ends: [String: Int] = [:]
        for case .completed(_, let completion) in simulation.events where completion.cause == .down {
            ends[completion.end.summary, default: 0] += 1
        }
        #expect(ends == ["ends after 10.0.1.1, hop 1": 200])
    }

    @Test func `a network that is down from the start delays no other, and its targets share where it ends`() {
        var network = SimulatedNetwork(seed: 1)
        let gate = network.add(.router(1))
        for net in 0..<4 {
            let routers = (1...2).map { network.add(SimulatedNetwork.Node(address: "10.\($0).\(net).1")) }
            network.nodes[routers[0]].isBlackHole = net == 1
            for number in 100..<160 {
                let host = network.add(.host("100.0.\(net).\(number)"))
                network.routes[network.nodes[host].address] = .init(ways: [[gate] + routers + [host]])
            }
        }
        var simulation = Simulation(network)
        simulation.addAll()
        simulation.run(for: .seconds(4))
        for id in 60..<120 { simulation.plan.traceNow(id, at: simulation.now) }
        simulation.run(for: .seconds(40))
        var ends: [String: Int] = [:]
        for case .completed(_, let completion) in simulation.events where completion.cause == .down {
            ends[completion.end.summary, default: 0] += 1
        }
        #expect(ends == ["ends after 10.1.1.1, hop 2": 60])
        // Each of them probes the first router, one a second.
        simulation.run(for: .seconds(250))
        for id in Array(0..<60) + Array(120..<240) { #expect(simulation.plan.trace(of: id)?.end().isReached == true) }
        for (address, times) in simulation.network.arrivals where address.hasPrefix("10.") {
            #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) <= 2, "\(address)")
        }
    }

    @Test func `targets that are traced by another method have an end of their own`() {
        var network = SimulatedNetwork.star(30)
        network.nodes[1].isBlackHole = true
        var simulation = Simulation(network)
        simulation.addAll()
        let other = PathDestination(address: "100.0.0.5", method: .udp, port: 53)
        simulation.plan.add(100, destination: other, at: .zero)
        for id in Array(0..<30) + [100] { simulation.plan.traceNow(id, at: .zero) }
        simulation.run(for: .seconds(120))
        let trace = simulation.plan.trace(of: 100)
        #expect(trace?.end().summary == "ends after 10.0.2.1, hop 2")
        #expect(trace?.hop(2)?.isShared == false)
        #expect((0..<30).contains { simulation.plan.trace(of: $0)?.hop(2)?.isShared == true })
    }

    @Test func `a trace whose probes cannot be sent says nothing about a path that was known`() {
        var simulation = Simulation(.chain(4))
        simulation.addAll()
        simulation.run(for: .seconds(60))
        var plan = simulation.plan
        plan.traceNow(0, at: simulation.now)
        var ends: [PathEnd] = []
        while let time = plan.nextDeadline, time < simulation.now + .seconds(60) {
            for probe in plan.due(at: time) { plan.fail(probe: probe.number, at: time) }
            for case .completed(_, let completion) in plan.takeEvents() { ends.append(completion.end) }
        }
        #expect(ends == [.notSent])
    }
}
