import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// What is drawn when the selection of the table moves, over the frame before.
@Suite struct SelectionDrawingTests {
    /// Targets of two groups and without one, with wide and long names.
    private func scene(_ size: Size, count: Int = 9) -> Scene {
        let targets = (0..<count).map { number in
            let names = [2: "名前", 3: "a name that is longer than its column can ever be"]
            let group = number < 3 ? "Home" : number < 6 ? "Cloud" : nil
            return Target.make(names[number] ?? "host-\(number)", group: group)
        }
        var scene = Scene(targets, columns: size.columns, rows: size.rows)
        scene.receiveTogether(Dictionary(uniqueKeysWithValues: targets.map { ($0.name, "rrrrrr") }))
        scene.tick()
        return scene
    }

    private static let sizes = [
        Size(columns: 200, rows: 50), Size(columns: 80, rows: 24), Size(columns: 60, rows: 12),
        Size(columns: 20, rows: 6), Size(columns: 3, rows: 3), Size(columns: 1, rows: 1),
    ]

    @Test(arguments: sizes) func `the screen is as if it was drawn anew`(size: Size) {
        var scene = scene(size)
        let keys: [Key] = [.down, .down, .end, .up, .up, .home, .pageDown, .pageUp]
        var random = SplitMix(seed: 17)
        var painted = scene.model.draw()
        scene.model.markPainted()
        for step in 0..<60 {
            let key = step < keys.count ? keys[step] : keys.randomElement(using: &random) ?? .up
            scene.press(key)
            #expect(scene.model.staleness == .selected)
            let next = scene.model.draw(over: painted)
            #expect(next == scene.model.draw(), "step \(step), \(key)")
            painted = next
            scene.model.markPainted()
        }
    }

    @Test func `replies since the last frame are drawn with it, in their columns`() {
        var scene = scene(Size(columns: 200, rows: 50))
        let painted = scene.model.draw()
        scene.model.markPainted()
        let reply = Observation(
            target: Target.ID(4),
            sequence: 90,
            time: scene.now,
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        scene.send(.findings([.observation(reply)], at: scene.now))
        scene.press(.down)
        #expect(scene.model.staleness == .selected && scene.model.isFrameDue)
        let next = scene.model.draw(over: painted)
        #expect(next.text.contains("7.0ms"))
        // The two selected rows, and the one with the reply.
        #expect(Set(next.changes(from: painted).map(\.position.row)).count == 3)
    }

    @Test func `after anything else, the whole screen is drawn`() {
        var scene = scene(Size(columns: 80, rows: 24))
        for keys in [[Key.down, .character("s")], [.character("s"), .down], [.character("?"), .down], [.escape]] {
            scene.model.markPainted()
            for key in keys { scene.press(key) }
            #expect(scene.model.staleness == .urgent, "\(keys)")
        }
        scene.model.markPainted()
        scene.wait(.seconds(1))
        #expect(scene.model.staleness == .aged)
        scene.press(.down)
        #expect(scene.model.staleness == .urgent, "ages and the clock are not drawn yet")
    }
}
