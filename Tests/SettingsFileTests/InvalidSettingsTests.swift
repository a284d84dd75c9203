import Foundation
import SettingsFile
import Testing

/// Each file of the folder `Invalid` has one fault, or says by its name how many, and begins with the lines expected.
struct InvalidSettingsTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Invalid")
    private static let mark = "# expect: "

    private static let names: [String] =
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? [])
        .filter { $0.hasSuffix(".toml") }
        .sorted()

    @Test func `the folder has files`() {
        #expect(Self.names.count >= 130)
    }

    @Test(arguments: names)
    func `every fault is reported in one line that says what, where and what to do`(name: String) throws {
        let text = try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)
        let expected = text.split(separator: "\n")
            .prefix { $0.hasPrefix(Self.mark) }
            .map { String($0.dropFirst(Self.mark.count)) }
        #expect(!expected.isEmpty)

        let reader = SettingsReader(file: "dashboard.toml", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        #expect(failure?.lines == expected)
    }

    @Test func `ten faults are reported in one go, in the order of their lines`() throws {
        let text = try String(contentsOf: Self.folder.appending(path: "ten-faults.toml"), encoding: .utf8)
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
