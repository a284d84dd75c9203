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
        let position = Position(column: view.layout.first + 2, row: view.layout.list.row + 1)
        scene.press(.click(position))
        #expect(scene.model.selection.id == scene.id("Box").map(Row.ID.target))
        #expect(scene.model.strips.cursor.flatMap { view.axis.index(of: $0) } == 2)
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

    @Test func `labels are at round local times and do not overlap`() {
        for cells in 3..<150 {
            for span in StripsViewState.spans {
                let end = Scene.wall.start
                let axis = StripAxis(from: end - span, until: end, limit: cells, zone: SimulatedHistory.zone)
                let ticks = StripTicks(axis, zone: SimulatedHistory.zone)
                let line = ticks.line(cells: axis.count)
                #expect(line.count <= max(axis.count, 3))
                for (one, next) in zip(ticks.ticks, ticks.ticks.dropFirst()) {
                    #expect(one.slice + one.label.count < next.slice)
                }
            }
        }
    }
}
