import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

@Suite struct StripsTests {
    /// A target that was up for ten days, except for an outage of an hour that began 26 hours ago.
    private func scene(columns: Int = 120, rows: Int = 30) -> Scene {
        var scene = Scene([.make("NAS"), .make("Box")], columns: columns, rows: rows)
        scene.receiveTogether(["NAS": "rrr", "Box": "rrr"])
        scene.press(.character("4"))
        let start = Scene.wall.start
        let ago = { (hours: Int) in start - .seconds(hours * 3_600) }
        let spans = [
            WatchedSpan(.up, from: ago(240), until: ago(26)),
            WatchedSpan(.down, from: ago(26), until: ago(25), because: "refused"),
            WatchedSpan(.up, from: ago(25), until: start - .seconds(60)),
        ]
        guard let nas = scene.id("NAS"), let box = scene.id("Box") else { return scene }
        let pasts = [nas: TargetPast(spans), box: TargetPast([])]
        scene.send(.history(.pasts(pasts), ZoneOffsets(.zero)))
        return scene
    }

    @Test func `zooming out shows an earlier outage with its times, length and reason`() {
        var scene = scene()
        #expect(scene.screen.contains("LAST 24 HOURS") && scene.screen.contains("no outage"))
        scene.press(.character("+"))
        #expect(scene.screen.contains("LAST 7 DAYS"))
        // The scene starts at 14:02:31 on 20 November, in UTC.
        #expect(scene.line("refused").contains("19 Nov 12:02:31 – 13:02:31          1h00m  refused"))
        #expect(scene.screen.contains("1 outage · 99.40% available, coverage 99%"))
        #expect(scene.line("NAS").contains("█"))
    }

    @Test func `the cursor selects a slice, and lists only its outages`() {
        var scene = scene()
        scene.press(.character("+"), .left)
        #expect(!scene.screen.contains("refused"))
        scene.press(.character("["))
        #expect(scene.line("refused").contains("12:02:31"))
        #expect(scene.screen.contains("19 Nov 12:00 – 15:00"))
        scene.press(.character("["))
        #expect(scene.screen.contains("no earlier outage"))
        scene.press(.escape)
        #expect(scene.model.strips.cursor == nil)
        scene.press(.character("]"))
        #expect(scene.screen.contains("no later outage"))
    }

    @Test func `a slice before the first record says since when there are some`() {
        var scene = scene()
        let spans = [WatchedSpan(.up, from: Scene.wall.start - .seconds(600), until: Scene.wall.start)]
        guard let nas = scene.id("NAS"), let box = scene.id("Box") else { return }
        let pasts = [nas: TargetPast(spans), box: TargetPast([])]
        scene.send(.history(.pasts(pasts), ZoneOffsets(.zero)))
        #expect(!scene.screen.contains("no records before"))
        scene.press(.left)
        // The scene starts at 14:02:31.
        #expect(!scene.screen.contains("no records before"))
        scene.press(.left)
        #expect(scene.screen.contains("no records before 13:52:31"))
        scene.press(.left)
        #expect(scene.screen.contains("no records before 20 Nov 13:52:31"))
    }

    @Test func `the present outage shows at once, and its end is now`() {
        var scene = scene()
        scene.receive("xxx", from: "NAS")
        scene.wait(.seconds(1))
        let line = scene.line("refused")
        #expect(line.contains("now") && line.contains("3s"))
        scene.receive("r", from: "NAS")
        scene.wait(.seconds(1))
        #expect(!scene.line("refused").contains("now"))
    }

    @Test func `without a history, the strips show this run and say so`() {
        var scene = Scene([.make("NAS")])
        scene.receive("rrrxxx", from: "NAS")
        scene.press(.character("4"))
        scene.refuseHistory()
        scene.wait(.seconds(1))
        #expect(scene.screen.contains("this run only"))
        #expect(scene.screen.contains("the history is off"))
        #expect(scene.line("NAS").contains("█"))
    }

    @Test func `each state has its own character in every set`() {
        for glyphs in [Glyphs.unicode, .console, .ascii] {
            let characters = WatchedSpan.State.allCases.map { $0.glyph(glyphs) }
            #expect(Set(characters).count == characters.count)
        }
    }

    @Test func `a click selects the target and the slice`() throws {
        var scene = scene()
        scene.press(.character("m"))
        let view = StripsView(model: scene.model)
        let position = Position(column: view.layout.first + 9, row: view.layout.list.row + 1)
        scene.press(.click(position))
        #expect(scene.model.selection.id == scene.id("Box").map(Row.ID.target))
        #expect(scene.model.strips.cursor.flatMap { view.axis.index(of: $0) } == view.cells.slice(ofCell: 9))
    }

    @Test(arguments: [Size(columns: 20, rows: 5), Size(columns: 1, rows: 1), Size(columns: 500, rows: 150)])
    func `any size is drawn within its bounds`(size: Size) {
        var scene = scene(columns: size.columns, rows: size.rows)
        for _ in 0..<6 {
            scene.press(.character("-"))
        }
        for _ in 0..<6 {
            scene.press(.character("+"), .left)
            #expect(scene.model.draw().size == size)
        }
    }

    @Test func `the selected slice is marked below the strips, and keeps its colour`() {
        var scene = scene()
        scene.press(.character("+"), .character("["))
        let view = StripsView(model: scene.model)
        let slice = scene.model.strips.cursor.flatMap { view.axis.index(of: $0) } ?? 0
        let (column, row) = (view.layout.first + view.cells.cell(ofSlice: slice), view.layout.list.row)
        let frame = scene.model.draw()
        #expect(frame[column: column, row: row].character == "█")
        #expect(frame[column: column, row: row].style == scene.model.appearance[.down])
        #expect(frame[column: column, row: view.layout.labels.row].character == "▲")
        #expect(scene.line("▲").count { $0 == "▲" } <= 2)
    }

    @Test(arguments: [60, 80, 120, 159, 160, 200])
    func `strips of every time fill the width`(columns: Int) {
        var scene = scene(columns: columns)
        for _ in 0..<5 {
            scene.press(.character("-"))
        }
        for _ in 0..<5 {
            let view = StripsView(model: scene.model)
            #expect(view.cells.count == view.layout.stripWidth)
            #expect(view.cells.axis.count <= view.cells.count && view.cells.axis.count * 3 > view.cells.count)
            let slices = (0..<view.cells.count).map(view.cells.slice)
            #expect(Set(slices) == Set(0..<view.axis.count))
            for slice in 0..<view.axis.count {
                #expect(slices.firstIndex(of: slice) == view.cells.cell(ofSlice: slice))
            }
            scene.press(.character("+"))
        }
    }

    @Test func `on a wide screen, the outages are beside the strips`() {
        var scene = scene(columns: 200, rows: 50)
        scene.press(.character("+"))
        let line = scene.line("refused")
        #expect(line.hasSuffix("19 Nov 12:02:31 – 13:02:31          1h00m  refused"))
        #expect(line.contains("●"), "a strip is on the same line")
        #expect(scene.screen.contains("99.40% available"))
    }

    @Test func `the strips have the groups of the table, and sort by their own availability`() {
        var scene = Scene([.make("NAS", group: "Home"), .make("Box", group: "Home"), .make("Shop", group: "Cloud")])
        scene.receiveTogether(["NAS": "rrr", "Box": "rrr", "Shop": "rrr"])
        scene.press(.character("4"))
        let start = Scene.wall.start
        let ago = { (hours: Int) in start - .seconds(hours * 3_600) }
        let pasts: [(String, [WatchedSpan])] = [
            ("NAS", [WatchedSpan(.up, from: ago(240), until: start)]),
            (
                "Box",
                [WatchedSpan(.up, from: ago(240), until: ago(30)), WatchedSpan(.down, from: ago(30), until: ago(20))]
            ),
            ("Shop", []),
        ]
        let answer = Dictionary(
            uniqueKeysWithValues: pasts.compactMap { name, spans in
                scene.id(name).map { ($0, TargetPast(spans)) }
            }
        )
        scene.send(.history(.pasts(answer), ZoneOffsets(.zero)))
        #expect(scene.line("Home ─").contains("▾ Home") && scene.line("Cloud ─").contains("1/1 up"))
        scene.press(.character("-"), .character("s"))
        while scene.model.list.sort != .availability { scene.press(.character("s")) }
        let names = { (scene: Scene) in
            scene.model.list.order.positions.map { scene.model.roster.states[$0].target.name }
        }
        #expect(names(scene) == ["NAS", "Box", "Shop"], "in the last hour, there was no outage")
        scene.press(.character("+"), .character("+"))
        #expect(names(scene) == ["Box", "NAS", "Shop"])
        #expect(scene.line("TARGET").contains("7 D▼"))
        // In the table, the order is by the availability since the start.
        scene.press(.character("1"))
        #expect(names(scene) == ["NAS", "Box", "Shop"])
    }

    @Test func `the four strips of the details end at one edge`() {
        var scene = scene(columns: 200, rows: 50)
        scene.press(.character("1"), .home)
        scene.press(.enter)
        let lines = scene.screen.split(separator: "\n").filter { line in
            [" 24 H  ", " 7 D   ", " 30 D  ", " 90 D  "].contains { line.contains($0 + "·") || line.contains($0 + "▄") }
        }
        let ends = lines.map { line in
            line.lastIndex { "█▆▄·".contains($0) }.map { line.distance(from: line.startIndex, to: $0) }
        }
        #expect(lines.count == 4 && Set(ends).count == 1, "\(ends)")
    }

    @Test func `labels are at round local times and do not overlap`() {
        for cells in 3..<150 {
            for span in StripsViewState.spans {
                let end = Scene.wall.start
                let strip = StripCells(ofLast: span, until: end, width: cells, zone: SimulatedHistory.zone)
                let ticks = StripTicks(strip, zone: SimulatedHistory.zone)
                #expect(ticks.line(cells: strip.count).count <= max(strip.count, 3))
                for (one, next) in zip(ticks.ticks, ticks.ticks.dropFirst()) {
                    #expect(one.cell + one.label.count < next.cell)
                }
            }
        }
    }
}
