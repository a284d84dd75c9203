import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

@Suite struct GroupHeadingTests {
    private func role(_ change: (inout Scene) -> Void) -> Role? {
        var scene = Scene([.make("NAS", group: "Home"), .make("Router", group: "Home")])
        scene.receiveTogether(["NAS": "rrr", "Router": "rrr"])
        change(&scene)
        let states = scene.model.roster.states
        let heading = GroupHeading(name: "Home", members: Array(states.indices)[...], of: states)
        let count = heading.segments(columns: 80, appearance: scene.model.appearance).first { $0.text.contains("up") }
        let roles: [Role] = [.up, .degraded, .down, .waiting]
        return roles.first { scene.model.appearance[$0] == count?.style }
    }

    @Test func `the heading of a group is green only if a target is up`() {
        #expect(role { _ in } == .up)
        #expect(role { $0.receive("ttt", from: "NAS") } == .down)
        #expect(role { $0.press(.home, .down, .character(" ")) } == .up)
        #expect(role { $0.press(.home, .character(" ")) } == .waiting)
    }

    private func text(size: Int? = nil, columns: Int = 80, _ change: (inout Scene) -> Void) -> String {
        var scene = Scene([.make("NAS", group: "Home"), .make("Router", group: "Home")])
        scene.receiveTogether(["NAS": "rrr", "Router": "rrr"])
        change(&scene)
        let states = scene.model.roster.states
        let heading = GroupHeading(name: "Home", members: Array(states.indices)[...], of: states, size: size)
        return heading.segments(columns: columns, appearance: scene.model.appearance).map(\.text).joined()
    }

    @Test func `the heading counts failing targets apart from those that are up`() {
        #expect(text { _ in }.hasSuffix(" 2/2 up ──"))
        #expect(text { $0.receive("ttt", from: "NAS") }.hasSuffix(" 1/2 up, 1 down ──"))
        #expect(text { $0.press(.home, .down, .character(" ")) }.hasSuffix(" 1/2 up, 1 paused ──"))
        let both = { (scene: inout Scene) in
            scene.receive("ttt", from: "NAS")
            scene.select("Router")
            scene.press(.character(" "))
        }
        #expect(text(both).hasSuffix(" 0/2 up, 1 down, 1 paused ──"))
        #expect(text(columns: 30, both).hasSuffix(" 0/2 up, 1 down ──"))
        #expect(text(columns: 20) { $0.receive("ttt", from: "NAS") } == "Home ───── 1/2 up ──")
    }

    @Test func `with a filter, the heading says how many targets match`() {
        #expect(text(size: 5) { _ in }.hasSuffix(" 2 of 5 ──"))
        #expect(text(size: 2) { _ in }.hasSuffix(" 2/2 up ──"))
    }
}
