import Foundation
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachSettings

/// Lists of targets in files.
struct ListFilesTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private func files(_ pattern: String) -> ListFiles {
        ListFiles(pattern: pattern, directory: directory.path + "/")
    }

    private func addresses(_ pattern: String) throws -> [String] {
        try files(pattern).read().targets.map(\.address)
    }

    private func problem(_ text: String, name: String = "a.yml") throws -> String? {
        try directory.write(text, to: name)
        let error = #expect(throws: DiscoveryProblem.self) { try files(name).read() }
        return error?.description.replacing("\(directory.path)/", with: "")
    }

    @Test func `the files of a pattern are read in the order of their names`() throws {
        try directory.write(#"[{"targets": ["b:1"], "labels": {"env": "prod"}}]"#, to: "t/b.json")
        try directory.write(
            "# comment\n- targets: ['a:1', a:2]\n  labels:\n    port: 80\n    env: x\n- targets: []\n",
            to: "t/a.yml"
        )
        try directory.write("nothing", to: "t/c.txt")
        #expect(try addresses("t/*.[jy][sm][ol]*") == ["a:1", "a:2", "b:1"])
        let list = try files("t/a.yml").read()
        #expect(list.targets.map { $0["port"] } == ["80", "80"])
    }

    @Test func `a pattern without a file has no targets, and a name needs its file`() throws {
        #expect(try addresses("none/*.json") == [])
        let error = #expect(throws: DiscoveryProblem.self) { try addresses("none.json") }
        #expect(error?.description == "\(directory.path)/none.json: no such file")
    }

    @Test func `anchors and merge keys are read`() throws {
        try directory.write("- &g\n  targets: [&t 'a:1']\n- targets: [*t, 'b:1']\n", to: "a.yaml")
        #expect(try addresses("a.yaml") == ["a:1", "b:1"])
        let text = """
            - &g {targets: [a], labels: &l {b: c}}
            - {<<: *g, labels: {d: e}}
            - {targets: [f], labels: {<<: *l}}
            """
        try directory.write(text, to: "a.yaml")
        let targets = try files("a.yaml").read().targets
        #expect(targets.map(\.address) == ["a", "a", "f"])
        #expect(targets.map { $0["b"] } == ["c", "c", "c"] && targets.map { $0["d"] } == [nil, "e", nil])
    }

    @Test(arguments: [
        "", "# nothing\n", "---\n", "null\n", "[]", "- {}", "- labels: {a: b}", "- targets:\n  labels:\n",
    ])
    func `a list may have nothing`(text: String) throws {
        try directory.write(text, to: "a.yml")
        #expect(try addresses("a.yml") == [])
    }

    @Test func `null is an empty text, and only the first document is read`() throws {
        try directory.write(
            "- targets: [a, ~, 1.10]\n  labels: {b: , c: ~, d: yes}\n---\n- targets: [e]\n",
            to: "a.yml"
        )
        let targets = try files("a.yml").read().targets
        #expect(targets.map(\.address) == ["a", "", "1.10"] && targets[0]["b"] == nil && targets[0]["d"] == "yes")
    }

    @Test func `merge keys of merge keys cannot repeat without end`() throws {
        let lines = (1...7).map { level in
            let aliases = Array(repeating: "*a\(level - 1)", count: 40).joined(separator: ",")
            return "- &a\(level) {<<: [\(aliases)]}\n"
        }
        #expect(try problem("- &a0 {}\n" + lines.joined())?.contains("aliases repeat more than the file has") == true)
    }

    @Test(arguments: [
        ("targets: [a]", "a.yml: line 1: expected a list of groups"),
        ("- target: [a]", "a.yml: line 1: unknown key \"target\" – a group has targets and labels"),
        ("- targets: [a]\n-", "a.yml: line 2: expected a group with a list of targets"),
        ("- <<: x", "a.yml: line 1: expected a mapping, or a list of mappings, after the merge key <<"),
        (
            "- targets: [a]\n  labels:\n    b: c\n    <<: {b: d}",
            "a.yml: line 1: label \"b\" is there twice – remove one, or the merge key"
        ),
        ("- targets: [a]\n  labels: {'<<': b}", "a.yml: line 1: invalid label name \"<<\""),
        ("- targets: a", "a.yml: line 1: expected a group with a list of targets"),
        ("- targets: [a]\n- 1", "a.yml: line 2: expected a group with a list of targets"),
        ("- targets: [[a]]", "a.yml: line 1: expected texts in targets"),
        ("- targets: [a]\n  labels: [b]", "a.yml: line 1: expected a mapping in labels"),
        ("- targets: [a]\n  labels: {b: [c]}", "a.yml: line 1: expected texts in labels"),
        ("- targets: [a]\n  labels: {b-c: d}", "a.yml: line 1: invalid label name \"b-c\""),
    ])
    func `a malformed list has one problem`(text: String, expected: String) throws {
        #expect(try problem(text) == expected)
    }

    @Test func `broken YAML and truncated JSON have the line`() throws {
        #expect(try problem("- targets: [a\n- b")?.contains(": invalid YAML: ") == true)
        #expect(
            try problem("[{\"targets\":\n[\"a\"", name: "a.json") == "a.json: line 2: not JSON: the text is cut off"
        )
    }

    @Test func `aliases cannot repeat more than the file has`() throws {
        let targets = (1...50).map { "'h\($0)'" }.joined(separator: ",")
        let text = "- &g {targets: [\(targets)]}\n" + String(repeating: "- *g\n", count: 1_000)
        #expect(try problem(text)?.hasSuffix("aliases repeat more than the file has – write it without them") == true)
    }

    @Test func `an alias of a large mapping is counted before it is copied`() throws {
        let value = String(repeating: "x", count: 10_000)
        let text = "- targets: [a]\n  labels: &l {a: \(value)}\n"
        let repeated = (1...8).map { "- targets: [b\($0)]\n  labels: *l\n" }.joined()
        let found = try problem(text + repeated)
        #expect(found?.hasSuffix("aliases repeat more than the file has – write it without them") == true)
    }

    @Test(arguments: ["[", "- ", "? ", "{a: "])
    func `deep nesting is a problem, and no trap`(text: String) throws {
        let message = "a.yml: nested too deeply – a list of groups has four levels"
        #expect(try problem(String(repeating: text, count: 100_000)) == message)
        let lines = (0..<1_000).map { String(repeating: " ", count: $0) + "a:\n" }.joined()
        #expect(try problem(lines) == message)
    }

    @Test func `the signature changes when a file is written, added or removed`() throws {
        let files = files("t/*.json")
        var seen = [files.signature]
        try directory.write("[]", to: "t/a.json")
        seen.append(files.signature)
        try directory.write("[ ]", to: "t/a.json")
        seen.append(files.signature)
        try directory.write("[]", to: "t/b.json")
        seen.append(files.signature)
        try FileManager.default.removeItem(atPath: directory.path + "/t/a.json")
        seen.append(files.signature)
        #expect(Set(seen).count == 5)
        #expect(files.signature == seen.last)
    }
}

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
