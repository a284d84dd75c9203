import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Questions before pausing all targets and before quitting, and the levels that q leaves.
@Suite struct QuestionTests {
    private func twoTargets() -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1", group: "Home"), .make("NAS", group: "Home")],
            columns: 100,
            rows: 24
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "xxx"])
        return scene
    }

    private var openings: [[Key]] {
        [
            [], [.character("2")], [.character("3")], [.enter], [.character("e")], [.character("h")],
            [.character("?")],
        ]
    }

    @Test func `resetting the statistics of a group is confirmed`() {
        var scene = Scene([.make("NAS", group: "Home"), .make("Router", group: "Home")])
        scene.receive("rr", from: "NAS")
        scene.receive("rr", from: "Router")
        scene.press(.home, .character("R"))
        #expect(scene.screen.contains("reset the statistics of 2 targets?"))
        scene.press(.character("n"))
        #expect(scene.model.roster.states.allSatisfy { $0.totals.sent == 2 })
        scene.press(.character("R"), .character("y"))
        #expect(scene.model.roster.states.allSatisfy { $0.totals.sent == 0 })
    }

    @Test func `P asks in every view, then pauses all targets, or resumes them if all are paused`() {
        for opening in openings {
            var scene = twoTargets()
            for key in opening + [.character("P")] { scene.press(key) }
            #expect(scene.screen.hasSuffix(" pause all 2 targets?  y yes  n no"))
            #expect(!scene.line("targets").contains("paused"))
            scene.press(.character("y"))
            #expect(scene.line("targets").contains("‖ 2 paused"))
            scene.press(.character("P"))
            #expect(scene.screen.hasSuffix(" resume all 2 targets?  y yes  n no"))
            scene.press(.character("Y"))
            #expect(scene.line("targets").contains("● 1 up  ○ 1 down"))
        }
    }

    @Test func `one target is named, and without targets nothing is asked`() {
        var scene = Scene([.make("NAS")])
        scene.press(.character("P"))
        #expect(scene.screen.hasSuffix("pause NAS?  y yes  n no"))
        scene = Scene([])
        scene.press(.character("P"))
        #expect(scene.model.prompts.question == nil)
    }

    @Test(arguments: [Key.character("n"), .character("N"), .escape, .control("c")])
    func `a question about all targets can be declined`(key: Key) {
        var scene = twoTargets()
        let (before, effects) = (scene.screen, scene.effects)
        scene.press(.character("P"), key)
        #expect(scene.screen == before)
        #expect(scene.effects == effects)
    }

    @Test func `a key that is no answer is ignored`() {
        var scene = twoTargets()
        scene.press(.character("P"))
        let before = scene.screen
        scene.press(.enter, .down, .character("q"), .character("P"), .paste("y"), .wheelDown, .tab)
        #expect(scene.screen == before)
    }

    @Test func `the answers of a question can be clicked`() throws {
        var scene = twoTargets()
        scene.press(.character("P"))
        let answers = try #require(scene.line("pause all").firstRange(of: "y yes  n no"))
        let line = scene.line("pause all")
        let column = line.distance(from: line.startIndex, to: answers.lowerBound)
        scene.press(.click(Position(column: column + 5, row: 23)))
        #expect(scene.model.prompts.question != nil, "the blank between the answers")
        scene.press(.click(Position(column: column + 7, row: 23)))
        #expect(scene.model.prompts.question == nil && !scene.screen.contains("paused"))
        scene.press(.character("P"), .click(Position(column: column, row: 23)))
        #expect(scene.line("targets").contains("‖ 2 paused"))
    }

    @Test(arguments: [20, 12, 5, 1])
    func `the answers are visible on a narrow terminal`(columns: Int) {
        var scene = twoTargets()
        scene.press(.character("P"))
        scene.send(.resize(Size(columns: columns, rows: 5)))
        if columns >= 12 { #expect(scene.screen.hasSuffix("… y n")) }
    }

    @Test func `q leaves one level, and quits only from the table, the wall and the graphs`() {
        for opening in openings {
            var scene = twoTargets()
            let before = scene.screen
            for key in opening { scene.press(key) }
            let isOverview = scene.model.navigation.isAtOverview
            scene.press(.character("q"))
            #expect((scene.effects.last == .exit(.quit)) == isOverview)
            if !isOverview { #expect(scene.screen == before) }
        }
        var scene = twoTargets()
        scene.press(.enter, .character("h"), .character("?"), .character("q"), .character("q"), .character("q"))
        #expect(scene.model.navigation.isAtOverview)
        #expect(!scene.effects.contains(.exit(.quit)))
        scene.press(.character("q"))
        #expect(scene.effects.last == .exit(.quit))
    }

    @Test func `q asks once if a command is armed, and ^C does not`() {
        var scene = twoTargets()
        scene.press(.down, .character("x"))
        scene.type("true")
        scene.press(.enter, .character("q"))
        #expect(scene.screen.hasSuffix("1 command is armed – quit?  y yes  n no"))
        scene.press(.character("q"))
        #expect(!scene.effects.contains(.exit(.quit)))
        scene.press(.character("n"), .control("c"))
        #expect(scene.effects.count { $0 == .exit(.quit) } == 1)

        scene.press(.character("x"))
        scene.type("false")
        scene.press(.enter, .character("q"))
        #expect(scene.screen.hasSuffix("2 commands are armed – quit?  y yes  n no"))
        scene.press(.control("c"))
        #expect(scene.effects.count { $0 == .exit(.quit) } == 2)
        scene.press(.character("q"), .character("y"))
        #expect(scene.effects.count { $0 == .exit(.quit) } == 3)
    }

    @Test(arguments: [
        Key.character("/"), .character(":"), .character("x"), .character("A"), .character("a"), .character("E"),
    ])
    func `pasted line ends are text, controls are dropped, and only enter enters a line`(opening: Key) {
        var scene = EditingScene([.make("NAS")])
        scene.scene.receive("xxx", from: "NAS")
        scene.press(opening, .control("u"), .paste("one\ntwo\r\n\u{2028}\tx\u{1B}\u{9B}y"))
        #expect(scene.scene.screen.contains("one two   xy"))
        #expect(scene.scene.model.prompts.current != nil || scene.scene.model.editing.form != nil)
    }

    @Test func `esc and a key that the terminal sends together are two keys in a prompt`() {
        var scene = twoTargets()
        scene.press(.character("x"))
        scene.send(.keys([.character("a"), .alt("e"), .character("?")]))
        #expect(scene.model.prompts.current == nil && scene.model.navigation.helpScroll != nil)
        #expect(scene.model.navigation.view == .events(EventsViewState()))
    }
}
