import Foundation
import Testing

/// What is shown to strangers is what is compiled.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// A piece of code, and where it is shown.
    struct Showing: Sendable, CustomTestStringConvertible {
        let place: String
        let lines: [String]

        var testDescription: String { "\(place): \(lines.first ?? "")" }
    }

    @Test(arguments: try showings())
    func `code that is shown is compiled`(_ showing: Showing) throws {
        let isThere = try Self.compiled().contains { Self.contains($0, showing.lines) }
        #expect(
            isThere,
            "\(showing.lines.joined(separator: "\n"))\n: put it into Examples/ or Snippets.swift, word by word"
        )
    }

    @Test func `every article shows code`() throws {
        let silent = try Self.articles().filter { try Self.showings(in: $0).isEmpty }
        #expect(silent.isEmpty)
        #expect(try Self.articles().count >= 7)
    }

    // MARK: What is shown

    private static func showings() throws -> [Showing] {
        try (articles() + [root.appending(path: "docs/reachkit.md")] + files(in: "Sources/ReachKit", "swift")).flatMap {
            try showings(in: $0)
        }
    }

    private static func articles() throws -> [URL] {
        try files(in: "Sources/ReachKit/ReachKit.docc", "md")
    }

    /// The blocks of Swift in a file, a comment's without its slashes.
    private static func showings(in file: URL) throws -> [Showing] {
        var (found, block): ([Showing], [String]?) = ([], nil)
        for line in try lines(of: file) {
            let text = line.trimmingPrefix(while: \.isWhitespace).hasPrefix("///") ? uncommented(line) : line
            if text.hasPrefix("```") {
                if let lines = block { found.append(Showing(place: file.lastPathComponent, lines: lines)) }
                block = block == nil && text == "```swift" ? [] : nil
            } else {
                block?.append(text)
            }
        }
        return found
    }

    private static func uncommented(_ line: String) -> String {
        String(line.trimmingPrefix(while: \.isWhitespace).dropFirst(3).trimmingPrefix(" "))
    }

    // MARK: What is compiled

    private static func compiled() throws -> [[String]] {
        let examples = try files(in: "Examples", "swift").filter { !$0.path.contains("/.build") }
        return try (examples + [URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snippets.swift")])
            .map { try lines(of: $0) }
    }

    /// Whether lines stand one below the other in a file, however far they are indented together.
    private static func contains(_ file: [String], _ lines: [String]) -> Bool {
        guard let first = lines.first, file.count >= lines.count else { return false }
        return file.indices.dropLast(lines.count - 1).contains { start in
            guard file[start].hasSuffix(first) else { return false }
            let indent = file[start].dropLast(first.count)
            return indent.allSatisfy { $0 == " " }
                && zip(file[start...], lines).allSatisfy { $0 == ($1.isEmpty ? "" : indent + $1) }
        }
    }

    // MARK: Files

    private static func files(in folder: String, _ suffix: String) throws -> [URL] {
        let found = FileManager.default.enumerator(at: root.appending(path: folder), includingPropertiesForKeys: nil)
        let files = (found?.allObjects ?? []).compactMap { $0 as? URL }.filter { $0.pathExtension == suffix }
        return files.sorted { $0.path < $1.path }
    }

    private static func lines(of file: URL) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
    }
}
