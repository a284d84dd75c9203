import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Edits while the settings file does not answer.
struct DelayedEditTests {
    private func editing() -> EditingScene {
        EditingScene([.make("Router", url: "icmp://192.168.1.1"), .make("NAS", url: "tcp://nas.local:445")])
    }

    /// Presses enter with a request whose result is not yet known.
    private func enterWithoutAnswer(_ keys: [Key], of editing: EditingScene) -> (scene: Scene, request: EditRequest?) {
        var scene = editing.scene
        for key in keys + [.enter] { scene.press(key) }
        guard case .edit(let request)? = scene.effects.last else { return (scene, nil) }
        scene.send(.edited(.delayed))
        return (scene, request)
    }

    @Test func `while an edit waits for the file, its prompt ignores keys, and closes with the result`() throws {
        var editing = editing()
        let line = [Key.character("a")] + "192.0.2.9".map { .character($0) }
        var (scene, request) = enterWithoutAnswer(line, of: editing)
        #expect(scene.line("add target").contains("does not answer yet – esc closes, other keys are ignored"))
        let screen = scene.screen
        scene.press(.character("x"), .enter, .backspace, .up)
        #expect(scene.screen == screen)
        scene.send(.edited(editing.store.perform(try #require(request))))
        #expect(scene.model.prompts.current == nil && scene.screen.contains("added 192.0.2.9"))
    }

    @Test func `a prompt that was opened while an edit waits stays open with its text`() throws {
        var editing = editing()
        let line = [Key.character("a")] + "192.0.2.9".map { .character($0) }
        var (scene, request) = enterWithoutAnswer(line, of: editing)
        scene.press(.escape)
        scene.type("/shop")
        scene.send(.edited(editing.store.perform(try #require(request))))
        #expect(scene.line("filter:").contains("shop"))
        #expect(scene.model.roster.targets.contains { $0.name == "192.0.2.9" })
        scene.press(.escape, .character("a"))
        scene.type("nas")
        scene.send(.edited(.refused("too late")))
        #expect(scene.line("add target:").contains("nas") && !scene.screen.contains("too late"))
    }

    @Test func `a form that waits ignores keys, and one that comes late does not open over a prompt`() throws {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"))
        var (scene, request) = enterWithoutAnswer([.character("2")], of: editing)
        #expect(scene.screen.contains("does not answer yet – esc closes, other keys are ignored"))
        scene.press(.character("3"), .tab)
        #expect(scene.model.editing.form?[.name].text == "NAS2" && scene.model.editing.form?.selected == .name)
        scene.send(.edited(editing.store.perform(try #require(request))))
        #expect(scene.model.editing.form == nil)
        scene.press(.character("/"))
        scene.send(.edited(editing.store.perform(.fields(of: "NAS2", in: try #require(scene.model.editing.document)))))
        #expect(scene.model.editing.form == nil && scene.model.prompts.current?.purpose == .filter)
    }

    @Test func `a reload that waits for the file says so`() {
        var editing = editing()
        editing.scene.press(.control("r"))
        editing.scene.send(.edited(.delayed))
        #expect(editing.footer.contains("the settings file does not answer yet – the result follows"))
    }
}
