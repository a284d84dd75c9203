import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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

/// The heading of a group in the first line of a scrolled table.
@Suite struct GroupLineTests {
    /// Three groups of ten targets, A00 to C29.
    private func scene(columns: Int = 80, rows: Int = 20) -> Scene {
        let targets = (0..<30).map { number in
            let group = ["A", "B", "C"][number / 10]
            return Target.make("\(group)\(number < 10 ? "0" : "")\(number)", group: "Group \(group)")
        }
        return Scene(targets, columns: columns, rows: rows)
    }

    /// The lines of the table.
    private func lines(_ scene: Scene) -> [String] {
        let area = scene.model.areas.list
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        return Array(lines[area.row..<area.row + area.rows])
    }

    /// The name of the target in a line; nil for a heading.
    private func name(in line: String) -> String? {
        line.contains("Group") ? nil : line.dropFirst(3).split(separator: " ").first.map(String.init)
    }

    private func check(_ scene: Scene) throws {
        let lines = lines(scene)
        var group: Character?
        for line in lines {
            if let name = name(in: line) {
                #expect(name.first == group, "\(lines)")
            } else {
                group = line.dropFirst(3).split(separator: " ")[1].first
            }
        }
        let selected = lines.filter { $0.hasPrefix("▸") }
        #expect(selected.count == 1, "\(lines)")
        let numbers = lines.compactMap(name).compactMap { Int($0.dropFirst()) }
        let (first, last) = (try #require(numbers.first), try #require(numbers.last))
        #expect(scene.line("Events").hasSuffix(" \(first + 1)–\(last + 1) of 30 ──"))
    }

    @Test func `every visible target is below the heading of its group, and the counter is right`() throws {
        var scene = scene()
        try check(scene)
        for key in Array(repeating: Key.down, count: 40) + Array(repeating: .up, count: 40) {
            scene.press(key)
            try check(scene)
        }
        for key in [Key.pageDown, .pageDown, .pageDown, .pageUp, .pageUp, .end, .home, .end, .pageUp] {
            scene.press(key)
            try check(scene)
        }
    }

    @Test func `a page shows every target`() {
        var scene = scene()
        var seen = Set(lines(scene).compactMap(name))
        for _ in 0..<5 {
            scene.press(.pageDown)
            seen.formUnion(lines(scene).compactMap(name))
        }
        #expect(seen.count == 30)
    }

    @Test func `a click selects what the line shows`() throws {
        var scene = scene()
        scene.press(.end, .up)
        let top = scene.model.areas.list.row
        for (index, line) in lines(scene).enumerated() {
            guard let name = name(in: line) else { continue }
            var clicked = scene
            clicked.press(.click(Position(column: 5, row: top + index)))
            // A click on the selected target opens it.
            #expect(clicked.model.selectedTarget?.target.name == name)
        }
        #expect(lines(scene)[0].contains("Group B"))
        scene.press(.click(Position(column: 5, row: top)))
        #expect(scene.model.selection.id == .group("Group B"))
        #expect(lines(scene)[0].hasPrefix("▸▾ Group B"))
        #expect(lines(scene)[1].contains("B10"))
    }

    @Test func `a reply of the target below the heading does not draw over it`() throws {
        var scene = scene()
        scene.press(.end)
        let painted = scene.model.draw()
        scene.model.markPainted()
        let hidden = scene.model.rows[scene.model.selection.scroll]
        guard case .target(let id, let position) = hidden else {
            Issue.record("the first row is a heading")
            return
        }
        scene.receive("r", from: scene.model.roster.states[position].target.name)
        scene.model.damage.targets = [id]
        scene.model.staleness = .moved
        let line = scene.model.areas.list.row
        #expect(painted.text.split(separator: "\n")[line].contains("Group"))
        #expect(scene.model.draw(over: painted).text.split(separator: "\n")[line].contains("Group"))
    }

    @Test func `a low table, and one without groups, show only rows`() {
        var low = scene(columns: 40, rows: 5)
        low.press(.end)
        #expect(lines(low).compactMap(name).count == low.model.areas.list.rows)
        var plain = Scene((0..<30).map { .make("T\($0)") }, columns: 80, rows: 20)
        plain.press(.end)
        #expect(!plain.screen.contains("other"))
        #expect(lines(plain).last?.contains("T29") == true)
    }
}
