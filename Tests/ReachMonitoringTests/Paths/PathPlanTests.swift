import TestSupport
import Testing

@testable import ReachMonitoring

struct PathPlanTests {
    typealias Node = SimulatedNetwork.Node

    @Test func `without paths there is nothing to do`() {
        var plan = PathPlan()
        #expect(plan.nextDeadline == nil)
        #expect(plan.due(at: .seconds(5)) == [])
        plan.add(1, destination: PathDestination(address: "203.0.113.9", method: .icmp), at: .seconds(6))
        let probes = plan.due(at: .seconds(6))
        #expect(probes.count == 1)
        #expect(plan.nextDeadline != nil)
        plan.remove(1, at: .seconds(7))
        #expect(plan.nextDeadline == nil)
        #expect(plan.takeForgotten() == probes.map(\.number))
        let late = PathAnswer(probe: probes[0].number, source: "10.0.0.1", kind: .exceeded, roundTrip: .zero)
        plan.record(late, at: .seconds(8))
        #expect(plan.nextDeadline == nil && plan.takeEvents().isEmpty && plan.trace(of: 1) == nil)
    }

    @Test func `a path without a route has no hops`() {
        var plan = PathPlan()
        plan.add(0, destination: PathDestination(address: "203.0.113.9", method: .udp, port: 53), every: nil, at: .zero)
        plan.open(0, rounds: 2, at: .zero)
        var time = Duration.zero
        while let next = plan.nextDeadline, next < .seconds(10) {
            time = max(time, next)
            for probe in plan.due(at: time) { plan.fail(probe: probe.number, at: time) }
        }
        #expect(plan.isComplete(0))
        #expect(plan.trace(of: 0)?.hops().isEmpty == true)
        #expect(plan.trace(of: 0)?.end() == .notSent)
    }

    @Test(arguments: PathMethod.allCases) func `the largest packet is not searched by connections`(method: PathMethod) {
        var simulation = Simulation(SimulatedNetwork.chain(3))
        let destination = PathDestination(address: "203.0.113.9", method: method, port: 443)
        simulation.plan.add(0, destination: destination, every: nil, at: .zero)
        simulation.plan.open(0, searchesMTU: true, rounds: 5, at: .zero)
        simulation.run(for: .seconds(20))
        #expect(simulation.probes.contains { $0.probe.size != nil } == (method != .tcp))
        #expect(simulation.trace.mtu.size == (method == .tcp ? nil : PathMTU.largest))
    }

    @Test func `a limited number of rounds is one probe for each hop and round`() {
        var simulation = Simulation(SimulatedNetwork.chain(19))
        let destination = PathDestination(address: "203.0.113.9", method: .icmp)
        simulation.plan.add(0, destination: destination, every: nil, at: .zero)
        simulation.plan.open(0, rounds: 3, at: .zero)
        #expect(!simulation.plan.isComplete(0))
        simulation.run(for: .seconds(1))
        #expect(!simulation.plan.isComplete(0))
        simulation.run(for: .seconds(30))
        #expect(simulation.plan.isComplete(0))
        #expect(simulation.trace.hops().map(\.sent) == Array(repeating: 3, count: 19))
        #expect(simulation.plan.nextDeadline == nil)
        // Another view without a limit goes on.
        simulation.plan.open(0, at: simulation.now)
        simulation.run(for: .seconds(5))
        #expect(!simulation.plan.isComplete(0))
        #expect(simulation.trace.hops().allSatisfy { $0.sent > 5 })
    }

    @Test func `all hops of a watched path leave at once, and a near destination stops the rest`() {
        var simulation = Simulation.watching(Array(SimulatedNetwork.chain(20).nodes), for: .milliseconds(200))
        #expect(Set(simulation.probes.map(\.probe.hop)).isSuperset(of: 1...20))
        #expect(simulation.trace.hops().count == 20)
        #expect(simulation.trace.hops().allSatisfy { $0.answered == 1 })
        #expect(simulation.probes.prefix(20).last.map { $0.time <= .milliseconds(40) } == true)
        simulation = .watching([.router(1), .host()], for: .milliseconds(900))
        #expect(simulation.probes.count <= 6)
    }

    @Test func `then each hop is probed once a second, spread over it`() {
        let simulation = Simulation.watching(Array(SimulatedNetwork.chain(10).nodes), for: .seconds(30))
        let later = simulation.probes.filter { $0.time >= .seconds(2) }
        for hop in 1...10 {
            let times = later.filter { $0.probe.hop == hop }.map(\.time)
            #expect((27...29).contains(times.count))
            #expect(SimulatedNetwork.most(times) == 1)
        }
        #expect(SimulatedNetwork.most(later.map(\.time), in: .milliseconds(99)) == 1)
    }

    /// Timers are up to a millisecond late, each by another time.
    @Test func `a watched path needs one wake-up a probe, and one an answer`() {
        var network = SimulatedNetwork.chain(20)
        var plan = PathPlan()
        plan.add(0, destination: PathDestination(address: "203.0.113.9", method: .icmp), every: nil, at: .zero)
        plan.open(0, at: .zero)
        var generator = SplitMix(seed: 1)
        var answers = CalendarQueue<PathAnswer>()
        var (time, wakeUps, sent) = (Duration.zero, 0, 0)
        while let next = [plan.nextDeadline, answers.next].compactMap({ $0 }).min(), next < .seconds(60) {
            time = max(time, next + .microseconds(Int.random(in: 0...1_000, using: &generator)))
            while let answer = answers.take(at: time) { plan.record(answer, at: time) }
            for probe in plan.due(at: time) {
                sent += 1
                if let (answer, arrival) = network.send(probe, at: time) { answers.add(answer, at: arrival) }
            }
            wakeUps += 1
        }
        #expect(sent > 1_150)
        #expect(wakeUps <= 2 * sent + 50)
        #expect(SimulatedNetwork.most(network.arrivals["10.0.1.1"] ?? [], in: .milliseconds(990)) == 1)
    }

    @Test func `watches share the budget of their first hop fairly`() {
        var simulation = Simulation(SimulatedNetwork.star(10))
        simulation.addAll(every: nil)
        for id in 0..<10 { simulation.plan.open(id, at: .zero) }
        func answers(_ plan: PathPlan) -> [Int] {
            (0..<10).map { plan.trace(of: $0)?.hops().first?.answered ?? 0 }
        }
        // The first path knows its router before the others do.
        simulation.run(for: .seconds(20))
        let early = answers(simulation.plan)
        simulation.run(for: .seconds(120))
        let times = simulation.network.arrivals["10.0.1.1"] ?? []
        #expect(times.count >= 130)
        #expect(SimulatedNetwork.most(times, in: .milliseconds(990)) == 1)
        #expect(zip(answers(simulation.plan), early).allSatisfy { (11...13).contains($0 - $1) })
        for id in 0..<10 {
            let hops = simulation.plan.trace(of: id)?.hops() ?? []
            #expect(hops.count == 3)
            #expect(hops.last?.answered ?? 0 >= 125)
        }
    }

    @Test func `a closed view sends nothing and keeps a short history`() {
        var simulation = Simulation.watching(Array(SimulatedNetwork.chain(5).nodes))
        simulation.plan.open(0, at: simulation.now)
        simulation.plan.close(0, at: simulation.now)
        simulation.run(for: .seconds(5))
        #expect(simulation.trace.isWatched)
        simulation.plan.close(0, at: simulation.now)
        let sent = simulation.network.sent
        simulation.run(for: .seconds(100))
        #expect(simulation.network.sent <= sent + 1)
        #expect(simulation.plan.nextDeadline == nil)
        #expect(simulation.trace.hops().allSatisfy { $0.history.count == PathTrace.idleHistory })
        #expect(simulation.end.isReached)
    }

    @Test(arguments: [nil, 3, 40])
    func `what is not watched stays within the rate in any second`(rate: Int?) {
        var options = PathPlanOptions()
        options.rate = rate
        var simulation = Simulation(SimulatedNetwork.star(100), options: options)
        simulation.addAll()
        simulation.run(for: .seconds(60))
        for id in 0..<20 { simulation.plan.traceNow(id, at: simulation.now) }
        simulation.run(for: .seconds(60))
        #expect(SimulatedNetwork.most(simulation.probes.map(\.time)) <= rate ?? 10)
        #expect(simulation.probes.count > 150)
    }

    @Test func `paths with few rounds that take turns are reached, whatever the time`() {
        var simulation = Simulation(SimulatedNetwork.star(12))
        simulation.addAll(every: nil)
        for id in 0..<12 { simulation.plan.open(id, flows: id == 0 ? 8 : 1, rounds: id == 0 ? 8 : 2, at: .zero) }
        simulation.run(for: .seconds(200))
        for id in 0..<12 {
            let trace = simulation.plan.trace(of: id)
            for flow in 0..<(trace?.flowCount ?? 0) { #expect(trace?.end(flow: flow).isReached == true) }
            #expect(trace?.words(at: simulation.now).contains(.silent) == false)
        }
        #expect(simulation.plan.trace(of: 0)?.flowCount == 8)
    }

    @Test func `a host that answers late to a trace is reported with its obstacle`() {
        var network = SimulatedNetwork.chain(4)
        network.nodes[1].obstacle = .hostUnreachable
        network.nodes[1].answerDelay = .milliseconds(3_000)
        var simulation = Simulation(network)
        simulation.addAll()
        simulation.plan.traceNow(0, at: .zero)
        simulation.run(for: .seconds(40))
        #expect(simulation.plan.trace(of: 0)?.end().sentence == "10.0.2.1, hop 2, reports: host unreachable")
        #expect(simulation.trace.hops().allSatisfy { $0.late == $0.answered || $0.late == 0 })
    }

    @Test func `an answer counts until ten seconds after sending, and once`() {
        var plan = PathPlan()
        plan.add(0, destination: PathDestination(address: "203.0.113.9", method: .icmp), every: nil, at: .zero)
        plan.open(0, at: .zero)
        let first = plan.due(at: .zero)[0]
        func answer(_ probe: PathProbe) -> PathAnswer {
            PathAnswer(probe: probe.number, source: "10.0.0.1", kind: .exceeded, roundTrip: .seconds(3))
        }
        _ = plan.due(at: .seconds(2.5))
        #expect(plan.trace(of: 0)?.hop(1)?.lost == 1)
        plan.record(answer(first), at: .seconds(3))
        plan.record(answer(first), at: .seconds(4))
        let hop = plan.trace(of: 0)?.hop(1)
        #expect(hop.map { [$0.answered, $0.lost, $0.late, $0.duplicates] } == [1, 0, 1, 1])
        #expect(hop?.history.filter(\.isLost).count == 0)
        var second: (time: Duration, probe: PathProbe)?
        while second == nil, let time = plan.nextDeadline, time < .seconds(9) {
            second = plan.due(at: time).first { $0.hop == 1 }.map { (time, $0) }
        }
        guard let second else {
            Issue.record("no second probe")
            return
        }
        plan.record(answer(second.probe), at: second.time + .seconds(10.1))
        _ = plan.due(at: second.time + .seconds(10.2))
        #expect(plan.trace(of: 0)?.hop(1)?.answered == 1)
        let forgotten = plan.takeForgotten()
        #expect(forgotten.contains(second.probe.number) && !forgotten.contains(first.number))
    }

    @Test func `probes that cannot be sent are not counted`() {
        var plan = PathPlan()
        plan.add(0, destination: PathDestination(address: "203.0.113.9", method: .icmp), at: .zero)
        var completions: [PathCompletion] = []
        var sent = 0
        while let time = plan.nextDeadline, time < .seconds(300) {
            for probe in plan.due(at: time) {
                plan.fail(probe: probe.number, at: time)
                sent += 1
            }
            for case .completed(_, let completion) in plan.takeEvents() { completions.append(completion) }
        }
        #expect(completions.map(\.end) == [.notSent])
        #expect((1...40).contains(sent))
    }

    @Test func `a trace that is brought forward keeps the pace afterwards`() {
        var simulation = Simulation(.chain(4))
        simulation.addAll()
        simulation.run(for: .seconds(700))
        simulation.events = []
        simulation.plan.traceSoon(Target.ID(0), at: simulation.now)
        simulation.run(for: .seconds(20))
        simulation.plan.traceSoon(Target.ID(7), at: simulation.now)
        #expect(simulation.events.count == 1)
        simulation.run(for: .seconds(560))
        #expect(simulation.events.count == 1)
        simulation.run(for: .seconds(60))
        #expect(simulation.events.count == 2)
    }

    @Test(arguments: [1_300, 3_000])
    func `a change is found by the next refresh, and decided soon after it`(seconds: Int) throws {
        var network = SimulatedNetwork.chain(4)
        let other = network.add(Node(address: "10.9.2.1"))
        var simulation = Simulation(network)
        simulation.addAll()
        simulation.run(for: .seconds(seconds))
        #expect(simulation.events.allSatisfy { if case .changed = $0 { false } else { true } })
        simulation.network.routes["203.0.113.9"] = .init(ways: [[0, other, 2, 3]])
        simulation.run(for: .seconds(720))
        // The change comes after the result with its hops.
        let last = try #require(simulation.events.lastIndex { if case .changed = $0 { true } else { false } })
        guard last > 0, case .completed(_, let completion) = simulation.events[last - 1] else {
            Issue.record("no result before the change")
            return
        }
        #expect(completion.hops == ["10.0.1.1", "10.9.2.1", "10.0.3.1", "203.0.113.9"])
        let changes = simulation.events.compactMap { if case .changed(_, let change, _) = $0 { change } else { nil } }
        #expect(changes == [PathChange(hop: 2, flow: 0, before: "10.0.2.1", after: "10.9.2.1")])
        let sent = simulation.network.sent
        simulation.run(for: .seconds(600))
        #expect(simulation.network.sent - sent <= 4)
    }

    @Test(arguments: [0, 67, 68]) func `an MTU that no link has is not shown`(mtu: Int) {
        var network = SimulatedNetwork.chain(3)
        network.nodes[1].mtu = mtu
        var simulation = Simulation(network)
        simulation.addAll(every: nil)
        simulation.plan.open(0, searchesMTU: true, at: .zero)
        simulation.run(for: .seconds(30))
        #expect(simulation.trace.hop(1)?.mtu == (mtu < 68 ? nil : mtu))
    }

    @Test func `the path MTU and the router that reports it are found, and a hole`() {
        var network = SimulatedNetwork.chain(6)
        network.nodes[3].mtu = 1_400
        network.nodes[4].mtu = 1_280
        var simulation = Simulation(network)
        simulation.addAll(every: nil)
        simulation.plan.open(0, searchesMTU: true, at: .zero)
        simulation.run(for: .seconds(20))
        #expect(simulation.trace.mtu.size == 1_280)
        #expect(simulation.trace.mtu.reporter == "10.0.4.1")
        #expect(!simulation.trace.mtu.hasHole)
        #expect(simulation.trace.hops().map(\.mtu) == [nil, nil, 1_400, 1_280, nil, nil])
        #expect(simulation.trace.hops().allSatisfy { $0.lost == 0 })
        network.nodes[3].reportsMTU = false
        network.nodes[4].mtu = 1_500
        simulation = Simulation(network)
        simulation.addAll(every: nil)
        simulation.plan.open(0, searchesMTU: true, at: .zero)
        while !simulation.trace.mtu.hasHole, simulation.now < .seconds(20) { simulation.run(for: .seconds(1)) }
        #expect(simulation.trace.mtu.text == "packets of 1500 bytes vanish without a report")
        simulation.run(for: .seconds(110))
        #expect(simulation.trace.mtu.size == 1_400 && simulation.trace.mtu.hasHole)
        #expect(simulation.trace.mtu.text == "packets of at most 1400 bytes; larger ones vanish without a report")
        #expect(simulation.words == [.ok, .ok, .ok, .ok, .ok, .ok])
    }

    @Test func `flows are probed in turn and show where they part`() {
        var network = SimulatedNetwork(seed: 3)
        let (first, host) = (network.add(.router(1)), network.add(.host()))
        let sides = (2...3).map { network.add(Node(address: "10.\($0).2.1", loss: $0 == 3 ? 0.5 : 0)) }
        network.routes["203.0.113.9"] = .init(ways: sides.map { [first, $0, host] }, division: .flow)
        var simulation = Simulation(network)
        simulation.addAll(every: nil)
        simulation.plan.open(0, flows: 2, at: .zero)
        simulation.run(for: .seconds(120))
        let trace = simulation.trace
        #expect(trace.flowCount == 2)
        #expect(Set((0...1).compactMap { trace.hops(flow: $0)[1].address }) == ["10.2.2.1", "10.3.2.1"])
        let lossy = trace.hops(flow: 0)[1].address == "10.3.2.1" ? 0 : 1
        #expect(trace.words(at: simulation.now, flow: lossy).contains { $0.isFault })
        #expect(trace.words(at: simulation.now, flow: 1 - lossy) == [.ok, .ok, .ok])
        #expect(SimulatedNetwork.most(simulation.network.arrivals["10.0.1.1"] ?? [], in: .milliseconds(990)) == 1)
    }

    /// Random operations on a random network; what must always hold is checked after each.
    @Test(arguments: 1...30 as ClosedRange<UInt64>)
    func `random operations keep the budgets and end every trace`(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        var network = SimulatedNetwork(seed: seed)
        let near = (1...3).map {
            network.add(Node(address: "10.0.\($0).1", isSilent: seed.isMultiple(of: 5) && $0 == 2))
        }
        for index in 0..<40 {
            let far = (0..<Int.random(in: 0...4, using: &generator)).map {
                network.add(Node(address: "10.\(index % 7 + 1).\($0).1", loss: index % 9 == 0 ? 0.3 : 0))
            }
            let host = network.add(.host("100.0.\(index % 7).\(index)"))
            network.nodes[host].isSilent = index.isMultiple(of: 6)
            network.routes[network.nodes[host].address] = .init(ways: [Array(near.prefix(index % 3 + 1)) + far + [host]]
            )
        }
        var simulation = Simulation(network)
        let addresses = network.routes.keys.sorted()
        for _ in 0..<300 {
            let id = Int.random(in: 0..<40, using: &generator)
            switch Int.random(in: 0..<8, using: &generator) {
            case 0...2:
                let destination = PathDestination(address: addresses[id], method: .icmp)
                simulation.plan.add(id, destination: destination, every: .seconds(120), at: simulation.now)
            case 3: simulation.plan.remove(id, at: simulation.now)
            case 4: simulation.plan.traceNow(id, at: simulation.now)
            case 5: simulation.plan.open(id, at: simulation.now)
            case 6: simulation.plan.close(id, at: simulation.now)
            default: simulation.network.nodes[near[2]].isBlackHole.toggle()
            }
            simulation.run(for: .milliseconds(Int.random(in: 1...4_000, using: &generator)))
            if let next = simulation.plan.nextDeadline { #expect(next > simulation.now) }
        }
        for address in ["10.0.1.1", "10.0.2.1", "10.0.3.1"] {
            #expect(SimulatedNetwork.most(simulation.network.arrivals[address] ?? [], in: .milliseconds(990)) <= 4)
        }
        let ids = (0..<40).filter { simulation.plan.trace(of: $0) != nil }
        for id in ids {
            while simulation.plan.trace(of: id)?.isWatched == true { simulation.plan.close(id, at: simulation.now) }
        }
        simulation.network.nodes[near[2]].isBlackHole = false
        simulation.events = []
        simulation.run(for: .seconds(400))
        var completed: Set<Int> = []
        for case .completed(let id, _) in simulation.events { completed.insert(id.rawValue) }
        #expect(completed == Set(ids))
        for id in ids { simulation.plan.remove(id, at: simulation.now) }
        #expect(simulation.plan.nextDeadline == nil)
    }
}
