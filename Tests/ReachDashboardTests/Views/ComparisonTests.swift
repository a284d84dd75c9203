import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The comparison of marked targets in one chart.
@Suite struct ComparisonTests {
    private func scene(_ size: Size = Size(columns: 100, rows: 24)) -> Scene {
        var scene = Scene(
            ["Router", "NAS", "Shop", "API", "Mail"].map { .make($0) },
            columns: size.columns,
            rows: size.rows
        )
        scene.receive([2, 2, 2, 2], from: "Router")
        scene.receive([40, 42, 41, nil], from: "NAS")
        return scene
    }

    @Test func `two marked targets are lines on one scale that starts at zero`() {
        var scene = scene()
        scene.select("Router")
        scene.press(.character("v"), .down, .character("v"))
        #expect(scene.line("Router").hasPrefix("◆") && scene.line("NAS").hasPrefix("◆"))
        scene.press(.character("V"))
        #expect(scene.screen.contains("Comparison of the last minute"))
        #expect(scene.line("1 ● Router").contains("2.0ms"))
        #expect(scene.line("2 ● NAS").contains("25%"))
        #expect(scene.line("lost 2").contains("▆") && !scene.screen.contains("lost 1"))
        let lines = scene.screen.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let ends = ["2", "1"].map { number in lines.firstIndex { $0.hasSuffix(" \(number)") && $0.contains("│") } ?? -1
        }
        #expect(ends[0] >= 0 && ends[0] < ends[1], "the slower one is higher")
        scene.press(.character("+"))
        #expect(scene.screen.contains("Comparison of the last 5 minutes"))
        scene.press(.escape)
        #expect(scene.model.navigation.view == .table)
    }

    @Test func `V compares the marked target with the selected one, and says what is missing`() {
        var scene = scene()
        scene.press(.character("V"))
        #expect(scene.screen.contains("mark two targets with v"))
        scene.press(.character("v"), .character("v"))
        #expect(scene.screen.contains("Router not marked any more"))
        scene.press(.character("v"), .down, .down, .character("V"))
        #expect(scene.model.comparison.marked.count == 2)
        #expect(scene.screen.contains("2 ? Shop"))
        scene.press(.character("V"))
        #expect(scene.model.navigation.view == .table)
    }

    @Test func `no more than four targets are marked, and those that are removed lose their mark`() {
        var scene = scene()
        for _ in 0..<5 { scene.press(.character("v"), .down) }
        #expect(scene.model.comparison.marked.count == 4)
        scene.press(.character("V"))
        scene.send(.settings(Settings(targets: [.make("Router")])))
        #expect(scene.model.comparison.marked.count == 1)
        #expect(scene.model.navigation.view == .table)
    }

    @Test(arguments: [Size(columns: 1, rows: 1), Size(columns: 20, rows: 5), Size(columns: 400, rows: 100)])
    func `any size is drawn within its bounds`(size: Size) {
        var scene = scene(size)
        scene.press(.character("v"), .down, .character("v"), .character("V"))
        #expect(scene.model.navigation.view == .comparison)
        for _ in 0..<4 {
            #expect(scene.model.draw().size == size)
            scene.press(.character("+"))
        }
    }
}
