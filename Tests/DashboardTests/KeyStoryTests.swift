import Foundation
import Screen
import Testing

@testable import Dashboard

/// The effect of keys, from the story files in `Triples/`: a screen, keys, and the resulting screen. `UPDATE_GOLDEN=1`
/// rewrites the screens.
@Suite struct KeyStoryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Triples")
    private static let names =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".triple") }.sorted()

    /// Each story runs once, since stories with thousands of targets are slow.
    private static let stories = Dictionary(
        uniqueKeysWithValues: names.map { name in
            (name, Result { try KeyStory(String(contentsOf: folder.appending(path: name), encoding: .utf8)) })
        }
    )

    @Test(arguments: names)
    func `each story shows the expected screens`(name: String) throws {
        let story = try #require(try Self.stories[name]?.get())
        try expectGolden(story.lines.joined(separator: "\n"), "../Triples/\(name)")
    }

    @Test func `stories press every key, in at least eighty triples`() throws {
        let stories = try Self.stories.values.map { try $0.get() }
        let pressed = stories.reduce(into: Set<Key>()) { $0.formUnion($1.keys) }
        for binding in KeyTable.bindings {
            for key in binding.keys where !pressed.contains(key) {
                Issue.record("no story presses \(key), the key of \(binding.action)")
            }
        }
        #expect(stories.reduce(0) { $0 + $1.count } >= 80)
    }

    @Test func `a story collects the actual screens, and rejects invalid lines`() throws {
        let expected = ["scene one 60x3", "00|wrong", "press q", "! quit", "press r", "= the first screen"]
        let lines = try KeyStory(expected.joined(separator: "\n")).lines
        let prefixes = lines.map { $0.prefix(3) }
        #expect(prefixes == ["sce", "00|", "01|", "02|", "pre", "= t", "! q", "pre", "02|", "! p"])
        #expect(lines[1].hasPrefix("00| reach"))
        for line in ["boil NAS", "press hyperspace", "scene nowhere 1x1", "click nothing-like-it", "wait 5"] {
            #expect(throws: KeyStory.ParseError.self) { try KeyStory("scene one 60x3\n\(line)") }
        }
    }
}
