import Foundation
import Screen
import Testing

@testable import Dashboard

/// What keys do, told by the files in `Triples/`: this screen, these keys, that screen. `UPDATE_GOLDEN=1` writes the screens.
@Suite struct KeyStoryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Triples")
    private static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".triple") }.sorted()

    /// Each is played once: those of thousands take their time.
    private static let stories = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Result { try KeyStory(String(contentsOf: folder.appending(path: name), encoding: .utf8)) })
        }
    )

    @Test(arguments: names)
    func `each story goes as it is told`(name: String) throws {
        let story = try #require(try Self.stories[name]?.get())
        try expectGolden(story.lines.joined(separator: "\n"), "../Triples/\(name)")
    }

    @Test func `every key is pressed in some story, and there are more than eighty triples`() throws {
        let stories = try Self.stories.values.map { try $0.get() }
        let pressed = stories.reduce(into: Set<Key>()) { $0.formUnion($1.keys) }
        for binding in KeyTable.bindings {
            for key in binding.keys where !pressed.contains(key) {
                Issue.record("no story presses \(key), which means \(binding.action)")
            }
        }
        #expect(stories.reduce(0) { $0 + $1.count } >= 80)
    }

    @Test func `what a story tells of the screen is what the screen is`() throws {
        let told = ["scene one 60x3", "00|wrong", "press q", "! quit", "press r", "= the first screen"]
        let lines = try KeyStory(told.joined(separator: "\n")).lines
        let shown = lines.map { $0.prefix(3) }
        #expect(shown == ["sce", "00|", "01|", "02|", "pre", "= t", "! q", "pre", "02|", "! p"])
        #expect(lines[1].hasPrefix("00| reach"))
        for mistake in ["boil NAS", "press hyperspace", "scene nowhere 1x1", "click nothing-like-it"] {
            #expect(throws: KeyStory.Mistake.self) { try KeyStory("scene one 60x3\n\(mistake)") }
        }
    }
}
