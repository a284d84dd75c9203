import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Names that another target has, and the count of unsaved edits.
struct DuplicateNameTests {
    private func editing() -> EditingScene {
        EditingScene([
            .make("Router", url: "icmp://192.168.1.1"), .make("NAS", url: "tcp://nas.local:445"),
            .make("192.0.2.9", url: "icmp://192.0.2.9"),
        ])
    }

    @Test func `a duplicate name is reported in the form, and changes nothing`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"), .control("u"))
        editing.type("Router")
        editing.press(.enter)
        #expect(editing.footer.contains("another target is named \"Router\" – write another name"))
        #expect(editing.names == ["Router", "NAS", "192.0.2.9"] && !editing.header.contains("unsaved"))
        #expect(editing.scene.effects.allSatisfy { if case .edit(.make) = $0 { false } else { true } })
        editing.type("2")
        editing.press(.enter)
        #expect(editing.names == ["Router", "Router2", "192.0.2.9"] && editing.header.contains("1 unsaved"))
    }

    @Test func `a duplicate name is reported in the prompt, also if the URL is the name`() {
        var editing = editing()
        editing.press(.character("a"))
        editing.type("192.0.2.9")
        editing.press(.enter)
        #expect(editing.footer.contains("another target is named \"192.0.2.9\" – write another name after the URL"))
        editing.type(" NAS")
        editing.press(.enter)
        #expect(editing.footer.contains("another target is named \"NAS\" – write another name"))
        #expect(editing.names.count == 3 && !editing.header.contains("unsaved"))
    }

    @Test func `the count is 0 when edits are undone, by u or by hand`() {
        var editing = editing()
        editing.select("NAS")
        for (text, count) in [("2", 1), ("3", 2)] {
            editing.press(.character("E"))
            editing.type(text)
            editing.press(.enter)
            #expect(editing.header.contains("\(count) unsaved"))
        }
        editing.press(.character("u"))
        #expect(editing.names[1] == "NAS2" && editing.header.contains("1 unsaved"))
        editing.press(.character("u"))
        #expect(editing.names[1] == "NAS" && !editing.header.contains("unsaved"))
    }
}
