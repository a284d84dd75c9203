import TestSupport
import Testing

@testable import ReachMonitoring

/// Outages of the own side that are short, or during which targets fail too.
@Suite struct SideTimingTests {
    @Test func `an outage of the own side shorter than the wait gives no alarm`() {
        for start in stride(from: 10_000, to: 12_000, by: 130) {
            for length in stride(from: 1_000, to: 6_000, by: 170) {
                var world = SideWorld.world()
                let begin = Duration.milliseconds(start)
                world.troubles = [
                    SideWorld.Trouble(place: .provider, span: begin..<(begin + .milliseconds(length)))
                ]
                world.run(.seconds(25))
                #expect(world.alarms.isEmpty, "\(start) ms, for \(length) ms: \(world.events)")
            }
        }
    }

    @Test func `several targets of a network in a short outage give no alarm`() {
        // Each second, the targets of a network are probed together.
        let targets = (0..<12).map { Target.at("192.\($0 / 3).2.\($0 % 3 + 1)", "N\($0 / 3)\($0 % 3)") }
        for start in stride(from: 7_000, to: 8_000, by: 90) {
            for length in stride(from: 600, to: 4_000, by: 130) {
                var world = SideWorld([SideWorld.gateway] + targets) { ($0 + 2) / 3 * 250 + 30 }
                let begin = Duration.milliseconds(start)
                world.troubles = [SideWorld.Trouble(place: .provider, span: begin..<(begin + .milliseconds(length)))]
                world.run(.seconds(18))
                #expect(world.alarms.isEmpty, "\(start) ms, for \(length) ms: \(world.events)")
            }
        }
    }

    @Test func `a host behind the gateway that fails in an outage of the provider is down within seconds`() throws {
        let inner = Target.at("10.9.0.1", "Inner").traced
        var world = SideWorld.world(targets: [SideWorld.gateway, inner] + SideWorld.far)
        world.run(.seconds(5))
        let id = try #require(world["Inner"]).id
        let path = PathCompletion(
            cause: .first,
            end: .reached(hop: 2, address: "10.9.0.1"),
            started: world.now,
            probes: 6,
            hops: ["192.168.1.1", "10.9.0.1"]
        )
        world.perform(world.roster.record([.path(id, .traced(path), at: world.now)]))
        world.troubles = [SideWorld.trouble(.provider, 10, 60), SideWorld.trouble(.target("Inner"), 20, 50)]
        world.run(.seconds(26))
        #expect(world.roster.sideWatch?.places[id]?.place == .behindGateway)
        #expect(world.alarms.map(\.name) == ["Inner"] && world.blocked == ["A", "B", "C", "D"])
    }

    @Test func `flapping targets are blocked too`() {
        let targets = SideWorld.far.map { target in
            var target = target
            target.mayFlap = true
            return target
        }
        var world = SideWorld.world(targets: [SideWorld.gateway] + targets)
        for name in ["A", "B", "C", "D"] {
            world.troubles += (1...8).map { SideWorld.trouble(.target(name), $0 * 20, $0 * 20 + 9) }
        }
        // They fail alone while others answer.
        world.troubles = world.troubles.enumerated().map { index, trouble in
            let shift = Duration.seconds(index / 8 * 4)
            return SideWorld.Trouble(
                place: trouble.place,
                span: (trouble.span.lowerBound + shift)..<(trouble.span.upperBound + shift)
            )
        }
        world.run(.seconds(195))
        #expect(world.roster.states.count { $0.isFlapping } > 1)
        let known = world.alarms.count
        world.troubles.append(SideWorld.trouble(.provider, 200, 260))
        world.run(.seconds(40))
        #expect(world.alarms.count == known)
        #expect(world.blocked == ["A", "B", "C", "D"])
    }

    @Test func `a trace that began in an outage and ended after it gives no alarm`() throws {
        let targets = (0..<12).map { Target.at("192.\($0 / 3).2.\($0 % 3 + 1)", "N\($0 / 3)\($0 % 3)").traced }
        for end in stride(from: 10_000, to: 11_000, by: 50) {
            var world = SideWorld([SideWorld.gateway] + targets) { ($0 + 2) / 3 * 250 + 30 }
            let span = Duration.milliseconds(8_000)..<(.milliseconds(end))
            world.troubles = [SideWorld.Trouble(place: .provider, span: span)]
            world.run(span.upperBound + .milliseconds(20))
            let path = PathCompletion(
                cause: .down,
                end: .reached(hop: 2, address: "192.0.2.1"),
                started: span.upperBound - .milliseconds(400),
                probes: 6,
                hops: ["192.168.1.1", "192.0.2.1"]
            )
            let id = try #require(world["N00"]).id
            world.perform(world.roster.record([.path(id, .traced(path), at: world.now)]))
            world.run(.seconds(6))
            #expect(world.alarms.isEmpty, "\(end) ms: \(world.events)")
        }
    }
}
