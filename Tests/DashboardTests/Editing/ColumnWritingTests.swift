import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Writing the chosen columns to the settings file.
struct ColumnWritingTests {
    private let targets: [Target] = [
        .make("NAS", url: "tcp://nas.local:445", group: "Home"),
        .make("Shop", url: "tcp://shop.example.com:443"),
    ]

    @Test func `W writes the chosen columns, and u takes them back`() throws {
        var editing = EditingScene(targets)
        editing.press(.character("C"), .right, .character(" "), .escape)
        #expect(!editing.header.contains("unsaved") && editing.scene.line("TARGET").contains("GROUP"))
        editing.press(.character("W"))
        let columns = try #require(editing.store.settings?.columns)
        #expect(columns == editing.scene.model.columns.shown && columns.contains(.group))
        #expect(editing.footer.contains("wrote 1 edit to dashboard.toml"))
        editing.press(.character("W"))
        #expect(editing.footer.contains("no edits to write to dashboard.toml"))
        editing.press(.character("u"))
        #expect(!editing.scene.line("TARGET").contains("GROUP") && editing.header.contains("1 unsaved"))
        editing.press(.character("W"))
        #expect(editing.store.settings?.columns == TableColumn.standard)
    }

    @Test func `W in the list of columns writes, and the list stays open`() throws {
        var editing = EditingScene(targets)
        editing.press(.character("C"), .right, .character(" "), .character("W"))
        #expect(editing.store.settings?.columns.contains(.group) == true)
        #expect(editing.scene.screen.contains("▸[x] group"))
        var selection = EditingScene(targets)
        selection.scene.model.editing.document = nil
        selection.press(.character("C"), .right, .character(" "), .character("W"))
        #expect(selection.footer.contains("cannot be edited") && selection.scene.line("TARGET").contains("GROUP"))
    }

    @Test func `chosen columns that cannot be written stay an edit`() {
        var editing = EditingScene(targets)
        editing.store.failure = "dashboard.toml not written: disk full"
        editing.press(.character("C"), .right, .character(" "), .escape, .character("W"))
        #expect(editing.footer.contains("disk full") && editing.header.contains("1 unsaved"))
        editing.store.failure = nil
        editing.press(.character("W"))
        #expect(editing.store.settings?.columns.contains(.group) == true && !editing.header.contains("unsaved"))
    }

    @Test func `without a file, the chosen columns are in the new one`() {
        var editing = EditingScene(targets, file: nil)
        editing.press(.character("C"), .right, .character(" "), .escape, .character("W"))
        #expect(editing.scene.model.prompts.current != nil)
        editing.press(.enter)
        #expect(editing.store.settings?.columns.contains(.group) == true)
    }
}
