import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// A lasting change of latency in events, details and charts.
@Suite struct ShiftDisplayTests {
    /// A minute and a half at 12 ms, then forty seconds at 38 ms.
    private static func shifted(rows: Int = 40) -> Scene {
        var scene = Scene([.make("Shop", url: "icmp://192.0.2.7")], columns: 120, rows: rows)
        scene.run(90, milliseconds: 12)
        scene.run(40, milliseconds: 38)
        return scene
    }

    @Test func `the events have a line with the time when it began`() {
        let scene = Self.shifted()
        #expect(scene.line("latency rose").contains("△ Shop"))
        let began = Scene.wall.minuteOfDay(at: scene.model.now - .seconds(39))
        #expect(scene.line("latency rose").contains("latency rose from 12 to 38ms at \(began)"))
        #expect(scene.line("192.0.2.7").contains("up"))
    }

    @Test func `the details have the sentence while it lasts, a mark and both levels`() {
        var scene = Self.shifted()
        scene.press(.enter)
        let began = Scene.wall.minuteOfDay(at: scene.model.now - .seconds(39))
        let sentence = "latency rose from 12 to 38ms at \(began)"
        #expect(scene.line("up for").contains(sentence))
        let time = Scene.wall.timeOfDay(at: scene.model.now - .seconds(39))
        #expect(scene.line("△ \(began):").contains("△ \(time)"))
        #expect(scene.line("12ms │").contains("12ms │"))
        #expect(scene.line("38ms │").contains("38ms │"))
        #expect(scene.screen.contains("┆"))
        scene.run(40, milliseconds: 12)
        #expect(!scene.line("up for").contains("latency"))
        #expect(scene.line("latency back").contains("latency back to 12ms after 40s"))
    }

    @Test func `the cursor shows what lasted then`() {
        var scene = Self.shifted()
        scene.press(.enter)
        scene.press(.character("f"))
        #expect(scene.line("up for").contains("latency rose"))
        for _ in 0..<100 { scene.press(.left) }
        #expect(!scene.line("up for").contains("latency rose"))
    }

    @Test func `a correction changes the line of its event`() {
        var scene = Scene([.make("Shop", url: "icmp://192.0.2.7")], columns: 120, rows: 40)
        scene.run(90, milliseconds: 12)
        scene.run(8, milliseconds: 20)
        #expect(scene.screen.contains("latency rose from 12 to 20ms"))
        scene.run(80, milliseconds: 80)
        #expect(scene.screen.contains("latency rose from 12 to 80ms"))
        #expect(!scene.screen.contains("to 20ms"))
    }

    @Test func `a change before the chart has no mark`() {
        var scene = Self.shifted()
        scene.press(.enter)
        scene.run(60, milliseconds: 38)
        #expect(scene.line("up for").contains("latency rose"))
        #expect(!scene.screen.contains("┆"))
    }
}

extension Scene {
    /// Answers all targets each second, with one per cent of noise.
    fileprivate mutating func run(_ seconds: Int, milliseconds: Double) {
        for second in 0..<seconds {
            let noise = 1 + 0.01 * Double(second * 7 % 5 - 2)
            receiveAll { _, _ in .reply(roundTrip: .microseconds(Int(milliseconds * noise * 1_000))) }
        }
    }
}
