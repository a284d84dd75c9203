import Testing

@testable import ReachMonitoring

struct CauseRuleTests {
    @Test
    func `Unrelated outages have no common cause`() {
        var network = TestNetwork.office()
        network.down([0, 41, 56, 71, 86])
        #expect(network.finder.causes.isEmpty)
    }

    @Test
    func `Two outages have no cause, three have`() {
        var network = TestNetwork()
        network.add(0..<3, path: ["10.0.0.1", "10.1.0.1"])
        network.add(3..<40, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down([0, 1])
        #expect(network.finder.causes.isEmpty)
        network.down([2])
        #expect(network.places == ["10.1.0.1"])
    }

    @Test
    func `What is up behind a hop acquits it`() {
        for (up, isNamed) in [(4, true), (5, false)] {
            var network = TestNetwork.office()
            network.down(up..<40)
            #expect(network.finder.causes.isEmpty == !isNamed, "\(up)")
        }
    }

    @Test
    func `Outages at different times have different causes`() {
        var network = TestNetwork.office()
        for host in 0..<40 {
            network.wait(30)
            network.down([host])
        }
        #expect(network.finder.causes.isEmpty)
    }

    @Test
    func `The window follows from the interval`() {
        var network = TestNetwork(interval: 600)
        network.add(0..<10, path: ["10.0.0.1", "10.1.0.1"])
        network.add(10..<60, path: ["10.0.0.1", "10.2.0.1"])
        network.wait(86_400)
        for host in 0..<10 {
            network.wait(50)
            network.down([host])
        }
        #expect(network.places == ["10.1.0.1"])
    }

    @Test
    func `A silent hop is judged by its branches that are down`() {
        var network = TestNetwork()
        // Two silent routers with the same position: one before 10.3.x, one before 10.4.x.
        for branch in 0..<4 {
            network.add((branch * 5)..<(branch * 5 + 5), path: ["10.1.0.1", nil, "10.3.0.\(branch)"])
            network.add((100 + branch * 5)..<(105 + branch * 5), path: ["10.1.0.1", nil, "10.4.0.\(branch)"])
        }
        network.add(200..<243, path: ["10.1.0.1"])
        network.wait(86_400)
        network.down(0..<20)
        let sentence = network.finder.causes.first?.sentence { _ in "14:03" }
        #expect(sentence == "20 down since 14:03 – silent hop after 10.1.0.1 (20 of 20 behind it; 63 others up)")
        // Another branch fails an hour later: it is not the same router's fault.
        network.wait(3_600)
        network.down([100])
        #expect(network.finder.causes[0].explained == 20)
    }

    @Test
    func `A silent hop between two hops`() {
        var network = TestNetwork()
        network.add(0..<6, path: ["10.1.0.1", nil, "10.2.0.1", "10.3.0.1"])
        network.add(6..<12, path: ["10.1.0.1", nil, "10.2.0.1", "10.3.0.2"])
        network.add(12..<40, path: ["10.1.0.1"])
        network.wait(86_400)
        network.down(0..<12)
        // Nothing tells the silent hop from the one behind it.
        #expect(network.finder.causes.map(\.accused.count) == [2])
        #expect(network.places == ["silent hop after 10.1.0.1 or 10.2.0.1"])
    }

    @Test
    func `The answer of a hop behind tells which of two it is`() {
        var network = TestNetwork(confirmsHops: true)
        network.add(0..<12, path: ["10.1.0.1", nil, "10.2.0.1"])
        network.add(12..<40, path: ["10.1.0.1"])
        network.wait(86_400)
        network.down(0..<12)
        network.confirm("10.2.0.1", answered: true)
        #expect(network.places == ["behind 10.2.0.1, which answers"])
    }

    @Test
    func `An answer behind a silent hop acquits it until its outages are over`() {
        var network = TestNetwork(confirmsHops: true)
        network.add(0..<6, path: ["10.1.0.1", nil, "10.2.0.1"])
        network.add(6..<12, path: ["10.1.0.1", nil, "10.2.0.2"])
        network.add(12..<14, path: ["10.1.0.1", nil])
        network.add(14..<80, path: ["10.1.0.1"])
        network.wait(86_400)
        network.down(0..<14)
        let id = network.finder.causes[0].id
        #expect(network.takeEvents().last == .suspected(id, probe: ["10.2.0.1", "10.2.0.2"]))
        network.confirm("10.2.0.1", answered: true)
        #expect(network.takeEvents().contains(.acquitted(id)))
        // The hops behind it are suspected in its place.
        #expect(
            network.finder.causes.allSatisfy {
                $0.stage != .named && $0.accused != [.silent(SilentPosition(after: "10.1.0.1", number: 1))]
            }
        )
    }

    @Test
    func `What cannot be told apart is named together`() {
        var network = TestNetwork()
        network.add(
            0..<10,
            path: ["10.0.0.1", "10.1.0.1", "10.1.0.2"],
            others: [.group("Shops"), .subnet("192.0.2.0/24")]
        )
        network.add(10..<50, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down(0..<10)
        #expect(network.places == ["10.1.0.1, 10.1.0.2 or 2 more"])
        #expect(
            network.finder.causes[0].accused == [
                .hop("10.1.0.1"), .hop("10.1.0.2"), .group("Shops"), .subnet("192.0.2.0/24"),
            ]
        )
    }

    @Test
    func `A cause waits for targets that are failing`() {
        var network = TestNetwork.office()
        network.set(36..<40, .failing)
        network.down(0..<36)
        #expect(network.finder.causes.isEmpty)
        #expect(network.finder.nextDeadline == .seconds(86_430))
        network.down(36..<40)
        #expect(network.finder.causes.map(\.explained) == [40])
        #expect(network.finder.nextDeadline == nil)
    }

    @Test
    func `A cause does not wait for ever`() {
        var network = TestNetwork.office()
        network.set([39], .failing)
        network.down(0..<39)
        network.wait(30)
        #expect(network.finder.causes.map(\.explained) == [39])
        #expect(network.finder.causes[0].behind == 40)
    }

    @Test
    func `A cause that was named too early moves, and keeps its identity`() {
        var network = TestNetwork()
        network.add(0..<6, path: ["10.0.0.1", "10.1.0.1", "10.2.0.1"])
        network.add(6..<12, path: ["10.0.0.1", "10.1.0.1", "10.2.0.2"])
        network.add(12..<60, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down(0..<6)
        #expect(network.places == ["10.2.0.1"])
        let id = network.finder.causes[0].id
        _ = network.takeEvents()
        network.wait(2)
        for host in 6..<12 { network.down([host]) }
        #expect(network.places == ["10.1.0.1"])
        #expect(network.finder.causes.map(\.id) == [id])
        #expect(network.explained() == Array(0..<12))
        #expect(network.takeEvents().filter { if case .named = $0 { true } else { false } }.isEmpty)
    }

    @Test
    func `A hop that fails later has a cause of its own`() {
        var network = TestNetwork()
        network.add(0..<6, path: ["10.0.0.1", "10.1.0.1", "10.2.0.1"])
        network.add(6..<12, path: ["10.0.0.1", "10.1.0.1", "10.2.0.2"])
        network.add(12..<60, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down(0..<6)
        network.wait(600)
        network.down(6..<12)
        #expect(network.finder.causes.map(\.explained) == [6, 6])
    }

    @Test
    func `A removed target leaves its cause`() {
        var network = TestNetwork.office()
        network.down(0..<40)
        let id = network.finder.causes[0].id
        for target in 0..<39 { _ = network.finder.remove(Target.ID(target), at: .seconds(network.now)) }
        #expect(network.finder[id]?.explained == 1)
        #expect(network.finder.remove(Target.ID(39), at: .seconds(network.now)) == [.ended(id, mergedInto: nil)])
        #expect(network.finder.remove(Target.ID(39), at: .seconds(network.now)) == [])
        #expect(network.finder.update([(Target.ID(39), .up)], at: .seconds(network.now)) == [])
    }

    @Test
    func `New risks of a target keep its cause if they have it`() {
        var network = TestNetwork.office()
        network.down(0..<40)
        let id = network.finder.causes[0].id
        network.add([0], path: ["10.0.0.1", "10.0.0.9", "10.1.0.1"], isUp: false)
        #expect(network.finder.cause(of: Target.ID(0)) == id)
        network.add([0], path: ["10.0.0.1", "10.0.0.9"], isUp: false)
        #expect(network.finder.cause(of: Target.ID(0)) == nil)
        #expect(network.finder[id]?.explained == 39)
    }

    @Test
    func `Many outages elsewhere at the same time make chance likely`() {
        var (quiet, storm) = (TestNetwork(), TestNetwork())
        for host in 0..<200 {
            quiet.add([host], path: ["10.0.0.1", "10.1.0.\(host / 4)"])
            storm.add([host], path: ["10.0.0.1", "10.1.0.\(host / 4)"])
        }
        quiet.wait(86_400)
        storm.wait(86_400)
        quiet.down(0..<4)
        #expect(quiet.places == ["10.1.0.0"])
        storm.down(Array(0..<4) + stride(from: 5, to: 200, by: 4))
        #expect(storm.places == [])
    }

    @Test(arguments: [(3, 15, true), (3, 0, false), (6, 0, true)])
    func `Right after the start, a cause needs more evidence`(down: Int, others: Int, isNamed: Bool) {
        var network = TestNetwork()
        network.add(0..<down, path: ["10.0.0.1", "10.1.0.1"])
        network.add(100..<(100 + others), path: ["10.0.0.1"])
        network.down(0..<down)
        // It waits until all that went down at the start was found.
        network.wait(15)
        #expect(network.finder.causes.isEmpty != isNamed)
    }
}
