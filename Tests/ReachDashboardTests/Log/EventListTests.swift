import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The lines of the events: what is folded into one, what the filter shows, and what the keys do there.
@Suite struct EventListTests {
    /// Two halls of hosts.
    private func halls(rows: Int = 24, hooks: [HookRule] = []) -> Scene {
        let names = ["hall-a", "hall-b"].flatMap { hall in (1...4).map { (hall, "\(hall)-\($0)") } }
        return Scene(
            names.map { .make($0.1, url: "icmp://\($0.1)", group: $0.0, hooks: hooks) },
            columns: 120,
            rows: rows
        )
    }

    private func stories(_ a: String, _ b: String) -> [String: String] {
        let names = (1...4).flatMap { [("hall-a-\($0)", a), ("hall-b-\($0)", b)] }
        return Dictionary(uniqueKeysWithValues: names)
    }

    /// The lines of the events, without the mark of the selection.
    private func lines(_ scene: Scene) -> [String] {
        let lines = scene.screen.split(separator: "\n").map { $0.drop { " ▸".contains($0) } }
        return lines.filter { $0.contains(#/^14:\d\d:\d\d \S /#) }.map { line in
            line.split(separator: " ", omittingEmptySubsequences: true).dropFirst(2).joined(separator: " ")
        }
    }

    @Test func `the first verdicts after the start are one line, and what did not come up has another one`() throws {
        var scene = halls()
        scene.receiveTogether(stories("rrr", "xxx").merging(["hall-a-1": "xxx"]) { $1 })
        #expect(lines(scene).last == "8 targets started: 3 up, 5 down")
        let list = scene.model.eventList()
        let notStarted = try #require(list.lines.firstIndex { if case .notStarted = $0.id { true } else { false } })
        #expect(lines(scene)[notStarted].hasPrefix("5 targets down: refused hall-"))
        // Below the line of the common cause.
        scene.press(.character("e"))
        for _ in 0..<notStarted { scene.press(.down) }
        scene.press(.enter)
        #expect(lines(scene).count { $0.contains("down after 3 losses: refused") } == 5)
        #expect(lines(scene).count == list.lines.count + 5)
    }

    @Test func `two targets have a line each`() {
        var scene = Scene([.make("NAS"), .make("Router")])
        scene.receiveTogether(["NAS": "r", "Router": "r"])
        #expect(lines(scene) == ["Router up", "NAS up"])
    }

    @Test func `an outage of a group is one line, with its reason, its names and its recovery`() {
        var scene = halls()
        scene.receiveTogether(stories("rrrrrrrrr", "rrxxxxrrr"))
        let shown = lines(scene)
        #expect(shown[1] == "all 4 of hall-b up after 4s hall-b-1, hall-b-2, hall-b-3, hall-b-4")
        #expect(shown.contains("all 4 of hall-b down: refused hall-b-1, hall-b-2, hall-b-3, hall-b-4"))
        #expect(shown.last == "8 targets started: 8 up")
    }

    @Test func `targets of several groups are counted, and another reason is another line`() {
        var scene = halls()
        scene.receiveTogether(stories("rrxxx", "rrxxx").merging(["hall-a-1": "rrttt", "hall-b-4": "rrrrr"]) { $1 })
        #expect(lines(scene).contains { $0.hasPrefix("6 targets down: refused hall-a-2, ") })
        #expect(lines(scene).contains { $0.hasPrefix("hall-a-1 down after 3 losses: timeout") })
    }

    @Test func `two changes of one target, or of another moment, are not folded`() {
        var scene = halls(rows: 50)
        let others = stories("rrrrrrrrrrrrrrrrrrrrrrrrr", "rrrrrrrrrrrrrrrrrrrrrrrrr")
        // The first two fail together, the third eleven seconds later.
        scene.receiveTogether(
            others.merging([
                "hall-a-1": "rrxxxrxxxrrrrrrrrrrrrrrrr", "hall-a-2": "rrxxxrrrrrrrrrrrrrrrrrrrr",
                "hall-a-3": "rrrrrrrrrrrrrxxxrrrrrrrrr",
            ]) { $1 }
        )
        #expect(lines(scene).count { $0.contains("down after 3 losses") } == 4)
    }

    @Test func `the changes of a flapping target are one line, and enter shows each`() throws {
        var scene = Scene([.make("Radio", fall: 1), .make("NAS")], columns: 70, rows: 60)
        scene.receive("rrrrrrrrrrrrrrrrrrrrtrtrtrtrtrtrt", from: "Radio")
        let entries = scene.model.log.entries
        let start = try #require(entries.firstIndex { $0.text.contains("too often") })
        let changes = entries.count - start - 1
        #expect(lines(scene).count == start + 2)
        #expect(lines(scene)[0].hasPrefix("Radio down after 1 loss: …"))
        #expect(scene.line("changes since 14:").contains(" \(changes) changes since 14:"))
        scene.press(.character("e"), .enter)
        #expect(lines(scene).count == entries.count + 1)
        scene.press(.enter)
        #expect(lines(scene).count == start + 2)
    }

    @Test func `the hooks of folded events are counted by their results`() throws {
        var scene = halls(hooks: [.make(on: [.down], "page")])
        scene.receiveTogether(stories("rrr", "rrxxx"))
        #expect(scene.line("all 4 of hall-b").hasSuffix("  ·  page 4 waiting"))
        for (index, run) in scene.effects.flatMap(\.runs).enumerated() {
            let status = index == 0 ? HookResult.Status.exited(1) : .exited(0)
            scene.send(.hook(.finished(run, HookResult(status: status, duration: .milliseconds(90), output: ""))))
        }
        #expect(scene.line("all 4 of hall-b").hasSuffix("  ·  page 1 failed, 3 ok"))
    }

    @Test func `the filter leaves out the events of other targets and of the program`() {
        var scene = halls()
        scene.receiveTogether(stories("rrxxx", "rrxxx"))
        scene.send(.message("settings file changed", isProblem: false))
        scene.press(.character("e"), .character("/"))
        scene.type("hall-b")
        #expect(
            lines(scene).filter { !$0.hasPrefix("cause ") } == [
                "all 4 of hall-b down: refused hall-b-1, hall-b-2, hall-b-3, hall-b-4", "all 4 of hall-b started: 4 up",
            ]
        )
        scene.press(.enter, .escape)
        #expect(lines(scene).allSatisfy { !$0.contains("settings file") })
        scene.press(.escape)
        #expect(lines(scene)[0] == "reach settings file changed")
    }

    @Test func `enter on an event shows its target at that time, and esc the events again`() {
        var scene = halls()
        scene.receiveTogether(
            stories("rrrrrrrrrrrrrr", "rrrrrrrrrrrrrr").merging(["hall-a-2": "rrrrrxxxxxrrrr"]) { $1 }
        )
        scene.press(.character("e"), .down, .enter)
        #expect(scene.screen.contains("FROZEN 14:02:39"))
        #expect(scene.line("hall-a-2").contains("○ hall-a-2"))
        scene.press(.escape)
        #expect(!scene.screen.contains("FROZEN"))
        #expect(scene.line("down after 3 losses").hasPrefix("▸"))
    }

    @Test func `an unfolded line stays selected, and its parts open their targets`() {
        var scene = halls()
        scene.receiveTogether(stories("rrrrrrr", "rrxxxxx"))
        scene.press(.character("e"), .down, .enter)
        #expect(lines(scene).count { $0.contains("down after 3 losses") } == 4)
        #expect(scene.line("all 4 of hall-b").hasPrefix("▸"))
        scene.press(.down, .down, .enter)
        #expect(scene.line("hall-b-3").contains("○ hall-b-3"))
        #expect(scene.screen.contains("FROZEN 14:02:36"))
    }

    @Test func `a new event leaves the selected one where it is read`() {
        var scene = halls()
        scene.receiveTogether(stories("rrrrrrrr", "rrrrrrrr").merging(["hall-a-2": "rrxxxxrr"]) { $1 })
        scene.press(.character("e"), .down)
        #expect(scene.line("down after 3 losses").hasPrefix("▸"))
        scene.receive("xxx", from: "hall-a-3")
        #expect(scene.line("○ hall-a-2").hasPrefix("▸"))
        scene.press(.character("g"))
        scene.receive("r", from: "hall-a-3")
        #expect(scene.line("● hall-a-3").hasPrefix("▸"))
    }

    @Test func `keys act on the targets of the selected event`() {
        var scene = halls()
        scene.receiveTogether(stories("rrrr", "rrxx"))
        scene.receiveTogether(stories("r", "x"))
        scene.press(.character("e"), .down, .character(" "))
        #expect(scene.screen.contains("paused 4 targets"))
        #expect(scene.model.roster.states.count { $0.isPaused } == 4)
    }

    @Test func `one step to an earlier event leaves a moment`() {
        var scene = halls()
        scene.receiveTogether(stories("rrrrrrrrrrrrrr", "rrxxxxxrrrrrrr"))
        scene.press(.character("["))
        #expect(scene.line("at 14:").contains("at 14:02:39"))
        scene.press(.character("["))
        #expect(scene.line("at 14:").contains("at 14:02:36"))
        scene.press(.character("["))
        #expect(scene.line("at 14:").contains("at 14:02:32"))
        scene.press(.character("["))
        #expect(scene.screen.contains("no earlier event"))
    }

    @Test func `without lines, the keys do nothing`() {
        var scene = Scene([.make("NAS")])
        scene.press(.character("e"), .down, .enter, .character("G"), .click(Position(column: 3, row: 4)))
        #expect(scene.screen.contains(" Events "))
    }
}
