import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The wall clock, whose start is computed from two clocks with each tick.
@Suite struct WallClockTests {
    /// The details of a target over fifteen minutes, whose ticks are between columns, with an event at a whole second.
    private func scene() -> Scene {
        var scene = Scene([.make("NAS", interval: .seconds(2))], columns: 110, rows: 44)
        scene.receive("rrrrr", from: "NAS")
        scene.send(.message("noted", isProblem: false))
        scene.open("NAS")
        for _ in 0..<2 { scene.press(.character("+")) }
        return scene
    }

    @Test(arguments: [false, true])
    func `ticks and events stay in place if the clocks differ by microseconds`(showsEvents: Bool) {
        for second in 0..<120 {
            var scene = scene()
            if showsEvents { scene.press(.escape, .character("e")) }
            scene.wait(.seconds(second))
            let screen = scene.screen
            for microseconds in [-3, 4, -1] {
                let start = Scene.wall.start + .microseconds(microseconds)
                // The next tick is no earlier than the displayed second.
                scene.send(.tick(WallTime(start: start)), at: scene.now + .milliseconds(1))
                #expect(scene.screen == screen, "\(second) s, \(microseconds) µs")
            }
        }
    }

    @Test func `a clock that is set moves the times`() {
        var scene = scene()
        scene.press(.escape, .character("e"))
        #expect(scene.screen.contains("14:02:36 "))
        let start = Scene.wall.start + .seconds(3_600)
        scene.send(.tick(WallTime(start: start, offset: .seconds(-1_800))))
        #expect(scene.screen.contains("14:32:36 "))
    }

    @Test func `a pause begins when the key is pressed, not with the last result`() {
        var scene = Scene([.make("NAS")])
        scene.receive("rrr", from: "NAS")
        scene.select("NAS")
        scene.send(.key(.character(" ")), at: .milliseconds(3_900))
        #expect(scene.model.roster.states[0].isPaused)
        #expect(scene.model.roster.states[0].since == .milliseconds(3_900))
        scene.send(.key(.character(" ")), at: .milliseconds(3_800))
        #expect(scene.model.now == .milliseconds(3_900), "no time goes back")
    }
}
