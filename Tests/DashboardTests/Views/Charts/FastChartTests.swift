import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Charts whose columns are shorter than a second.
@Suite struct FastChartTests {
    private func scene(interval: Duration, _ key: Key) -> Scene {
        var scene = Scene([.make("Router", interval: interval)], columns: 200)
        for _ in 0..<100 { scene.receive(.reply(roundTrip: .milliseconds(5)), from: "Router", after: interval) }
        scene.select("Router")
        scene.press(key)
        scene.tick()
        scene.model.markPainted()
        return scene
    }

    @Test(arguments: [.character("3"), .enter] as [Key])
    func `advance with each column while no reply comes`(key: Key) {
        var scene = scene(interval: .milliseconds(400), key)
        var painted = scene.model.draw()
        #expect(scene.model.fastCharts.map { $0.step <= .milliseconds(200) } ?? false)
        #expect(scene.model.nextTick <= scene.now + .milliseconds(300))
        var advances = 0
        for _ in 0..<6 {
            scene.wait(.milliseconds(300))
            #expect(scene.model.isFrameDue)
            let frame = scene.model.draw(over: painted)
            advances += frame == painted ? 0 : 1
            scene.model.markPainted()
            painted = frame
        }
        #expect(advances == 6)
    }

    @Test func `targets that are probed once a second, frozen charts and other views need no further ticks`() {
        let slow = scene(interval: .seconds(1), .character("3"))
        #expect(slow.model.fastCharts == nil)
        var fast = scene(interval: .milliseconds(200), .character("3"))
        fast.press(.character("f"))
        fast.model.markPainted()
        let rest = (Scene.wall.start + fast.now).nanoseconds % 1_000_000_000
        #expect(fast.model.nextTick == fast.now + .nanoseconds(1_000_000_000 - rest))
        #expect(scene(interval: .milliseconds(200), .character("1")).model.fastCharts == nil)
    }
}
