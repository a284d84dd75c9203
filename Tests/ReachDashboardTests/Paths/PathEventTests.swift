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

extension Scene {
    /// Receives the result of a trace.
    mutating func trace(_ name: String, _ end: PathEnd, _ hops: [String?], because cause: PathCause = .refresh) {
        guard let id = id(name) else { return }
        let completion = PathCompletion(cause: cause, end: end, started: now, probes: hops.count, hops: hops)
        send(.findings([.path(id, .traced(completion), at: now)]))
    }
}
