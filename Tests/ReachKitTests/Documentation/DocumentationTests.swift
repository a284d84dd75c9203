import Foundation
import Testing

/// The code in the documentation is compiled.
@Suite struct DocumentationTests {
    private static let root = URL(filePath: #filePath).appending(path: "../../../..").standardized

    /// A code block of the documentation, and the file that contains it.
    struct CodeBlock: Sendable, CustomTestStringConvertible {
        let file: String
        let lines: [String]

        var testDescription: String { "\(file): \(lines.first ?? "")" }
    }

    @Test(arguments: try blocks())
    func `code in the documentation is compiled`(_ block: CodeBlock) throws {
        let isFound = try Self.compiled().contains { Self.contains($0, block.lines) }
        #expect(
            isFound,
            "\(block.lines.joined(separator: "\n"))\nnot found – copy it to Examples/ or Snippets.swift"
        )
    }

    @Test func `every article shows code`() throws {
        let articlesWithoutCode = try Self.articles().filter { try Self.blocks(in: $0).isEmpty }
        #expect(articlesWithoutCode.isEmpty)
        #expect(try Self.articles().count >= 7)
    }

    // MARK: Documentation

    private static func blocks() throws -> [CodeBlock] {
        try (articles() + [root.appending(path: "docs/reachkit.md")] + files(in: "Sources/ReachKit", "swift")).flatMap {
            try blocks(in: $0)
        }
    }

    private static func articles() throws -> [URL] {
        try files(in: "Sources/ReachKit/ReachKit.docc", "md")
    }

    /// The blocks of Swift in a file. In comments, the slashes are removed.
    private static func blocks(in file: URL) throws -> [CodeBlock] {
        var (blocks, block): ([CodeBlock], [String]?) = ([], nil)
        for line in try lines(of: file) {
            let text = line.trimmingPrefix(while: \.isWhitespace).hasPrefix("///") ? uncommented(line) : line
            if text.hasPrefix("```") {
                if let lines = block { blocks.append(CodeBlock(file: file.lastPathComponent, lines: lines)) }
                block = block == nil && text == "```swift" ? [] : nil
            } else {
                block?.append(text)
            }
        }
        return blocks
    }

    private static func uncommented(_ line: String) -> String {
        String(line.trimmingPrefix(while: \.isWhitespace).dropFirst(3).trimmingPrefix(" "))
    }

    // MARK: Compiled code

    private static func compiled() throws -> [[String]] {
        let examples = try files(in: "Examples", "swift").filter { !$0.path.contains("/.build") }
        return try (examples + [URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Snippets.swift")])
            .map { try lines(of: $0) }
    }

    /// Whether a file contains consecutive lines, with any common indentation.
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
