import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The lines of prompts that are saved for the next run.
@Suite struct HistoryLineTests {
    private func saved(_ scene: Scene) -> [HistoryLine] {
        scene.effects.compactMap { if case .remember(let line) = $0 { line } else { nil } }
    }

    @Test func `entered lines are saved with their purpose`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        #expect(saved(scene).isEmpty)
        scene.press(.enter)
        scene.type("xmount /mnt/nas")
        scene.press(.enter)
        #expect(saved(scene) == [HistoryLine(.filter, "nas"), HistoryLine(.command, "mount /mnt/nas")])
    }

    @Test func `cancelled, invalid and empty lines, or with a leading blank, are not saved`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        scene.press(.escape, .character("/"), .enter, .character("x"), .enter)
        scene.type("x30m:")
        scene.press(.enter, .escape)
        scene.type("x curl -u me:secret host")
        scene.press(.enter)
        #expect(saved(scene).isEmpty)
        // It stays in the history of this run.
        scene.press(.character("x"), .up)
        #expect(scene.screen.contains("curl -u me:secret host"))
    }

    @Test func `saved lines can be recalled, the newest first`() {
        var scene = Scene([.make("NAS")])
        let lines = [HistoryLine(.filter, "a"), HistoryLine(.command, "mount"), HistoryLine(.filter, "b")]
        scene.model.recall(lines.compactMap(\.self))
        scene.press(.character("/"), .up)
        #expect(scene.line("filter").contains("b"))
        scene.press(.up, .enter)
        #expect(saved(scene) == [HistoryLine(.filter, "a")])
        scene.press(.escape, .character("x"), .up)
        #expect(scene.screen.contains("mount"))
    }

    @Test(arguments: ["", "a\u{1B}[31m", "a\nb", "\u{9B}m", String(repeating: "x", count: LineEditor.limit + 1)])
    func `a line that cannot be typed is rejected`(text: String) {
        #expect(HistoryLine(.filter, text) == nil)
    }
}
