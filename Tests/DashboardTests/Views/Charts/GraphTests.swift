import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// The graphs: drawing and navigation.
@Suite struct GraphTests {
    private static let names = ["Router", "NAS", "Shop", "API", "Database", "Resolver", "Uplink"]

    /// Two minutes of seven targets, with random round trips from a seeded generator.
    private func graphs(columns: Int = 120, rows: Int = 36, seconds: Int = 130) -> Scene {
        var scene = Scene(
            Self.names.map { name in
                .make(
                    name,
                    url: name == "Uplink" ? "link:any" : "tcp://\(name.lowercased()).example.com:443",
                    group: name == "Router" ? "Home" : nil,
                    timeout: .milliseconds(900),
                    slow: .milliseconds(500)
                )
            },
            columns: columns,
            rows: rows
        )
        var random = SplitMix(seed: 7)
        for second in 0..<seconds {
            scene.receiveOnce([
                "Router": .random(in: 0.9...1.6, using: &random) * (second == 90 ? 9 : 1),
                "NAS": second > 118 ? nil : .random(in: 0.6...0.9, using: &random),
                "Shop": (second > 100 ? 620 : 310) * .random(in: 0.9...1.2, using: &random),
                "API": second % 31 == 4 ? nil : .random(in: 38...52, using: &random),
                "Database": .random(in: 7.5...8.5, using: &random),
            ])
        }
        scene.press(.character("3"))
        return scene
    }

    private func name(_ scene: Scene) -> String? {
        guard case .target(let id) = scene.model.selection.id else { return nil }
        return scene.model.roster[id]?.target.name
    }

    @Test func `a chart shows the health and the top of the scale`() {
        var scene = graphs(seconds: 40)
        #expect(scene.line("Router ").contains("▸● Router  Home ─"))
        #expect(scene.line("NAS ").contains("○ NAS  other ─") || scene.line("NAS ").contains("● NAS  other ─"))
        #expect(scene.line("3.0ms").contains("1.5ms"))
        scene.receive("xxx", from: "NAS")
        #expect(scene.line(" NAS ").contains("○ NAS"))
        #expect(scene.line(" NAS ").contains("down 2s"))
        #expect(scene.screen.contains("××"))
    }

    @Test func `the group is shown only if there are several`() {
        for group in ["Home", nil] {
            var scene = Scene([.make("Router", group: group), .make("NAS", group: group)])
            scene.press(.character("3"))
            #expect(scene.line("NAS ").contains("NAS ─"))
        }
    }

    @Test func `the arrows move in the grid, which scrolls with the selection`() {
        var scene = graphs(columns: 100, rows: 24)
        #expect(name(scene) == "Router")
        scene.press(.right)
        #expect(name(scene) == "NAS")
        scene.press(.down, .down)
        #expect(name(scene) == "Resolver")
        #expect(scene.screen.contains("▸? Resolver"))
        scene.press(.up, .up, .up, .left)
        #expect(name(scene) == "Router")
        scene.press(.left)
        #expect(name(scene) == "Router")
        scene.press(.end, .down, .right)
        #expect(name(scene) == "Uplink")
        #expect(scene.screen.contains("▸? Uplink"))
        scene.press(.home, .pageDown)
        #expect(name(scene) == "Uplink")
        scene.press(.pageUp, .character("n"))
        #expect(name(scene) == "NAS")
        scene.press(.character("1"))
        #expect(scene.line("▸").contains("NAS"))
    }

    @Test func `+ and - change the time span of all graphs`() {
        var scene = graphs()
        for (key, label) in [("-", "−60s"), ("+", "−5m"), ("+", "−15m"), ("+", "−1h"), ("+", "−1h"), ("-", "−15m")] {
            scene.press(.character(Character(key)))
            let labels = scene.line(" now")
            #expect(labels.split(separator: " ").first.map(String.init) == label)
        }
    }

    @Test(arguments: [(1, 1, 1), (3, 20, 5), (7, 80, 24), (500, 200, 50), (6, 140, 38), (2, 43, 300)])
    func `graphs stay within their area and do not overlap`(count: Int, columns: Int, rows: Int) {
        let grid = GraphGrid(count: count, columns: columns, rows: rows)
        let area = Area(row: 0, rows: rows, columns: columns)
        var taken: Set<[Int]> = []
        for index in 0..<min(count, grid.columns * grid.lines) {
            let part = grid.area(of: index, in: area)
            #expect(!part.isEmpty)
            #expect(part.row + part.rows <= rows && part.column + part.columns <= columns)
            for row in part.row..<(part.row + part.rows) {
                for column in part.column..<(part.column + part.columns) {
                    #expect(taken.insert([row, column]).inserted)
                }
            }
        }
    }

    @Test(
        arguments: [
            (60, 60, ["45s", "30s", "15s"]), (60, 40, ["40s", "20s"]), (300, 60, ["4m", "3m", "2m", "1m"]),
            (900, 60, ["10m", "5m"]), (3_600, 60, ["45m", "30m", "15m"]), (3_600, 20, []),
        ] as [(Int, Int, [String])]
    )
    func `ticks of the time axis are at round times`(seconds: Int, width: Int, labels: [String]) {
        let ticks = GraphTicks(span: .seconds(seconds), width: width)
        #expect(ticks.inner.map(\.label) == labels)
        #expect(ticks.inner.map(\.column) == ticks.inner.map(\.column).sorted())
    }

    @Test func `one spike among few probes does not set the scale`() throws {
        var scene = Scene([.make()])
        scene.receive(Array(repeating: 10, count: 60), from: "NAS")
        scene.wait(.seconds(55))
        scene.receive([900], from: "NAS")
        let state = try #require(scene.model.roster.states.first)
        let axis = TimeAxis(.seconds(60), until: scene.now, cells: 30, columnsPerCell: 2)
        let columns = ChartColumn.columns(of: state, along: axis)
        #expect(ChartScale(state, showing: columns, along: axis).top == .milliseconds(20))
        // With many probes, those in the chart decide.
        let hour = TimeAxis(.seconds(3_600), until: scene.now, cells: 30, columnsPerCell: 2)
        scene.receive(Array(repeating: 40, count: 300), from: "NAS")
        let later = try #require(scene.model.roster.states.first)
        let all = ChartColumn.columns(of: later, along: hour)
        #expect(ChartScale(later, showing: all, along: hour).top >= .milliseconds(70))
    }
}
