import Foundation
import TestSupport
import Testing

@testable import ReachSettings

/// The JSON Schema of the settings. `UPDATE_GOLDEN=1 swift test --filter SettingsSchemaTests` rewrites it.
struct SettingsSchemaTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..").standardized
    private static let file = root.appending(path: "Schemas/dashboard.schema.json")

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    /// The paths of the files in a folder with an extension.
    private static func files(in folder: String, _ suffix: String) -> [String] {
        let names = FileManager.default.enumerator(atPath: root.appending(path: folder).path)?.compactMap {
            $0 as? String
        }
        return (names ?? []).filter { $0.hasSuffix(suffix) && !$0.contains(".build") }.sorted().map {
            "\(folder)/\($0)"
        }
    }

    /// Returns the violations of the schema in settings; nil if they are not TOML.
    private func problems(of text: String) throws -> [String]? {
        guard let (document, _) = try? TOMLValue.document(text) else { return nil }
        return try Schema("dashboard").problems(of: TOMLValue.table(document).json.text())
    }

    @Test func `the schema is made from the keys that the reader reads`() throws {
        let text = SettingsSchema.text(sample: try Self.text("dashboard.toml"))
        if ProcessInfo.processInfo.environment["UPDATE_GOLDEN"] == "1" {
            try Data(text.utf8).write(to: Self.file)
        }
        let isSame = try String(contentsOf: Self.file, encoding: .utf8) == text
        #expect(isSame, "out of date – UPDATE_GOLDEN=1 swift test --filter SettingsSchemaTests")
    }

    @Test func `the sample is valid, also with every commented key`() throws {
        let sample = try Self.text("dashboard.toml")
        #expect(try problems(of: sample) == [])
        let lines = sample.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            line.wholeMatch(of: /# (\[\[?[a-z_.]+\]\]?|[a-z_.]+ = .*)/).map(\.1) ?? line
        }
        #expect(try problems(of: lines.joined(separator: "\n")) == [])
    }

    @Test func `the settings of the documentation and the examples are valid`() throws {
        var texts = try (Self.files(in: "Examples", ".toml") + Self.files(in: "Packaging", ".toml")).map(Self.text)
        for page in Self.files(in: "docs", ".md") {
            texts += try Self.text(page).matches(of: /```toml\n(.*?)```/.dotMatchesNewlines()).map { String($0.1) }
        }
        #expect(texts.count > 10)
        for text in texts { #expect(try problems(of: text) == [], "\(text)") }
    }

    @Test func `many invalid settings violate the schema`() throws {
        let texts = try Self.files(in: "Tests/ReachSettingsTests/Invalid", ".toml").map(Self.text)
        let results = try texts.compactMap(problems)
        let found = results.count { !$0.isEmpty }
        // The others are about values in strings, or about several keys.
        #expect(Double(found) > 0.45 * Double(results.count), "\(found) of \(results.count)")
    }

    @Test(arguments: [
        ("[dashboard]\ntheme = 1", "$.dashboard.theme"), ("[defaults]\nfall = 0", "$.defaults.fall"),
        ("[defaults]\ninterval = \"2\"", "$.defaults.interval"), ("[defaults]\nfamily = \"5\"", "$.defaults.family"),
        ("[group.A]\ntcp = { sned = \"x\" }", "$.group.A.tcp: unknown key sned"),
        ("[template.A]\ntemplate = \"B\"", "$.template.A: unknown key template"),
        ("[[target]]\nname = \"A\"", "$.target[0]: missing key url"),
        ("[[target]]\nurl = \"a\"\nurls = []", "$.target[0]: 2 alternatives match"),
        ("[[target]]\nurl = \"a\"\nexec = {}", "$.target[0].exec: missing key run"),
        ("[[hook]]\non = \"upp\"\nrun = \"x\"", "$.hook[0].on"), ("[[hook]]\non = []\nrun = \"x\"", "$.hook[0].on"),
        ("[[hook]]\non = \"up\"\nrequest = {}", "$.hook[0].request: missing key url"),
        ("include = 1", "$.include"), ("[theme.A]\nred = \"x\"", "$.theme.A: unknown key red"),
    ])
    func `a mistake has a path`(text: String, problem: String) throws {
        let problems = try problems(of: text) ?? []
        #expect(problems.contains { $0.hasPrefix(problem) }, "\(problems)")
    }

    @Test func `a variable can stand for a choice`() throws {
        #expect(try problems(of: "[defaults]\nfamily = \"${FAMILY}\"\ninterval = \"${EVERY:-2s}\"") == [])
    }
}

extension TOMLValue {
    fileprivate var json: JSONValue {
        switch self {
        case .string(let text): .string(text)
        case .integer(let number): .integer(number)
        case .number(let number): .number(number)
        case .boolean(let flag): .boolean(flag)
        // Neither has a type of the schema.
        case .date: .array([.array([])])
        case .array(let values): .array(values.map(\.json))
        case .table(let table):
            .object(table.reduce(into: [:] as JSONObject) { object, entry in object[entry.key] = entry.value.json })
        }
    }
}
