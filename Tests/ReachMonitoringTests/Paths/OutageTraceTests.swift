import Testing

@testable import ReachMonitoring

/// Traces of many targets that go down together.
struct OutageTraceTests {
    typealias Node = SimulatedNetwork.Node

    /// Known paths behind these routers.
    private static func simulation(behind routers: [Node], hosts: Int) -> Simulation {
        var network = SimulatedNetwork(seed: 1)
        let near = routers.map { network.add($0) }
        for index in 0..<hosts {
            let host = network.add(.host("100.0.\(index / 250).\(index % 250)"))
            network.routes[network.nodes[host].address] = .init(ways: [near + [host]])
        }
        var simulation = Simulation(network)
        simulation.addAll()
        simulation.run(for: .seconds(900))
        simulation.events = []
        return simulation
    }

    /// The ends of the traces of targets that went down, by the target.
    private static func ends(_ simulation: Simulation) -> [Int: PathEnd] {
        var ends: [Int: PathEnd] = [:]
        for case .completed(let id, let completion) in simulation.events where completion.cause == .down {
            ends[id.rawValue] = completion.end
        }
        return ends
    }

    @Test func `an answer from before a cut does not count after it, though its trace ends later`() {
        var simulation = Self.simulation(behind: (1...3).map { .router($0) }, hosts: 40)
        // Its own probes are lost and repeated for more than a second.
        for index in simulation.network.nodes.indices where simulation.network.nodes[index].address == "100.0.0.0" {
            simulation.network.nodes[index].isSilent = true
        }
        simulation.plan.traceNow(0, at: simulation.now)
        simulation.run(for: .milliseconds(500))
        simulation.network.nodes[0].isBlackHole = true
        simulation.run(for: .milliseconds(100))
        for id in 1..<40 { simulation.plan.traceNow(id, at: simulation.now) }
        simulation.run(for: .seconds(60))
        var ends = Self.ends(simulation)
        #expect(ends.removeValue(forKey: 0)?.summary == "ends after 10.0.3.1, hop 3 of 4")
        #expect(ends.count == 39)
        #expect(Set(ends.values.map(\.summary)) == ["ends after 10.0.1.1, hop 1 of 4"])
    }

    @Test func `a router is seen when the probe was sent that it answered`() {
        var hops = SharedHops()
        let group = SharedHops.Group(PathDestination(address: "203.0.113.9", method: .icmp))
        let router = SharedHops.Router(hop: 2, address: "10.0.2.1")
        hops.record(router, behind: nil, group: group, sent: .seconds(1), at: .seconds(5))
        #expect(hops.lastAnswer(of: router, group: group) == .seconds(1))
        hops.recordLoss(of: router, group: group, sent: .seconds(2))
        hops.recordLoss(of: router, group: group, sent: .seconds(3))
        hops.record(router, behind: nil, group: group, sent: .seconds(1), at: .seconds(6))
        #expect(hops.silentSince(router, group: group) == .seconds(2))
        hops.recordLoss(of: router, group: group, sent: .seconds(5))
        #expect(hops.silentSince(router, group: group) == .seconds(3))
        hops.recordAnswer(of: router, group: group, sent: .seconds(4))
        #expect(hops.silentSince(router, group: group) == nil)
        let results = hops.results(of: router.address, isIPv6: false, maxHops: 30, since: .seconds(5))
        #expect(!results.answered && results.losses == 1)
    }

    /// Probes go out at one a second and router, and ten a second in all. The oldest trace ends after its own two losses.
    @Test(arguments: [7, 30, 100], [false, true])
    func `the first of many traces end within seconds, and the others share what they find`(hosts: Int, isSilent: Bool)
    {
        var routers = (1...4).map { Node.router($0) }
        routers[2].isSilent = isSilent
        var simulation = Self.simulation(behind: routers, hosts: hosts)
        simulation.network.nodes[1].isBlackHole = true
        let start = simulation.now
        for id in 0..<hosts { simulation.plan.traceNow(id, at: start) }
        simulation.run(for: .seconds(1.6))
        #expect(!Self.ends(simulation).isEmpty)
        simulation.run(until: start + .seconds(2.5))
        #expect(Self.ends(simulation).count >= 3)
        // Two probes of each target.
        simulation.run(until: start + .seconds(Double(hosts) / 5 + 3))
        let ends = Self.ends(simulation)
        #expect(ends.count == hosts)
        #expect(Set(ends.values.map(\.summary)) == ["ends after 10.0.2.1, hop 2 of 5"])
        for address in (1...4).map({ "10.0.\($0).1" }) {
            let times = (simulation.network.arrivals[address] ?? []).filter { $0 > start }
            #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) <= 1)
        }
    }

    @Test func `a hop that never answered is not probed by the trace of an outage, and its router's report is found`() {
        var routers = (1...4).map { Node.router($0) }
        routers[2].isSilent = true
        var simulation = Self.simulation(behind: routers, hosts: 3)
        let sent = simulation.probes.count
        simulation.network.nodes[1].obstacle = .hostUnreachable
        simulation.plan.traceNow(0, at: simulation.now)
        simulation.run(for: .seconds(5))
        #expect(Self.ends(simulation)[0] == .unreachable(.hostUnreachable, hop: 2, address: "10.0.2.1"))
        #expect(Set(simulation.probes[sent...].map(\.probe.hop)) == [1, 2, 4, 5])
    }
}
