import Foundation
import Monitoring
import SettingsFile
import Testing

/// Edits of the commented sample with a target in another style: more than two hundred lines.
struct SampleEditTests {
    private let text: String
    private let reader = SettingsReader(file: "dashboard.toml", environment: [:])

    init() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../../..")
        let sample = try String(contentsOf: root.appending(path: "dashboard.toml").standardized, encoding: .utf8)
        text = sample + Self.more
    }

    private static let more = """

        # ── More ──

        \t[[ target ]]  # aligned
        \tname   = 'Printer'
        \turl    = 'tcp://192.0.2.9:631'  # in the hall
        \tgroup  = 'Here'

        # The end, without a line end.
        """

    private func lines(_ text: String) -> [Substring] {
        text.split(separator: "\n", omittingEmptySubsequences: false)
    }

    @Test func `a changed URL is one line, and every other byte stays`() throws {
        #expect(lines(text).count > 200)
        for target in try reader.settings(from: text).targets where target.question.method != .exec {
            let fields = try SettingsEditor(reader).fields(of: target.name, in: text)
            let url = try #require(fields.values[.url])
            let edit = SettingsEdit.change(target.name, [.url: url + "1"])
            // A URL that is not valid is for the reader to refuse.
            let new = try SettingsEditor(reader).text(text, with: edit)
            let index = try #require(
                lines(text).firstIndex {
                    $0.hasPrefix("url") && $0.contains(url + "\"") || $0.contains("url    = '\(url)'")
                }
            )
            var expected = lines(text).map(String.init)
            expected[index] = expected[index].replacing(url, with: url + "1", maxReplacements: 1)
            #expect(new.utf8.elementsEqual(expected.joined(separator: "\n").utf8))
        }
    }

    @Test func `removing and adding a target keeps every comment outside its table`() throws {
        let editor = SettingsEditor(reader)
        for target in try reader.settings(from: text).targets {
            let removed = try editor.text(text, with: .remove(target.name))
            let all = lines(text).filter { $0.hasPrefix("#") }
            let kept = lines(removed).filter { $0.hasPrefix("#") }
            // These comments are inside the tables of the targets.
            #expect(all.count - kept.count == ["Gateway": 3, "SSH": 1][target.name, default: 0], "\(target.name)")
            #expect(try reader.settings(from: removed).targets.count == reader.settings(from: text).targets.count - 1)

            let added = try editor.text(
                text,
                with: .add([.url: "icmp://192.0.2.77", .name: "New"], below: target.name)
            )
            let (old, new) = (lines(text), lines(added))
            let start = zip(old, new).prefix { $0 == $1 }.count
            #expect(new.count == old.count + 5)
            #expect(Array(new[..<start]) == Array(old[..<start]) && Array(new[(start + 5)...]) == Array(old[start...]))
        }
    }
}
