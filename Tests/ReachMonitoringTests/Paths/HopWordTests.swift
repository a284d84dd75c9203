import TestSupport
import Testing

@testable import ReachMonitoring

/// The cases from issue trackers, each with its word, over a simulated network.
struct HopWordTests {
    typealias Node = SimulatedNetwork.Node

    private func changed(_ node: Node, _ change: (inout Node) -> Void) -> Node {
        var node = node
        change(&node)
        return node
    }

    private func routers(_ hops: ClosedRange<Int>) -> [Node] { hops.map { .router($0) } }

    @Test func `a healthy path is ok at every hop and reaches the target`() {
        let simulation = Simulation.watching(routers(1...5) + [.host()])
        #expect(simulation.words == [.ok, .ok, .ok, .ok, .ok, .ok])
        #expect(simulation.end == .reached(hop: 6, address: "203.0.113.9"))
        #expect(simulation.end.sentence == "reaches the target")
    }

    @Test(arguments: [2, 5, 10, 60])
    func `a router at many times its limit limits its answers and nothing is lost`(factor: Int) {
        for seed in 1...20 as ClosedRange<UInt64> {
            let limited = changed(.router(3)) { $0.limit = .init(every: .seconds(factor)) }
            let simulation = Simulation.watching(routers(1...2) + [limited] + routers(4...5) + [.host()], seed: seed)
            #expect(simulation.words == [.ok, .ok, .limitsAnswers, .ok, .ok, .ok])
        }
    }

    @Test func `the limit of Linux is kept`() {
        let limited = routers(1...5).map { changed($0) { $0.limit = .init(every: .seconds(1)) } }
        let simulation = Simulation.watching(limited + [.host()])
        #expect(simulation.words == [.ok, .ok, .ok, .ok, .ok, .ok])
        #expect(simulation.trace.hops().allSatisfy { $0.lost == 0 && $0.sent >= 59 })
    }

    /// The position of the limited router, and how far beyond its limit it is probed. The loss is before hop 4.
    @Test(arguments: [(3, 2), (3, 60), (2, 5), (4, 2), (6, 10)])
    func `loss beside a limit is shown where it goes on and never before`(limited: Int, factor: Int) {
        var (wrong, missed, unlimited) = (0, 0, 0)
        let seeds = 100
        for seed in 1...UInt64(seeds) {
            let nodes = routers(1...6).enumerated().map { index, node in
                changed(node) {
                    if index + 1 == limited { $0.limit = .init(every: .seconds(factor)) }
                    if index + 1 == 4 { $0.loss = 0.2 }
                }
            }
            let simulation = Simulation.watching(nodes + [.host()], seed: seed)
            let words = simulation.words
            if words.prefix(3).contains(where: \.isFault) { wrong += 1 }
            if !words.dropFirst(3).contains(where: \.isFault) || !(words.last?.isFault ?? false) { missed += 1 }
            if limited < 4, words[limited - 1] != .limitsAnswers { unlimited += 1 }
        }
        #expect(wrong <= seeds / 100)
        #expect(missed <= seeds * 3 / 100)
        #expect(unlimited <= seeds * 4 / 100)
    }

    @Test func `without loss no hop is called lossy in any round`() {
        var alarms = 0
        let seeds = 100
        for seed in 1...UInt64(seeds) {
            var generator = SplitMix(seed: seed)
            let intervals = (1...8).map { _ in Int.random(in: 200...5_000, using: &generator) }
            let nodes = (1...8).map { hop in
                changed(.router(hop)) {
                    $0.limit = .init(every: .milliseconds(intervals[hop - 1]))
                    if hop == 4 { $0.loss = 0.003 }
                }
            }
            var simulation = Simulation.watching(nodes + [.host()], seed: seed, for: .seconds(5))
            var hasAlarm = false
            for _ in 0..<11 {
                simulation.run(for: .seconds(5))
                if simulation.words.contains(where: \.isFault) { hasAlarm = true }
            }
            if hasAlarm { alarms += 1 }
        }
        #expect(alarms <= seeds / 100)
    }

    @Test func `real loss is found within 60 rounds and shown from its link on`() {
        var (found, exact, wrong) = (0, 0, 0)
        for seed in 1...100 as ClosedRange<UInt64> {
            let nodes = routers(1...3) + [changed(.router(4)) { $0.loss = 0.2 }] + routers(5...7) + [.host()]
            let words = Simulation.watching(nodes, seed: seed).words
            if words.prefix(3).contains(where: \.isFault) { wrong += 1 }
            if words[7].isFault { found += 1 }
            if words[3].isFault || words[4].isFault { exact += 1 }
        }
        #expect(found >= 97)
        #expect(exact >= 90)
        #expect(wrong == 0)
    }

    @Test func `no hop behind a lossy one is ok while it loses`() {
        var lossy = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            let nodes = routers(1...6).map { node in changed(node) { if node.address == "10.0.3.1" { $0.loss = 0.3 } } }
            let simulation = Simulation.watching(nodes + [.host()], seed: seed)
            let words = simulation.words
            guard let first = words.firstIndex(where: \.isFault) else { continue }
            for (hop, word) in zip(simulation.trace.hops(), words).dropFirst(first) {
                #expect(word != .ok || !LossTest.isLossy(.init(hop.history)), "seed \(seed)")
                lossy += 1
            }
        }
        #expect(lossy >= 400)
    }

    @Test func `a hop that never answers is silent and the path is not cut`() {
        let silent = [3, 4, 5, 6, 7, 8, 9, 10].map { hop in changed(.router(hop)) { $0.isSilent = true } }
        let simulation = Simulation.watching(routers(1...2) + silent + [.host()])
        #expect(simulation.words == [.ok, .ok] + [HopWord](repeating: .silent, count: 8) + [.ok])
        #expect(simulation.end.isReached)
    }

    @Test(arguments: PathMethod.allCases)
    func `a port that never answers ends after the last router`(method: PathMethod) {
        let host = changed(.host()) { $0.isSilent = true }
        let simulation = Simulation.watching(routers(1...3) + [host], method: method)
        #expect(simulation.words == [.ok, .ok, .ok] + [HopWord](repeating: .silent, count: 5))
        #expect(simulation.end == .silent(hop: 3, address: "10.0.3.1", length: nil))
        #expect(simulation.end.sentence == "10.0.3.1 answers, nothing beyond it")
        #expect(simulation.end.summary == "ends after 10.0.3.1, hop 3")
    }

    @Test func `a target that goes down ends after the last router that still answers`() {
        var simulation = Simulation.watching(routers(1...4) + [.host()])
        simulation.network.nodes[1].isBlackHole = true
        simulation.run(for: .seconds(20))
        #expect(simulation.end.summary == "ends after 10.0.2.1, hop 2 of 5")
        #expect(simulation.words == [.ok, .ok, .silent, .silent, .silent])
        simulation.network.nodes[1].isBlackHole = false
        simulation.run(for: .seconds(20))
        #expect(simulation.end.isReached)
    }

    @Test func `a refused connection reaches the target`() {
        let simulation = Simulation.watching(routers(1...2) + [.host("203.0.113.9", .reached(.refused))], method: .tcp)
        #expect(simulation.words == [.ok, .ok, .ok])
        #expect(simulation.end == .reached(hop: 3, address: "203.0.113.9"))
    }

    @Test func `the way beyond a router with the target's own address is shown`() {
        // NTrace 204: the router forwards the port to a machine behind it.
        let nat = Node(address: "203.0.113.9")
        let host = Node.host("10.0.0.248", .unreachable(.refused))
        let simulation = Simulation.watching(routers(1...2) + [nat, .router(4), host], method: .udp)
        #expect(simulation.words == [.ok, .ok, .ok, .ok, .answersForAnotherAddress])
        #expect(simulation.end.sentence == "10.0.0.248, hop 5, refuses for the target")
    }

    @Test func `a target that answers from another address is reached`() {
        let host = Node.host("198.51.100.7", .reached(.reply))
        let simulation = Simulation.watching(routers(1...2) + [host], method: .udp)
        #expect(simulation.words == [.ok, .ok, .answersForAnotherAddress])
        #expect(simulation.end.sentence == "reaches the target, which answers from 198.51.100.7")
        #expect(simulation.trace.hops().count == 3)
    }

    @Test func `a router that reports an obstacle ends the path`() {
        let filter = changed(.router(2)) { $0.obstacle = .hostUnreachable }
        let simulation = Simulation.watching([.router(1), filter, .router(3), .host()])
        #expect(simulation.words.prefix(2) == [.ok, .ok])
        #expect(simulation.trace.hops().count == 2)
        #expect(simulation.end.sentence == "10.0.2.1, hop 2, reports: host unreachable")
        #expect(simulation.end.hop == 2)
    }

    @Test func `two routers that point at each other are a loop`() {
        let nodes = (0..<255).map { $0 == 0 ? Node.router(1) : .router($0 % 2 + 2) }
        let simulation = Simulation.watching(nodes)
        #expect(simulation.words.prefix(4) == [.ok, .loop, .loop, .loop])
        #expect(simulation.end == .loop(hop: 2, addresses: ["10.0.3.1", "10.0.2.1"]))
        #expect(simulation.end.sentence == "packets loop from hop 2: 10.0.3.1, 10.0.2.1 and again")
        #expect(simulation.trace.hops().count <= 6)
    }

    @Test func `one address at two successive hops is no loop`() {
        let simulation = Simulation.watching([.router(1), .router(1), .router(3), .host()])
        #expect(simulation.words == [.ok, .ok, .ok, .ok])
        #expect(simulation.end.isReached)
        let cut = [.router(1), .router(1), changed(.router(3)) { $0.isBlackHole = true }, .host()]
        #expect(Simulation.watching(cut).end == .silent(hop: 3, address: "10.0.3.1", length: nil))
    }

    @Test func `nothing answers and nothing was sent`() {
        let silent = changed(.router(1)) { ($0.isSilent, $0.isBlackHole) = (true, true) }
        #expect(Simulation.watching([silent, .host()]).end.sentence == "nothing answers, not even the first hop")
        let trace = PathTrace(destination: PathDestination(address: "203.0.113.9", method: .icmp))
        #expect(trace.end().sentence == "nothing was sent")
        #expect(trace.words(at: .zero) == [])
    }

    @Test func `a slow processor and another way back are not slow`() {
        let slow = changed(.router(2)) { $0.answerDelay = .milliseconds(400) }
        let simulation = Simulation.watching([.router(1), slow, .router(3), .host()])
        #expect(simulation.words == [.ok, .ok, .ok, .ok])
    }

    @Test func `a delay that goes on to the target is slow where it begins`() {
        let slow = changed(.router(2)) { $0.delay = .milliseconds(120) }
        #expect(Simulation.watching([.router(1), slow, .router(3), .host()]).words == [.ok, .slow, .ok, .ok])
        // A queue that fills up: slow compared with the best round trip.
        var simulation = Simulation.watching(routers(1...4) + [.host()])
        simulation.network.nodes[2].delay = .milliseconds(30)
        simulation.run(for: .seconds(40))
        #expect(simulation.words == [.ok, .ok, .slow, .ok, .ok])
    }

    @Test func `routers that divide traffic by packet are neither lossy nor changed nor a loop`() {
        var marked = 0
        for seed in 1...100 as ClosedRange<UInt64> {
            var network = SimulatedNetwork(seed: seed)
            let (first, host) = (network.add(.router(1)), network.add(.host()))
            let ways = (2...3).map { side in
                (2...4).map { network.add(Node(address: "10.\(side).\($0).1")) }
            }
            network.routes["203.0.113.9"] = .init(ways: ways.map { [first] + $0 + [host] }, division: .packet)
            let simulation = Simulation.watching(network)
            #expect(simulation.end.isReached)
            if simulation.words != [.ok, .ok, .ok, .ok, .ok] { marked += 1 }
        }
        #expect(marked <= 2)
    }

    @Test func `ways of different lengths are probed to the longest and nothing is lost`() {
        // trippy 269: the target at hop 3 or 5, by packet.
        for seed in 1...20 as ClosedRange<UInt64> {
            var network = SimulatedNetwork(seed: seed)
            let (first, host) = (network.add(.router(1)), network.add(.host()))
            let long = (2...4).map { network.add(.router($0)) }
            let short = [network.add(Node(address: "10.9.2.1"))]
            let ways = [[first] + long + [host], [first] + short + [host]]
            network.routes["203.0.113.9"] = .init(ways: ways, division: .packet)
            let simulation = Simulation.watching(network)
            #expect(!simulation.words.contains { $0.isFault || $0 == .silent })
            #expect(simulation.end.isReached)
            #expect(simulation.trace.hops().allSatisfy { $0.lost == 0 })
        }
    }

    @Test func `a path that grows and shrinks is followed`() {
        var simulation = Simulation.watching(routers(1...4) + [.host()], for: .seconds(20))
        let way = simulation.network.routes["203.0.113.9"]?.ways[0] ?? []
        let detour = (1...3).map { simulation.network.add(Node(address: "10.7.0.\($0)")) }
        simulation.network.routes["203.0.113.9"]?.ways = [Array(way[..<2]) + detour + Array(way[2...])]
        simulation.run(for: .seconds(30))
        #expect(simulation.end == .reached(hop: 8, address: "203.0.113.9"))
        #expect(simulation.trace.hops().count == 8)
        #expect(simulation.words.filter { $0.isFault || $0 == .silent }.isEmpty)
        guard case .changed(let time) = simulation.words[2] else {
            Issue.record("hop 3 is \(simulation.words[2])")
            return
        }
        #expect(time > .seconds(20) && time < .seconds(35))
        #expect(simulation.words[2].text { _ in "14:03" } == "changed 14:03")
        #expect(simulation.words[0] == .ok)
        simulation.network.routes["203.0.113.9"]?.ways = [way]
        simulation.run(for: .seconds(30))
        #expect(simulation.trace.hops().count == 5)
        #expect(simulation.end == .reached(hop: 5, address: "203.0.113.9"))
    }

    @Test func `a path that becomes shorter ends at one hop after three rounds`() {
        var simulation = Simulation.watching(routers(1...7) + [.host()])
        let way = simulation.network.routes["203.0.113.9"]?.ways[0] ?? []
        simulation.network.routes["203.0.113.9"]?.ways = [Array(way[..<3]) + [way[7]]]
        simulation.run(for: .seconds(4))
        #expect(simulation.trace.hops().count == 4)
        #expect(simulation.end == .reached(hop: 4, address: "203.0.113.9"))
        // The length of the path before an outage is the newest one.
        simulation.network.nodes[way[1]].isBlackHole = true
        simulation.run(for: .seconds(20))
        #expect(simulation.end.summary == "ends after 10.0.2.1, hop 2 of 4")
    }

    @Test func `the report of a router stays, though its limit drops the next ones`() {
        var reporter = Node(address: "10.0.3.1")
        (reporter.obstacle, reporter.limit) = (.networkUnreachable, .init(every: .seconds(120), burst: 2))
        let nodes = [Node(address: "10.0.1.1"), Node(address: "10.0.2.1"), reporter, .host()]
        let simulation = Simulation.watching(nodes, for: .seconds(40))
        #expect(simulation.end == .unreachable(.networkUnreachable, hop: 3, address: "10.0.3.1"))
    }

    @Test func `a router that reports instead of expiring a packet has a row`() {
        let destination = PathDestination(address: "203.0.113.9", method: .icmp)
        var trace = PathTrace(destination: destination)
        for hop in 1...5 {
            let probe = PathProbe(number: UInt32(hop), destination: destination, hop: hop)
            trace.recordSent(probe)
            let kind: PathAnswer.Kind = hop < 3 ? .exceeded : .unreachable(.networkUnreachable)
            let source = "10.0.\(min(hop, 3)).1"
            let answer = PathAnswer(probe: probe.number, source: source, kind: kind, roundTrip: .milliseconds(1))
            _ = trace.record(answer, to: probe, sent: .seconds(1), at: .seconds(1))
        }
        #expect(trace.hops().map(\.address) == ["10.0.1.1", "10.0.2.1", "10.0.3.1"])
        #expect(trace.end() == .unreachable(.networkUnreachable, hop: 3, address: "10.0.3.1"))
    }

    @Test func `255 hops are probed`() {
        let nodes = (1...254).map { Node(address: "10.1.\($0 / 100).\($0 % 100)", delay: .microseconds(100)) }
        let simulation = Simulation.watching(nodes + [.host()], maxHops: 255, for: .seconds(90))
        #expect(simulation.end == .reached(hop: 255, address: "203.0.113.9"))
        #expect(simulation.words.count == 255)
        let cut = Simulation.watching(nodes + [.host()], maxHops: 40, for: .seconds(20))
        #expect(cut.end == .limited(hop: 40, address: "10.1.0.40"))
    }

    @Test func `a scope does not make a link-local target another address`() {
        let destination = PathDestination(address: "fe80::1%eth0", method: .icmp)
        #expect(destination.isAnswered(by: "fe80::1"))
        #expect(destination.isAnswered(by: "fe80::1%eth0"))
        #expect(!destination.isAnswered(by: "fe80::1%eth1"))
        #expect(!destination.isAnswered(by: "fe80::2%eth0"))
    }

    @Test func `words name what they say`() {
        let words: [HopWord] = [
            .ok, .slow, .loses(percent: 12), .limitsAnswers, .silent, .loop, .answersForAnotherAddress,
        ]
        let texts = ["ok", "slow", "loses 12 %", "limits its answers", "silent", "loop", "answers for another address"]
        #expect(words.map { $0.text { _ in "" } } == texts)
        #expect(words.filter(\.isFault) == [.loses(percent: 12), .loop])
    }
}
