import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The table at usual sizes: its charts, names, URLs and selection.
@Suite struct TableFormTests {
    private static let unavailable = Outcome.failure(Failure(.httpStatus, detail: "HTTP 503 Service Unavailable"))

    /// Targets with long names, one of which fails with a long cause.
    private func scene(columns: Int, rows: Int = 36) -> Scene {
        var scene = Scene(
            [
                .make("billing-eu-west-1a-production-primary", url: "https://a.example.com/v1/health", fall: 1),
                .make("billing-eu-west-1a-production-replica", url: "https://b.example.com/v1/health"),
            ],
            columns: columns,
            rows: rows
        )
        scene.receive(Self.unavailable, from: "billing-eu-west-1a-production-primary")
        scene.tick()
        return scene
    }

    @Test(arguments: 100...260)
    func `from a hundred columns on, a chart has twenty cells at least`(columns: Int) {
        let layout = ColumnNeeds(name: 37, distinctName: 21, group: 0, method: 6, host: 26, url: 44, health: 34)
            .layout(of: TableColumn.standard, width: columns - 5)
        #expect(layout[.chart].map { $0.count - TableColumn.chart.indent >= 20 } == true)
        #expect(layout[.health].map { $0.count >= 14 } == true)
    }

    @Test func `causes are shortened before the chart, and the column shrinks again`() {
        let narrow = scene(columns: 100)
        #expect(narrow.line("○ billing").contains("HTTP 503") && !narrow.line("○ billing").contains("Service"))
        var wide = scene(columns: 240)
        #expect(wide.line("○ billing").contains("HTTP 503 Service Unavailable"))
        let width = wide.model.list.healthWidth.width
        wide.receive(.reply(roundTrip: .milliseconds(1)), from: "billing-eu-west-1a-production-primary")
        wide.wait(.seconds(29))
        wide.wait(.seconds(1))
        #expect(wide.model.list.healthWidth.width == width)
        for _ in 0..<3 { wide.wait(.seconds(30)) }
        #expect(wide.model.list.healthWidth.width < width)
    }

    @Test(arguments: [80, 100, 120])
    func `long names that differ at their end stay different`(columns: Int) {
        let scene = scene(columns: columns)
        #expect(scene.screen.contains("primary ") && scene.screen.contains("replica "))
    }

    @Test func `a URL that repeats the name is left out`() {
        let alone = Scene([
            .make("192.0.2.1", url: "icmp://192.0.2.1"), .make("nas.local:445", url: "tcp://nas.local:445"),
        ])
        #expect(!alone.line("TARGET").contains("URL"))
        let mixed = Scene([.make("192.0.2.1", url: "icmp://192.0.2.1"), .make("NAS", url: "tcp://nas.local:445")])
        #expect(mixed.line("NAS").contains("tcp   nas.local:445"))
        #expect(mixed.line("192.0.2.1").components(of: "192.0.2.1") == 1)
    }

    @Test func `the selection is the whole row, in which only problems have a colour`() {
        var scene = scene(columns: 120)
        // The health that has just changed is highlighted for two seconds.
        scene.wait(.seconds(3))
        let row = scene.model.areas.list.row
        let frame = scene.model.draw()
        let styles = (0..<119).map { frame[column: $0, row: row].style }
        #expect(styles.allSatisfy { $0.attributes.contains(.reversed) })
        #expect(Set(styles.map(\.foreground)) == [nil, scene.model.appearance[.down].foreground])
        #expect(!frame[column: 119, row: row].style.attributes.contains(.reversed))
        // A reply changes only a part of the row.
        scene.model.markPainted()
        scene.press(.down)
        let painted = scene.model.draw()
        scene.model.markPainted()
        scene.receive(.reply(roundTrip: .milliseconds(7)), from: "billing-eu-west-1a-production-replica", after: .zero)
        let next = scene.model.draw(over: painted)
        #expect((0..<119).allSatisfy { next[column: $0, row: row + 1].style.attributes.contains(.reversed) })
    }

    @Test func `below a short table is the chart of the selected target, or of the worst of a group`() {
        var scene = Scene([.make("Router", group: "Home"), .make("NAS", group: "Home", fall: 1)])
        scene.receiveTogether(["Router": "rrrr", "NAS": "rrrx"])
        scene.select("Router")
        #expect(scene.screen.contains("Router: round trips of the last minute"))
        #expect(scene.screen.contains("Statistics"))
        scene.press(.home)
        #expect(scene.screen.contains("NAS: round trips of the last minute"))
        scene.press(.character("+"))
        #expect(scene.screen.contains("NAS: round trips of the last 5 minutes"))
        scene.send(.resize(Size(columns: 80, rows: 16)))
        #expect(!scene.screen.contains("round trips"))
    }

    @Test func `the chart below the table follows a reply and the selection`() {
        var scene = Scene([.make("Router"), .make("NAS")])
        scene.receiveTogether(["Router": "rrrr", "NAS": "rrrr"])
        let first = scene.model.draw()
        scene.model.markPainted()
        scene.press(.down)
        let second = scene.model.draw(over: first)
        #expect(second == scene.model.draw())
        #expect(second.text.contains("NAS: round trips"))
        scene.model.markPainted()
        scene.receive(.reply(roundTrip: .milliseconds(9)), from: "NAS", after: .zero)
        #expect(scene.model.draw(over: second).text.contains("9.0ms"))
    }
}

extension String {
    /// How often a text occurs.
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
