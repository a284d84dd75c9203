import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Edits on the screen while other programs change, empty or delete the settings file.
struct FileConflictTests {
    private let targets: [Target] = [
        .make("Router", url: "icmp://192.168.1.1", group: "Home"),
        .make("NAS", url: "tcp://nas.local:445", group: "Home"),
        .make("Shop", url: "tcp://shop.example.com:443"),
    ]

    private func editing() -> EditingScene {
        EditingScene(targets, file: "dashboard.toml")
    }

    @Test func `a file that changed is read again`() {
        var editing = editing()
        editing.replaceFile(with: [.make("New")])
        #expect(editing.names == ["New"])
        editing.send(.fileChanged)
        #expect(editing.names == ["New"])
    }

    @Test func `with edits, a file that changed waits, and ^R keeps the edits`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.replaceFile(with: targets + [.make("New")])
        #expect(editing.names == ["Router", "Shop"])
        #expect(editing.scene.screen.contains("dashboard.toml was changed by another program: ^R reads it"))
        editing.press(.character("W"))
        #expect(editing.footer.contains("has changed it") && editing.store.settings?.targets.count == 4)
        editing.press(.control("r"))
        #expect(editing.names == ["Router", "Shop", "New"] && editing.header.contains("1 unsaved"))
        #expect(!editing.scene.screen.contains("another program:"))
        editing.press(.character("W"))
        #expect(editing.store.settings?.targets.map(\.name) == ["Router", "Shop", "New"])
        editing.press(.character("u"))
        #expect(editing.names == ["Router", "NAS", "Shop", "New"])
    }

    @Test func `an edit that the changed file does not take is reported, and nothing is lost`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"))
        editing.type("2")
        editing.press(.enter)
        editing.replaceFile(with: [.make("New")])
        editing.press(.control("r"))
        #expect(editing.footer.contains("cannot be kept: changed NAS") && editing.names == ["Router", "NAS2", "Shop"])
        editing.press(.character("u"), .control("r"))
        #expect(editing.names == ["New"] && !editing.header.contains("unsaved"))
    }

    @Test func `the old file ends a refusal and a warning`() {
        var editing = editing()
        let old = editing.store.disk
        editing.send(.settingsRefused(["line 1: wrong"]))
        editing.send(.fileChanged)
        #expect(!editing.scene.screen.contains("settings refused, the old"))
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.replaceFile(with: [.make("New")])
        editing.store.disk = old
        editing.send(.fileChanged)
        #expect(!editing.scene.screen.contains("another program:") && editing.header.contains("1 unsaved"))
    }

    @Test func `an edit keeps the banner of a file that is still invalid`() {
        var editing = editing()
        editing.send(.settingsRefused(["line 1: wrong"]))
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        #expect(editing.names == ["Router", "Shop"])
        #expect(editing.scene.screen.contains("settings refused, the old ones keep running: line 1: wrong"))
    }

    @Test func `a deleted file is written again with the edits`() {
        var editing = editing()
        editing.store.disk = nil
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.send(.fileChanged)
        #expect(editing.scene.screen.contains("dashboard.toml was deleted by another program: W writes it again"))
        editing.press(.character("W"))
        #expect(editing.footer.contains("wrote 1 edit to dashboard.toml, which was deleted"))
        #expect(editing.store.settings?.targets.map(\.name) == ["Router", "Shop"])
        #expect(!editing.header.contains("unsaved") && !editing.scene.screen.contains("another program:"))
    }

    @Test func `an emptied file is written again when the user knows that it is empty`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.store.disk = ""
        editing.press(.character("W"))
        #expect(editing.footer.contains("dashboard.toml not written: another program has emptied it – W writes the"))
        #expect(editing.store.disk == "" && editing.header.contains("1 unsaved"))
        editing.press(.character("W"))
        #expect(editing.footer.contains("wrote 1 edit to dashboard.toml, which was emptied"))
        #expect(editing.store.settings?.targets.map(\.name) == ["Router", "Shop"])
    }

    @Test func `the banner of an emptied file is enough, and a refusal ends with the write`() {
        var editing = editing()
        editing.store.disk = ""
        editing.send(.settingsRefused(["no targets"]))
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.send(.fileChanged)
        editing.press(.character("W"))
        #expect(editing.store.settings?.targets.map(\.name) == ["Router", "Shop"])
        #expect(!editing.scene.screen.contains("settings refused, the old"))
    }
}

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
