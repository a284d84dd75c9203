import Testing

@testable import ReachMonitoring

/// Reports of obstacles, and paths after them.
struct ObstaclePathTests {
    typealias Node = SimulatedNetwork.Node

    /// Known paths behind routers 1 to 4. The third is silent if `isSilent`.
    private static func simulation(isSilent: Bool = false, hosts: Int = 20) -> Simulation {
        var network = SimulatedNetwork(seed: 1)
        let near = (1...4).map { network.add(.router($0)) }
        network.nodes[near[2]].isSilent = isSilent
        for index in 0..<hosts {
            let host = network.add(.host("100.0.\(index / 250).\(index % 250)"))
            network.routes[network.nodes[host].address] = .init(ways: [near + [host]])
        }
        var simulation = Simulation(network)
        simulation.addAll()
        simulation.run(for: .seconds(2_000))
        simulation.events = []
        return simulation
    }

    private static func completions(_ simulation: Simulation) -> [PathCompletion] {
        simulation.events.compactMap { if case .completed(_, let completion) = $0 { completion } else { nil } }
    }

    /// A refresh shares hops, and does not probe them.
    @Test(arguments: [false, true], [0, 1])
    func `a path that reaches the target again has no router of an obstacle in its middle`(
        isSilent: Bool,
        reporter: Int
    ) {
        var simulation = Self.simulation(isSilent: isSilent)
        for round in 0..<3 {
            simulation.network.nodes[reporter].obstacle = .hostUnreachable
            for id in 0..<20 { simulation.plan.traceNow(id, at: simulation.now) }
            simulation.run(for: .seconds(60))
            let down = Self.completions(simulation).filter { $0.cause == .down }
            #expect(down.count == 20)
            for completion in down {
                #expect(
                    completion.end
                        == .unreachable(.hostUnreachable, hop: reporter + 1, address: "10.0.\(reporter + 1).1")
                )
            }
            simulation.network.nodes[reporter].obstacle = nil
            simulation.events = []
            // Some by a trace at once, others by their next refresh.
            if round > 0 { for id in 0..<10 { simulation.plan.traceNow(id, at: simulation.now) } }
            simulation.run(for: .seconds(700))
            let reached = Self.completions(simulation).filter { $0.end.isReached }
            #expect(reached.count >= 20)
            for completion in reached {
                let router = isSilent ? nil : "10.0.3.1"
                #expect(completion.hops.dropLast() == ["10.0.1.1", "10.0.2.1", router, "10.0.4.1"])
            }
            simulation.events = []
        }
    }

    @Test(arguments: [false, true]) func `a watched path forgets an obstacle when the target answers`(isSilent: Bool) {
        var simulation = Self.simulation(isSilent: isSilent, hosts: 1)
        simulation.plan.open(0, at: simulation.now)
        simulation.network.nodes[1].obstacle = .hostUnreachable
        simulation.run(for: .seconds(20))
        #expect(simulation.end == .unreachable(.hostUnreachable, hop: 2, address: "10.0.2.1"))
        simulation.network.nodes[1].obstacle = nil
        simulation.run(for: .seconds(12))
        #expect(simulation.end.isReached)
        let router = isSilent ? nil : "10.0.3.1"
        #expect(simulation.trace.hops().map(\.address) == ["10.0.1.1", "10.0.2.1", router, "10.0.4.1", "100.0.0.0"])
    }
}
