import ReachBasics
import TestSupport
import Testing

@testable import ReachMonitoring

/// Random faults of the own side and of targets. A naive model knows which of them are there.
@Suite struct SideModelTests {
    private struct Plan {
        var targets: [Target] = []
        var troubles: [SideWorld.Trouble] = []

        init(seed: UInt64) {
            var random = SplitMix(seed: seed)
            let below = { (limit: Int) in Int.random(in: 0..<limit, using: &random) }
            targets.append(.at("192.168.1.1", "Gateway"))
            if below(2) == 0 { targets.append(.at("192.168.1.20", "NAS")) }
            let count = 3 + below(8)
            for index in 0..<count {
                let interval = Duration.milliseconds(500 + 500 * below(5))
                let target = Target.at(
                    "192.\(10 + index).0.1",
                    "T\(index)",
                    interval: interval,
                    fall: 1 + below(3)
                )
                targets.append(target)
            }
            var time = Duration.seconds(10 + below(10))
            while time < .seconds(150) {
                let length = Duration.milliseconds(3_000 + below(20_000))
                let place: SideWorld.Trouble.Place = [.link, .gateway, .provider][below(3)]
                troubles.append(SideWorld.Trouble(place: place, span: time..<(time + length)))
                time = time + length + .milliseconds(500 + below(30_000))
            }
            // The first two targets never fail by themselves.
            for index in 2..<count where below(2) == 0 {
                var time = Duration.seconds(below(60))
                while time < .seconds(170) {
                    let length = Duration.milliseconds(100 + below(30_000))
                    let place = SideWorld.Trouble.Place.target("T\(index)")
                    troubles.append(SideWorld.Trouble(place: place, span: time..<(time + length)))
                    time = time + length + .seconds(1 + below(60))
                }
            }
        }
    }

    @Test(arguments: 0..<150)
    func `no target is down since the own side is, and every outage is reported in time`(seed: UInt64) {
        let plan = Plan(seed: seed)
        var world = SideWorld(plan.targets)
        world.troubles = plan.troubles
        let own = plan.troubles.filter { if case .target = $0.place { false } else { true } }
        var clear: [String: Duration] = [:]
        while world.now < .seconds(180) {
            let known = world.alarms.count
            world.run(.milliseconds(100))
            let isOwnDown = own.contains { $0.span.overlaps(world.now - .milliseconds(100)..<world.now) }
            for alarm in world.alarms.dropFirst(known) where alarm.name.hasPrefix("T") {
                let failures = plan.troubles.filter { trouble in
                    trouble.place == .target(alarm.name)
                        && trouble.span.overlaps(alarm.time - .seconds(15)..<alarm.time)
                }
                let failed = !failures.isEmpty
                // A probe that was lost before the own side failed may be the reason.
                let isLate = own.contains { trouble in
                    trouble.span.contains(alarm.time)
                        && (alarm.time - trouble.span.lowerBound > .seconds(1.5)
                            || !failures.contains { $0.span.lowerBound < trouble.span.lowerBound })
                }
                #expect(!isLate, "seed \(seed): \(alarm) while the own side is down: \(own) \(failures)")
                #expect(failed, "seed \(seed): \(alarm), which never failed")
            }
            for target in plan.targets where target.name.hasPrefix("T") {
                let isDown = world.isBroken(.target(target.name), at: world.now)
                guard isDown, !isOwnDown else {
                    clear[target.name] = nil
                    continue
                }
                let since = clear[target.name] ?? world.now
                clear[target.name] = since
                // Three probes, their timeouts, the wait, and as much again for losses that an outage may explain.
                let bound = target.interval * 4 + .seconds(1) + SideWatch.patience + .seconds(3)
                if world.now - since > bound {
                    #expect(world[target.name]?.health == .down, "seed \(seed): \(target.name) since \(since)")
                }
            }
            // The own side is down for long enough, and was up before.
            if let trouble = own.first(where: { $0.span.contains(world.now) }),
                world.now - trouble.span.lowerBound > .seconds(12)
            {
                let open = world.roster.states.filter {
                    $0.target.name.hasPrefix("T") && !$0.isBlocked && $0.health != .down
                }
                #expect(open.isEmpty, "seed \(seed): \(open.map(\.target.name)) at \(world.now)")
            }
        }
    }
}
