import Foundation
import ReachMonitoring
import Testing

@testable import ReachSettings

/// Edits of the names of targets.
struct RenamingTests {
    private let two = SettingsEditorTests.two
    private let editor = SettingsEditor(SettingsReader(file: "dashboard.toml", environment: [:]))

    private func edited(_ text: String, _ edits: SettingsEdit...) throws -> String {
        try edits.reduce(text) { try editor.text($0, with: $1) }
    }

    @Test func `a renamed target is renamed in lists of dependencies`() throws {
        let text = """
            [defaults]
            depends_on = [ 'A' ]
            [group.G]
            depends_on = [
              "link",  # "A" in a comment
              "A",
            ]
            [[target]]
            name = "A"
            url = "a"
            [[target]]
            url = "b"
            depends_on = ["A"]
            """
        let expected = text.replacing(/'A'/, with: "'Z'").replacing("  \"A\",", with: "  \"Z\",")
            .replacing("name = \"A\"", with: "name = \"Z\"\nformerly = \"A\"").replacing("[\"A\"]", with: "[\"Z\"]")
        #expect(try edited(text, .change("A", [.name: "Z"])) == expected)
    }

    @Test(arguments: ["[[source]]", "[group.G]", "[template.T]"])
    func `a renamed target is renamed where a table depends on it`(header: String) throws {
        let list = header == "[[source]]" ? "http = \"http://127.0.0.1/\"\n" : ""
        for (old, new) in [("[\"B\", 'A']", "[\"B\", 'Z']"), ("'A'", "'Z'"), ("\"A\"  # \"A\"", "\"Z\"  # \"A\"")] {
            let table = "\n\(header)\n\(list)depends_on = "
            let text = two + table + old + "\n"
            let expected = two.replacing("\"A\"", with: "\"Z\"")
                .replacing("# the first\n", with: "# the first\nformerly = \"A\"\n")
            #expect(try edited(text, .change("A", [.name: "Z"])) == expected + table + new + "\n")
        }
    }

    @Test func `a renamed target is renamed in maintenance, and only there`() throws {
        let window =
            "[[maintenance]]\nname = \"A\"\ntargets = ['B', \"A\"]\nfrom = \"2026-12-01T22:00\"\nduration = \"4h\"\n"
        let expected = window.replacing("\"A\"]", with: "\"Z\"]")
        let new = try edited(two + window, .change("A", [.name: "Z"]))
        #expect(new.hasSuffix(expected))
        #expect(try SettingsReader(file: "", environment: [:]).settings(from: new).targets[0].formerly == "A")
    }

    @Test func `a renamed target keeps its history by its name before`() throws {
        let reader = SettingsReader(file: "", environment: [:])
        let twice = try edited(two, .change("A", [.name: "X"]), .change("X", [.name: "Y"]))
        #expect(twice.contains("name = \"Y\"            # the first\nformerly = \"X\"\n"))
        #expect(try reader.settings(from: twice).targets[0].formerly == "X")
        #expect(try edited(two, .change("A", [.name: "X"]), .change("X", [.name: "A"])) == two)
        // With another URL it is another target, and a new one has no history.
        #expect(try !edited(two, .change("A", [.name: "X", .url: "b"])).contains("formerly"))
        #expect(try !editor.text(two, with: .change("A", [.name: "X"]), isNew: true).contains("formerly"))
    }

    @Test func `names before the file was written stay where targets swap their names`() throws {
        let reader = SettingsReader(file: "", environment: [:])
        let steps: [(SettingsEdit, [String: String])] = [
            (.change("A", [.name: "tmp"]), [:]), (.change("B", [.name: "A"]), ["tmp": "A"]),
            (.change("tmp", [.name: "B"]), ["tmp": "A", "A": "B"]),
        ]
        let swapped = try steps.reduce(two) { try editor.text($0, with: $1.0, savedNames: $1.1) }
        let targets = try reader.settings(from: swapped).targets
        #expect(targets.map(\.name) == ["B", "A"] && targets.map(\.formerly) == ["A", "B"])
        // Another rename of one that the file has under another name.
        let again = try editor.text(swapped, with: .change("B", [.name: "C"]), savedNames: ["B": "A", "A": "B"])
        #expect(try reader.settings(from: again).targets.map(\.formerly) == ["A", "B"])
        let back: [(SettingsEdit, [String: String])] = [
            (.change("B", [.name: "tmp"]), ["B": "A", "A": "B"]), (.change("A", [.name: "B"]), ["tmp": "A", "A": "B"]),
            (.change("tmp", [.name: "A"]), ["tmp": "A"]),
        ]
        #expect(try back.reduce(swapped) { try editor.text($0, with: $1.0, savedNames: $1.1) } == two)
    }

    @Test func `targets of one URL swap their names without names before`() throws {
        let reader = SettingsReader(file: "", environment: [:])
        let text = ["A", "B"].map { "[[target]]\nname = \"\($0)\"\nurl = \"192.0.2.1\"\n" }.joined()
        let steps: [(SettingsEdit, [String: String])] = [
            (.change("A", [.name: "tmp"]), [:]), (.change("B", [.name: "A"]), ["tmp": "A"]),
            (.change("tmp", [.name: "B"]), ["tmp": "A", "A": "B"]),
        ]
        let swapped = try steps.reduce(text) { try editor.text($0, with: $1.0, savedNames: $1.1) }
        #expect(try reader.settings(from: swapped).targets.map(\.name) == ["B", "A"])
    }

    @Test func `a name before that two targets would have is that of the last one`() throws {
        let reader = SettingsReader(file: "", environment: [:])
        let text = two.replacing("name = \"A\"", with: "name = \"X\"\nformerly = \"B\"")
            .replacing("name = \"B\"", with: "name = \"B\"\nformerly = \"C\"")
        let renamed = try editor.text(text, with: .change("B", [.name: "D"]))
        #expect(try reader.settings(from: renamed).targets.map(\.formerly) == [nil, "B"])
    }

    @Test func `a former name is free for another target`() throws {
        let reader = SettingsReader(file: "", environment: [:])
        let renamed = try edited(two, .change("A", [.name: "X"]))
        let swapped = try edited(renamed, .change("B", [.name: "A"]))
        #expect(try reader.settings(from: swapped).targets.map(\.formerly) == [nil, "B"])
        let added = try edited(renamed, .add([.name: "A", .url: "c"], below: "B"))
        #expect(try reader.settings(from: added).targets.map(\.formerly) == [nil, nil, nil])
    }
}

/// The names before the present ones.
struct FormerNameTests {
    private func problems(_ formerNames: [String: String], haveOneURL: Bool = true) -> [String] {
        let text = ["NAS", "Box", "Old"].map { name in
            let formerly = formerNames[name].map { "formerly = \"\($0)\"\n" } ?? ""
            let host = haveOneURL ? "nas" : name
            return "[[target]]\nname = \"\(name)\"\nurl = \"tcp://\(host).local:445\"\n\(formerly)"
        }
        do throws(SettingsFailure) {
            let reader = SettingsReader(file: "dashboard.toml", environment: [:])
            _ = try reader.settings(from: text.joined())
            return []
        } catch {
            return error.lines.map { String($0.dropFirst("dashboard.toml:".count)) }
        }
    }

    @Test func `a name that no target has is a former name`() {
        #expect(problems(["NAS": "Storage", "Box": "Case"]).isEmpty)
    }

    @Test func `a former name belongs to one target`() {
        let own = #"4:12: target "NAS": formerly: the present name – write the name before, or remove it"#
        #expect(problems(["NAS": "NAS"]) == [own])
        let other =
            #"4:12: target "NAS": formerly: "Old" is the name of another target – remove it, or rename that target"#
        #expect(problems(["NAS": "Old"]) == [other])
        #expect(problems(["NAS": "Old"], haveOneURL: false) == [other])
        let twice = #"8:12: target "Box": formerly: "Case" is also that of the target "NAS" – remove one of the two"#
        #expect(problems(["NAS": "Case", "Box": "Case"]) == [twice])
    }

    @Test func `targets can swap their names if their URLs differ`() {
        #expect(problems(["NAS": "Box", "Box": "NAS"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "Old", "Old": "NAS"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "Case"], haveOneURL: false).isEmpty)
        #expect(problems(["NAS": "Box", "Box": "NAS"]).count == 2)
    }
}
