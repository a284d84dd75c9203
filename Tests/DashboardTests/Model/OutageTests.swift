import Dashboard
import Monitoring
import Screen
import TestSupport
import Testing

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
        scene.send(.findings([.stalled(gap: .seconds(8), at: scene.now)], at: scene.now))
        scene.tick()
        return scene
    }

    @Test func `rows show blocked, flapping, and down since before the blocker`() {
        let scene = Self.outage()
        #expect(scene.line("nas.local").contains("◌ NAS"))
        #expect(scene.line("nas.local").contains("blocked by Switch"))
        #expect(scene.line("192.168.1.9").contains("blocked by Switch"))
        #expect(scene.line("192.168.1.7").contains("down  since before Swi"))
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
