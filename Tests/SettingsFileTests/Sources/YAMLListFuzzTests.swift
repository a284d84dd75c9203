import Monitoring
import TestSupport
import Testing

@testable import SettingsFile

/// Random lists in YAML, made of the words of the format: each is a list within limits, or one printable problem.
struct YAMLListFuzzTests {
    private static let words = [
        "- targets: [a]\n", "- targets:\n", "  - 'b:1'\n", "  labels:\n", "    job: x\n", "- ", "-", "targets",
        "labels", ": ",
        ":", "[", "]", "{", "}", ",", "\n", "  ", "\t", "'", "\"", "#", "&a ", "*a", "<<: ", "? ", "|\n", ">-\n",
        "---\n", "...\n",
        "!!str ", "!!binary ", "~", "null", "\\x1b", "\u{1B}", "\u{85}", "\u{FEFF}", "ü", "😀", "%YAML 1.1\n", "0x10",
        "\r\n", "\0",
    ]

    @Test func `every text is a list within limits, or one printable problem`() throws {
        var random = SplitMix(seed: 20_261_124)
        var (lists, problems) = (0, 0)
        for index in 0..<4_000 {
            let count = Int.random(in: 1...14, using: &random)
            let prefix = index.isMultiple(of: 2) ? "- targets: ['a:1', b]\n  labels: {job: x}\n" : ""
            let text = prefix + (0..<count).map { _ in Self.words.randomElement(using: &random) ?? "" }.joined()
            do throws(DiscoveryProblem) {
                let list = try DiscoveryList(yaml: Array(text.utf8))
                lists += 1
                #expect(list.targets.allSatisfy { !$0.address.isEmpty }, "\(text.debugDescription)")
            } catch {
                problems += 1
                let isPlain = error.description.unicodeScalars.allSatisfy { !$0.isControl }
                #expect(isPlain && error.description.count < 400, "\(text.debugDescription)")
            }
        }
        #expect(lists > 20 && problems > 1_000, "\(lists) lists, \(problems) problems")
    }

    @Test func `bytes that are not UTF-8 are a problem`() {
        let error = #expect(throws: DiscoveryProblem.self) { try DiscoveryList(yaml: [0x2D, 0x20, 0xFF]) }
        #expect(error?.description == "not UTF-8")
    }
}
