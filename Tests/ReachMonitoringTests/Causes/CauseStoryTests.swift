import Testing

@testable import ReachMonitoring

struct CauseStoryTests {
    @Test
    func `A switch dies under 40 hosts, which are found one after the other`() {
        var network = TestNetwork.office()
        for host in 0..<40 {
            network.wait(0.2)
            network.down([host])
        }
        #expect(network.places == ["10.1.0.1"])
        #expect(network.explained() == Array(0..<40))
        let named = network.takeEvents().filter { if case .named = $0 { true } else { false } }
        #expect(named.count == 1)
        let sentence = network.finder.causes[0].sentence { "\(Int((($0.inSeconds - 86_400) * 1_000).rounded())) ms" }
        #expect(sentence == "40 down since 200 ms – 10.1.0.1 (40 of 40 behind it; 60 others up)")
    }

    @Test
    func `A switch that is no hop is behind the router, which answers`() {
        var network = TestNetwork.office(confirmsHops: true)
        network.down(0..<40)
        let id = network.finder.causes[0].id
        #expect(network.takeEvents() == [.suspected(id, probe: ["10.1.0.1"])])
        network.confirm("10.1.0.1", answered: true)
        #expect(network.takeEvents() == [.named(id)])
        #expect(network.places == ["behind 10.1.0.1, which answers"])
    }

    @Test
    func `A router that does not answer is named itself`() {
        var network = TestNetwork.office(confirmsHops: true)
        network.down(0..<40)
        network.confirm("10.1.0.1", answered: false)
        #expect(network.places == ["10.1.0.1"])
        #expect(network.finder.causes[0].stage == .named)
    }

    @Test
    func `Two switches die at once`() {
        var network = TestNetwork.office()
        network.down(Array(0..<40) + Array(55..<70))
        #expect(Set(network.places) == ["10.1.0.1", "10.3.0.1"])
    }

    @Test
    func `One of eight members of a group of equal ways`() {
        var network = TestNetwork()
        for member in 0..<8 {
            network.add((member * 10)..<(member * 10 + 10), path: ["10.0.0.1", "10.8.0.\(member)", "10.9.0.1"])
        }
        network.wait(86_400)
        network.down(30..<40)
        #expect(network.places == ["10.8.0.3"])
    }

    @Test
    func `The resolver`() {
        var network = TestNetwork()
        network.add(0..<12, path: ["10.0.0.1", "10.0.0.2"], others: [.resolver("10.0.0.53")])
        network.add(12..<20, path: ["10.0.0.1", "10.0.0.2"])
        network.wait(86_400)
        network.down(0..<12, .unresolved)
        #expect(network.places == ["resolver 10.0.0.53"])
    }

    @Test
    func `A certificate shared by six sites does not accuse the network`() {
        var network = TestNetwork()
        let certificate = Risk.certificate("*.example.com")
        network.add(0..<6, path: ["10.0.0.1", "10.0.0.2", "10.7.0.1"], others: [certificate])
        network.add(6..<30, path: ["10.0.0.1", "10.0.0.2"], others: [.certificate("*.example.org")])
        network.wait(86_400)
        network.down(0..<6, .certificate)
        #expect(network.places == ["certificate *.example.com"])
        #expect(network.finder.causes[0].sentence { _ in "14:03" }.contains("(6 of 6 that use it; 24 others up)"))
    }

    @Test
    func `A host that refuses acquits its network`() {
        var network = TestNetwork()
        network.add(0..<4, path: ["10.0.0.1", "10.7.0.1"], others: [.address("192.0.2.1")])
        network.add(4..<30, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down(0..<4, .refused)
        #expect(network.places == ["host 192.0.2.1"])
    }

    @Test
    func `A cause ends while others last`() {
        var network = TestNetwork.office()
        network.down(Array(0..<40) + Array(55..<70))
        let (first, second) = (network.finder.causes[0].id, network.finder.causes[1].id)
        _ = network.takeEvents()
        network.wait(60)
        network.up(0..<40)
        #expect(network.takeEvents() == [.ended(first, mergedInto: nil)])
        #expect(network.finder.causes.map(\.id) == [second])
        // Another failure there is another cause.
        network.wait(60)
        network.down(0..<40)
        #expect(network.finder.causes.map(\.id.rawValue) == [2, 3])
    }

    @Test
    func `A cause lasts until half of its targets are up again for an interval`() {
        var network = TestNetwork.office()
        network.down(0..<40)
        let id = network.finder.causes[0].id
        network.wait(60)
        network.up(0..<19)
        #expect(network.finder[id]?.explained == 21)
        _ = network.takeEvents()
        network.up([19])
        #expect(network.takeEvents() == [.changed(id)])
        // The others may not have been probed yet. If fewer are up again, the cause goes on.
        network.wait(8)
        network.down([19])
        network.wait(8)
        #expect(network.finder.cause(of: Target.ID(30)) == id)
        _ = network.takeEvents()
        network.up([19])
        network.wait(12)
        #expect(network.takeEvents() == [.changed(id), .ended(id, mergedInto: nil)])
        #expect(network.finder.cause(of: Target.ID(30)) == nil)
    }

    @Test
    func `A target added during a cause joins it`() {
        var network = TestNetwork.office()
        network.down(0..<40)
        let id = network.finder.causes[0].id
        network.wait(300)
        network.add([200], path: ["10.0.0.1", "10.0.0.2", "10.1.0.1"], isUp: false)
        #expect(network.finder[id]?.explained == 40)
        network.down([200])
        #expect(network.finder.cause(of: Target.ID(200)) == id)
        #expect(network.finder[id]?.explained == 41)
    }

    @Test
    func `Paused, blocked and maintained targets neither accuse nor acquit`() {
        var network = TestNetwork.office()
        network.set(30..<40, .undecided)
        network.down(0..<30)
        #expect(network.finder.causes[0].explained == 30)
        #expect(network.finder.causes[0].behind == 30)
        #expect(network.finder.targets(behind: network.finder.causes[0].id).count == 40)
        // One that is paused leaves the cause, and the cause stands.
        let id = network.finder.causes[0].id
        network.set([0], .undecided)
        #expect(network.finder[id]?.explained == 29)
        // A target that was down before, as an acknowledged one, is none of its outages.
        network = TestNetwork.office()
        network.down([0])
        network.wait(3_600)
        network.down(1..<40)
        #expect(network.finder.causes[0].explained == 39)
        #expect(network.finder.causes[0].behind == 40)
        #expect(network.finder.cause(of: Target.ID(0)) == nil)
    }

    @Test
    func `The laptop leaves the house`() {
        var network = TestNetwork()
        let others: [Risk] = [.gateway("192.168.1.1"), .link("wlan0")]
        network.add(0..<8, path: ["192.168.1.1", nil, "10.0.0.2"], others: others)
        network.add(8..<15, path: ["192.168.1.1", nil, "10.0.0.3"], others: others)
        network.wait(86_400)
        network.down(0..<15)
        #expect(network.finder.causes.count == 1)
        #expect(Set(network.finder.causes[0].accused).isSuperset(of: [.gateway("192.168.1.1"), .link("wlan0")]))
        #expect(network.finder.causes[0].sentence { _ in "14:03" }.hasSuffix("(15 of 15 behind it; no others up)"))
    }

    @Test
    func `Ten thousand down at once have one cause`() {
        var network = TestNetwork()
        for router in 0..<100 {
            let path = ["10.0.0.1", "10.0.0.2", router % 3 == 0 ? nil : "10.1.0.\(router)", "10.2.0.\(router)"]
            network.add((router * 100)..<(router * 100 + 100), path: path)
        }
        network.add(10_000..<10_050, path: ["10.0.0.1"])
        network.wait(86_400)
        network.down(0..<10_000)
        #expect(network.places == ["10.0.0.2"])
        #expect(network.finder.causes[0].explained == 10_000)
        network.up(0..<10_000)
        #expect(network.finder.causes.isEmpty)
    }
}
