import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Adding, changing and removing targets on the screen, and writing the edits.
struct EditingTests {
    private let targets: [Target] = [
        .make("Router", url: "icmp://192.168.1.1", group: "Home"),
        .make("NAS", url: "tcp://nas.local:445", group: "Home"),
        .make("Shop", url: "tcp://shop.example.com:443"),
    ]

    private func editing(file: String? = "dashboard.toml") -> EditingScene {
        EditingScene(targets, file: file)
    }

    // MARK: Adding

    @Test func `a adds a target below the selected one, in its group, and selects it`() {
        var editing = editing()
        editing.select("Router")
        editing.press(.character("a"))
        #expect(
            editing.footer.contains("add target:") && editing.footer.contains("URL, HOST or HOST:PORT, then a name")
        )
        editing.type("printer.local:631  Laser printer")
        editing.press(.enter)
        #expect(editing.names == ["Router", "Laser printer", "NAS", "Shop"])
        #expect(editing.scene.model.roster.targets[1].group == "Home")
        #expect(editing.scene.model.selectedTarget?.target.name == "Laser printer")
        #expect(editing.footer.contains("added Laser printer – W writes it to dashboard.toml, u undoes it"))
        #expect(editing.header.contains("dashboard.toml  1 unsaved"))
    }

    @Test func `without a name, the target is named by its URL`() {
        var editing = editing()
        editing.select("Shop")
        editing.press(.character("a"))
        editing.type("192.0.2.9")
        editing.press(.enter)
        #expect(editing.names == ["Router", "NAS", "Shop", "192.0.2.9"])
        #expect(editing.scene.model.selectedTarget?.target.name == "192.0.2.9")
    }

    @Test func `in a group, it is added at the end`() {
        var editing = editing()
        editing.press(.home, .character("a"))
        editing.type("192.0.2.9")
        editing.press(.enter)
        #expect(editing.names == ["Router", "NAS", "192.0.2.9", "Shop"])
    }

    @Test func `an invalid URL and a refused target stay in the prompt`() {
        var editing = editing()
        editing.press(.character("a"))
        editing.type("nas:99999")
        editing.press(.enter)
        #expect(editing.footer.contains("nas:99999") && editing.footer.contains("invalid port \"99999\""))
        editing.press(.backspace, .backspace, .backspace)
        editing.type(" Router")
        editing.press(.enter)
        #expect(
            editing.footer.contains("add target: nas:99 Router") && editing.footer.contains("write another name")
        )
        #expect(editing.names == targets.map(\.name) && !editing.header.contains("unsaved"))
        editing.press(.escape)
        #expect(editing.footer.contains("help"))
    }

    @Test func `an empty line adds nothing`() {
        var editing = editing()
        editing.press(.character("a"), .enter)
        #expect(editing.scene.model.prompts.current == nil && editing.names == targets.map(\.name))
    }

    // MARK: Changing

    @Test func `E shows the values of the target and changes the edited ones`() {
        var editing = editing()
        editing.select("NAS")
        editing.scene.receive("rr", from: "NAS")
        editing.press(.character("E"))
        #expect(editing.scene.line("edit NAS").contains("──"))
        #expect(editing.scene.line(" name ").contains("NAS"))
        #expect(editing.scene.line("URL             tcp").contains("tcp://nas.local:445"))
        #expect(editing.scene.line(" interval ").contains("(not set here: 1s)"))
        #expect(editing.scene.line(" when reachable ").contains("(no command)"))
        editing.press(.control("u"))
        editing.type("Storage")
        editing.press(.enter)
        #expect(editing.names == ["Router", "Storage", "Shop"])
        #expect(editing.scene.model.editing.form == nil)
        #expect(
            editing.scene.effects.contains { effect in
                if case .edit(.make(.change("NAS", [.name: "Storage"]), _)) = effect { true } else { false }
            }
        )
    }

    @Test func `where name and URL stay, history and health stay`() throws {
        var editing = editing()
        editing.select("NAS")
        editing.scene.receive("rrr", from: "NAS")
        let before = try #require(editing.scene.model.selectedTarget)
        editing.select("Router")
        editing.press(.character("a"))
        editing.type("192.0.2.1")
        editing.press(.enter)
        let after = try #require(editing.scene.model.roster.states.first { $0.target.name == "NAS" })
        #expect(
            after.id == before.id && after.health == before.health && after.statistics.last == before.statistics.last
        )
    }

    @Test func `tab and the arrows move between the lines`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"), .tab, .control("u"))
        editing.type("nas.local:22")
        editing.press(.down, .up, .backTab, .up, .tab, .enter)
        #expect(editing.scene.model.roster.targets[1].question == .tcp(host: "nas.local", port: 22))
    }

    @Test func `a problem is shown in the form, and nothing is lost`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"), .tab)
        editing.type("/x")
        editing.press(.enter)
        #expect(editing.footer.contains("URL: tcp:// takes a host and a port, nothing else"))
        #expect(editing.scene.line("URL             tcp").contains("tcp://nas.local:445/x"))
        editing.press(.backspace, .backspace, .backTab, .control("u"), .enter)
        #expect(editing.footer.contains("refused: changed NAS") && editing.names == targets.map(\.name))
        editing.press(.character("p"))
        #expect(!editing.footer.contains("refused"))
    }

    @Test func `enter without a change and esc close the form`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"), .enter)
        #expect(editing.scene.model.editing.form == nil && !editing.header.contains("unsaved"))
        editing.press(.character("E"), .character("x"), .escape)
        #expect(editing.scene.model.editing.form == nil && !editing.header.contains("unsaved"))
    }

    @Test func `a value that is no line of text is not edited`() {
        let hooks = [HookRule.make(on: [.up], "true"), .make(on: [.down], "true")]
        var editing = EditingScene([.make("NAS", hooks: hooks)])
        editing.press(.character("E"), .backTab, .character("x"))
        #expect(editing.footer.contains("written as a list or in several lines – change it in the file"))
        #expect(editing.scene.line("when reachable").contains("see the file"))
        editing.press(.enter)
        #expect(!editing.header.contains("unsaved"))
    }

    @Test func `in a low terminal, the selected line of the form is visible`() {
        var editing = editing()
        editing.select("NAS")
        editing.send(.resize(Size(columns: 20, rows: 5)))
        editing.press(.character("E"))
        for label in ["name", "URL", "inter", "when"] {
            #expect(editing.scene.screen.contains(label))
            editing.press(.tab)
        }
        for rows in 1...4 {
            editing.send(.resize(Size(columns: 20, rows: rows)))
            #expect(editing.scene.screen.split(separator: "\n", omittingEmptySubsequences: false).count == rows)
        }
    }

    @Test func `the details of a renamed target stay open`() {
        var editing = editing()
        editing.scene.open("NAS")
        editing.press(.character("E"))
        editing.type("2")
        editing.press(.enter)
        #expect(editing.scene.model.selectedTarget?.target.name == "NAS2")
        #expect(editing.scene.model.navigation.detailState != nil)
    }

    // MARK: Removing

    @Test func `D asks, and removes the target`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"))
        #expect(editing.footer.contains("remove NAS, with its history?  y yes  n no"))
        editing.press(.character("n"))
        #expect(editing.names == targets.map(\.name))
        editing.press(.character("D"), .character("y"))
        #expect(editing.names == ["Router", "Shop"])
        #expect(editing.footer.contains("removed NAS"))
        #expect(editing.scene.screen.contains("removed NAS"))
    }

    @Test func `without targets, the screen says which key adds one`() {
        var editing = EditingScene([.make("NAS", url: "icmp://192.0.2.1")])
        editing.press(.character("D"), .character("y"))
        #expect(editing.names.isEmpty && editing.scene.screen.contains("no targets – a adds one"))
        editing.press(.character("a"))
        editing.type("192.0.2.9")
        editing.press(.enter)
        #expect(editing.names == ["192.0.2.9"] && !editing.scene.screen.contains("no targets"))
    }

    @Test func `a group and an empty list have no target to edit or remove`() {
        var editing = editing()
        editing.press(.home, .character("D"))
        #expect(editing.footer.contains("select a target to remove it"))
        editing.press(.character("E"))
        #expect(editing.footer.contains("select a target to edit it"))
    }

    // MARK: Undoing

    @Test func `u undoes edits one by one`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"), .character("y"))
        editing.select("Shop")
        editing.press(.character("E"))
        editing.type("!")
        editing.press(.enter)
        #expect(editing.names == ["Router", "Shop!"] && editing.header.contains("2 unsaved"))
        editing.press(.character("u"))
        #expect(editing.names == ["Router", "Shop"] && editing.header.contains("1 unsaved"))
        #expect(editing.footer.contains("undone: changed Shop"))
        editing.press(.character("u"))
        #expect(editing.names == targets.map(\.name) && !editing.header.contains("unsaved"))
        editing.press(.character("u"))
        #expect(editing.footer.contains("no edit to undo"))
    }

    @Test func `edits that were written can be undone too`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"), .character("y"), .character("W"))
        #expect(!editing.header.contains("unsaved"))
        editing.press(.character("u"))
        #expect(editing.names == targets.map(\.name) && editing.header.contains("1 unsaved"))
        editing.press(.character("W"))
        #expect(editing.store.settings?.targets.map(\.name) == targets.map(\.name))
    }

    @Test func `at most a hundred edits can be undone`() {
        var document = SettingsDocument(file: "file", text: "0")
        for number in 1...120 { document.append(.remove("\(number)"), text: "\(number)") }
        #expect(document.unsaved > 0)
        var count = 0
        while let (earlier, _) = document.undone() {
            document = earlier
            count += 1
        }
        #expect(count == 100 && document.text == "20" && document.unsaved > 0)
    }

    @Test func `a target that is renamed without being saved keeps its name in the file`() {
        var document = SettingsDocument(file: "file", text: "0")
        let renames = [("NAS", "Box"), ("Router", "Gate"), ("Box", "Disk"), ("Gate", "Router")]
        for (number, (old, new)) in renames.enumerated() {
            document.append(.change(old, [.name: new]), text: "\(number + 1)")
        }
        #expect(document.savedNames == ["Disk": "NAS"])
        #expect(document.written(to: "file").savedNames.isEmpty)

        var editing = editing()
        editing.select("NAS")
        editing.press(.character("E"), .control("u"))
        editing.type("Storage")
        editing.press(.enter)
        let before = editing.scene.model.targetsBeforeRenaming.values.map { [$0.name, $0.formerly] }
        #expect(before == [["NAS", "Storage"]])
        editing.press(.character("W"))
        #expect(editing.scene.model.targetsBeforeRenaming.isEmpty)
    }

    // MARK: Writing

    @Test func `W writes the edits`() {
        var editing = editing()
        editing.press(.character("W"))
        #expect(editing.footer.contains("no edits to write to dashboard.toml"))
        editing.select("NAS")
        editing.press(.character("D"), .character("y"), .character("W"))
        #expect(editing.footer.contains("wrote 1 edit to dashboard.toml"))
        #expect(editing.store.settings?.targets.map(\.name) == ["Router", "Shop"])
        #expect(!editing.header.contains("unsaved"))
    }

    @Test func `a failed write loses nothing`() {
        var editing = editing()
        editing.store.failure = "dashboard.toml not written: the disk is full"
        editing.select("NAS")
        editing.press(.character("D"), .character("y"), .character("W"))
        #expect(editing.footer.contains("the disk is full") && editing.header.contains("1 unsaved"))
        #expect(editing.store.settings?.targets.count == 3)
        editing.store.failure = nil
        editing.press(.character("W"))
        #expect(editing.store.settings?.targets.count == 2 && !editing.header.contains("unsaved"))
    }

    @Test func `targets of the command line are written to a new file`() {
        var editing = editing(file: nil)
        editing.press(.character("W"))
        #expect(editing.footer.contains("write to file: dashboard.toml"))
        editing.press(.control("u"))
        editing.type("taken")
        editing.press(.enter)
        #expect(editing.footer.contains("taken: already exists"))
        editing.press(.control("u"))
        editing.type("home.toml")
        editing.press(.enter)
        #expect(editing.header.contains("home.toml") && editing.store.settings?.targets.count == 3)
        editing.press(.control("r"))
        guard case .edit(.reread)? = editing.scene.effects.last(where: { if case .edit = $0 { true } else { false } })
        else {
            Issue.record("the new file is not read again")
            return
        }
    }

    @Test func `targets without a file are read again only without edits`() {
        var editing = editing(file: nil)
        editing.press(.control("r"))
        #expect(editing.scene.effects.last == .edit(.reread(nil)))
        editing.select("NAS")
        editing.press(.character("D"), .character("y"), .control("r"))
        #expect(editing.footer.contains("the targets are not in a file yet – W writes one"))
        #expect(editing.names == ["Router", "Shop"])
    }

    // MARK: Quitting

    @Test func `quitting with edits asks once`() {
        var editing = editing()
        editing.select("NAS")
        editing.press(.character("D"), .character("y"), .character("q"))
        #expect(editing.footer.contains("1 edit is not written (W) – quit anyway?  y yes  n no"))
        editing.press(.character("n"))
        #expect(!editing.scene.effects.contains(.exit(.quit)))
        editing.press(.control("c"))
        #expect(!editing.scene.effects.contains(.exit(.quit)))
        editing.press(.control("c"))
        #expect(editing.scene.effects.last == .exit(.quit))
        editing.press(.escape, .character("W"), .character("q"))
        #expect(editing.scene.effects.filter { $0 == .exit(.quit) }.count == 2)
    }

    // MARK: Without a text

    @Test func `a selection is read again when its file changes`() {
        var scene = Scene(targets)
        scene.send(.fileChanged)
        #expect(scene.effects.last == .edit(.reread(nil)))
    }

    @Test func `targets selected from a file cannot be edited`() {
        for key in ["a", "E", "D", "u", "W"] as [Character] {
            var scene = Scene(targets)
            scene.press(.character(key))
            #expect(scene.line("cannot be edited").contains("a selection of targets cannot be edited"))
        }
    }
}

struct AddLineTests {
    @Test(
        arguments: [
            ("", .empty), ("  ", .empty), (" nas:445 ", .target([.url: "nas:445"])),
            ("nas:445  The NAS", .target([.url: "nas:445", .name: "The NAS"])),
            ("${HOST}:445 NAS", .target([.url: "${HOST}:445", .name: "NAS"])),
            ("8", .invalid("8 is a number, not a host – a port is HOST:8, such as 127.0.0.1:8")),
            ("nas:smb", .invalid("invalid port \"smb\" – a number from 1 to 65535")),
        ] as [(String, AddLine)]
    )
    func `a line is a URL and a name, or its problem`(text: String, line: AddLine) {
        #expect(AddLine(text) == line)
    }
}
