import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// What is typed at a prompt, and kept for the next run.
@Suite struct PastLineTests {
    private func kept(_ scene: Scene) -> [PastLine] {
        scene.effects.compactMap { if case .remember(let line) = $0 { line } else { nil } }
    }

    @Test func `what is entered is kept, each for its purpose`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        #expect(kept(scene).isEmpty)
        scene.press(.enter)
        scene.type("xmount /mnt/nas")
        scene.press(.enter)
        #expect(kept(scene) == [PastLine(.filter, "nas"), PastLine(.command, "mount /mnt/nas")])
    }

    @Test func `what is given up, wrong, empty or begins with a blank is not`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        scene.press(.escape, .character("/"), .enter, .character("x"), .enter)
        scene.type("x30m:")
        scene.press(.enter, .escape)
        scene.type("x curl -u me:secret host")
        scene.press(.enter)
        #expect(kept(scene).isEmpty)
        // In this run it is at hand all the same.
        scene.press(.character("x"), .up)
        #expect(scene.screen.contains("curl -u me:secret host"))
    }

    @Test func `what was kept comes back, the newest first`() {
        var scene = Scene([.make("NAS")])
        let lines = [PastLine(.filter, "a"), PastLine(.command, "mount"), PastLine(.filter, "b")]
        scene.model.recall(lines.compactMap(\.self))
        scene.press(.character("/"), .up)
        #expect(scene.line("filter").contains("b"))
        scene.press(.up, .enter)
        #expect(kept(scene) == [PastLine(.filter, "a")])
        scene.press(.escape, .character("x"), .up)
        #expect(scene.screen.contains("mount"))
    }

    @Test(arguments: ["", "a\u{1B}[31m", "a\nb", "\u{9B}m", String(repeating: "x", count: LineEditor.limit + 1)])
    func `what nobody can have typed is no line`(text: String) {
        #expect(PastLine(.filter, text) == nil)
    }
}
