import Foundation
import ReachMonitoring
import Testing

@testable import ReachSettings

/// Settings in several files.
struct IncludeTests {
    private let directory: TemporaryDirectory

    init() throws {
        directory = try TemporaryDirectory()
    }

    private var file: SettingsFile { SettingsFile(path: "\(directory.path)/dashboard.toml") }

    private func read(_ files: [String: String], environment: [String: String] = [:]) throws -> Settings {
        for (name, text) in files { try directory.write(text, to: name, mode: 0o600) }
        return try file.read(environment: environment)
    }

    /// The problems of files, without the path of the directory.
    private func problems(_ files: [String: String]) throws -> [String] {
        do {
            _ = try read(files)
            return []
        } catch let failure as SettingsFailure {
            return failure.lines.map { $0.replacing("\(directory.path)/", with: "") }
        }
    }

    private func target(_ name: String, _ more: String = "") -> String {
        "[[target]]\nname = \"\(name)\"\nurl = \"icmp://192.0.2.1\"\n\(more)\n"
    }

    @Test func `the files of a pattern follow in the order of their names, each with the files that it includes`()
        throws
    {
        let settings = try read(
            [
                "dashboard.toml": "include = ['conf.d/*.toml', '${EXTRA}']\n" + target("main", "group = 'G'"),
                "conf.d/b.toml": target("b", "group = 'G'"),
                "conf.d/a.toml": "include = 'more/*.toml'\n" + target("a") + "[group.G]\nslow = '5ms'",
                "conf.d/.hidden.toml": target("hidden"),
                "conf.d/more/c.toml": target("c"),
                "extra.toml": "[dashboard]\nmax_hooks = 9\n[[hook]]\non = 'up'\nrun = 'true'",
            ],
            environment: ["EXTRA": "extra.toml"]
        )
        #expect(settings.targets.map(\.name) == ["main", "a", "c", "b"])
        #expect(settings.targets.map(\.thresholds.slow) == [.milliseconds(5), nil, nil, .milliseconds(5)])
        #expect(settings.maxHooks == 9)
        #expect(settings.targets.allSatisfy { $0.hooks.count == 1 })
    }

    @Test func `other files are relative to the file that names them`() throws {
        let settings = try read([
            "dashboard.toml": "include = ['conf.d/a.toml']",
            "conf.d/a.toml": "[[target]]\nurl = 'tls://h.example:443'\ntls = { ca = 'ca.pem' }",
        ])
        guard case .tls(_, _, let options) = settings.targets[0].question else {
            Issue.record("not tls")
            return
        }
        #expect(options.ca == "\(directory.path)/conf.d/ca.pem")
    }

    @Test func `a file is read once, and a directory may have the characters of patterns in its name`() throws {
        let settings = try read([
            "dashboard.toml": "include = ['[x]/*.toml', '[[]x]/a.toml', '[[]x]/b.toml']",
            "[x]/a.toml": "include = '*b.toml'\n" + target("a"),
            "[x]/b.toml": target("b"),
            "x/a.toml": target("other"),
        ])
        #expect(settings.targets.map(\.name) == ["other", "a", "b"])
    }

    @Test func `problems have the position in the included file`() throws {
        let found = try problems([
            "dashboard.toml": "include = 'conf.d/*.toml'\n[defaults]\nfall = 0\n" + target("A", "depends_on = 'C'"),
            "conf.d/a.toml": target("B", "intervall = '1s'") + "[defaults]\nrise = 2",
            "conf.d/b.toml": target("A") + "nonsense = ",
            "conf.d/c.toml": target("A"),
        ])
        #expect(
            found == [
                "dashboard.toml:3:8: defaults.fall: 0 is out of range – at least 1",
                "conf.d/a.toml:4:1: target \"B\": unknown key \"intervall\" – did you mean \"interval\"?",
                "conf.d/a.toml:5:2: [defaults] is also in dashboard.toml:2 – join the two",
                "conf.d/b.toml:5:12: not TOML: key-value pair: the file ends in the middle of it – a value, a quote or a bracket is missing",
                "conf.d/c.toml:2:8: target \"A\": name: duplicate name, also the target in dashboard.toml:5 – rename the one on line 2",
            ]
        )
    }

    @Test func `dependencies are of all files`() throws {
        let found = try problems([
            "dashboard.toml": "include = 'a.toml'\n[group.Home]\n" + target("A", "depends_on = ['B', 'Bb']"),
            "a.toml": target("B", "depends_on = 'A'\ngroup = 'Home'"),
        ])
        #expect(
            found == [
                "dashboard.toml:6:20: target \"A\": depends_on: unknown target \"Bb\" – the name of a target, or \"link\"",
                "a.toml:4:14: target \"B\": depends_on: circular dependency: A → B → A – remove \"A\"",
            ]
        )
    }

    @Test func `includes that read nothing are problems at their position`() throws {
        let found = try problems([
            "dashboard.toml": """
            include = [
              "none/*.toml",
              "none.toml",
              "dashboard.toml",
              "loop.toml",
              "*.toml",
              "~/x.toml",
              "folder",
            ]
            """,
            "loop.toml": "include = \"dashboard.toml\"",
            "folder/x": "",
        ])
        #expect(
            found
                == [
                    "dashboard.toml:2:3: include: no file matches \"none/*.toml\" – write one, or remove the pattern",
                    "dashboard.toml:3:3: include: none.toml: no such file – write it, or remove it here",
                    "dashboard.toml:4:3: include: circular include: dashboard.toml → dashboard.toml – remove \"dashboard.toml\"",
                    "dashboard.toml:6:3: include: circular include: dashboard.toml → dashboard.toml – a pattern that does not match it, such as conf.d/*.toml",
                    "dashboard.toml:7:3: include: \"~\" is not expanded – ${HOME}/x.toml",
                    "dashboard.toml:8:3: include: folder: a directory – name the file in it",
                    "loop.toml:1:11: include: circular include: dashboard.toml → loop.toml → dashboard.toml – remove \"dashboard.toml\"",
                ]
        )
    }

    @Test func `a chain of includes and the number of files are bounded`() throws {
        var files = ["dashboard.toml": "include = '1.toml'"]
        for number in 1...12 { files["\(number).toml"] = "include = '\(number + 1).toml'\n" + target("\(number)") }
        #expect(
            try problems(files) == [
                "8.toml:1:11: include: files include each other more than 8 levels deep – include the files from the first one"
            ]
        )
        for number in 0...1_000 { try directory.write("", to: "many/\(number).toml") }
        #expect(
            try problems(["dashboard.toml": "include = 'many/*'\n" + target("A")]) == [
                "dashboard.toml:1:11: include: more than 1000 files – join some of them"
            ]
        )
    }

    @Test func `an included file with commands must belong to the user too, and so must a file that includes it`()
        throws
    {
        let hook = target("A", "when_reachable = 'true'")
        try directory.write("include = 'a.toml'", mode: 0o666)
        try directory.write(hook, to: "a.toml", mode: 0o600)
        func problem() -> String? {
            do {
                _ = try file.read(environment: [:])
                return nil
            } catch {
                return "\(error)".replacing("\(directory.path)/", with: "")
            }
        }
        #expect(
            problem()?.hasPrefix("dashboard.toml: the file has commands and its group and others can write it") == true
        )
        try directory.write("include = 'a.toml'", mode: 0o600)
        #expect(problem() == nil)
        try directory.write(hook, to: "a.toml", mode: 0o666)
        #expect(problem()?.hasPrefix("a.toml: the file has commands and its group and others can write it") == true)
    }

    @Test func `a change of an included file and a new one are noticed`() throws {
        try directory.write("include = 'conf.d/*.toml'")
        try directory.write("", to: "conf.d/a.toml")
        let files = WatchedFiles(path: file.path, environment: [:])
        #expect(files.hasIncludes)
        var signatures = [files.signature]
        #expect(files.signature == signatures[0])
        try directory.write("# changed", to: "conf.d/a.toml")
        signatures.append(files.signature)
        try directory.write("", to: "conf.d/b.toml")
        signatures.append(files.signature)
        try FileManager.default.removeItem(atPath: "\(directory.path)/conf.d/a.toml")
        signatures.append(files.signature)
        #expect(Set(signatures).count == 4)
    }

    @Test func `a target in an included file is edited there`() throws {
        let text = "include = 'a.toml'\n" + target("M")
        try directory.write(text)
        try directory.write(target("A"), to: "a.toml")
        let editor = SettingsEditor(SettingsReader(file: file.path, environment: [:]))
        func refusal(_ edit: SettingsEdit, of text: String) -> String {
            do {
                _ = try editor.text(text, with: edit)
                return "not refused"
            } catch {
                return error.description.replacing("\(directory.path)/", with: "")
            }
        }
        let reason = "\"A\" is in a.toml, which is included – change it there"
        #expect(refusal(.change("A", [.name: "B"]), of: text) == reason)
        #expect(refusal(.remove("A"), of: text) == reason)
        #expect(refusal(.add([.url: "192.0.2.9"], below: "A"), of: text) == reason)
        let renamed = try editor.text(text, with: .change("M", [.name: "N"]), isNew: true)
        #expect(renamed == text.replacing("\"M\"", with: "\"N\""))
        #expect(try editor.text(text, with: .remove("M")).hasPrefix("include"))
        #expect(
            refusal(.add([.url: "192.0.2.9"], below: nil), of: "include = 'a.toml'\n")
                == "the file has no [[target]] of its own – write the first one in the file"
        )
    }
}
