import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// A switch that is down, and the targets that depend on it.
@Suite struct OutageTests {
    /// A switch is down and blocks two targets; a third one was down before, and a fourth one is flapping.
    private static func outage() -> Scene {
        let behind = { (name: String, url: String) in
            var target = Target.make(name, url: url, group: "Home")
            target.dependsOn = [.target("Switch")]
            return target
        }
        var scene = Scene(
            [
                .make("Switch", url: "icmp://192.168.1.2", group: "Home"),
                behind("NAS", "tcp://nas.local:445"),
                behind("Printer", "icmp://192.168.1.9"),
                behind("Camera", "icmp://192.168.1.7"),
                .make("Radio", url: "icmp://192.168.1.8", group: "Home", fall: 1),
                .make("Shop", url: "tcp://shop.example.com:443", group: "Cloud"),
            ],
            columns: 116,
            rows: 24
        )
        scene.receiveTogether([
            "Switch": "rrrrrrrrrrrrrrrrrrrrrrrrrxxx",
            "NAS": "rrrrrrrrrrrrrrrrrrrrrrrrrxxx",
            "Printer": "rrrrrrrrrrrrrrrrrrrrrrrrrtt",
            "Camera": "rrrrrrrrrrtttt",
            "Radio": "rrrrrrrrrrrrrrrrrrrtrtrtrtrr",
            "Shop": "rrrrrrrrrrrrrrrrrrrrrrrrrrrr",
        ])
        scene.wait(.seconds(20))
        scene.send(.findings([.stalled(gap: .seconds(8), at: scene.now)]))
        scene.tick()
        return scene
    }

    @Test func `rows show blocked, flapping, and down since before the blocker`() {
        let scene = Self.outage()
        #expect(scene.line("nas.local").contains("◌ NAS"))
        #expect(scene.line("nas.local").contains("blocked by Switch"))
        #expect(scene.line("192.168.1.9").contains("blocked by Switch"))
        #expect(scene.line("192.168.1.7").contains("down  since 14:02,"))
        #expect(scene.line("192.168.1.8").contains(" ~"))
    }

    @Test(arguments: [
        ("is:blocked", ["NAS", "Printer"]), ("is:flapping", ["Radio"]), ("is:down", ["Switch", "Camera"]),
    ])
    func `the filter matches blocked and flapping targets`(filter: String, names: [String]) {
        var scene = Self.outage()
        scene.press(.character("/"))
        scene.type(filter)
        scene.press(.enter)
        let rows = scene.screen.split(separator: "\n").prefix { !$0.contains("Events") }
        let all = ["Switch", "NAS", "Printer", "Camera", "Radio", "Shop"]
        #expect(all.filter { name in rows.contains { $0.dropFirst(3).hasPrefix(name + " ") } } == names)
    }

    @Test func `sorted by health, blocked targets follow failing ones, and n skips them`() {
        var scene = Self.outage()
        scene.press(.character("s"))
        let rows = scene.screen.split(separator: "\n").map { $0.dropFirst(3).prefix { $0 != " " } }
        let home = rows.filter { ["Switch", "NAS", "Printer", "Camera", "Radio"].contains($0) }.prefix(5)
        #expect(home == ["Switch", "Camera", "NAS", "Printer", "Radio"])
        scene.press(.character("g"), .character("n"))
        #expect(scene.line("▸○").contains("Switch"))
        scene.press(.character("n"))
        #expect(scene.line("▸○").contains("Camera"))
        scene.press(.character("n"))
        #expect(scene.line("▸○").contains("Switch"))
    }
}

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
        scene.send(.settings(settings))
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
