import Foundation
import ReachMonitoring
import Testing

@testable import ReachSettings

/// Edits of the text of a settings file.
struct SettingsEditorTests {
    private let two = Self.two
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

    /// A file of two targets.
    static let two = """
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
                == "target \"b\": depends_on: unknown target \"a\" – the name of a target, or \"link\""
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
        let other =
            "dashboard.columns cannot be edited here, in an inline table or with dotted keys – change it in the file"
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
                == "group.G.depends_on cannot be edited here, in an inline table or with dotted keys – change it in the file"
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
