import Foundation
import Monitoring
import Testing

@testable import SettingsFile

/// Edits of the text of a settings file.
struct SettingsEditorTests {
    private let editor = SettingsEditor(SettingsReader(file: "dashboard.toml", environment: [:]))

    private func edited(_ text: String, _ edits: SettingsEdit...) throws -> String {
        try edits.reduce(text) { try editor.text($0, with: $1) }
    }

    private func refusal(_ text: String, _ edit: SettingsEdit) -> String {
        do {
            _ = try editor.text(text, with: edit)
            return "not refused"
        } catch {
            return error.description
        }
    }

    private let two = """
        # Mine.
        [[target]]
        name = "A"            # the first
        url = "icmp://192.0.2.1"

        # About B.
        [[target]]
        name = "B"
        url = 'tcp://192.0.2.2:22'
        group = "Home"
        # slow = "5s"

        # The end.

        """

    // MARK: Changing

    @Test func `a changed value keeps quotes, comments and everything else`() throws {
        let expected = two.replacing("\"A\"", with: "\"Router\"").replacing("'tcp://192.0.2.2:22'", with: "'b:23'")
            .replacing("# the first\n", with: "# the first\nformerly = \"A\"\n")
        #expect(try edited(two, .change("A", [.name: "Router"]), .change("B", [.url: "b:23"])) == expected)
    }

    @Test func `an added key follows the last one of its table`() throws {
        let expected = two.replacing("group = \"Home\"\n", with: "group = \"Home\"\ninterval = '5s'\n")
        #expect(try edited(two, .change("B", [.interval: "5s"])) == expected)
    }

    @Test func `an added name is above the URL, aligned like it`() throws {
        let text = "[[target]]\n  url   = \"icmp://192.0.2.1\"\n  [target.icmp]\n  size = 99"
        let expected = text.replacing("  url", with: "  name  = \"A\"\n  formerly = \"192.0.2.1\"\n  url")
        #expect(try edited(text, .change("192.0.2.1", [.name: "A"])) == expected)
    }

    @Test func `a removed key leaves its comment`() throws {
        let expected = two.replacing("name = \"A\"            # the first", with: "# the first\nformerly = \"A\"")
        #expect(try edited(two, .change("A", [.name: ""])) == expected)
        let unnamed = two.replacing("name = \"B\"\n", with: "formerly = \"B\"\n")
        #expect(try edited(two, .change("B", [.name: ""])) == unnamed)
    }

    @Test func `values equal to the old ones change nothing`() throws {
        #expect(try edited(two, .change("B", [.name: "B", .url: "tcp://192.0.2.2:22", .interval: ""])) == two)
    }

    @Test func `quotes, backslashes and control characters are escaped`() throws {
        let command = "echo \"a\\b\" 'c'\t\u{7F}"
        let text = try edited(two, .change("A", [.whenReachable: command]))
        #expect(text.contains(#"when_reachable = "echo \"a\\b\" 'c'\t\u007f""#))
        let reader = SettingsReader(file: "", environment: [:])
        #expect(try reader.settings(from: text).targets[0].hooks.first?.action == .command(.shell(command)))
    }

    @Test func `a literal string that needs a quote becomes a basic one`() throws {
        let text = "[[target]]\nurl = 'icmp://a'\nname = 'b'"
        let expected = "[[target]]\nurl = 'icmp://a'\nname = \"c'd\"\nformerly = 'b'"
        #expect(try edited(text, .change("b", [.name: "c'd"])) == expected)
    }

    @Test func `CRLF and a missing last line end stay`() throws {
        let text = "[[target]]\r\nurl = \"a\" # x\r\n\r\n[[target]]\r\nurl = \"b\""
        #expect(
            try edited(text, .change("a", [.name: "A", .interval: "5s"]))
                == "[[target]]\r\nname = \"A\"\r\nformerly = \"a\"\r\nurl = \"a\" # x\r\ninterval = \"5s\"\r\n"
                + "\r\n[[target]]\r\nurl = \"b\""
        )
        #expect(try edited(text, .remove("b")) == "[[target]]\r\nurl = \"a\" # x\r\n")
        #expect(try edited(text, .remove("a")) == "[[target]]\r\nurl = \"b\"")
        #expect(try edited(text, .add([.url: "c"], below: "b")) == text + "\r\n\r\n[[target]]\r\nurl = \"c\"")
    }

    @Test func `the line above a removed last line keeps its line end`() throws {
        let target = "[[target]]\nurl = \"a\"\n"
        let last = "[[target]]\nurl = \"b\""
        for (above, removed) in [
            ("\(target)\n# About b.\n", last), ("# About b.\n", last), ("\(target)# About b.\r\n", last),
            ("\(target)# About b.\n", "\n" + last), ("\(target)# About b.\r\n", last + "\n"),
        ] {
            let editor = SettingsEditor(SettingsReader(file: "", environment: [:], mayLackTargets: true))
            let new = try editor.text(above + removed, with: .remove("b"))
            #expect(new.utf8.elementsEqual(above.utf8), "\(new)")
        }
        let timed = "\(target)# Often.\ninterval = \"5s\""
        #expect(try edited(timed, .change("a", [.interval: ""])) == "\(target)# Often.\n")
        let both = "\(target)interval = \"5s\"\nwhen_reachable = 'true'"
        #expect(try edited(both, .change("a", [.interval: "", .whenReachable: ""])) == target)
        #expect(try edited(both, .change("a", [.whenReachable: ""])) == "\(target)interval = \"5s\"\n")
        let named = "\(target)name = \"A\""
        #expect(try edited(named, .change("A", [.name: ""])) == "\(target)formerly = \"A\"")
        let timedToo = "\(target)interval = \"5s\"\nformerly = \"A\""
        #expect(try edited(named, .change("A", [.name: "", .interval: "5s"])) == timedToo)
    }

    @Test func `mixed line ends stay`() throws {
        let text = "# a\r\n[[target]]\nurl = \"a\"\ninterval = \"5s\"\r\n# b\n[[target]]\r\nurl = \"b\"\n"
        #expect(
            try edited(text, .add([.url: "c"], below: "b")).utf8.elementsEqual(
                (text + "\n[[target]]\nurl = \"c\"\n").utf8
            )
        )
        let named = text.replacing("url = \"b\"\n", with: "name = \"B\"\nformerly = \"b\"\nurl = \"b\"\n")
        #expect(try edited(text, .change("b", [.name: "B"])).utf8.elementsEqual(named.utf8))
        let shorter = text.replacing("interval = \"5s\"\r\n", with: "")
        #expect(try edited(text, .change("a", [.interval: ""])).utf8.elementsEqual(shorter.utf8))
    }

    @Test func `a byte order mark stays`() throws {
        let text = "\u{FEFF}[[target]]\nurl = \"a\"\n"
        let new = try edited(text, .change("a", [.url: "b"]))
        #expect(new.utf8.elementsEqual("\u{FEFF}[[target]]\nurl = \"b\"\n".utf8))
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

    // MARK: Adding

    @Test func `a target is added below another one, in its group and before the next comment`() throws {
        let text = try edited(two, .add([.url: "c", .name: "C"], below: "B"))
        #expect(
            text == two.replacing("5s\"\n", with: "5s\"\n\n[[target]]\nname = \"C\"\nurl = \"c\"\ngroup = \"Home\"\n")
        )
        let first = try edited(two, .add([.url: "c"], below: "A"))
        #expect(first == two.replacing("2.1\"\n", with: "2.1\"\n\n[[target]]\nurl = \"c\"\n"))
    }

    @Test func `without a neighbour it is the last target, without group`() throws {
        let text = "[[target]]\nurl = \"a\"\ngroup = \"G\"\n\n[[hook]]\non = \"up\"\nrun = \"true\"\n"
        let expected = text.replacing("\"G\"\n", with: "\"G\"\n\n[[target]]\nurl = \"b\"\n")
        #expect(try edited(text, .add([.url: "b"], below: nil)) == expected)
    }

    @Test func `it follows the tables of the target above, with its indentation`() throws {
        let text =
            "  [[target]]\n    url = 'a'\n\n    [[target.hooks]]\n    on = 'up'\n    run = 'true'\n[[target]]\nurl='b'\n"
        let new = "\n  [[target]]\n    name = \"C\"\n    url = \"c\"\n"
        #expect(
            try edited(text, .add([.url: "c", .name: "C"], below: "a"))
                == text.replacing("'true'\n", with: "'true'\n\(new)")
        )
    }

    // MARK: Removing

    @Test func `a removed target takes its lines and one run of blank lines`() throws {
        #expect(
            try edited(two, .remove("A"))
                == "# Mine.\n\n# About B.\n"
                + two.dropFirst(two.distance(from: two.startIndex, to: two.ranges(of: "[[target]]")[1].lowerBound))
        )
        #expect(
            try edited(two, .remove("B"))
                == two.prefix(two.distance(from: two.startIndex, to: two.ranges(of: "[[target]]")[1].lowerBound))
                + "# slow = \"5s\"\n\n# The end.\n"
        )
    }

    @Test func `its tables go with it, wherever they are`() throws {
        let text = """
            [[target]]
            url = "https://a"
            [target.http]  # of a
            body = "x"

              [[target.hooks]]
              on = "up"
              run = '''
            a [[target]]
            '''

            [group.G]
            slow = "1s"

            [target.tls]
            warn_days = 3

            [[target]]
            url = "b"
            group = "G"
            """
        #expect(try edited(text, .remove("a")) == "[group.G]\nslow = \"1s\"\n\n[[target]]\nurl = \"b\"\ngroup = \"G\"")
    }

    @Test(arguments: [
        ("", ""), ("# Mine.", "# Mine.\n\n"), ("# Mine.\n", "# Mine.\n\n"), ("# Mine.\n\n", "# Mine.\n\n"),
        ("[dashboard]\r\nmax_hooks = 2\r\n", "[dashboard]\r\nmax_hooks = 2\r\n\r\n"),
        ("[[source]]\nhttp = \"http://a/\"\n", "[[source]]\nhttp = \"http://a/\"\n\n"),
    ])
    func `the first target is at the end, and can be removed`(text: String, before: String) throws {
        let editor = SettingsEditor(SettingsReader(file: "", environment: [:], mayLackTargets: true))
        let added = try editor.text(text, with: .add([.url: "b", .name: "B"], below: nil))
        let lineEnd = text.contains("\r") ? "\r\n" : "\n"
        #expect(added == before + ["[[target]]", "name = \"B\"", "url = \"b\"", ""].joined(separator: lineEnd))
        let trimmed = { (text: String) in text.trimmingCharacters(in: .whitespacesAndNewlines) }
        let removed = try editor.text(added, with: .remove("B"))
        #expect(trimmed(removed) == trimmed(text))
    }

    @Test func `a list of tables has no first target to add`() {
        let editor = SettingsEditor(SettingsReader(file: "", environment: [:], mayLackTargets: true))
        #expect(throws: EditRefusal.self) { try editor.text("target = []\n", with: .add([.url: "b"], below: nil)) }
    }

    @Test func `a target that others depend on stays`() throws {
        let text = try edited("[[target]]\nurl = \"a\"\n[[target]]\nurl = \"b\"\ndepends_on = [\"a\"]", .remove("a"))
        let reader = SettingsReader(file: "", environment: [:])
        let failure = #expect(throws: SettingsFailure.self) { try reader.settings(from: text) }
        #expect(
            failure.map { EditRefusal($0).description }
                == "target \"b\": depends_on: unknown target \"a\" – did you mean \"b\"?"
        )
    }

    // MARK: Columns

    @Test func `chosen columns replace those of the file, in its quotes`() throws {
        let text = "[dashboard]\n  columns = [\n    'name',\n    'health',\n  ]  # mine\n\n\(two)"
        let expected = "[dashboard]\n  columns = ['name', 'url', 'health']  # mine\n\n\(two)"
        #expect(try edited(text, .columns([.name, .url, .health])) == expected)
        #expect(try edited(expected, .columns([.name, .url, .health])) == expected)
    }

    @Test func `columns are added to the table of the program, or with one`() throws {
        let line = "columns = [\"name\", \"health\"]"
        let edit = SettingsEdit.columns([.name, .health])
        let table = "[dashboard]  # mine\ntheme    = \"nord\"  # blue\n# The end.\n\n\(two)"
        #expect(
            try edited(table, edit)
                == table.replacing("blue\n", with: "blue\ncolumns  = [\"name\", \"health\"]\n")
        )
        let empty = "[dashboard]\n\n\(two)"
        #expect(try edited(empty, edit) == empty.replacing("d]\n\n", with: "d]\n\(line)\n\n"))
        let expected = two.replacing("\"5s\"\n", with: "\"5s\"\n\n[dashboard]\n\(line)\n")
        #expect(try edited(two, edit) == expected)
        let reader = SettingsReader(file: "", environment: [:])
        #expect(try reader.settings(from: expected).columns == [.name, .health])
    }

    @Test func `columns in a form that cannot be kept are refused`() {
        let comments = "[dashboard]\ncolumns = [\n  \"name\",  # who\n  \"health\",\n]\n\(two)"
        #expect(refusal(comments, .columns([.name, .health])) == "columns has comments – change it in the file")
        let other = "this part of the file cannot be edited here – change it in the file"
        #expect(refusal("dashboard = { theme = \"nord\" }\n\(two)", .columns([.name, .health])) == other)
        #expect(refusal("dashboard.theme = \"nord\"\n\(two)", .columns([.name, .health])) == other)
    }

    // MARK: Forms

    @Test func `odd forms of a target are edited`() throws {
        for (text, expected) in [
            ("[[ \"target\" ]] # x\n\"url\"='a'", "[[ \"target\" ]] # x\n\"url\"='z'"),
            ("[['target']]\nurl = \"\"\"a\"\"\"", "[['target']]\nurl = \"z\""),
            ("[[target]]\nurl = '''a''' # '''", "[[target]]\nurl = 'z' # '''"),
            ("[[target]]\n\turl\t=\t\"\\u0061\"\t#\t\"a\"", "[[target]]\n\turl\t=\t\"z\"\t#\t\"a\""),
            (
                "[[target]]\ntcp.send = \"\"\"\nurl = 'a'\n\"\"\"\nurl = 'a:1'",
                "[[target]]\ntcp.send = \"\"\"\nurl = 'a'\n\"\"\"\nurl = 'z'"
            ),
            (
                "[defaults]\nhttp.headers = { url = 'x' }\n[[target]]\nurl = 'a'",
                "[defaults]\nhttp.headers = { url = 'x' }\n[[target]]\nurl = 'z'"
            ),
            (
                "[[target]]\nhttp.status = [ # ]\n  200, # url = 'a'\n]\nurl = 'http://a'",
                "[[target]]\nhttp.status = [ # ]\n  200, # url = 'a'\n]\nurl = 'http://z'"
            ),
        ] {
            let name = text.contains("a:1") ? "a:1" : "a"
            let new = text.contains("http://a") ? "http://z" : "z"
            #expect(try edited(text, .change(name, [.url: new])) == expected)
        }
    }

    @Test func `forms that cannot be edited safely are refused with the way to do it`() {
        let byHand = "the targets are not [[target]] tables, so they can be changed only in the file"
        #expect(refusal("target = [{ url = \"a\" }, { url = \"b\" }]", .change("a", [.url: "c"])) == byHand)
        let list = "[[target]]\nurl = \"a\"\nwhen_reachable = [\"true\"]"
        let several = "when_reachable is a list or has several lines – change it in the file"
        #expect(refusal(list, .change("a", [.whenReachable: "false"])) == several)
        let lines = "[[target]]\nurl = \"a\"\nwhen_reachable = '''\na\nb'''"
        #expect(refusal(lines, .change("a", [.whenReachable: "false"])) == several)
        #expect(refusal(list, .change("x", [.url: "c"])) == "no target \"x\" in the file")
        let inline =
            "group = { G = { depends_on = [\"a\"] } }\n[[target]]\nname = \"a\"\nurl = \"a\"\n[[target]]\nurl = \"b\"\ngroup = \"G\""
        #expect(
            refusal(inline, .change("a", [.name: "z"]))
                == "this part of the file cannot be edited here – change it in the file"
        )
    }

    @Test func `fields are the values as they are written`() throws {
        let reader = SettingsReader(file: "", environment: ["HOST": "192.0.2.1"])
        let text = "[[target]]\nname = \"A\"\nurl = \"icmp://${HOST}\"\nwhen_reachable = [\"true\"]"
        let fields = try SettingsEditor(reader).fields(of: "A", in: text)
        #expect(fields == TargetFields(values: [.name: "A", .url: "icmp://${HOST}"], locked: [.whenReachable]))
    }

    @Test func `a target of two families is one table`() throws {
        let text = "[[target]]\nname = \"A\"\nurl = \"a.example\"\nfamily = \"both\"\n[[target]]\nurl = \"b\""
        #expect(try edited(text, .change("b", [.url: "c"])) == text.replacing("\"b\"", with: "\"c\""))
    }
}
