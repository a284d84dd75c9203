import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// What is highlighted because it has just changed.
@Suite struct HighlightTests {
    private func scene(_ names: [String] = ["Router", "NAS"], columns: Int = 120, rows: Int = 36) -> Scene {
        var scene = Scene(names.map { .make($0, group: "Home", fall: 2) }, columns: columns, rows: rows)
        scene.receiveTogether(Dictionary(uniqueKeysWithValues: names.map { ($0, "rrrr") }))
        return scene
    }

    private func isHighlighted(_ column: TableColumn, of name: String, _ scene: Scene) -> Bool {
        scene.id(name).map { ViewContext(scene.model).isHighlighted(.figure(column, $0)) } ?? false
    }

    /// The highlighted texts of the line that contains a text: the ones that change when the highlights end.
    private func highlights(in line: String, of scene: Scene) -> [String] {
        var calm = scene.model
        calm.highlights.removeAll()
        let (shown, plain) = (scene.model.draw(), calm.draw())
        let lines = shown.text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let row = lines.firstIndex(where: { $0.contains(line) }) else { return [] }
        var texts: [String] = []
        var isOpen = false
        for column in 0..<shown.size.columns {
            let cell = shown[column: column, row: row]
            let isChanged = cell.style != plain[column: column, row: row].style
            if isChanged, isOpen { texts[texts.count - 1].append(cell.character) }
            if isChanged, !isOpen { texts.append(String(cell.character)) }
            isOpen = isChanged
        }
        return texts.map { String($0.drop { $0 == " " }) }
    }

    @Test func `a round trip is highlighted if it differs more than usual, until the next second`() {
        var scene = scene()
        scene.receive([10, 12, 10, 12, 10, 12], from: "Router")
        #expect(!isHighlighted(.last, of: "Router", scene))
        scene.receive([30], from: "Router")
        #expect(highlights(in: "Router", of: scene) == ["30ms"])
        scene.wait(.milliseconds(200))
        #expect(isHighlighted(.last, of: "Router", scene))
        scene.wait(.seconds(1))
        #expect(highlights(in: "Router", of: scene) == [])
    }

    @Test func `the loss is highlighted with the first lost probe after a reply`() {
        var scene = scene()
        scene.receive("x", from: "Router")
        #expect(highlights(in: "Router", of: scene) == ["20%"])
        scene.wait(.seconds(1))
        scene.receive("x", from: "Router")
        #expect(!isHighlighted(.loss, of: "Router", scene))
    }

    @Test func `a change of health is highlighted for two seconds, with the counts`() {
        var scene = scene()
        scene.receive("xx", from: "NAS")
        #expect(highlights(in: "○ NAS", of: scene).first == "down")
        #expect(highlights(in: "Router", of: scene) == [])
        #expect(highlights(in: "Home", of: scene) == ["1/2 up"])
        #expect(highlights(in: "2 targets", of: scene) == ["● 1 up", "○ 1 down"])
        scene.wait(.seconds(1))
        #expect(highlights(in: "○ NAS", of: scene) == ["down"])
        scene.wait(.seconds(1))
        #expect(highlights(in: "○ NAS", of: scene) + highlights(in: "2 targets", of: scene) == [])
    }

    @Test(arguments: [.character("2"), .character("3"), .enter] as [Key])
    func `other views highlight a change of health too`(key: Key) {
        var scene = scene()
        scene.select("NAS")
        scene.press(key)
        scene.receive("xx", from: "NAS")
        let lines = scene.screen.split(separator: "\n").filter { $0.contains("down") && !$0.contains("targets") }
        let texts = lines.flatMap { highlights(in: String($0), of: scene) }
        #expect(texts.contains { $0.hasPrefix("down") }, "\(texts)")
    }

    @Test func `a dot of the wall whose health has changed is highlighted`() {
        var scene = scene((0..<400).map { "host-\($0)" }, columns: 60, rows: 20)
        scene.press(.character("2"))
        scene.receive("xx", from: "host-7")
        scene.receive("r", from: "host-7")
        #expect(isHighlighted(.health, of: "host-7", scene))
        let after = scene.model.draw()
        scene.model.highlights.removeAll()
        let dot = WallCell.glyph(ofLevel: 0, scene.model.appearance)
        let changes = after.changes(from: scene.model.draw()).runs.filter { $0.text.first == dot }
        #expect(changes.map(\.style.attributes) == [.bold])
    }

    @Test func `the first replies, a frozen screen and a slow refresh have no highlights`() {
        #expect(highlights(in: "2 targets", of: scene()) == [])
        var frozen = scene()
        frozen.receive("xx", from: "NAS")
        frozen.press(.character("f"))
        #expect(highlights(in: "○ NAS", of: frozen) == [])
        var slow = scene()
        var settings = Settings(targets: slow.model.roster.targets)
        settings.refresh = .eco
        slow.send(.settings(settings))
        slow.receive("xx", from: "NAS")
        #expect(highlights(in: "○ NAS", of: slow) == [])
    }

    @Test func `ordinary jitter leaves the screen calm`() {
        let names = (0..<20).map { "host-\($0)" }
        var scene = scene(names, columns: 200, rows: 50)
        var random = SplitMix(seed: 7)
        var bold = 0
        for second in 0..<60 {
            scene.receiveOnce(
                Dictionary(uniqueKeysWithValues: names.map { ($0, Double?(.random(in: 8...13, using: &random))) })
            )
            if second >= 20 { bold += names.count { isHighlighted(.last, of: $0, scene) } }
        }
        #expect(bold < 40 * names.count / 50, "\(bold) of \(40 * names.count)")
    }
}
