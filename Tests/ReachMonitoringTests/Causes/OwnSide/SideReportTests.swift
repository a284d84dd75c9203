import TestSupport
import Testing

@testable import ReachMonitoring

/// What the line says, and where targets and their families are.
@Suite struct SideReportTests {
    @Test func `hosts of the own network alone are judged as always`() {
        var world = SideWorld.world(
            SideWorld.trouble(.gateway, 10, 60),
            targets: [SideWorld.gateway, SideWorld.neighbour]
        )
        world.run(.seconds(20))
        #expect(world.alarms.map(\.name) == ["Gateway"])
        #expect(world.sideReport?.verdict.summary == "your network: gateway 192.168.1.1 does not answer")
    }

    @Test func `a resolver of the own network that is down is reported`() {
        var sides = SidesSettings()
        sides.resolvers = ["192.168.1.1"]
        let resolver = Target.make("Resolver", url: "dns://192.168.1.1/example.com", timeout: .seconds(1))
        var world = SideWorld([SideWorld.gateway, resolver] + SideWorld.far, sides: sides)
        world.troubles = [SideWorld.trouble(.target("Resolver"), 5, 60)]
        world.run(.seconds(20))
        #expect(
            world.sideReport?.verdict.summary == "your network or provider: resolver 192.168.1.1 does not resolve names"
        )
        #expect(world.blocked == [])
    }

    @Test(arguments: [
        (Failure(.refused), "your network: resolver 192.168.1.1 does not resolve names"),
        (Failure(.resolverFailed), "your network or provider: resolver 192.168.1.1 does not resolve names"),
    ])
    func `a resolver on the gateway that refuses or fails does not make the gateway silent`(
        failure: Failure,
        summary: String
    ) {
        var sides = SidesSettings()
        sides.resolvers = ["192.168.1.1"]
        let resolver = Target.make("Resolver", url: "dns://192.168.1.1/example.com", timeout: .seconds(1))
        var world = SideWorld([SideWorld.gateway, resolver], sides: sides)
        world.failures["Resolver"] = failure
        world.run(.seconds(5))
        #expect(world.sideReport?.verdict.summary == summary)
    }

    @Test func `the report says what is known`() {
        var world = SideWorld.world(SideWorld.trouble(.provider, 10, 30), SideWorld.trouble(.target("A"), 40, 60))
        world.run(.seconds(25))
        let blocked = world.sideReport
        #expect(
            blocked?.forms(since: "14:03").first
                == "your provider: 192.168.1.1 answers, nothing beyond it – 4 targets blocked since 14:03"
        )
        world.run(.seconds(10))
        #expect(world.sideReport == nil)
        world.run(.seconds(15))
        let far = world.sideReport
        #expect(far?.forms(since: "14:03").first == "far side: 1 target down since 14:03, 3 answer")
    }

    @Test func `the past has the outages of its time`() {
        var world = SideWorld.world(SideWorld.trouble(.gateway, 10, 30))
        world.run(.seconds(50))
        var during = world.roster.rewound(to: .seconds(25))
        #expect(during.sideReport(at: .seconds(25))?.verdict.sides == Sides(.network))
        #expect(during.states.count { $0.isBlocked } == 4)
        var after = world.roster.rewound(to: .seconds(45))
        #expect(after.sideReport(at: .seconds(45)) == nil)
    }

    @Test func `a family without a route is one of this machine, and down`() {
        let other = Target.at("2001:db8::1", "Six")
        var world = SideWorld.world(targets: [SideWorld.gateway, other] + SideWorld.far)
        world.unroutable = ["2001:db8::1"]
        world.run(.seconds(10))
        #expect(world["Six"]?.health == .down && world.blocked == [])
        #expect(!world.events.contains { $0.contains("blocked") })
        #expect(
            world.sideReport?.forms(since: "14:03").first == "this machine: no route – 1 target down since 14:03"
        )
    }

    @Test(arguments: 0..<10, [1, 2, 10])
    func `a family that loses its route is down, and the other is not blocked`(start: Int, interval: Int) {
        let six = (1...4).map { "200\($0):db8::1" }
        let four = SideWorld.far.map { Target.at($0.name == "A" ? "192.0.2.1" : $0.question.host ?? "", $0.name) }
        let targets = (six.map { Target.at($0) } + four).map { target in
            var target = target
            target.interval = .seconds(interval)
            return target
        }
        var world = SideWorld.world(targets: [SideWorld.gateway] + targets)
        world.run(.milliseconds(10_000 + start * 110))
        world.unroutable = Set(six)
        world.run(.seconds(10 + 4 * interval))
        #expect(Set(world.alarms.map(\.name)) == Set(six) && world.alarms.count == 4)
        #expect(!world.events.contains { $0.contains("blocked") })
    }

    @Test func `hosts of this machine's subnet and its own addresses are judged as always`() throws {
        var sides = SidesSettings()
        sides.addresses = [try #require(LocalAddress("192.0.2.7", prefixLength: 28))]
        let targets = [
            Target.at("192.0.2.1", "Near"), .at("192.0.2.7", "Own"), .at("192.0.2.17", "Far"), .at("198.51.100.1", "B"),
        ]
        var world = SideWorld(targets, sides: sides)
        world.troubles = ["Near", "Own", "Far", "B"].map { SideWorld.trouble(.target($0), 10, 60) }
        world.run(.seconds(30))
        #expect(Set(world.alarms.map(\.name)) == ["Near", "Own"] && world.blocked == ["B", "Far"])
    }

    @Test func `a family whose way is interrupted is named`() {
        let six = ["2001:db8::1", "2001:4860::1", "2a00::1"]
        var world = SideWorld.world(targets: [SideWorld.gateway] + six.map { .at($0) } + SideWorld.far)
        world.troubles = six.map { SideWorld.trouble(.target($0), 10, 60) }
        world.run(.seconds(40))
        #expect(Set(world.alarms.map(\.name)) == Set(six) && world.blocked == [])
        #expect(
            world.sideReport?.forms(since: "14:03").first
                == "your network or provider: nothing answers by IPv6 – 3 targets down since 14:03"
        )
    }
}
