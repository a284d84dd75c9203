import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The choice of columns: by the list and by the settings.
@Suite struct ColumnListTests {
    private func scene(columns: Int = 120, rows: Int = 30) -> Scene {
        var scene = Scene(
            [.make("NAS", url: "tcp://nas.local:445", group: "Home"), .make("Shop", url: "tcp://shop:80")],
            columns: columns,
            rows: rows
        )
        scene.receive("rrrx", from: "NAS")
        return scene
    }

    @Test func `space shows and hides the selected column`() {
        var scene = scene()
        scene.press(.character("C"), .right)
        #expect(scene.line("▸[ ] group").contains("[x] name"))
        scene.press(.character(" "))
        #expect(scene.line("TARGET").contains("GROUP"))
        #expect(scene.line("columns = ").contains("[\"name\", \"group\", \"url\","))
        scene.press(.character(" "), .right, .character(" "))
        #expect(!scene.line("TARGET").contains("URL"))
        scene.press(.escape)
        #expect(scene.line("Events").hasPrefix(" Events"))
        #expect(!scene.line("TARGET").contains("URL"))
    }

    @Test(arguments: [(120, 30), (40, 10), (20, 5)])
    func `a click selects a column and shows or hides it`(columns: Int, rows: Int) throws {
        var scene = scene(columns: columns, rows: rows)
        scene.press(.character("C"))
        for column in scene.model.columns.order where !column.isRequired {
            // In a low terminal, the list scrolls by the arrows.
            while !scene.screen.contains("] \(column.rawValue)") { scene.press(.right) }
            let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
            let row = try #require(lines.firstIndex { $0.contains("] \(column.rawValue)") })
            let start = try #require(lines[row].firstRange(of: "] \(column.rawValue)")).lowerBound
            let wasShown = scene.model.columns.isShown(column)
            scene.press(.click(Position(column: lines[row].distance(from: lines[row].startIndex, to: start), row: row)))
            #expect(scene.model.columns.isShown(column) != wasShown)
            #expect(scene.screen.contains("▸[\(wasShown ? " " : "x")] \(column.rawValue)"))
        }
        let chosen = scene.model.columns.shown
        scene.press(.click(Position(column: 1, row: 0)), .click(Position(column: columns - 1, row: rows - 2)))
        #expect(scene.model.columns.shown == chosen)
        #expect(chosen == scene.model.columns.order.filter { $0.isRequired || !TableColumn.standard.contains($0) })
    }

    @Test func `a click on the footer presses its key, and name stays`() throws {
        var scene = scene()
        scene.press(.character("C"))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(lines.firstIndex { $0.contains("[x] name") })
        scene.press(.click(Position(column: 2, row: row)))
        #expect(scene.screen.contains("name is always shown"))
        scene.wait(.seconds(5))
        let footer = try #require(scene.screen.split(separator: "\n").last)
        let start = try #require(footer.firstRange(of: "esc")).lowerBound
        scene.press(.click(Position(column: footer.distance(from: footer.startIndex, to: start), row: 29)))
        #expect(scene.model.columns.index == nil)
    }

    @Test func `name and health stay`() {
        var scene = scene()
        scene.press(.character("C"), .character(" "))
        #expect(scene.screen.contains("name is always shown"))
        #expect(scene.screen.contains("TARGET"))
    }

    @Test func `a column moves by one place`() {
        var scene = scene()
        scene.press(.character("C"), .end, .character("<"))
        #expect(scene.line("columns = ").hasSuffix("\"for\", \"chart\"]"))
        let line = scene.line("TARGET")
        #expect(line.hasSuffix(" s") || line.contains("FOR  LAST"))
        scene.press(.character(">"), .character(">"))
        #expect(scene.line("columns = ").hasSuffix("\"chart\", \"for\"]"))
    }

    @Test func `y copies the line of the settings, which is valid`() {
        var scene = scene()
        scene.press(.character("C"), .character("y"))
        let copied = scene.effects.compactMap { if case .copy(let text) = $0 { text } else { nil } }
        #expect(
            copied == [
                "columns = [\"name\", \"url\", \"health\", \"last\", \"p95\", \"loss\", \"jitter\", \"chart\", \"for\"]"
            ]
        )
    }

    @Test func `the columns of the settings apply, and the user's choice survives a reload`() {
        var scene = scene()
        var settings = Settings(targets: scene.model.roster.targets, columns: [.health, .name, .max, .sent, .address])
        scene.send(.settings(settings))
        #expect(scene.line("TARGET").split(separator: " ") == ["HEALTH", "TARGET", "MAX", "SENT", "ADDRESS"])
        scene.press(.character("C"), .character("G"), .character(" "), .escape)
        let chosen = scene.line("TARGET")
        scene.send(.settings(settings))
        #expect(scene.line("TARGET") == chosen)
        settings.columns = [.name, .health]
        scene.send(.settings(settings))
        #expect(scene.line("TARGET").split(separator: " ") == ["TARGET", "HEALTH"])
    }

    @Test func `s sorts by the shown columns`() {
        var scene = scene()
        let settings = Settings(targets: scene.model.roster.targets, columns: [.name, .health, .availability, .mean])
        scene.send(.settings(settings))
        let sorts = (0..<5).map { _ in
            scene.press(.character("s"))
            return scene.model.list.sort
        }
        #expect(sorts == [.health, .name, .mean, .availability, .settings])
    }

    @Test(arguments: TableColumn.allCases.filter { $0 != .chart })
    func `s and a click sort by every column, and its heading is marked`(column: TableColumn) throws {
        var scene = scene(columns: 300)
        let settings = Settings(targets: scene.model.roster.targets, columns: TableColumn.allCases)
        scene.send(.settings(settings))
        let sort = try #require(column.sort)
        for _ in Sort.allCases where scene.model.list.sort != sort { scene.press(.character("s")) }
        #expect(scene.model.list.sort == sort)
        scene.press(.character("m"))
        let text = scene.line("TARGET")
        let heading = try #require(text.firstRange(of: String(column.heading.prefix(4))))
        let position = text.distance(from: text.startIndex, to: heading.lowerBound)
        let row = try #require(scene.screen.split(separator: "\n").firstIndex { $0.contains("TARGET") })
        let width = column.heading.count + 2
        #expect(text.dropFirst(position).prefix(width).contains("▼"))
        scene.press(.click(Position(column: position, row: row)))
        #expect(scene.model.list.sort == sort && scene.model.list.isReversed)
        #expect(scene.line("TARGET").dropFirst(position).prefix(width).contains("▲"))
    }

    @Test(arguments: [
        (TableColumn.group, ["A", "B", "C"]), (.url, ["B", "C", "A"]), (.address, ["C", "A", "B"]),
        (.min, ["B", "C", "A"]), (.jitter, ["C", "B", "A"]), (.sent, ["C", "B", "A"]),
    ])
    func `targets are in the order of the column`(column: TableColumn, names: [String]) throws {
        var scene = Scene([
            .make("A", url: "tcp://c:1", group: "x"), .make("B", url: "icmp://z", group: "Y"),
            .make("C", url: "tcp://b:1"),
        ])
        for (name, times) in [("A", [1]), ("B", [9, 8]), ("C", [2, 9, 9])] {
            let address = ["A": "192.0.2.2", "B": "192.0.2.3", "C": "192.0.2.1"][name]
            for time in times { scene.receive(.reply(roundTrip: .milliseconds(time)), from: name, address: address) }
        }
        let settings = Settings(targets: scene.model.roster.targets, columns: [.name, .health, column])
        scene.send(.settings(settings))
        for _ in Sort.allCases where scene.model.list.sort != column.sort { scene.press(.character("s")) }
        scene.wait(.seconds(2))
        let states = scene.model.roster.states
        #expect(scene.model.list.order.positions.map { states[$0].target.name } == names)
    }

    @Test func `every column has a value in its width, and its heading fits`() {
        var scene = scene(columns: 300)
        var settings = Settings(targets: scene.model.roster.targets, columns: TableColumn.allCases)
        settings.columns.removeAll { $0 == .chart }
        scene.send(.settings(settings))
        let line = scene.line("▸").split(separator: " ")
        #expect(line.prefix(5) == ["▸●", "NAS", "Home", "tcp", "nas.local:445"])
        #expect(scene.line("▸").contains(" 25% "), "loss")
        #expect(scene.line("▸").contains(" 100% "), "availability")
        for column in settings.columns { #expect(scene.line("TARGET").contains(column.heading)) }
    }

    @Test(arguments: [(20, 5), (40, 10), (80, 24), (200, 50)])
    func `the selected column of the list and a row of the table are visible at any size`(columns: Int, rows: Int) {
        var scene = scene(columns: columns, rows: rows)
        scene.press(.character("C"))
        for column in scene.model.columns.order {
            #expect(scene.screen.contains("▸[") && scene.screen.contains("] \(column.rawValue)"))
            #expect(scene.screen.contains("NAS"))
            scene.press(.right)
        }
    }

    @Test func `after a reset, availability is unknown like the other figures until the next probe`() {
        var scene = scene(columns: 200)
        let columns: [TableColumn] = [.name, .health, .availability, .sent, .loss]
        scene.send(.settings(Settings(targets: scene.model.roster.targets, columns: columns)))
        #expect(scene.line("▸").contains("100%"))
        scene.press(.character("R"))
        scene.wait(.seconds(3))
        #expect(!scene.line("▸").contains("100%"))
        scene.receive("r", from: "NAS")
        scene.tick()
        #expect(scene.line("▸").contains("100%"))
    }
}

/// Writing the chosen columns to the settings file.
struct ColumnWritingTests {
    private let targets: [Target] = [
        .make("NAS", url: "tcp://nas.local:445", group: "Home"),
        .make("Shop", url: "tcp://shop.example.com:443"),
    ]

    @Test func `W writes the chosen columns, and u takes them back`() throws {
        var editing = EditingScene(targets)
        editing.press(.character("C"), .right, .character(" "), .escape)
        #expect(!editing.header.contains("unsaved") && editing.scene.line("TARGET").contains("GROUP"))
        editing.press(.character("W"))
        let columns = try #require(editing.store.settings?.columns)
        #expect(columns == editing.scene.model.columns.shown && columns.contains(.group))
        #expect(editing.footer.contains("wrote 1 edit to dashboard.toml"))
        editing.press(.character("W"))
        #expect(editing.footer.contains("no edits to write to dashboard.toml"))
        editing.press(.character("u"))
        #expect(!editing.scene.line("TARGET").contains("GROUP") && editing.header.contains("1 unsaved"))
        editing.press(.character("W"))
        #expect(editing.store.settings?.columns == TableColumn.standard)
    }

    @Test func `W in the list of columns writes, and the list stays open`() throws {
        var editing = EditingScene(targets)
        editing.press(.character("C"), .right, .character(" "), .character("W"))
        #expect(editing.store.settings?.columns.contains(.group) == true)
        #expect(editing.scene.screen.contains("▸[x] group"))
        var selection = EditingScene(targets)
        selection.scene.model.editing.document = nil
        selection.press(.character("C"), .right, .character(" "), .character("W"))
        #expect(selection.footer.contains("cannot be edited") && selection.scene.line("TARGET").contains("GROUP"))
    }

    @Test func `chosen columns that cannot be written stay an edit`() {
        var editing = EditingScene(targets)
        editing.store.failure = "dashboard.toml not written: disk full"
        editing.press(.character("C"), .right, .character(" "), .escape, .character("W"))
        #expect(editing.footer.contains("disk full") && editing.header.contains("1 unsaved"))
        editing.store.failure = nil
        editing.press(.character("W"))
        #expect(editing.store.settings?.columns.contains(.group) == true && !editing.header.contains("unsaved"))
    }

    @Test func `without a file, the chosen columns are in the new one`() {
        var editing = EditingScene(targets, file: nil)
        editing.press(.character("C"), .right, .character(" "), .escape, .character("W"))
        #expect(editing.scene.model.prompts.current != nil)
        editing.press(.enter)
        #expect(editing.store.settings?.columns.contains(.group) == true)
    }
}
