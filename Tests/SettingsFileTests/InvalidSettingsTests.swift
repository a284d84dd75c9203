import Foundation
import SettingsFile
import Testing

/// Each file in `Invalid` has one mistake, or as many as its name says, and begins with the expected problems.
struct InvalidSettingsTests {
    private static let directory = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Invalid")
    private static let prefix = "# expect: "

    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: directory.path)) ?? [])
        .filter { $0.hasSuffix(".toml") }
        .sorted()

    @Test func `the directory has files`() {
        #expect(Self.names.count >= 130)
    }

    @Test(arguments: names)
    func `every mistake is reported in one line with position, problem and fix`(name: String) throws {
        let text = try String(contentsOf: Self.directory.appending(path: name), encoding: .utf8)
        let expected = text.split(separator: "\n")
            .prefix { $0.hasPrefix(Self.prefix) }
            .map { String($0.dropFirst(Self.prefix.count)) }
        #expect(!expected.isEmpty)

        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        #expect(failure?.lines == expected)
    }

    @Test func `ten mistakes are reported together, in the order of their lines`() throws {
        let text = try String(contentsOf: Self.directory.appending(path: "ten-faults.toml"), encoding: .utf8)
        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        guard case .problems(let problems) = failure else {
            Issue.record("expected problems, got \(String(describing: failure))")
            return
        }
        let lines = problems.compactMap(\.line)
        #expect(lines.count == 10)
        #expect(lines == lines.sorted())
    }
}
