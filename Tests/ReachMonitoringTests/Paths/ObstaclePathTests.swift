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

    /// A path of five hops; the third is silent.
    private static func trace() -> PathTrace {
        var trace = PathTrace(destination: PathDestination(address: "203.0.113.9", method: .icmp))
        record(["10.0.1.1", "10.0.2.1", nil, "10.0.4.1", "203.0.113.9"], in: &trace, at: .seconds(1))
        return trace
    }

    /// Records a run: an address with `!` reports an obstacle, a loss is nil, and a hop with `-` is not probed.
    private static func record(_ answers: [String?], in trace: inout PathTrace, at time: Duration) {
        trace.begin(at: time)
        for (index, source) in answers.enumerated() where source != "-" {
            let number = UInt32(time / .seconds(1)) * 100 + UInt32(index)
            let probe = PathProbe(number: number, destination: trace.destination, hop: index + 1)
            trace.recordSent(probe)
            guard let source else {
                trace.recordLoss(probe, sent: time)
                continue
            }
            let isReport = source.hasSuffix("!")
            let answer = PathAnswer(
                probe: number,
                source: isReport ? String(source.dropLast()) : source,
                kind: isReport
                    ? .unreachable(.hostUnreachable)
                    : source == trace.destination.address ? .reached(.reply) : .exceeded,
                roundTrip: .milliseconds(1)
            )
            _ = trace.record(answer, to: probe, sent: time, at: time)
        }
    }

    @Test(
        arguments: [
            // The silent router reports, at its hop or behind it, or the one before.
            (["10.0.1.1", "10.0.2.1", nil, "10.0.3.1!", "10.0.3.1!"], 3),
            (["10.0.1.1", "10.0.2.1", "10.0.3.1!", "10.0.3.1!", "10.0.3.1!"], 3),
            (["10.0.1.1", "10.0.2.1", nil, nil, "10.0.3.1!"], 3),
            (["10.0.1.1", "10.0.2.1", nil, "10.0.2.1!", "10.0.2.1!"], 2),
            // This machine, before or while it finds that its neighbour is off.
            (["192.0.2.7!", "192.0.2.7!", "192.0.2.7!", "192.0.2.7!", "192.0.2.7!"], 1),
            ([nil, nil, "192.0.2.7!", "192.0.2.7!", "192.0.2.7!"], 1),
            // Another router of the same hop, with and without an answer of its own.
            (["10.0.1.1", "10.9.2.1", nil, "10.9.2.1!", "10.9.2.1!"], 2),
            (["10.0.1.1", nil, nil, "10.9.2.1!", "10.9.2.1!"], 2),
            // Hops that were not probed.
            (["-", "-", "-", "10.9.4.1!", "10.9.4.1!"], 3), (["10.0.1.1", "-", nil, "10.9.4.1!", "10.9.4.1!"], 3),
        ] as [([String?], Int)]
    )
    func `a reporter is no farther than the first hop that does not answer`(answers: [String?], hop: Int) {
        var trace = Self.trace()
        Self.record(answers, in: &trace, at: .seconds(100))
        #expect(trace.end().hop == hop)
        guard case .unreachable = trace.end() else {
            Issue.record("\(trace.end())")
            return
        }
        #expect(trace.addresses(until: trace.end()).count == hop)
    }
}
