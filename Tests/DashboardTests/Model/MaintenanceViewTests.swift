import Monitoring
import Screen
import TestSupport
import Testing

@testable import Dashboard

/// Targets in maintenance in table, header, details, filter and alerts.
@Suite struct MaintenanceViewTests {
    /// A scene of targets, where NAS is in maintenance from the tenth second to the sixtieth.
    private func scene(columns: Int = 120, glyphs: Glyphs = .unicode) -> Scene {
        let targets = ["NAS", "Web"].map { Target.make($0, group: "Home") }
        var scene = Scene(targets, columns: columns, glyphs: glyphs)
        var settings = Settings(targets: targets)
        settings.alerts = AlertSettings(bell: true, title: true, notify: true)
        let start = Scene.wall.start
        settings.maintenance = [
            MaintenanceWindow(
                name: "Backups",
                .once(start + .seconds(10)..<start + .seconds(60)),
                for: .init(targets: ["NAS"])
            )
        ]
        scene.send(.settings(settings, at: scene.now))
        scene.receiveTogether(["NAS": "rr", "Web": "rr"])
        scene.pass(.seconds(10))
        return scene
    }

    private func alerts(_ scene: Scene) -> [Alert] {
        scene.effects.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
    }

    @Test(arguments: [(Glyphs.unicode, "◊"), (.console, "§"), (.ascii, "m")])
    func `the row shows the window and the time that is left`(glyphs: Glyphs, mark: String) {
        var scene = scene(glyphs: glyphs)
        #expect(scene.line("NAS").contains("up \(mark) Backups, "))
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(1))
        #expect(scene.line("NAS").contains("down \(mark) Backups, "))
        #expect(!scene.line("NAS").contains("refused") && !scene.line("Web").contains("Backups"))
        #expect(scene.id("NAS").flatMap { scene.model.roster[$0]?.role } == .waiting)
        #expect(scene.screen.contains("1 maintenance"))
        scene.type("n")
        scene.pass(.milliseconds(100))
        #expect(scene.screen.contains("only targets in maintenance are failing"))
        scene.type("/is:maintenance")
        scene.pass(.seconds(1))
        #expect(scene.screen.contains("NAS") && !scene.screen.contains("web.local"))
    }

    @Test func `an alert waits until the end, and follows if the target is still down`() {
        var scene = scene()
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(10))
        #expect(alerts(scene).isEmpty && scene.model.roster.states.healthCounts.expectedDown == 1)
        scene.pass(.seconds(60))
        #expect(alerts(scene) == [Alert(rings: true, notification: "NAS down")])
        #expect(scene.screen.contains("maintenance ended"))
    }

    @Test func `an outage that is over at the end makes no alert`() {
        var scene = scene()
        scene.receive("xxxr", from: "NAS")
        scene.pass(.seconds(70))
        #expect(alerts(scene).isEmpty)
    }

    @Test func `the details show the window`() {
        var scene = scene()
        scene.press(.enter)
        scene.pass(.seconds(1))
        #expect(scene.screen.contains("maintenance, ") && scene.screen.contains("left: Backups"))
    }
}

extension Scene {
    /// Passes time, with ten ticks a second.
    fileprivate mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end { wait(.milliseconds(100)) }
    }
}
