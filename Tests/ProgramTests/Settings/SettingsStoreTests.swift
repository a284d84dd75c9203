import Foundation
import ReachDashboard
import ReachMonitoring
import ReachSystem
import Testing

@testable import ReachSettings
@testable import reach

/// Editing, reading and writing a settings file for the dashboard.
struct SettingsStoreTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appending(path: "store-\(UUID().uuidString)").path

        init() throws {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    private let folder: Folder
    private let store: SettingsStore
    private let text =
        "# Mine.\n[[target]]\nname = \"A\" # one\nurl = \"icmp://192.0.2.1\"\n\n[[target]]\nurl = \"192.0.2.2\"\n"
    private var path: String { folder.path + "/dashboard.toml" }

    init() throws {
        folder = try Folder()
        let path = folder.path + "/dashboard.toml"
        try Data().write(to: URL(filePath: path))
        store = SettingsStore(source: try TargetSource(config: path, environment: [:]))
        try write(text)
    }

    private func write(_ text: String) throws {
        try Data(text.utf8).write(to: URL(filePath: path))
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: path)
    }

    private var disk: String { String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self) }

    private func document() throws -> SettingsDocument {
        try #require(try TargetSource(config: path, environment: [:]).load().document)
    }

    private func made(_ edit: SettingsEdit, in document: SettingsDocument) throws -> (SettingsDocument, Settings) {
        guard case .made(_, let document, let settings) = try store.perform(.make(edit, in: document)) else {
            throw StartupError(lines: ["not made"])
        }
        return (document, settings)
    }

    @Test func `an edit is made, written and undone`() throws {
        let (edited, settings) = try made(.change("A", [.name: "B"]), in: try document())
        #expect(settings.targets.map(\.name) == ["B", "192.0.2.2"] && edited.unsaved == 1 && disk == text)
        guard case .written(let written) = try store.perform(.write(edited)) else {
            Issue.record("not written")
            return
        }
        let expected = text.replacing("\"A\" # one\n", with: "\"B\" # one\nformerly = \"A\"\n")
        #expect(disk == expected && written.unsaved == 0)
    }

    @Test func `the history follows a rename, also of a new target, back, and undone`() throws {
        let (renamed, settings) = try made(.change("A", [.name: "B"]), in: try document())
        #expect(settings.targets[0].formerly == "A")
        #expect(try made(.change("B", [.name: "A"]), in: renamed).1.targets[0].formerly == "B")
        let undoing = EditRequest.undo(.change("A", [.name: "B"]), try document())
        guard case .undone(_, _, let undone) = try store.perform(undoing) else {
            Issue.record("not undone")
            return
        }
        #expect(undone.targets[0].name == "A" && undone.targets[0].formerly == "B")
        let (added, _) = try made(.add([.url: "192.0.2.3", .name: "C"], below: "A"), in: try document())
        let (new, again) = try made(.change("C", [.name: "D"]), in: added)
        #expect(!new.text.contains("formerly") && again.targets[1].formerly == "C")
    }

    @Test func `targets that swap their names have those of the file as names before`() throws {
        let old = text + "depends_on = [\"A\"]\n"
        try write(old)
        var document = try document()
        var names: [[String?]] = []
        for (name, new) in [("A", "tmp"), ("192.0.2.2", "A"), ("tmp", "192.0.2.2")] {
            let (edited, settings) = try made(.change(name, [.name: new]), in: document)
            document = edited
            names.append(settings.targets.map(\.formerly))
        }
        // The history follows each edit; the file is compared with what was last read from it.
        #expect(names == [["A", nil], ["A", "192.0.2.2"], ["tmp", "192.0.2.2"]])
        _ = try store.perform(.write(document))
        let targets = try TargetSource(config: path, environment: [:]).settings().targets
        #expect(targets.map(\.name) == ["192.0.2.2", "A"] && targets.map(\.formerly) == ["A", "192.0.2.2"])
        #expect(targets.map(\.question.url) == ["icmp://192.0.2.1", "icmp://192.0.2.2"])
        #expect(targets[1].dependsOn == [.target("192.0.2.2")])
    }

    @Test func `two renames before the file is written keep the name of the file`() throws {
        let (once, _) = try made(.change("A", [.name: "X"]), in: try document())
        let (twice, settings) = try made(.change("X", [.name: "Y"]), in: once)
        #expect(twice.text.contains("name = \"Y\" # one\nformerly = \"A\"\n"))
        #expect(settings.targets[0].formerly == "X")
        let written = twice.written(to: path)
        #expect(try made(.change("Y", [.name: "Z"]), in: written).0.text.contains("formerly = \"Y\"\n"))
    }

    @Test func `edits that restore the text of the file are not unsaved`() throws {
        var document = try document()
        for (edit, unsaved) in [
            (SettingsEdit.change("A", [.name: "B"]), 1), (.change("B", [.name: "A"]), 0),
            (.add([.url: "192.0.2.3"], below: "A"), 3), (.remove("192.0.2.3"), 0),
        ] {
            (document, _) = try made(edit, in: document)
            #expect(document.unsaved == unsaved, "\(edit)")
        }
        #expect(document.text == text)
    }

    @Test func `an edit with an invalid result is refused with its cause`() throws {
        let result = try store.perform(.make(.change("A", [.interval: "5"]), in: try document()))
        #expect(result == .refused("interval: \"5\" has no unit – did you mean \"5s\"?"))
        let duplicate = try store.perform(.make(.add([.url: "192.0.2.2"], below: nil), in: try document()))
        guard case .refused(let reason) = duplicate else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("duplicate name"))
    }

    @Test func `a command is refused in a file that others can write`() throws {
        chmod(path, 0o666)
        let result = try store.perform(.make(.change("A", [.whenReachable: "true"]), in: try document()))
        guard case .refused(let reason) = result else {
            Issue.record("not refused")
            return
        }
        #expect(reason.contains("can write it"))
    }

    @Test func `a file that changed is not overwritten, and reading it keeps the edits`() throws {
        let (edited, _) = try made(.remove("A"), in: try document())
        let new = "# Yours.\n\(text)[[target]]\nurl = \"192.0.2.3\""
        try write(new)
        #expect(try store.perform(.rereadIfChanged(edited, wasRefused: false)) == .compared(.changed))
        #expect(try store.perform(.write(edited)) == .conflict(.changed))
        #expect(try store.perform(.overwriteEmpty(edited)) == .conflict(.changed) && disk == new)
        guard case .reread(let reread?, let settings) = try store.perform(.reread(edited)) else {
            Issue.record("not read again")
            return
        }
        #expect(settings.targets.map(\.name) == ["192.0.2.2", "192.0.2.3"] && reread.unsaved == 1)
        _ = try store.perform(.write(reread))
        #expect(disk == "# Yours.\n# Mine.\n\n[[target]]\nurl = \"192.0.2.2\"\n[[target]]\nurl = \"192.0.2.3\"")
    }

    @Test func `without its file, the text is edited and written again`() throws {
        let (edited, _) = try made(.remove("A"), in: try document())
        unlink(path)
        let (twice, _) = try made(.change("192.0.2.2", [.name: "B"]), in: edited)
        #expect(try store.perform(.rereadIfChanged(twice, wasRefused: false)) == .compared(.deleted))
        #expect(try store.perform(.write(twice)) == .conflict(.deleted))
        #expect(try store.perform(.create(twice, file: path)) == .written(twice.written(to: path)))
        #expect(disk == twice.text && twice.unsaved == 2)
    }

    @Test(arguments: ["", " \n"])
    func `an emptied file is written only on request`(blank: String) throws {
        let (edited, _) = try made(.remove("A"), in: try document())
        try write(blank)
        #expect(try store.perform(.rereadIfChanged(edited, wasRefused: false)) == .compared(.emptied))
        #expect(try store.perform(.write(edited)) == .conflict(.emptied) && disk == blank)
        #expect(throws: StartupError.self) { try store.perform(.reread(edited)) }
        #expect(try store.perform(.overwriteEmpty(edited)) == .written(edited.written(to: path)))
        #expect(disk == edited.text)
    }

    @Test func `all targets may be removed or not enabled, on the screen and in the file`() throws {
        let (one, _) = try made(.remove("A"), in: try document())
        let (none, settings) = try made(.remove("192.0.2.2"), in: one)
        #expect(settings.targets.isEmpty)
        #expect(try store.perform(.write(none)) == .written(none.written(to: path)))
        #expect(disk == "# Mine.\n")
        let empty = none.written(to: path)
        let (again, _) = try made(.add([.url: "192.0.2.3"], below: nil), in: empty)
        #expect(again.text.hasSuffix("[[target]]\nurl = \"192.0.2.3\"\n"))

        for text in ["# Nothing yet.\n", "[[target]]\nurl = \"192.0.2.1\"\nenabled = false\n"] {
            try write(text)
            guard case .reread(_, let settings) = try store.perform(.reread(empty)) else {
                Issue.record("not read again")
                return
            }
            #expect(settings.targets.isEmpty)
        }
    }

    @Test func `an empty file is refused, unless it was empty before`() throws {
        let full = try document()
        try write("")
        let error = #expect(throws: StartupError.self) { try store.perform(.reread(full)) }
        #expect(error?.lines == ["\(path): the file is empty"])
        let empty = SettingsDocument(file: path, text: "")
        guard case .reread(empty, let settings) = try store.perform(.reread(empty)) else {
            Issue.record("not read again")
            return
        }
        #expect(settings.targets.isEmpty)
        let (edited, _) = try made(.add([.url: "192.0.2.3"], below: nil), in: empty)
        #expect(try store.perform(.write(edited)) == .written(edited.written(to: path)))
        #expect(disk == "[[target]]\nurl = \"192.0.2.3\"\n")
    }

    @Test func `an empty included file is refused if no target is left`() throws {
        let included = folder.path + "/a.toml"
        try write("include = 'a.toml'\n")
        try text.write(toFile: included, atomically: true, encoding: .utf8)
        let full = try document()
        try "".write(toFile: included, atomically: true, encoding: .utf8)
        let error = #expect(throws: StartupError.self) { try store.perform(.reread(full)) }
        #expect(error?.lines == ["\(included): the file is empty"])
    }

    @Test func `a file that is too large is refused at once, and the edits stay`() throws {
        let (edited, _) = try made(.remove("A"), in: try document())
        try write(String(repeating: "# Large.\n", count: 1_400_000))
        #expect(try store.perform(.rereadIfChanged(edited, wasRefused: false)) == .compared(.changed))
        #expect(try store.perform(.write(edited)) == .conflict(.changed))
        let error = #expect(throws: StartupError.self) { try store.perform(.reread(edited)) }
        #expect(error?.lines == ["\(path): larger than 8 MiB – settings are a small text file"])
        let (twice, _) = try made(.change("192.0.2.2", [.name: "B"]), in: edited)
        #expect(twice.unsaved == 2)
    }

    @Test func `an edit that the changed file does not take is named`() throws {
        let (edited, _) = try made(.remove("A"), in: try document())
        try write("[[target]]\nurl = \"b\"\n")
        #expect(
            try store.perform(.reread(edited))
                == .refused("the edit \"removed A\" cannot be kept: no target \"A\" in the file – u undoes it, then ^R")
        )
        try write("[[target]\n")
        #expect(throws: StartupError.self) { try store.perform(.reread(edited)) }
    }

    @Test func `without a file, URLs of the command line make one`() throws {
        let source = try TargetSource(
            arguments: ["192.0.2.1", "tcp://192.0.2.1:22", "https://a.example/b?c=\"d\""],
            config: nil,
            environment: [:]
        )
        let (settings, document) = try source.load()
        let (edited, _) = try made(.change("192.0.2.1", [.name: "A"]), in: try #require(document))
        let new = folder.path + "/new.toml"
        guard case .written(let written) = try store.perform(.create(edited, file: new)) else {
            Issue.record("not written")
            return
        }
        #expect(written.file == new && written.unsaved == 0)
        let read = try TargetSource(config: new, environment: [:]).settings()
        #expect(read.targets.map(\.question) == settings.targets.map(\.question))
        #expect(read.targets.map(\.name) == ["A"] + settings.targets.dropFirst().map(\.name))
        #expect(
            try store.perform(.create(edited, file: new))
                == .notWritten("\(new): already exists, not overwritten – choose another name, or move the file away")
        )
    }

    private func made(
        _ edit: SettingsEdit,
        every interval: Duration,
        in text: String? = nil
    ) throws -> SettingsDocument {
        if let text { try write(text) }
        let source = try TargetSource(config: path, environment: [:], overrides: .init(interval: interval))
        let store = SettingsStore(source: source)
        guard case .made(_, let document, let settings) = try store.perform(.make(edit, in: try document())) else {
            throw StartupError(lines: ["not made"])
        }
        #expect(settings.targets.allSatisfy { $0.interval == interval })
        return document
    }

    @Test func `an added target keeps the interval of the command line in the file`() throws {
        let edit = SettingsEdit.add([.url: "192.0.2.9", .name: "New"], below: nil)
        let table = "\n[[target]]\nname = \"New\"\nurl = \"192.0.2.9\"\n"
        #expect(try made(edit, every: .milliseconds(1_500)).text == text + table + "interval = \"1s500ms\"\n")
        let changed = try made(.change("A", [.name: "B"]), every: .seconds(3))
        #expect(changed.text == text.replacing("\"A\" # one\n", with: "\"B\" # one\nformerly = \"A\"\n"))
    }

    @Test func `an added target has no interval of its own where it would be superfluous or invalid`() throws {
        let edit = SettingsEdit.add([.url: "192.0.2.9:80"], below: nil)
        let table = "\n[[target]]\nurl = \"192.0.2.9:80\"\n"
        let defaults = "[defaults]\ninterval = \"5s\"\n\(text)"
        #expect(try made(edit, every: .seconds(5), in: defaults).text == defaults + table)
        #expect(try made(edit, every: .seconds(2), in: text).text == text + table, "the default of TCP")
        let timeout = "[defaults]\ntimeout = \"1s\"\n\(text)"
        #expect(try made(edit, every: .milliseconds(200), in: timeout).text == timeout + table)
    }

    @Test(arguments: [Duration.milliseconds(200), .seconds(1), .seconds(20), .seconds(3_600)])
    func `a new file has the interval of the command line`(interval: Duration) throws {
        let source = try TargetSource(
            arguments: [
                "192.0.2.1", "192.0.2.1:22", "tls://a.example:443", "https://a.example/", "dns://192.0.2.1/a.example",
                "udp://192.0.2.1:9", "session://192.0.2.1:22", "link:any", "route://192.0.2.1",
            ],
            config: nil,
            environment: [:],
            overrides: .init(interval: interval)
        )
        let (settings, document) = try source.load()
        let text = try #require(document).text
        #expect(text.contains("\n[defaults]\ninterval = \"\(interval.settingsText)\"\n\n[[target]]\n"))
        try write(text)
        let read = try TargetSource(config: path, environment: [:]).settings()
        #expect(read.targets == settings.targets && read.targets.allSatisfy { $0.interval == interval })
    }

    @Test func `targets selected from a file have no text to edit`() throws {
        #expect(try TargetSource(arguments: ["@A"], config: path, environment: [:]).load().document == nil)
    }

    @Test func `a change of an included file reads the settings again, with the unsaved edits`() throws {
        try write("include = \"more.toml\"\n" + text)
        let included = folder.path + "/more.toml"
        try Data("[[target]]\nname = \"C\"\nurl = \"192.0.2.3\"\n".utf8).write(to: URL(filePath: included))
        let (edited, settings) = try made(.change("A", [.name: "B"]), in: try document())
        #expect(settings.targets.map(\.name) == ["B", "192.0.2.2", "C"])
        try Data("[[target]]\nname = \"D\"\nurl = \"192.0.2.3\"\n".utf8).write(to: URL(filePath: included))
        guard case .reread(let again?, let new) = try store.perform(.rereadIfChanged(edited, wasRefused: false)) else {
            Issue.record("not read again")
            return
        }
        #expect(new.targets.map(\.name) == ["B", "192.0.2.2", "D"] && again.unsaved == 1)
        try Data("[[target]]\nname = \"B\"\nurl = \"192.0.2.3\"\n".utf8).write(to: URL(filePath: included))
        let conflict = try store.perform(.rereadIfChanged(edited, wasRefused: false))
        guard case .refused(let reason) = conflict else {
            Issue.record("not refused: \(conflict)")
            return
        }
        #expect(reason.contains("duplicate name, also the target in"), "\(reason)")
    }

    @Test func `a change counts when the file is the same twice`() throws {
        let first = FileSignature(at: path)
        try write("one")
        let second = FileSignature(at: path)
        try write("one two")
        let third = FileSignature(at: path)
        var detector = FileChangeDetector(first)
        let changes = [first, second, third, third, third, nil, nil, nil].map { detector.detect($0) }
        #expect(changes == [false, false, false, true, false, false, true, false])
        _ = detector.detect(first)
        #expect(detector.isWaiting)
    }
}

/// The last line of `reach validate`.
struct ValidationSummaryTests {
    @Test(arguments: [
        ("[[target]]\nurl = \"a\"", "ok: 1 target, 0 hooks"),
        (
            "[[prometheus]]\nurl = \"http://p\"\nwhen_reachable = \"cheer\"",
            "ok: 0 targets, 1 Prometheus server, 1 hook"
        ),
        (
            "[module.http]\nmethod = \"http\"\n[module.tcp]\nmethod = \"tcp\"",
            "ok: 0 targets, 2 modules, 0 hooks"
        ),
    ])
    func `everything that is used is counted`(text: String, summary: String) throws {
        let reader = SettingsReader(file: "dashboard.toml", environment: [:], mayLackTargets: true)
        let report = SettingsReport(settings: try reader.settings(from: text), problems: [], warnings: [], unset: [])
        #expect(ValidateCommand.summary(of: report) == summary)
    }
}
