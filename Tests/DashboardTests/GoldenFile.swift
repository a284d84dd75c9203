import Foundation
import Testing

/// Whether golden files are written instead of compared.
let isUpdatingGolden = ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1"

/// The folder of the golden files.
let goldenFolder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Golden")

/// Compares a picture with its golden file. `UPDATE_GOLDEN=1` writes the file instead.
func expectGolden(
    _ picture: String,
    _ name: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = goldenFolder.appending(path: name)
    if isUpdatingGolden {
        try (picture + "\n").write(to: file, atomically: true, encoding: .utf8)
        return
    }
    guard let golden = try? String(contentsOf: file, encoding: .utf8) else {
        Issue.record("\(name) not found – create it with UPDATE_GOLDEN=1", sourceLocation: sourceLocation)
        return
    }
    let (expected, actual) = (
        golden.dropLast().split(separator: "\n", omittingEmptySubsequences: false),
        picture.split(separator: "\n", omittingEmptySubsequences: false)
    )
    let differences = (0..<max(expected.count, actual.count)).compactMap { index -> String? in
        let (old, new) = (index < expected.count ? expected[index] : "", index < actual.count ? actual[index] : "")
        return old == new ? nil : "line \(index + 1)\n- \(old)\n+ \(new)"
    }
    #expect(
        differences.isEmpty,
        "\(name) differs:\n\(differences.joined(separator: "\n"))",
        sourceLocation: sourceLocation
    )
}

/// Compares a text with a part of a documentation page, between the first `start` and the next `end`. `UPDATE_GOLDEN=1`
/// writes the page instead.
func expectPage(
    _ path: String,
    has text: String,
    between start: String,
    and end: String,
    sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let file = URL(filePath: #filePath).appending(path: "../../../\(path)").standardized
    let page = try String(contentsOf: file, encoding: .utf8)
    let opening = try #require(page.firstRange(of: start), "\(path) has no \(start)", sourceLocation: sourceLocation)
    let rest = page[opening.upperBound...]
    let closing = try #require(rest.firstRange(of: end), "\(path) has no \(end)", sourceLocation: sourceLocation)
    if isUpdatingGolden {
        try (page[..<opening.upperBound] + text + page[closing.lowerBound...])
            .write(to: file, atomically: true, encoding: .utf8)
        return
    }
    #expect(
        rest[..<closing.lowerBound] == text,
        "\(path) is out of date – update it with UPDATE_GOLDEN=1 swift test --filter DashboardTests",
        sourceLocation: sourceLocation
    )
}
