import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// What is drawn with a reply, over the frame before.
@Suite struct ReplyDrawingTests {
    private func scene(_ count: Int, _ keys: Key...) -> Scene {
        var scene = Scene((0..<count).map { .make("host-\($0)", group: "Home") }, columns: 200, rows: 50)
        scene.receiveTogether(Dictionary(uniqueKeysWithValues: (0..<count).map { ("host-\($0)", "rrrrrr") }))
        for key in keys { scene.press(key) }
        scene.tick()
        return scene
    }

    /// Receives a reply within the second, and returns the frames before and after it.
    private func frames(of scene: inout Scene, target: Int = 0) -> (before: Frame, after: Frame) {
        let before = scene.model.draw()
        scene.model.markPainted()
        let reply = Observation(
            target: Target.ID(target),
            sequence: 90,
            time: scene.now,
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        scene.send(.findings([.observation(reply)], at: scene.now))
        #expect(scene.model.staleness == .moved)
        return (before, scene.model.draw(over: before))
    }

    @Test func `the last round trip and the sparkline follow a reply, the slow figures the second`() {
        var scene = scene(2)
        let figures = { (frame: Frame) in
            let line = frame.text.split(separator: "\n").first { $0.contains("host-0") } ?? ""
            return Array(line.split(separator: " ").drop { $0 != "up" }.dropFirst().prefix(5).map(String.init))
        }
        let (before, after) = frames(of: &scene)
        let (old, new) = (figures(before), figures(after))
        #expect(old.prefix(4) == ["1.0ms", "1.0ms", "0%", "0ms"])
        #expect(new.prefix(4) == ["7.0ms", "1.0ms", "0%", "0ms"])
        #expect(old.last != new.last)
        scene.model.markPainted()
        scene.wait(.seconds(1))
        let next = scene.model.draw(over: after)
        #expect(next == scene.model.draw())
        #expect(figures(next).prefix(4) == ["7.0ms", "7.0ms", "0%", "1.0ms"])
    }

    @Test func `a reply is not drawn over the form of a target`() {
        var editing = EditingScene((0..<60).map { .make("host-\($0)") }, columns: 120)
        editing.scene.receiveTogether(Dictionary(uniqueKeysWithValues: (0..<60).map { ("host-\($0)", "rrr") }))
        editing.press(.character("E"))
        var scene = editing.scene
        for target in [0, 20] {
            let (before, after) = frames(of: &scene, target: target)
            #expect(before.text.contains("edit host-0"))
            #expect(after == scene.model.draw())
        }
    }

    @Test(arguments: [5, 20, 120, 600])
    func `a reply on the wall is drawn as on a fresh screen`(count: Int) {
        for target in [0, count - 1] {
            var scene = scene(count, .character("2"))
            let (before, after) = frames(of: &scene, target: target)
            #expect(after == scene.model.draw())
            #expect(count > 200 || after != before)
        }
    }
}
