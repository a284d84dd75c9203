import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The forms of the wall: tiles, names, and dots.
@Suite struct WallFormTests {
    private func wall(_ sizes: [Int], columns: Int, rows: Int) -> Scene {
        var scene = Scene.halls(sizes, columns: columns, rows: rows)
        scene.press(.character("2"))
        return scene
    }

    private func name(_ scene: Scene) -> String? {
        guard case .target(let id) = scene.model.selection.id else { return nil }
        return scene.model.roster[id]?.target.name
    }

    private func layout(_ scene: Scene) -> WallLayout { WallView(model: scene.model).layout }

    @Test(arguments: [
        ([3], 80, 24, "tiles"), ([3], 200, 50, "tiles"), ([5, 4, 3], 120, 36, "tiles"), ([30], 200, 50, "tiles"),
        ([30], 80, 24, "names"), ([60, 60], 120, 36, "names"), ([500, 500], 120, 36, "dots"),
        ([5_000, 5_000], 200, 50, "dots"), ([2], 20, 5, "names"), ([12], 20, 5, "dots"),
    ])
    func `few targets are tiles, more are names, many are dots`(
        sizes: [Int],
        columns: Int,
        rows: Int,
        expected: String
    ) {
        let layout = layout(wall(sizes, columns: columns, rows: rows))
        let form =
            switch layout.form {
            case .tiles: "tiles"
            case .names: "names"
            case .dots: "dots"
            }
        #expect(form == expected)
        #expect(layout.lines.flatMap(\.cells).count >= min(sizes.reduce(0, +), 1))
    }

    @Test(arguments: [[3], [5, 4, 3], [14, 16], [60, 60], [150, 150]])
    func `cells stay inside the wall and do not overlap`(sizes: [Int]) {
        for (columns, rows) in [(20, 5), (40, 10), (80, 24), (120, 36), (200, 50), (500, 150)] {
            let scene = wall(sizes, columns: columns, rows: rows)
            let view = WallView(model: scene.model)
            var used: Set<[Int]> = []
            for line in view.layout.lines {
                for offset in 0..<line.cells.count {
                    let cell = view.layout.area(ofCell: offset, in: line, of: view.area)
                    #expect(cell.column + cell.columns <= columns)
                    #expect(cell.row >= view.area.row && cell.row + cell.rows <= view.area.row + view.area.rows)
                    #expect(used.insert([cell.row, cell.column]).inserted)
                }
            }
        }
    }

    @Test func `dots are squares where there is room`() {
        #expect(layout(wall([64, 90, 31, 7], columns: 80, rows: 24)).form == .dots(width: 2))
        #expect(layout(wall([64, 90, 31, 7], columns: 80, rows: 18)).form == .dots(width: 1))
        #expect(layout(wall(Array(repeating: 8, count: 30), columns: 80, rows: 16)).form == .dots(width: 2))
        var scene = wall([64, 90, 31, 7], columns: 80, rows: 24)
        scene.press(.right, .down)
        #expect(name(scene) == "1-40")
        scene.press(.character("m"), .click(Position(column: 6, row: 2)))
        #expect(name(scene) == "1-2")
    }

    @Test func `the form does not depend on figures and health`() {
        for sizes in [[5, 4, 3], [60, 60], [90, 90]] {
            var scene = wall(sizes, columns: 120, rows: 36)
            let before = layout(scene)
            for _ in 0..<4 { scene.receiveAll { index, _ in index.isMultiple(of: 2) ? .timeout : nil } }
            #expect(layout(scene).form == before.form)
            #expect(layout(scene).lines == before.lines)
        }
    }

    @Test func `a tile shows name, figure and chart, and why a target is down`() {
        var scene = Scene.evening
        scene.send(.resize(Size(columns: 120, rows: 36)))
        scene.press(.character("2"))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let row = lines.firstIndex { $0.contains("○ NAS") } ?? 0
        #expect(lines[row].contains("● Router"))
        #expect(lines[row + 1].contains("down "))
        #expect(lines[row + 1].contains("1.6ms"))
        #expect(scene.screen.contains(#/  last \d+ s/#))
    }

    @Test(arguments: [([1], 198), ([2], 99), ([1, 1], 198), ([3], 66)])
    func `the tiles of few targets fill the width`(sizes: [Int], width: Int) {
        #expect(layout(wall(sizes, columns: 200, rows: 50)).form.cellWidth == width)
    }

    @Test func `tiles and names mark targets that are flapping, acknowledged or cannot be probed`() {
        for (extra, isTile) in [(0, true), (60, false)] {
            let names = ["Radio", "NAS", "Gateway", "Web"] + (0..<extra).map { "host \($0)" }
            var scene = Scene(names.map { .make($0, fall: 1) }, columns: 120, rows: 24)
            scene.receive("rrrrrrrrrrrrrrrrrrrtrtrtrtrr", from: "Radio")
            scene.receive("rx", from: "NAS")
            scene.receive(.fault(Fault(.permission, detail: "no permission")), from: "Gateway")
            scene.select("NAS")
            scene.type("Anew switch")
            scene.press(.enter, .character("2"), .home)
            #expect((layout(scene).form.cellHeight > 1) == isTile)
            #expect(scene.line("Radio").contains("● Radio ~"))
            #expect(scene.line("NAS").contains("○ NAS ✓"))
            #expect(scene.line("Gateway").contains("? Gateway !"))
            guard isTile else { continue }
            #expect(scene.screen.contains("  new switch"))
            #expect(scene.screen.contains("  no permission"))
        }
    }

    @Test func `the losses of an acknowledged target do not stand out`() {
        for key in ["2", "3"] as [Character] {
            var scene = Scene([.make("NAS", fall: 1)], columns: 80, rows: 24)
            scene.receive("rxxxxxxxxx", from: "NAS")
            scene.press(.character(key))
            let styles = { (scene: Scene) -> Set<Style> in
                let frame = scene.model.draw()
                let cells = (0..<20).flatMap { row in (0..<80).map { frame[column: $0, row: row] } }
                return Set(cells.filter { $0.character == "▆" }.map(\.style))
            }
            #expect(styles(scene) == [scene.model.appearance[.down]])
            scene.type("Anew switch")
            scene.press(.enter)
            #expect(styles(scene) == [scene.model.appearance[.waiting]])
        }
    }

    @Test func `a degraded target stands out at least as much as one that is up`() {
        var scene = Scene([.make("Router"), .make("Shop", slow: .milliseconds(100))], columns: 80, rows: 24)
        scene.receive([500, 500, 500], from: "Shop")
        scene.press(.character("2"))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false)
        let row = lines.firstIndex { $0.contains("◐ Shop") } ?? 0
        let frame = scene.model.draw()
        let column = (0..<80).first { frame[column: $0, row: row].character == "S" } ?? 0
        #expect(frame[column: column, row: row].style.attributes.contains(.bold))
    }

    @Test(arguments: [([5, 4, 3], 120, 36), ([30, 30], 120, 36)])
    func `the arrows move along tiles and names, and a click selects one`(sizes: [Int], columns: Int, rows: Int) {
        var scene = wall(sizes, columns: columns, rows: rows)
        #expect(!layout(scene).form.isDots)
        scene.press(.right)
        #expect(name(scene) == "1-1")
        #expect(scene.screen.contains("▸● 1-1"))
        scene.press(.pageDown, .left)
        #expect(name(scene) == "1-\(sizes[0] - 1)")
        scene.press(.character("m"))
        let view = WallView(model: scene.model)
        for line in view.layout.lines {
            for (offset, cell) in line.cells.enumerated() {
                let area = view.layout.area(ofCell: offset, in: line, of: view.area)
                let target = scene.model.roster.states[view.layout.targets(ofCell: cell, in: line.section).first ?? 0]
                if scene.model.selection.id == .target(target.id) { continue }
                scene.press(.click(Position(column: area.column + 2, row: area.row + area.rows - 1)))
                #expect(name(scene) == target.target.name)
            }
        }
    }

    @Test(arguments: [([9], 120, 36), ([5, 4, 3], 120, 36), ([9], 200, 50), ([3], 80, 24)])
    func `tiles and their charts fill the room`(sizes: [Int], columns: Int, rows: Int) {
        let scene = wall(sizes, columns: columns, rows: rows)
        let view = WallView(model: scene.model)
        // The legend and the caption are below.
        #expect(view.layout.height == view.area.rows - 2)
        let width = view.layout.form.cellWidth
        #expect(
            SparklineSpan(filling: width - WallForm.frame, columnsPerCell: 2).cells == min(240, width - WallForm.frame)
        )
    }

    @Test func `names are without what all have in common, and have a bar`() {
        let names = (0..<60).map { "prod-eu-\(["web", "db", "cache"][$0 % 3])-\($0).example.net" }
        var scene = Scene(names.map { .make($0) }, columns: 200, rows: 36)
        scene.receiveAll { index, _ in .reply(roundTrip: .milliseconds(index + 1)) }
        scene.press(.character("2"), .character("F"))
        if layout(scene).form.kind != .names { scene.press(.character("F")) }
        #expect(scene.screen.contains("names without prod-eu-….example.net"))
        #expect(scene.line("● web-0 ").contains("1.0ms ━"))
        let bars = scene.screen.matches(of: #/━+/#).map(\.output.count)
        #expect((bars.max() ?? 0) > (bars.min() ?? 0) && bars.count >= 60)
    }

    @Test func `F shows the forms that fit, one after the other`() {
        var scene = wall([20], columns: 120, rows: 36)
        let forms = (0..<4).map { _ -> WallForm.Kind in
            defer { scene.press(.character("F")) }
            return layout(scene).form.kind
        }
        #expect(forms == [.tiles, .names, .dots, .tiles])
        var many = wall([2_000], columns: 80, rows: 24)
        many.press(.character("F"))
        #expect(many.screen.contains("only dots fit this screen"))
    }

    @Test func `the steps of brightness come from the data, and stay while they fit`() {
        var scale = WallScale()
        func summaries(_ milliseconds: [Double]) -> [TargetSummary] {
            var scene = Scene(milliseconds.indices.map { .make("t\($0)") })
            scene.receiveAll { index, _ in .reply(roundTrip: .microseconds(Int(milliseconds[index] * 1_000))) }
            return scene.model.roster.states.targetSummaries
        }
        scale.update(with: summaries((1...20).map { Double($0) / 10 }))
        #expect(scale.levels == [.milliseconds(2), .milliseconds(5), .milliseconds(10)])
        let kept = scale
        scale.update(with: summaries((1...20).map { Double($0) / 9 }))
        #expect(scale == kept)
        scale.update(with: summaries((1...20).map { Double($0) * 10 }))
        #expect(scale.levels == [.milliseconds(200), .milliseconds(500), .seconds(1)])
        #expect(scale.barLength(of: .milliseconds(1), columns: 8) == 1)
        #expect(scale.barLength(of: .seconds(9), columns: 8) == 8)
    }

    @Test func `a long name keeps its start and its end`() {
        // Without the last one, the names would have their beginning in common.
        let names = (0..<200).map { "frontend-server-\($0)" } + ["x"]
        let targets = names.map { Target.make($0, url: "icmp://10.0.0.1") }
        var scene = Scene(targets, columns: 120, rows: 36)
        scene.press(.character("2"))
        #expect(scene.screen.contains("…"))
        #expect(scene.line("▸").contains("er-0 "))
        #expect(scene.screen.contains("-199"))
    }

    @Test(arguments: [[3], [60, 60], [90, 90]])
    func `without colours, exactly the failing targets and the selection are reversed`(sizes: [Int]) {
        var scene = wall(sizes, columns: 80, rows: 24)
        for _ in 0..<3 { scene.receiveAll { index, _ in index == 1 ? .timeout : .reply(roundTrip: .milliseconds(1)) } }
        scene.model.appearance.theme = Theme(.mono)
        let view = WallView(model: scene.model)
        let frame = scene.model.draw()
        let isReversed = { (cell: Int, line: WallLayout.Line) in
            let area = view.layout.area(ofCell: cell, in: line, of: view.area)
            return (area.column..<area.column + area.columns).contains { column in
                frame[column: column, row: area.row].style.attributes.contains(.reversed)
            }
        }
        for line in view.layout.lines {
            for (offset, cell) in line.cells.enumerated() {
                let position = view.layout.targets(ofCell: cell, in: line.section).first ?? 0
                let state = scene.model.roster.states[position]
                let isMarked = state.health == .down || scene.model.selection.id == .target(state.id)
                #expect(isReversed(offset, line) == isMarked, "\(state.target.name)")
            }
        }
    }

    @Test(arguments: [Glyphs.unicode, .console, .ascii])
    func `a failing dot is filled with its colour`(glyphs: Glyphs) {
        let appearance = Appearance(theme: Theme(.dark), glyphs: glyphs)
        var scene = Scene([.make("NAS")])
        for _ in 0..<3 { scene.receive(.timeout, from: "NAS") }
        let cell = WallCell([0], of: scene.model.roster.states.targetSummaries, scale: WallScale())
        #expect(cell?.style(appearance).attributes.contains(.reversed) == true)
        #expect(cell?.style(appearance).foreground == Theme(.dark)[.down].foreground)
    }
}
