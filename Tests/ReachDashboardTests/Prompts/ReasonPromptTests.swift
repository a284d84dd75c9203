import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The prompt for the reason of an acknowledgement.
@Suite struct ReasonPromptTests {
    private func failing() -> Scene {
        var scene = Scene([.make("NAS", fall: 1), .make("Web", fall: 1), .make("Router")])
        scene.receiveTogether(["NAS": "rx", "Web": "rx", "Router": "rr"])
        return scene
    }

    @Test func `a line is a reason with an optional time`() {
        let lines: [(line: String, parsed: TimedText)] = [
            ("", .empty), ("  ", .empty),
            ("new switch ordered", .text("new switch ordered", within: nil)),
            (" 2h: new switch ", .text("new switch", within: .seconds(7_200))),
            ("12:30 back", .text("12:30 back", within: nil)),
            ("switch: broken", .text("switch: broken", within: nil)),
            ("2 h: new switch", .text("new switch", within: .seconds(7_200))),
            ("1h 30m : new switch", .text("new switch", within: .seconds(5_400))),
            ("2 hours: broken", .invalid("invalid duration \"2 hours\" – 2h?")),
            ("30 MIN: broken", .invalid("invalid duration \"30 MIN\" – 30m?")),
            ("30m 1h: broken", .text("30m 1h: broken", within: nil)),
            ("2 switches: broken", .text("2 switches: broken", within: nil)),
            ("7z x: a", .text("7z x: a", within: nil)), ("2 h reason", .text("2 h reason", within: nil)),
            ("5s:x", .text("x", within: .seconds(5))), ("2h :x", .text("x", within: .seconds(7_200))),
            ("2h", .invalid("missing reason after 2h:")), ("2 h :", .invalid("missing reason after 2 h:")),
            ("-5m: x", .invalid("invalid duration \"-5m\" – 5m?")),
            ("-5m:x", .invalid("invalid duration \"-5m\" – 5m?")),
            ("-5 m", .text("-5 m", within: nil)), ("12:30", .text("12:30", within: nil)),
            ("2 h:", .invalid("missing reason after 2 h:")),
            ("2 : broken", .invalid("2 has no unit – 2s or 2m?")),
            ("2h:", .invalid("missing reason after 2h:")),
            ("2: broken", .invalid("2 has no unit – 2s or 2m?")),
            ("2x: broken", .invalid("invalid duration \"2x\" – such as 90s, 30m, 2h")),
        ]
        for (line, parsed) in lines { #expect(TimedText(line, of: "reason") == parsed, "\(line)") }
    }

    @Test func `an invalid line stays in the prompt`() {
        var scene = failing()
        scene.type("A2h:")
        scene.press(.enter)
        #expect(scene.screen.contains("acknowledge NAS: 2h:"))
        #expect(scene.screen.contains("missing reason after 2h:"))
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
        scene.type(" new switch")
        scene.press(.enter)
        #expect(scene.line("tcp").contains("down ✓ new switch"))
    }

    @Test func `an empty line removes the acknowledgement, esc does not`() {
        var scene = failing()
        scene.type("Anew switch")
        scene.press(.enter, .character("A"))
        #expect(scene.screen.contains("or enter to remove it"))
        scene.press(.escape)
        #expect(scene.model.roster.states.healthCounts.acknowledged == 1)
        scene.press(.character("A"), .enter)
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
        #expect(scene.screen.contains("acknowledgement removed"))
    }

    @Test func `a target that is up cannot be acknowledged`() {
        var scene = failing()
        scene.press(.end, .character("A"))
        #expect(scene.screen.contains("Router is not failing"))
        #expect(scene.model.prompts.current == nil)
    }

    @Test func `a target that is up again when the line is entered is not acknowledged`() {
        var scene = failing()
        scene.type("Anew switch")
        scene.receive("r", from: "NAS")
        scene.press(.enter)
        #expect(scene.screen.contains("NAS is no longer failing"))
        #expect(scene.model.roster.states.healthCounts.acknowledged == 0)
    }

    @Test func `reasons have their own history`() {
        var scene = failing()
        scene.type("xmount /mnt/nas")
        scene.press(.enter)
        scene.type("A2h: new switch")
        scene.press(.enter, .down, .character("A"), .up)
        #expect(scene.screen.contains("acknowledge Web: 2h: new switch"))
        let saved = scene.effects.compactMap { if case .remember(let line) = $0 { line } else { nil } }
        #expect(saved.last == EnteredLine(.reason, "2h: new switch"))
    }
}

/// The lines of prompts that are saved for the next run.
@Suite struct HistoryLineTests {
    private func saved(_ scene: Scene) -> [EnteredLine] {
        scene.effects.compactMap { if case .remember(let line) = $0 { line } else { nil } }
    }

    @Test func `entered lines are saved with their purpose`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        #expect(saved(scene).isEmpty)
        scene.press(.enter)
        scene.type("xmount /mnt/nas")
        scene.press(.enter)
        #expect(saved(scene) == [EnteredLine(.filter, "nas"), EnteredLine(.command, "mount /mnt/nas")])
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
        let lines = [EnteredLine(.filter, "a"), EnteredLine(.command, "mount"), EnteredLine(.filter, "b")]
        scene.send(.recalled(lines.compactMap(\.self)))
        scene.press(.character("/"), .up)
        #expect(scene.line("filter").contains("b"))
        scene.press(.up, .enter)
        #expect(saved(scene) == [EnteredLine(.filter, "a")])
        scene.press(.escape, .character("x"), .up)
        #expect(scene.screen.contains("mount"))
    }

    @Test func `lines of earlier runs that come late are older than those entered meanwhile`() {
        var scene = Scene([.make("NAS")])
        scene.type("/nas")
        scene.press(.enter)
        let lines = [EnteredLine(.filter, "old"), EnteredLine(.filter, "nas"), EnteredLine(.filter, "newer")]
        scene.send(.recalled(lines.compactMap(\.self)))
        scene.press(.escape, .character("/"))
        for line in ["nas", "newer", "old", "old"] {
            scene.press(.up)
            #expect(scene.model.prompts.current?.line.text == line)
        }
    }

    @Test(arguments: ["", "a\u{1B}[31m", "a\nb", "\u{9B}m", String(repeating: "x", count: LineEditor.limit + 1)])
    func `a line that cannot be typed is rejected`(text: String) {
        #expect(EnteredLine(.filter, text) == nil)
    }
}
