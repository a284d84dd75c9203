import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The marks of hidden rows and lines, and the range of the visible ones.
@Suite struct ScrollMarkTests {
    @Test func `hidden rows are marked, and the visible targets are counted`() {
        var scene = Scene.halls([20, 10], columns: 80, rows: 24)
        let last = { (row: Int) in scene.screen.split(separator: "\n", omittingEmptySubsequences: false)[row].suffix(1)
        }
        #expect(scene.line("Events").hasSuffix(" 1–16 of 30 ──"))
        #expect(last(2) != "▲")
        #expect(last(18) == "▼")
        scene.press(.end)
        #expect(scene.line("Events").hasSuffix(" 16–30 of 30 ──"))
        #expect(last(2) == "▲")
        #expect(last(18) != "▼")
        scene.press(.home, .left)
        #expect(!scene.line("Events").contains(" of "))
    }

    @Test func `the rows of folded groups count as visible`() {
        var scene = Scene.halls([20, 30, 10], columns: 80, rows: 24)
        scene.press(.home, .left)
        #expect(scene.line("Events").hasSuffix(" 1–35 of 60 ──"))
    }

    @Test func `the details count their visible lines`() {
        var scene = Scene.evening
        scene.send(.resize(Size(columns: 80, rows: 24)))
        scene.open("Shop")
        let first = scene.line(" of ")
        #expect(first.contains(" 1–"))
        scene.press(.end)
        #expect(scene.line(" of ") != first)
    }

    @Test func `events and hook runs count their visible lines`() {
        var scene = Scene.evening
        scene.send(.resize(Size(columns: 80, rows: 10)))
        scene.press(.character("e"))
        #expect(scene.line("Events").contains(" 1–6 of "))
        scene.press(.down)
        #expect(scene.line("Events").contains(" 2–7 of "))
        scene.press(.escape, .character("h"))
        scene.send(.resize(Size(columns: 80, rows: 5)))
        #expect(scene.line("Hook runs").contains(" 1–"))
        scene.send(.resize(Size(columns: 80, rows: 50)))
        #expect(!scene.line("Hook runs").contains(" of "))
    }
}
