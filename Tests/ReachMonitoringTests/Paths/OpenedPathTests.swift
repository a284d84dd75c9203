import Testing

@testable import ReachMonitoring

/// What is said about a path while its probes have no results yet, and the rounds of several paths.
struct OpenedPathTests {
    @Test func `a hop is not silent while its lost probe is repeated`() {
        var network = SimulatedNetwork.chain(4)
        network.nodes[1].isSilent = true
        var simulation = Simulation(network)
        simulation.addAll()
        while simulation.trace.hop(2)?.lost != 1, simulation.now < .seconds(60) {
            simulation.run(for: .milliseconds(100))
        }
        #expect(simulation.trace.hop(2)?.lost == 1)
        #expect(simulation.trace.hop(2)?.absence == "waiting")
        simulation.run(for: .seconds(10))
        #expect(simulation.trace.hop(2)?.lost == 2)
        #expect(simulation.trace.hop(2)?.absence == nil && simulation.words[1] == .silent)
    }

    @Test func `a path that is opened is the known one until it has results`() {
        var simulation = Simulation(SimulatedNetwork.chain(5))
        simulation.addAll()
        simulation.run(for: .seconds(60))
        simulation.network.nodes[1].isBlackHole = true
        simulation.plan.open(0, at: simulation.now)
        for _ in 0..<2 {
            #expect(simulation.end == .reached(hop: 5, address: "203.0.113.9"))
            #expect(simulation.words == [.ok, .ok, .ok, .ok, .ok])
            #expect(!simulation.trace.isMeasuring())
            simulation.run(for: .seconds(1))
        }
        simulation.run(for: .seconds(3))
        #expect(simulation.end.summary == "ends after 10.0.2.1, hop 2 of 5")
        #expect(simulation.words == [.ok, .ok, .silent, .silent, .silent])
        // A moment on the screen changes nothing.
        simulation.plan.close(0, at: simulation.now)
        simulation.network.nodes[1].isBlackHole = false
        simulation.plan.traceNow(0, at: simulation.now)
        simulation.run(for: .seconds(20))
        simulation.plan.open(0, at: simulation.now)
        simulation.plan.close(0, at: simulation.now)
        #expect(simulation.end.isReached)
    }

    @Test func `where an unknown path ends is not said before its probes have results`() {
        for isCut in [false, true] {
            var network = SimulatedNetwork.chain(5)
            network.nodes[1].isBlackHole = isCut
            var simulation = Simulation(network)
            simulation.addAll(every: nil)
            simulation.plan.open(0, at: .zero)
            simulation.run(for: .milliseconds(1))
            #expect(simulation.trace.isMeasuring())
            #expect(simulation.trace.hop(1)?.absence == "waiting")
            simulation.run(for: .seconds(1))
            #expect(simulation.trace.isMeasuring() == isCut)
            simulation.run(for: .seconds(3))
            #expect(!simulation.trace.isMeasuring())
            #expect(simulation.end.isReached != isCut)
        }
    }

    @Test func `no round is skipped where several paths share a router`() {
        var simulation = Simulation(SimulatedNetwork.star(6))
        simulation.addAll(every: nil)
        for id in 0..<6 { simulation.plan.open(id, searchesMTU: true, rounds: 10, at: .zero) }
        simulation.run(for: .seconds(120))
        for id in 0..<6 {
            #expect(simulation.plan.isComplete(Target.ID(id)))
            #expect(simulation.plan.trace(of: id)?.hops().map(\.sent) == [10, 10, 10])
        }
        #expect(SimulatedNetwork.most(simulation.network.arrivals["10.0.1.1"] ?? [], in: .milliseconds(990)) == 1)
    }

    @Test(arguments: [1_500, 9_000, 65_535]) func `an MTU that would carry the packet is not shown`(mtu: Int) {
        let destination = PathDestination(address: "203.0.113.9", method: .icmp)
        var trace = PathTrace(destination: destination)
        func answer(_ number: UInt32, _ kind: PathAnswer.Kind, size: Int?) {
            let probe = PathProbe(number: number, destination: destination, hop: 1, size: size)
            trace.recordSent(probe)
            let answer = PathAnswer(probe: number, source: "10.0.0.1", kind: kind, roundTrip: .milliseconds(1))
            _ = trace.record(answer, to: probe, sent: .seconds(1), at: .seconds(1))
        }
        answer(1, .exceeded, size: nil)
        answer(2, .tooBig(mtu: mtu), size: 1_500)
        #expect(trace.hop(1)?.mtu == nil)
        answer(3, .tooBig(mtu: 1_400), size: 1_500)
        #expect(trace.hop(1)?.mtu == 1_400)
        answer(4, .tooBig(mtu: mtu), size: nil)
        #expect(trace.hop(1)?.mtu == 1_400)
    }
}
