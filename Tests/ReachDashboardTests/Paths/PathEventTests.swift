@testable import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// What the details, the events and the charts show of a path.
@Suite struct PathEventTests {
    /// A target with a path that reaches it.
    private static func traced() -> Scene {
        var scene = Scene(Scene.home(["Router", "NAS"]), hasPaths: true)
        for _ in 0..<5 { scene.receive(.reply(roundTrip: .milliseconds(1)), from: "NAS", address: "192.0.2.20") }
        return scene
    }

    @Test func `the details have the length and the end of the path`() {
        var scene = Self.traced()
        scene.open("NAS")
        scene.press(.end)
        #expect(scene.line("path  ").contains("not known yet  p shows it"))
        scene.trace("NAS", .reached(hop: 3, address: "192.0.2.20"), ["10.0.0.1", nil, "192.0.2.20"])
        #expect(scene.line("path  ").contains("3 hops, reaches the target  p shows it"))
        scene.press(.escape)
        scene.open("Router")
        #expect(scene.line("path  ").contains("not known yet"))
        var other = Scene(Scene.home(["NAS"]))
        other.open("NAS")
        other.press(.end)
        #expect(!other.screen.contains("p shows it"))
    }

    @Test func `the details of an outage have the end of the path, and the hops before`() {
        var scene = Self.traced()
        scene.trace("NAS", .reached(hop: 3, address: "192.0.2.20"), ["10.0.0.1", "10.0.0.2", "192.0.2.20"])
        scene.open("NAS")
        scene.receive("xxx", from: "NAS")
        scene.press(.end)
        #expect(scene.line("path  ").contains("before the outage: 3 hops, reaches the target"))
        scene.trace("NAS", .silent(hop: 1, address: "10.0.0.1", length: 3), ["10.0.0.1"], because: .down)
        #expect(scene.line("path  ").contains("ends after 10.0.0.1, hop 1 of 3"))
        #expect(scene.screen.contains("before: 10.0.0.1 10.0.0.2 192.0.2.20"))
        scene.press(.home)
        #expect(scene.line("down for").contains("path ends after 10.0.0.1, hop 1 of 3"))
    }

    @Test func `a change of the path is an event, and a mark in charts that the time cursor reaches`() {
        var scene = Self.traced()
        let id = scene.id("NAS")!
        scene.wait(.seconds(2))
        scene.send(
            .findings([
                .path(id, .changed(PathChange(hop: 2, flow: 0, before: "10.0.0.2", after: "10.0.0.9")), at: scene.now)
            ])
        )
        let time = scene.now
        for _ in 0..<5 { scene.receive(.reply(roundTrip: .milliseconds(1)), from: "NAS") }
        #expect(scene.line("path changed").contains("⇄ NAS"))
        scene.open("NAS")
        #expect(scene.line("└─").contains("⇄"))
        scene.press(.character("["))
        #expect(scene.model.cursor == time)
        #expect(scene.line("└─").contains("⇄"))
        scene.press(.character("["))
        // The mark stays while the cursor is before the change.
        #expect(scene.model.cursor != time && scene.line("└─").contains("⇄"))
        scene.press(.escape, .character("3"))
        #expect(scene.screen.contains("⇄"))
    }
}

/// The paths of times of which no results of probes are kept.
@Suite struct PastPathTests {
    /// Two targets, one of which was down behind a router an hour ago, as the history has it.
    private static func restored() -> Scene {
        var scene = Scene(Scene.home(["Router", "NAS"]), hasPaths: true)
        for name in ["Router", "NAS"] {
            scene.receive(.reply(roundTrip: .milliseconds(1)), from: name, address: "192.0.2.20")
        }
        guard let nas = scene.id("NAS") else { return scene }
        let start = Scene.wall.start
        var past = StoredPast()
        past.events = [
            TargetEvent(
                nas,
                HistoryEvent(.transition, at: start - .seconds(600), from: .up, to: .down, reason: "timeout")
            )
        ]
        past.paths[nas] = [
            StoredPath(
                TracedPath(end: .silent(hop: 2, address: "10.9.0.1", length: 3), hops: ["10.0.0.1", "10.9.0.1"]),
                at: start - .seconds(601)
            ),
            StoredPath(
                TracedPath(end: .reached(hop: 2, address: "192.0.2.20"), hops: ["10.0.0.1", "192.0.2.20"]),
                at: start - .seconds(300)
            ),
        ]
        scene.send(.past(past))
        scene.trace("NAS", .reached(hop: 2, address: "192.0.2.20"), ["10.0.0.2", "192.0.2.20"])
        scene.wait(.seconds(10))
        return scene
    }

    /// Answers the request for the moment of the outage.
    private func answerMoment(_ scene: inout Scene) {
        let time = Scene.wall.start - .seconds(600)
        var moment = StoredMoment(at: time)
        moment.start = time
        for name in ["Router", "NAS"] {
            guard let id = scene.id(name) else { continue }
            let health = name == "NAS" ? Health.down : .up
            let start = time - .seconds(2)
            let event = HistoryEvent(.transition, at: time, from: .up, to: health, since: start, reason: "timeout")
            moment.targets[id] = .init()
            moment.targets[id]?.events = [event]
            if name == "NAS" {
                moment.events = [TargetEvent(id, event)]
                moment.targets[id]?.paths = [
                    StoredPath(
                        TracedPath(
                            end: .silent(hop: 2, address: "10.9.0.1", length: 3),
                            hops: ["10.0.0.1", "10.9.0.1"]
                        ),
                        at: time - .seconds(1)
                    )
                ]
            }
        }
        scene.send(.history(.moment(moment), Scene.wall.zone))
    }

    @Test func `the path before the start of the program is that of the history`() {
        var scene = Self.restored()
        scene.select("NAS")
        scene.press(.character("p"))
        scene.send(.paths([scene.id("NAS")!: .simulated(["10.0.0.2", "192.0.2.20"])], isComplete: false))
        // The verdict of this run, and the event before the start.
        scene.press(.character("["), .character("["))
        #expect(scene.model.cursor == .seconds(-600))
        answerMoment(&scene)
        #expect(scene.line("  2  10.9.0.1").contains("–"))
        #expect(scene.screen.contains("10.9.0.1 answers, nothing beyond it"))
        #expect(scene.screen.contains("as traced at 13:52:30; no figures of this time"))
        scene.press(.character("["))
        #expect(scene.screen.contains("no earlier event"))
        scene.press(.escape, .enter, .end)
        #expect(scene.line("path  ").contains("2 hops, reaches the target"))
        scene.press(.character("["), .character("["))
        answerMoment(&scene)
        #expect(scene.line("path  ").contains("ends after 10.9.0.1, hop 2 of 3"))
    }

    @Test func `the tree before the start of the program is that of the history`() {
        var scene = Self.restored()
        scene.press(.character("6"))
        scene.send(
            .paths(
                [
                    scene.id("NAS")!: .simulated(["10.0.0.2", "192.0.2.20"]),
                    scene.id("Router")!: .simulated(["10.0.0.2", "192.168.1.1"]),
                ],
                isComplete: true
            )
        )
        #expect(scene.line("10.0.0.2").contains("2    0%"))
        while scene.model.cursor.map({ $0 > .seconds(-600) }) ?? true { scene.press(.character("[")) }
        answerMoment(&scene)
        #expect(scene.line("10.9.0.1").contains("10.0.0.1 – 10.9.0.1  2 hops"))
        #expect(scene.line("* silent").contains("–"))
        #expect(scene.line("waiting for answers").contains("1 target"))
        for _ in 0..<40 { scene.press(.left) }
        #expect(scene.screen.contains("the history begins here"))
        scene.press(.escape, .character("1"))
        #expect(scene.screen.contains("NAS"))
    }

    @Test func `within this run, the details have the path of the time cursor`() {
        var scene = Self.restored()
        scene.open("NAS")
        scene.receive("rrr", from: "NAS")
        scene.trace("NAS", .reached(hop: 3, address: "192.0.2.20"), ["10.0.0.2", "10.0.0.3", "192.0.2.20"])
        scene.receive("rrr", from: "NAS")
        scene.press(.end)
        #expect(scene.line("path  ").contains("3 hops"))
        scene.press(.character("f"))
        while scene.model.cursor.map({ $0 >= .seconds(14) }) ?? true { scene.press(.left) }
        #expect(scene.line("path  ").contains("2 hops"))
    }
}

extension Scene {
    /// Receives the result of a trace.
    mutating func trace(_ name: String, _ end: PathEnd, _ hops: [String?], because cause: PathCause = .refresh) {
        guard let id = id(name) else { return }
        let completion = PathCompletion(cause: cause, end: end, started: now, probes: hops.count, hops: hops)
        send(.findings([.path(id, .traced(completion), at: now)]))
    }
}
