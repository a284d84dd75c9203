import TestSupport
import Testing

@testable import ReachMonitoring

/// Many traces behind shared routers.
struct SharedPathTests {
    typealias Node = SimulatedNetwork.Node

    /// A random tree: each router has up to `branches` routers behind it, and destinations are behind the outermost
    /// ones.
    private func tree(seed: UInt64, destinations: Int, depths: ClosedRange<Int>, leaves: Int) -> SimulatedNetwork {
        var network = SimulatedNetwork(seed: seed)
        var generator = SplitMix(seed: seed)
        var levels: [[(node: Int, way: [Int])]] = []
        let root = network.add(Node(address: "10.0.0.1"))
        levels.append([(root, [root])])
        var number = 0
        while levels.count < depths.upperBound {
            let parents = levels[levels.count - 1]
            let count = min(leaves, parents.count * 2 + 1)
            levels.append(
                (0..<count).map { _ in
                    number += 1
                    let parent = parents[Int.random(in: 0..<parents.count, using: &generator)]
                    let node = network.add(Node(address: "10.\(1 + number / 250).\(number % 250).1"))
                    return (node, parent.way + [node])
                }
            )
        }
        let outer = levels[(depths.lowerBound - 1)...].flatMap { $0 }
        let edges = (0..<leaves).map { _ in outer[Int.random(in: 0..<outer.count, using: &generator)] }
        for index in 0..<destinations {
            let edge = edges[index % leaves]
            let host = network.add(.host("100.\(index % leaves / 250).\(index % leaves % 250).\(index / leaves + 1)"))
            network.routes[network.nodes[host].address] = .init(ways: [edge.way + [host]])
        }
        return network
    }

    /// A backbone of the shape of the Internet Topology Zoo's: a ring of few hubs with chains and stars behind them,
    /// and the shortest ways through it.
    private func backbone(seed: UInt64, destinations: Int, routers: Int) -> SimulatedNetwork {
        var network = SimulatedNetwork(seed: seed)
        var generator = SplitMix(seed: seed)
        var links: [[Int]] = []
        for index in 0..<routers {
            _ = network.add(Node(address: "10.\(index / 250).\(index % 250).1"))
            links.append([])
            guard index > 0 else { continue }
            // Preferential attachment: a random end of a random link.
            let ends = links.flatMap { $0 }
            let isChain = ends.isEmpty || index.isMultiple(of: 3)
            let peer = isChain ? index - 1 : ends[Int.random(in: 0..<ends.count, using: &generator)]
            links[index].append(peer)
            links[peer].append(index)
            if index.isMultiple(of: 5) {
                let other = Int.random(in: 0..<index, using: &generator)
                links[index].append(other)
                links[other].append(index)
            }
        }
        var before: [Int?] = Array(repeating: nil, count: routers)
        var isSeen = Array(repeating: false, count: routers)
        var queue = [0]
        isSeen[0] = true
        var position = 0
        while position < queue.count {
            let node = queue[position]
            position += 1
            for peer in links[node] where !isSeen[peer] {
                isSeen[peer] = true
                before[peer] = node
                queue.append(peer)
            }
        }
        for index in 0..<destinations {
            let edge = index % (routers - 1) + 1
            var way = [edge]
            while let node = before[way[0]] { way.insert(node, at: 0) }
            let host = network.add(.host("100.\(edge / 250).\(edge % 250).\(index / (routers - 1) + 1)"))
            network.routes[network.nodes[host].address] = .init(ways: [way + [host]])
        }
        return network
    }

    private func simulation(_ network: SimulatedNetwork) -> Simulation {
        var simulation = Simulation(network)
        simulation.keepsProbes = false
        for (index, address) in network.routes.keys.sorted().enumerated() {
            simulation.plan.add(index, destination: PathDestination(address: address, method: .icmp), at: .zero)
        }
        return simulation
    }

    private func isTrue(_ trace: PathTrace, in network: SimulatedNetwork) -> Bool {
        let ways = network.routes[trace.destination.address]?.ways ?? []
        let hops = trace.hops().map { $0.address }
        return ways.contains { way in hops == way.map { network.nodes[$0].isSilent ? nil : network.nodes[$0].address } }
    }

    /// The highest number of probes that a router had to answer within a second, less a little for the jitter of
    /// delays.
    private func peak(_ network: SimulatedNetwork, since time: Duration) -> Int {
        var peak = 0
        for (address, times) in network.arrivals where !address.hasPrefix("100.") {
            let times = times.filter { $0 >= time }.sorted()
            var first = 0
            for index in times.indices {
                while times[index] - times[first] > .milliseconds(990) { first += 1 }
                peak = max(peak, index - first + 1)
            }
            _ = address
        }
        return peak
    }

    enum Shape: CaseIterable { case tree, backbone }

    @Test(arguments: Shape.allCases)
    func
        `ten thousand paths need half of the probes in ten minutes, and no router is probed twice a second`(
            shape: Shape
        )
    {
        let network =
            switch shape {
            case .tree: tree(seed: 1, destinations: 10_000, depths: 6...14, leaves: 1_000)
            case .backbone: backbone(seed: 1, destinations: 10_000, routers: 754)
            }
        var simulation = simulation(network)
        simulation.run(for: .seconds(600))
        #expect((0..<10_000).allSatisfy { simulation.plan.trace(of: $0)?.end().isReached == true })
        let separate = network.routes.values.reduce(0) { $0 + $1.ways[0].count }
        #expect(simulation.network.sent < separate)
        // Hops that never answered have no budget of their own: the burst of a Linux router is six.
        #expect(peak(simulation.network, since: .zero) <= 4)
        let (sent, start) = (simulation.network.sent, simulation.now)
        simulation.events = []
        simulation.run(for: .seconds(600))
        var refreshed: Set<Int> = []
        for case .completed(let id, _) in simulation.events { refreshed.insert(id.rawValue) }
        #expect(refreshed.count >= 9_990)
        #expect(simulation.network.sent - sent <= separate / 2)
        #expect(peak(simulation.network, since: start) == 1)
        #expect((0..<10_000).allSatisfy { simulation.plan.trace(of: $0).map { isTrue($0, in: network) } ?? false })
    }

    @Test func `a thousand targets behind one router probe it once a second and it is ok`() {
        var network = SimulatedNetwork(seed: 1)
        let router = network.add(Node(address: "10.0.0.1", limit: .init(every: .seconds(1))))
        for index in 0..<1_000 {
            let host = network.add(.host("100.0.\(index / 250).\(index % 250)"))
            network.routes[network.nodes[host].address] = .init(ways: [[router, host]])
        }
        var simulation = simulation(network)
        simulation.plan.open(0, at: .zero)
        simulation.run(for: .seconds(2_600))
        #expect(peak(simulation.network, since: .zero) <= 1)
        #expect((0..<1_000).allSatisfy { simulation.plan.trace(of: $0)?.end().isReached == true })
        #expect(simulation.words == [.ok, .ok])
        #expect((0..<1_000).allSatisfy { simulation.plan.trace(of: $0)?.hops().first?.lost == 0 })
    }

    @Test func `networks are traced beside each other`() {
        var network = SimulatedNetwork(seed: 1)
        let gate = network.add(.router(1))
        for net in 0..<8 {
            let router = network.add(Node(address: "10.1.\(net).1"))
            for number in 1...60 {
                let host = network.add(.host("100.0.\(net).\(number)"))
                network.routes[network.nodes[host].address] = .init(ways: [[gate, router, host]])
            }
        }
        var simulation = simulation(network)
        // Half of them verify the first router, one a second.
        simulation.run(for: .seconds(260))
        #expect((0..<480).allSatisfy { simulation.plan.trace(of: $0)?.end().isReached == true })
        #expect(peak(simulation.network, since: .zero) <= 1)
    }

    /// Two ways by flow between hops 2 and 5, and then a change of the route.
    @Test(arguments: 1...2 as ClosedRange<UInt64>)
    func `measured hops are true, and shared ones become so`(seed: UInt64) {
        var network = SimulatedNetwork(seed: seed)
        let near = (1...2).map { network.add(Node(address: "10.0.\($0).1")) }
        let ways = (3...4).map { side in (3...4).map { network.add(Node(address: "10.\(side).\($0).1")) } }
        let other = (3...4).map { network.add(Node(address: "10.9.\($0).1")) }
        let meeting = network.add(Node(address: "10.0.5.1"))
        let edges = (0..<20).map { network.add(Node(address: "10.8.\($0).1")) }
        for index in 0..<700 {
            let last = index % 35 * 4 + Int.random(in: 0..<4, using: &network.generator)
            let host = network.add(.host("100.0.\(index / 35).\(last)"))
            let end = [meeting, edges[index / 35], host]
            network.routes[network.nodes[host].address] = .init(ways: ways.map { near + $0 + end }, division: .flow)
        }
        var simulation = simulation(network)
        func falseHops() -> (measured: Int, shared: Int) {
            var (measured, shared) = (0, 0)
            for id in 0..<700 {
                guard let trace = simulation.plan.trace(of: id) else { continue }
                let address = trace.destination.address
                guard let route = simulation.network.routes[address] else { continue }
                let way = route.ways[SimulatedNetwork.hash(address) % route.ways.count]
                for (hop, node) in zip(trace.hops(), way) {
                    guard let address = hop.address, address != simulation.network.nodes[node].address else { continue }
                    if hop.isShared { shared += 1 } else { measured += 1 }
                }
            }
            return (measured, shared)
        }
        for _ in 0..<6 {
            simulation.run(for: .seconds(600))
            #expect(falseHops().measured == 0)
        }
        #expect(falseHops().shared <= 7)
        // The divided part is replaced by one way.
        for address in simulation.network.routes.keys {
            guard let way = simulation.network.routes[address]?.ways[0] else { continue }
            simulation.network.routes[address] = .init(ways: [near + other + way[4...]])
        }
        simulation.run(for: .seconds(3_600))
        #expect(falseHops() == (0, 0))
    }
}
