import Foundation
import TestSupport
import Testing

/// Plays each file of the folder `Stories` and compares the events. With `UPDATE_GOLDEN=1` it rewrites the events.
@Suite struct StoryTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Stories")

    static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".story") }
        .sorted()

    static func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    @Test func `the folder contains stories`() {
        #expect(Self.names.count >= 30)
    }

    @Test(arguments: names)
    func `the roster produces the recorded events`(name: String) throws {
        let file = Self.folder.appending(path: name)
        let expected = try String(contentsOf: file, encoding: .utf8)
        let played = try StoryPlayer.play(expected)
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try played.write(to: file, atomically: true, encoding: .utf8)
            return
        }
        let difference = Self.lines(played).difference(from: Self.lines(expected))
        let changes = difference.map { change in
            switch change {
            case .remove(let line, let text, _): (line, 0, "line \(line + 1) - \(text)")
            case .insert(let line, let text, _): (line, 1, "line \(line + 1) + \(text)")
            }
        }
        .sorted { ($0.0, $0.1) < ($1.0, $1.1) }
        .map(\.2)
        #expect(changes.isEmpty, "\(name): expected -, actual +\n\(changes.joined(separator: "\n"))")
    }

    @Test func `a story is rewritten with the actual events`() throws {
        let played = try StoryPlayer.play("target A\nA r\n  1s  A unknown→down\n")
        #expect(played == "target A\nA r\n  1s  A unknown→up\n")
        #expect(throws: StoryError.self) { try StoryPlayer.play("target A\nboil A\n") }
    }

    private static func lines(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    }
}
