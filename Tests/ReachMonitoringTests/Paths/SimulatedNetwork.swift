import TestSupport

@testable import ReachMonitoring

/// A network of routers and hosts that answers probes.
struct SimulatedNetwork {
    /// A limit of a router's answers: a token bucket, as that of Linux.
    struct Limit {
        let interval: Duration
        var burst = 6.0
        var tokens = 6.0
        var last = Duration.zero

        init(every interval: Duration, burst: Double = 6) {
            (self.interval, self.burst, tokens) = (interval, burst, burst)
        }

        mutating func take(at time: Duration) -> Bool {
            tokens = min(burst, tokens + (time - last) / interval)
            last = time
            guard tokens >= 1 else { return false }
            tokens -= 1
            return true
        }
    }

    /// A router or a host, and the link before it.
    struct Node {
        var address: String
        /// The loss of the link before it, 0…1.
        var loss = 0.0
        var delay = Duration.milliseconds(1)
        /// The largest packet of the link before it, and whether the router before the link reports it.
        var mtu = 65_535
        var reportsMTU = true
        var isSilent = false
        var limit: Limit?
        /// Time that only its own answers need: a slow processor, or another way back.
        var answerDelay = Duration.zero
        /// What it reports for packets that it should forward.
        var obstacle: PathAnswer.Obstacle?
        /// Whether it drops what it should forward.
        var isBlackHole = false
        /// How it answers what is sent to it; nil for a router.
        var arrival: PathAnswer.Kind?
        var labels: [MPLSLabel] = []
    }

    enum Division { case none, flow, packet }

    /// The ways to one destination: each a list of nodes by index.
    struct Route {
        var ways: [[Int]]
        var division = Division.none
    }

    var nodes: [Node] = []
    var routes: [String: Route] = [:]
    var generator: SplitMix
    /// The times at which each address received a probe that was for it to answer.
    var arrivals: [String: [Duration]] = [:]
    var sent = 0

    init(seed: UInt64) { generator = SplitMix(seed: seed) }

    mutating func add(_ node: Node) -> Int {
        nodes.append(node)
        return nodes.count - 1
    }

    /// Adds a chain of routers with a destination behind them.
    mutating func addChain(_ nodes: [Node], to destination: String) {
        routes[destination] = Route(ways: [nodes.map { add($0) }])
    }

    /// Returns the answer and when it arrives; nil if there is none.
    mutating func send(_ probe: PathProbe, at time: Duration) -> (answer: PathAnswer, time: Duration)? {
        sent += 1
        guard let route = routes[probe.destination.address] else { return nil }
        let way: [Int]
        switch route.division {
        case .none: way = route.ways[0]
        case .flow: way = route.ways[(probe.flow + Self.hash(probe.destination.address)) % route.ways.count]
        case .packet: way = route.ways.randomElement(using: &generator) ?? []
        }
        var delay = Duration.zero
        for (position, index) in way.enumerated() {
            let node = nodes[index]
            if let size = probe.size, size > node.mtu {
                guard node.reportsMTU, position > 0 else { return nil }
                return answer(way[position - 1], .tooBig(mtu: node.mtu), probe, delay, at: time)
            }
            if node.loss > 0, Double.random(in: 0..<1, using: &generator) < node.loss { return nil }
            delay += node.delay
            if let arrival = node.arrival { return answer(index, arrival, probe, delay, at: time) }
            if probe.hop == position + 1 { return answer(index, .exceeded, probe, delay, at: time) }
            if let obstacle = node.obstacle { return answer(index, .unreachable(obstacle), probe, delay, at: time) }
            if node.isBlackHole { return nil }
        }
        return nil
    }

    static func hash(_ address: String) -> Int { address.utf8.reduce(0) { $0 + Int($1) } }

    private mutating func answer(
        _ index: Int,
        _ kind: PathAnswer.Kind,
        _ probe: PathProbe,
        _ delay: Duration,
        at time: Duration
    ) -> (answer: PathAnswer, time: Duration)? {
        arrivals[nodes[index].address, default: []].append(time + delay)
        if nodes[index].isSilent { return nil }
        if nodes[index].limit != nil, nodes[index].limit?.take(at: time + delay) != true { return nil }
        let jitter = Duration.microseconds(Int.random(in: 0..<200, using: &generator))
        let roundTrip = delay * 2 + nodes[index].answerDelay + jitter
        let answer = PathAnswer(
            probe: probe.number,
            source: nodes[index].address,
            kind: kind,
            roundTrip: roundTrip,
            labels: nodes[index].labels
        )
        return (answer, time + roundTrip)
    }
}

/// A plan that probes a simulated network.
struct Simulation {
    var network: SimulatedNetwork
    var plan: PathPlan
    var now = Duration.zero
    var events: [PathEvent] = []
    /// When each probe was sent.
    var probes: [(time: Duration, probe: PathProbe)] = []
    var keepsProbes = true
    private var answers = CalendarQueue<PathAnswer>()

    init(_ network: SimulatedNetwork, options: PathPlanOptions = PathPlanOptions()) {
        self.network = network
        plan = PathPlan(options: options)
    }

    mutating func run(until end: Duration) {
        while true {
            let next = [plan.nextDeadline, answers.next].compactMap { $0 }.min()
            guard let next, next <= end else { break }
            now = max(now, next)
            if let answer = answers.take(at: now) {
                plan.record(answer, at: now)
            } else {
                for probe in plan.due(at: now) {
                    if keepsProbes { probes.append((now, probe)) }
                    if let (answer, time) = network.send(probe, at: now) { answers.add(answer, at: time) }
                }
            }
            events += plan.takeEvents()
        }
        now = max(now, end)
    }

    mutating func run(for time: Duration) { run(until: now + time) }

    var trace: PathTrace { plan.trace(of: 0) ?? PathTrace(destination: PathDestination(address: "", method: .icmp)) }
    var words: [HopWord] { trace.words(at: now) }
    var end: PathEnd { trace.end() }
}

extension SimulatedNetwork.Node {
    static func router(_ hop: Int) -> Self { Self(address: "10.0.\(hop).1") }

    static func host(_ address: String = "203.0.113.9", _ kind: PathAnswer.Kind = .reached(.reply)) -> Self {
        Self(address: address, arrival: kind)
    }
}

extension Simulation {
    /// Watches the path through these routers to 203.0.113.9.
    static func watching(
        _ nodes: [SimulatedNetwork.Node],
        seed: UInt64 = 1,
        method: PathMethod = .icmp,
        maxHops: Int = 30,
        for time: Duration = .seconds(60)
    ) -> Simulation {
        var network = SimulatedNetwork(seed: seed)
        network.addChain(nodes, to: "203.0.113.9")
        return watching(network, method: method, maxHops: maxHops, for: time)
    }

    static func watching(
        _ network: SimulatedNetwork,
        method: PathMethod = .icmp,
        maxHops: Int = 30,
        for time: Duration = .seconds(60)
    ) -> Simulation {
        var simulation = Simulation(network)
        let destination = PathDestination(address: "203.0.113.9", method: method, port: method == .icmp ? 0 : 443)
        simulation.plan.add(0, destination: destination, every: nil, maxHops: maxHops, at: .zero)
        simulation.plan.open(0, at: .zero)
        simulation.run(for: time)
        return simulation
    }
}

extension SimulatedNetwork {
    static func chain(_ hops: Int, seed: UInt64 = 1, delay: Duration = .milliseconds(1)) -> SimulatedNetwork {
        var network = SimulatedNetwork(seed: seed)
        let nodes = (1..<hops).map { Node(address: "10.0.\($0).1", delay: delay) }
        network.addChain(nodes + [.host()], to: "203.0.113.9")
        return network
    }

    /// Destinations that share the routers of hops 1 and 2.
    static func star(_ count: Int, seed: UInt64 = 1) -> SimulatedNetwork {
        var network = SimulatedNetwork(seed: seed)
        let near = (1...2).map { network.add(.router($0)) }
        for index in 0..<count {
            let host = network.add(.host("100.0.\(index / 250).\(index % 250)"))
            network.routes[network.nodes[host].address] = .init(ways: [near + [host]])
        }
        return network
    }

    /// The most of the times within a window.
    static func most(_ times: [Duration], in window: Duration = .seconds(1)) -> Int {
        let times = times.sorted()
        return times.indices.map { first in times[first...].prefix { $0 < times[first] + window }.count }.max() ?? 0
    }
}

extension Simulation {
    /// Adds a path to each destination, numbered in the order of their addresses.
    mutating func addAll(every interval: Duration? = .seconds(600)) {
        for (index, address) in network.routes.keys.sorted().enumerated() {
            let destination = PathDestination(address: address, method: .icmp)
            plan.add(index, destination: destination, every: interval, at: now)
        }
    }
}
