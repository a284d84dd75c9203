import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

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
        #expect(scene.line("  1.5ms │").contains("│"))
        scene.receive("xxx", from: "NAS")
        #expect(scene.line(" NAS ").contains("○ NAS"))
        #expect(scene.line(" NAS ").contains("down 2s"))
        #expect(scene.screen.contains("▆▆"))
    }

    @Test func `an empty chart shortens the cause, never the time`() {
        for columns in stride(from: 60, through: 200, by: 7) {
            var scene = Scene(
                [.make("A", url: "http://a.example", fall: 1), .make("B"), .make("C"), .make("D")],
                columns: columns,
                rows: 24
            )
            scene.receive(.failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable")), from: "A")
            scene.press(.character("3"))
            #expect(scene.screen.contains("down since 14:02:32"), "\(columns)")
        }
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
        // These charts have columns of a second for more than a minute.
        for (key, label) in [("-", "−90s"), ("+", "−5m"), ("+", "−15m"), ("+", "−1h"), ("+", "−1h"), ("-", "−15m")] {
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
        let bottom = grid.area(of: grid.columns * (grid.lines - 1), in: area)
        #expect(bottom.row + bottom.rows == rows)
    }

    @Test func `the range of visible graphs is shown, with marks of hidden ones`() {
        var scene = graphs(columns: 80, rows: 24)
        #expect(scene.screen.contains(" 1–3 of 7"))
        #expect(scene.screen.contains("▼\n"))
        #expect(!scene.screen.contains("▲\n"))
        scene.press(.end)
        #expect(scene.screen.contains(" 5–7 of 7"))
        #expect(scene.screen.contains("▲\n"))
        #expect(!scene.screen.contains("▼\n"))
        scene.send(.resize(Size(columns: 200, rows: 50)))
        #expect(!scene.screen.contains("of 7"))
    }

    @Test func `an empty chart tells why, and a heading the cause of a failure`() {
        var printer = Target.make("Printer")
        printer.dependsOn = [.target("NAS")]
        let targets = [.make("NAS", fall: 1), printer, .make("Web", fall: 1), .make("New")]
        var scene = Scene(targets, columns: 100, rows: 40)
        scene.receive("xxx", from: "NAS")
        scene.receive("rxx", from: "Web")
        scene.press(.character("3"))
        #expect(scene.screen.contains("refused, down since "))
        #expect(scene.screen.contains("blocked by NAS since "))
        #expect(scene.screen.contains("no reply yet"))
        #expect(scene.line("○ NAS").contains("─ down") && !scene.line("○ NAS").contains("p95"))
        #expect(scene.line("○ Web").contains("─ refused  down"))
        #expect(scene.screen.contains("   lost │"))
    }

    @Test(
        arguments: [
            (60, 60, ["60s", "45s", "30s", "15s"]), (60, 30, ["60s", "30s"]), (60, 40, ["60s", "30s"]),
            (60, 46, ["90s", "60s", "30s"]), (60, 55, ["90s", "60s", "30s"]), (60, 59, ["90s", "60s", "30s"]),
            (300, 60, ["5m", "4m", "3m", "2m", "1m"]), (900, 60, ["15m", "10m", "5m"]),
            (3_600, 60, ["1h", "45m", "30m", "15m"]), (3_600, 20, ["1h"]), (60, 4, ["60s"]),
        ] as [(Int, Int, [String])]
    )
    func `ticks of graphs are at round times`(seconds: Int, width: Int, labels: [String]) {
        let axis = TimeAxis(ofGraphs: .seconds(seconds), until: .seconds(9_999), origin: .zero, cells: width)
        let ticks = GraphTicks(axis).ticks
        #expect(ticks.map(\.label) == labels)
        #expect(ticks.map(\.column) == ticks.map(\.column).sorted())
    }

    @Test func `columns of graphs last at most half a second or whole seconds`() {
        for cells in 1...150 {
            let axis = TimeAxis(ofGraphs: .seconds(60), until: .seconds(9_999), origin: .zero, cells: cells)
            let step = axis.step / .seconds(1)
            #expect(step <= 0.5 || step >= 1, "\(cells)")
            #expect(axis.step * axis.count >= .seconds(60), "\(cells)")
            #expect(axis.cells <= cells && axis.cells * 11 >= cells * 10 - 11, "\(cells): \(axis.cells)")
        }
    }

    @Test(arguments: [60, 80, 97, 120])
    func `each label of the time axis but now has a tick`(columns: Int) throws {
        var scene = Scene([.make("NAS")], columns: columns, rows: 20)
        scene.receive([5, 6, 5], from: "NAS")
        scene.press(.character("3"))
        let lines = scene.screen.split(separator: "\n")
        let base = try #require(lines.first { $0.contains("└") })
        #expect(base.count { $0 == "┴" } == scene.line(" now").split(separator: " ").count - 1)
    }

    @Test func `a target that never replied has no scale`() {
        var scene = Scene([.make("NAS", slow: .milliseconds(500))], columns: 100, rows: 24)
        scene.receive("xxxxxxxx", from: "NAS")
        for key in [Key.character("3"), .enter] {
            scene.press(key)
            let labels = scene.screen.split(separator: "\n").filter { $0.contains("│") }
                .compactMap { $0.split(separator: "│").first }
            #expect(labels.allSatisfy { ["", "lost"].contains($0.filter { $0 != " " }) }, "\(labels)")
            #expect(!labels.isEmpty)
            #expect(scene.screen.contains("▆▆▆▆"))
            #expect(!scene.screen.contains("┄"))
        }
    }

    @Test func `only a chart with lost probes has a line for them, and zero is on the axis`() {
        var scene = Scene([.make("Router"), .make("NAS")], columns: 100, rows: 30)
        scene.receive([5, 5, 5], from: "Router")
        scene.receive([5, nil, 5], from: "NAS")
        scene.press(.character("3"))
        #expect(scene.screen.ranges(of: "lost │").count == 1)
        #expect(scene.screen.ranges(of: "0 └").count == 1)
        #expect(scene.screen.ranges(of: "0 │").count == 1)
    }

    @Test func `graphs start at zero, also if all values are far from it`() {
        var scene = Scene([.make("Router")], columns: 100, rows: 40)
        scene.receive([100, 101, 100, 102, 101], from: "Router")
        scene.press(.character("3"))
        #expect(scene.screen.contains("0 └"))
        scene.press(.enter)
        #expect(!scene.screen.contains(" 0 └"))
    }

    @Test func `over long times, the medians set the scale`() throws {
        var scene = Scene([.make("Router")], columns: 60, rows: 40)
        scene.receive((0..<900).map { $0 % 6 == 0 ? 90 : 10 }, from: "Router")
        let state = try #require(scene.model.roster.states.first)
        let tops = [Duration.seconds(60), .seconds(900)].map { span in
            let axis = TimeAxis(span, until: scene.now, cells: 40, columnsPerCell: 2)
            return ChartScale(ChartColumn.columns(of: state, along: axis), height: 8)?.top ?? .zero
        }
        #expect(tops[0] >= .milliseconds(90) && tops[1] < .milliseconds(25), "\(tops)")
    }

    @Test func `shares of lost probes look different at every span`() {
        for (span, presses) in [("60s", 0), ("5m", 1), ("15m", 2), ("1h", 3)] {
            var rails: Set<String> = []
            for every in [20, 5, 1] {
                var scene = Scene([.make("NAS")], columns: 80, rows: 20)
                scene.receive((1...1_000).map { $0 % every == 0 ? nil : 5 }, from: "NAS")
                scene.press(.character("3"))
                for _ in 0..<presses { scene.press(.character("+")) }
                let lines = scene.screen.split(separator: "\n")
                let base = lines.firstIndex { $0.contains("└") } ?? 1
                rails.insert(String(lines[base - 1]))
                #expect(scene.screen.contains("−\(span)"))
            }
            #expect(rails.count == 3, "\(span)")
        }
    }
}

/// Charts whose columns are shorter than a second.
@Suite struct FastChartTests {
    private func scene(interval: Duration, _ key: Key) -> Scene {
        var scene = Scene([.make("Router", interval: interval)], columns: 200)
        for _ in 0..<100 { scene.receive(.reply(roundTrip: .milliseconds(5)), from: "Router", after: interval) }
        scene.select("Router")
        scene.press(key)
        scene.tick()
        scene.model.markPainted()
        return scene
    }

    @Test(arguments: [.character("3"), .enter] as [Key])
    func `advance with each column while no reply comes`(key: Key) {
        var scene = scene(interval: .milliseconds(400), key)
        var painted = scene.model.draw()
        #expect(scene.model.damage.fastCharts.map { $0.step <= .milliseconds(200) } ?? false)
        #expect(scene.model.nextTick <= scene.now + .milliseconds(300))
        var advances = 0
        for _ in 0..<6 {
            scene.wait(.milliseconds(300))
            #expect(scene.model.isFrameDue)
            let frame = scene.model.draw(over: painted)
            advances += frame == painted ? 0 : 1
            scene.model.markPainted()
            painted = frame
        }
        #expect(advances == 6)
    }

    @Test func `targets that are probed once a second, frozen charts and other views need no further ticks`() {
        let slow = scene(interval: .seconds(1), .character("3"))
        #expect(slow.model.damage.fastCharts == nil)
        var fast = scene(interval: .milliseconds(200), .character("3"))
        fast.press(.character("f"))
        fast.model.markPainted()
        let rest = (Scene.wall.start + fast.now).nanoseconds % 1_000_000_000
        #expect(fast.model.nextTick == fast.now + .nanoseconds(1_000_000_000 - rest))
        #expect(scene(interval: .milliseconds(200), .character("1")).model.damage.fastCharts == nil)
    }
}
