import TestSupport
import Testing

@testable import ReachMonitoring

@Suite struct SideStoryTests {
    @Test(arguments: [
        (SideWorld.Trouble.Place.link, Sides(.thisMachine), ["Gateway", "NAS"]),
        (.gateway, Sides(.network), ["Gateway"]), (.provider, Sides(.provider), []),
    ])
    func `while the own side is down, targets beyond it are blocked`(
        place: SideWorld.Trouble.Place,
        sides: Sides,
        down: [String]
    ) {
        var world = SideWorld.world(SideWorld.trouble(place, 10, 30))
        world.run(.seconds(28))
        #expect(world.blocked == ["A", "B", "C", "D"])
        #expect(world.roster.sideWatch?.outage?.verdict.sides == sides)
        #expect(world["A"]?.blockedBy == .side(sides))
        #expect(Set(world.alarms.map(\.name)) == Set(down), "hosts of the own network are judged as always")
        #expect(world["A"]?.health == .up && world.runs.isEmpty)
        let lost = world["A"]?.history.count { $0.isLoss } ?? 0
        #expect(lost <= 3, "losses of blocked targets do not count")
        world.run(.seconds(4))
        #expect(world.blocked == [] && world.roster.sideWatch?.outage == nil)
        #expect(world["A"]?.health == .up && world.runs.isEmpty)
        #expect(world.events.contains("A B C D: blocked: \(sides.name)"))
    }

    @Test func `what is to run when the target can be reached runs after an interruption, and no report`() throws {
        var action = HookRule.make(on: [.up], "mount")
        action.runsWhileFlapping = true
        let rules = [action, HookRule.make(on: [.down, .up, .change], "report"), .make(on: [.up], "back")]
        var world = SideWorld.world(
            SideWorld.trouble(.provider, 10, 30),
            targets: [SideWorld.gateway, .at("192.0.2.1", "A", hooks: rules)] + SideWorld.far.dropFirst()
        )
        world.run(.seconds(28))
        #expect(world["A"]?.blockedBy == .side(Sides(.provider)) && world.runs.isEmpty)
        world.run(.seconds(10))
        #expect(world["A"]?.health == .up)
        let run = try #require(world.runs.first)
        #expect(world.runs.map(\.rule) == [action])
        let length = try #require(run.context.transition?.lasted)
        #expect(run.context.event == .up && length > .seconds(10) && length < .seconds(25))
    }

    @Test func `the recovery is seen within a second, also with a long interval`() {
        let targets = SideWorld.far.map { target in
            var target = target
            target.interval = .seconds(60)
            return target
        }
        var world = SideWorld([SideWorld.gateway] + targets + [.at("192.2.0.1", "E")])
        world.troubles = [SideWorld.trouble(.gateway, 10, 40)]
        world.run(.seconds(39))
        #expect(world.blocked == ["A", "B", "C", "D", "E"])
        world.run(.seconds(2.5))
        #expect(world.blocked == [])
    }

    @Test func `a target that fails alone is down at once`() {
        var world = SideWorld.world(SideWorld.trouble(.target("A"), 10, 30))
        world.run(.seconds(20))
        #expect(world.alarms.map(\.name) == ["A"])
        let first = world.alarms.first?.time ?? .zero
        #expect(first < .seconds(14.3), "three probes, and no wait")
        #expect(world.roster.sideWatch?.outage == nil)
    }

    @Test func `a target that fails during the outage is down after it`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 30), SideWorld.trouble(.target("A"), 15, 60))
        world.run(.seconds(29))
        #expect(world.alarms.isEmpty)
        world.run(.seconds(10))
        #expect(world.alarms.map(\.name) == ["A"])
    }

    @Test func `a target that was down before stays down, and its recovery ends the outage`() {
        var world = SideWorld.world(SideWorld.trouble(.target("A"), 5, 40), SideWorld.trouble(.provider, 20, 40))
        world.run(.seconds(39))
        #expect(world["A"]?.health == .down && world["A"]?.isBlocked == false)
        #expect(world.blocked == ["B", "C", "D"])
        world.run(.seconds(4))
        #expect(world["A"]?.health == .up && world.blocked == [])
    }

    @Test func `one target beyond a gateway that answers is down`() {
        var world = SideWorld.world(
            SideWorld.trouble(.provider, 10, 60),
            targets: [SideWorld.gateway, SideWorld.far[0]]
        )
        world.run(.seconds(30))
        #expect(world.alarms.map(\.name) == ["A"], "nothing tells the provider and the target apart")
    }

    @Test func `one target beyond a gateway that does not answer is blocked`() {
        var world = SideWorld.world(
            SideWorld.trouble(.gateway, 10, 60),
            targets: [SideWorld.gateway, SideWorld.far[0]]
        )
        world.run(.seconds(30))
        #expect(world.alarms.map(\.name) == ["Gateway"] && world.blocked == ["A"])
        world.run(.seconds(35))
        #expect(world.blocked == [] && world.alarms.count == 1)
    }

    @Test func `one target alone is judged as always`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 60), targets: [SideWorld.far[0]])
        world.run(.seconds(20))
        #expect(world.alarms.map(\.name) == ["A"])
        #expect((world.alarms.first?.time ?? .zero) < .seconds(15))
    }

    @Test func `without an uplink, one target alone is blocked`() {
        var world = SideWorld.world(SideWorld.trouble(.link, 10, 60), targets: [SideWorld.far[0]])
        world.run(.seconds(20))
        #expect(world.alarms.isEmpty && world.blocked == ["A"])
        #expect(world.sideReport?.verdict.summary == "this machine: no uplink")
        world.run(.seconds(43))
        #expect(world.alarms.isEmpty && world.blocked == [])
    }

    @Test func `a target that does not return with the uplink is down`() {
        var world = SideWorld.world(
            SideWorld.trouble(.link, 10, 20),
            SideWorld.trouble(.target("A"), 10, 90),
            targets: [SideWorld.far[0]]
        )
        world.run(.seconds(40))
        #expect(world.alarms.map(\.name) == ["A"] && world.blocked == [])
    }

    @Test(arguments: [SideWorld.Trouble.Place.link, .gateway, .provider])
    func `in an outage from the start targets are judged as always, and the line names the side`(
        place: SideWorld.Trouble.Place
    ) {
        var world = SideWorld.world(SideWorld.Trouble(place: place, span: .zero ..< .seconds(30)))
        world.run(.seconds(5))
        #expect(world.blocked == [] && world["A"]?.health == .down)
        let summary =
            switch place {
            case .link: "this machine: no route"
            case .gateway: "your network: gateway 192.168.1.1 does not answer"
            default: "your provider: 192.168.1.1 answers, nothing beyond it"
            }
        #expect(world.sideReport?.verdict.summary == summary)
        #expect(world.sideReport?.forms(since: "14:03").first == "\(summary) – 4 targets down since 14:03")
        world.run(.seconds(28))
        #expect(world.sideReport == nil && world["A"]?.health == .up)
        #expect(world.runs.map(\.context.event) == [.up], "what answers again runs its hooks")
        world.troubles = [SideWorld.trouble(.provider, 40, 60)]
        world.run(.seconds(20))
        #expect(world.blocked == ["A", "B", "C", "D"])
    }

    @Test func `two of two networks that fail together are down if another one of these networks answers`() {
        let targets = [
            SideWorld.gateway, .at("192.0.2.1", "A"), .at("198.51.100.1", "B"),
            .at("192.0.3.1", "C", interval: .seconds(60)),
        ]
        var world = SideWorld.world(
            SideWorld.trouble(.target("A"), 10, 60),
            SideWorld.trouble(.target("B"), 10, 60),
            targets: targets
        )
        world.run(.seconds(30))
        #expect(Set(world.alarms.map(\.name)) == ["A", "B"] && world.blocked == [])
        #expect(!world.events.contains { $0.contains("blocked") })
    }

    @Test func `two of one network that fail together are down`() {
        let targets = [SideWorld.gateway, .at("192.0.2.1", "A"), .at("192.0.2.2", "B")]
        var world = SideWorld.world(
            SideWorld.trouble(.target("A"), 10, 60),
            SideWorld.trouble(.target("B"), 10, 60),
            targets: targets
        )
        world.run(.seconds(30))
        #expect(Set(world.alarms.map(\.name)) == ["A", "B"])
    }

    @Test func `it is off without the flag, and by the settings`() {
        var off = SidesSettings()
        off.isOn = false
        let worlds = [
            SideWorld([SideWorld.gateway] + SideWorld.far, watchesSides: false),
            SideWorld([SideWorld.gateway] + SideWorld.far, sides: off),
        ]
        for var world in worlds {
            world.troubles = [SideWorld.trouble(.gateway, 10, 60)]
            world.run(.seconds(20))
            #expect(world.alarms.count == 5 && world.blocked == [])
            #expect(world.sideReport == nil)
        }
    }

    @Test func `a gateway that never answers echo requests says nothing`() {
        var world = SideWorld.world(
            SideWorld.trouble(.gateway, 20, 40),
            SideWorld.trouble(.target("Gateway"), 0, 90),
            SideWorld.trouble(.target("A"), 60, 90),
            targets: [SideWorld.gateway, SideWorld.far[0]]
        )
        world.troubles.removeFirst()
        world.run(.seconds(80))
        #expect(world.alarms.map(\.name) == ["Gateway", "A"] && world.blocked == [])
    }

    @Test(arguments: [Failure(.networkUnreachable), Failure(.networkUnreachable, reporter: "192.168.1.1")])
    func `a missing route is this machine, and a router that reports one is not`(failure: Failure) throws {
        var world = SideWorld.world()
        world.run(.seconds(10))
        for _ in 0..<4 {
            for name in ["A", "B", "C", "D"] {
                let id = try #require(world[name]).id
                let observation = Observation(
                    target: id,
                    sequence: 100,
                    sent: world.now,
                    time: world.now + .milliseconds(1),
                    outcome: .failure(failure)
                )
                world.perform(world.roster.record([.observation(observation)]))
            }
            world.troubles = [SideWorld.Trouble(place: .provider, span: .zero ..< .seconds(90))]
            world.run(.milliseconds(300))
        }
        let verdict = try #require(world.roster.sideWatch?.outage?.verdict)
        #expect(verdict.sides == Sides(failure.mayBeLocal ? .thisMachine : .provider))
    }

    // MARK: Trust

    @Test func `only trusted targets show that the own side works`() {
        var sides = SidesSettings()
        sides.trusted = ["B"]
        var world = SideWorld([SideWorld.gateway] + SideWorld.far, sides: sides)
        // A portal answers for A; nothing else passes.
        world.troubles = ["B", "C", "D"].map { SideWorld.trouble(.target($0), 10, 40) }
        world.run(.seconds(30))
        #expect(world.blocked == ["B", "C", "D"] && world.alarms.isEmpty)
        world.run(.seconds(15))
        #expect(world.blocked == [])
    }

    @Test func `a trusted target that fails alone is down`() {
        var sides = SidesSettings()
        sides.trusted = ["B"]
        var world = SideWorld([SideWorld.gateway] + SideWorld.far, sides: sides)
        world.troubles = [SideWorld.trouble(.target("B"), 10, 60)]
        world.run(.seconds(30))
        #expect(world.alarms.map(\.name) == ["B"])
        world.troubles.append(SideWorld.trouble(.target("C"), 30, 60))
        world.run(.seconds(20))
        #expect(world.alarms.map(\.name) == ["B", "C"], "a trusted target that is down says nothing")
    }

    // MARK: Changes meanwhile

    @Test func `a target added during the outage is blocked`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 40))
        world.run(.seconds(20))
        world.apply([SideWorld.gateway, SideWorld.neighbour] + SideWorld.far + [.at("192.2.0.1", "E")])
        #expect(world["E"]?.isBlocked == true)
        world.run(.seconds(15))
        #expect(world.blocked == ["A", "B", "C", "D", "E"] && world.alarms.isEmpty)
        world.run(.seconds(8))
        #expect(world.blocked == [] && world["E"]?.health == .up)
    }

    @Test func `switching it off unblocks the targets`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 60))
        world.run(.seconds(20))
        var off = SidesSettings()
        off.isOn = false
        world.apply([SideWorld.gateway, SideWorld.neighbour] + SideWorld.far, sides: off)
        #expect(world.blocked == [])
        world.run(.seconds(6))
        #expect(Set(world.alarms.map(\.name)) == ["A", "B", "C", "D"])
    }

    @Test func `paused targets stay paused, and are blocked when they are resumed`() throws {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 40))
        let id = try #require(world["A"]).id
        world.run(.seconds(5))
        world.perform(world.roster.pause([id], at: world.now))
        world.run(.seconds(15))
        #expect(world.blocked == ["B", "C", "D"] && world["A"]?.isPaused == true)
        world.perform(world.roster.resume([id], at: world.now))
        world.run(.seconds(10))
        #expect(world.blocked == ["A", "B", "C", "D"] && world.alarms.isEmpty)
        world.run(.seconds(13))
        #expect(world.blocked == [] && world["A"]?.health == .up)
    }

    @Test func `a dependency that is down blocks first`() {
        let child = Target.at("192.3.0.1", "Child", dependsOn: [.target("A")])
        var world = SideWorld([SideWorld.gateway] + SideWorld.far + [child])
        world.troubles = [SideWorld.trouble(.target("A"), 5, 60), SideWorld.trouble(.provider, 20, 40)]
        world.run(.seconds(15))
        #expect(world["Child"]?.blockedBy == .target("A"))
        world.run(.seconds(30))
        #expect(world["Child"]?.blockedBy == .target("A") && world.blocked == ["Child"])
        world.run(.seconds(18))
        #expect(world.blocked == [])
    }

    @Test func `a stall says nothing`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 60))
        world.run(.seconds(12))
        world.perform(world.roster.record([.stalled(gap: .seconds(5), at: world.now)]))
        world.run(.seconds(15))
        #expect(world.blocked == ["A", "B", "C", "D"] && world.alarms.isEmpty)
    }
}
