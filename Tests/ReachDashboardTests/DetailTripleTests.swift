import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// The effect of keys in the detail view: a screen, keys, and the resulting screen.
@Suite struct DetailTripleTests {
    private func twoTargets(columns: Int = 120, rows: Int = 36) -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1", group: "Home"), .make("NAS", group: "Home")],
            columns: columns,
            rows: rows
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "rrr"])
        return scene
    }

    @Test func `enter opens the selected target, esc returns to the table`() {
        var scene = twoTargets()
        scene.select("NAS")
        let table = scene.screen
        scene.press(.enter)
        #expect(scene.line("tcp://nas.local:445").contains("● NAS   tcp://nas.local:445   Home   every 1s"))
        #expect(!scene.screen.contains("192.168.1.1"))
        scene.press(.escape)
        #expect(scene.screen == table)
    }

    @Test func `a group has no detail view`() {
        var scene = twoTargets()
        scene.press(.character("g"))
        scene.press(.enter)
        #expect(scene.line("filter:").contains("filter: group:\"Home\"") && scene.line("TARGET").contains("HEALTH"))
    }

    @Test func `the header shows the cause, the age and the pending transition`() {
        var scene = twoTargets()
        scene.select("NAS")
        scene.press(.enter)
        scene.receive("xx", from: "NAS")
        #expect(scene.line("up for").contains("up for 4s: refused   2 of 3 losses toward down"))
        scene.receive("x", from: "NAS")
        scene.wait(.seconds(7))
        #expect(scene.line("down for").contains("down for 9s: refused"))
        #expect(scene.line("NAS").contains("○ NAS"))
    }

    @Test func `the header describes blocked, flapping, armed and faulty targets`() {
        let behind = { (name: String) in
            var target = Target.make(name, fall: 1)
            target.dependsOn = [.target("Switch")]
            return target
        }
        var scene = Scene([
            .make("Switch", url: "icmp://192.168.1.2"), behind("NAS"), behind("Camera"),
            .make("Radio", url: "icmp://192.168.1.8", fall: 1),
        ])
        scene.send(.resize(Size(columns: 120, rows: 60)))
        scene.receiveTogether([
            "Switch": "rrrrrrrrrrrrrrrrrrrrrrrrrxxx", "NAS": "rrrrrrrrrrrrrrrrrrrrrrrrr   ", "Camera": "rrrrrrrrrxx",
            "Radio": "rrrrrrrrrrrrrrrrrrrrtrtrtrtr",
        ])
        scene.wait(.seconds(20))
        func head(_ name: String) -> String {
            scene.press(.escape)
            scene.select(name)
            scene.press(.enter)
            return scene.screen.split(separator: "\n").dropFirst().prefix(3).joined(separator: "\n")
        }
        #expect(head("NAS").contains("blocked by Switch for 20s; was up before"))
        #expect(scene.line("depends on").contains("Switch  Switch is down"))
        #expect(head("Camera").contains("before Switch failed, not probed now"))
        #expect(head("Radio").contains("~ changes too often (46%): its reports wait"))
        _ = head("Switch")
        scene.press(.character("x"))
        scene.type("reboot the switch")
        scene.press(.enter)
        #expect(scene.line("⚑ armed").contains("⚑ armed: reboot the switch"))
        #expect(scene.line("waiting").contains("⚑ waiting  reboot the switch"))
        scene.receive("f", from: "Radio")
        #expect(head("Radio").contains("! cannot be probed: no permission"))
    }

    @Test func `keys act on the target shown, regardless of the filter`() throws {
        var scene = twoTargets()
        scene.press(.character("/"))
        scene.type("is:up")
        scene.press(.enter)
        scene.select("NAS")
        scene.press(.enter)
        // The filter hides the row, but the view stays open.
        scene.receive("xxx", from: "NAS")
        scene.press(.character("r"))
        let nas = try #require(scene.id("NAS"))
        #expect(scene.effects.last?.requests == [.now([nas])])
        scene.press(.character(" "))
        #expect(scene.effects.last?.requests == [.forget([nas])])
        #expect(scene.line("paused for").contains("paused for 0s"))
        scene.press(.character("x"))
        #expect(scene.screen.contains("run once NAS is reachable:"))
    }

    @Test func `events and hook runs lead back to the target`() {
        var scene = twoTargets()
        scene.select("NAS")
        scene.press(.enter)
        let detail = scene.screen
        for keys: [Key] in [
            [.character("e"), .escape], [.character("h"), .character("h")],
            [.character("H"), .character("e"), .escape],
        ] {
            for key in keys { scene.press(key) }
            #expect(scene.screen == detail)
        }
        scene.press(.character("H"))
        #expect(scene.screen.contains("Hook runs of NAS"))
    }

    @Test func `the view scrolls by pages, within its limits`() {
        var scene = Scene.evening(columns: 80, rows: 24)
        scene.open("Shop")
        let top = scene.screen
        scene.press(.pageUp)
        #expect(scene.screen == top)
        scene.press(.pageDown, .pageUp, .end, .home)
        #expect(scene.screen == top)
        scene.press(.end)
        let end = scene.screen
        #expect(end.contains("cooldown = \"10m\""))
        #expect(end.contains("degraded for"))
        scene.press(.pageDown)
        #expect(scene.screen == end)
        scene.send(.resize(Size(columns: 200, rows: 80)))
        #expect(scene.screen.contains("Round trips of the last"))
    }

    @Test func `the chart starts with room for sixty probes, + and - change its span`() {
        var scene = Scene([.make("Shop", url: "https://shop.example.com", interval: .seconds(10))])
        scene.press(.enter)
        #expect(scene.screen.contains("Round trips of the last 15 minutes "))
        scene.press(.character("+"))
        #expect(scene.screen.contains("Round trips of the last hour "))
        scene.press(.character("+"))
        #expect(scene.screen.contains("Round trips of the last 6 hours "))
        scene.press(.character("-"), .character("-"), .character("-"))
        #expect(scene.screen.contains("Round trips of the last 5 minutes "))
        scene.press(.character("−"), .character("-"))
        #expect(scene.screen.contains("Round trips of the last minute "))
    }

    @Test func `the header shows the cause of the last transition if the newest reply has none`() {
        var scene = Scene([.make("Shop", slow: .milliseconds(500))])
        scene.receive([10, 700, 700, 710, 20], from: "Shop")
        scene.press(.enter)
        #expect(scene.line("degraded for").contains("degraded for 1s: 710ms over 500ms"))
    }

    @Test func `a reload that removes the target closes its view`() {
        var scene = twoTargets()
        scene.select("NAS")
        scene.press(.enter)
        let router = Target.make("Router", url: "icmp://192.168.1.1", group: "Home")
        scene.send(.settings(Settings(targets: [router])))
        #expect(scene.screen.contains("192.168.1.1"))
        #expect(scene.screen.contains("the target was removed from the settings"))
    }

    @Test func `the statistics cover the last probes and all probes`() {
        var scene = Scene([.make("NAS")], columns: 50, rows: 60)
        scene.receive([900] + [Double?](repeating: 10, count: 99) + [nil], from: "NAS")
        scene.press(.enter)
        #expect(scene.line("sent ").split(separator: " ") == ["sent", "100", "101"])
        #expect(scene.line("received ").split(separator: " ") == ["received", "99", "100"])
        #expect(scene.line("max ").split(separator: " ") == ["max", "10ms", "900ms"])
        #expect(scene.line("min ").split(separator: " ") == ["min", "10ms", "10ms"])
        #expect(scene.line("streak ").contains("1 loss"))
        #expect(scene.line("available ").contains("100%"))
        #expect(scene.line("p50 ").split(separator: " ") == ["p50", "10ms", "10ms"])
    }

    @Test func `the percentiles of all probes include the ones that left the window`() {
        var scene = Scene([.make("NAS")], columns: 50, rows: 60)
        scene.receive([Double?](repeating: 400, count: 80) + [Double?](repeating: 20, count: 120), from: "NAS")
        scene.press(.enter)
        #expect(scene.line("p50 ").split(separator: " ").prefix(2) == ["p50", "20ms"])
        #expect(scene.line("p95 ").split(separator: " ").prefix(2) == ["p95", "20ms"])
        // Exact to 1.6 %.
        #expect(["395ms", "396ms", "397ms", "398ms", "399ms", "400ms"].contains { scene.line("p95 ").hasSuffix($0) })
        scene.press(.character("R"))
        #expect(scene.line("p95 ").split(separator: " ") == ["p95", "–", "–"])
    }

    @Test func `at 80 columns, the statistics are three groups, and the whole of them is visible below the chart`() {
        var scene = Scene([.make("NAS")], columns: 80, rows: 60)
        scene.receive([4, 4, 4, nil, nil, nil, 4, 4], from: "NAS")
        scene.press(.enter)
        let first = scene.line("sent ").split(separator: " ")
        #expect(first == ["sent", "8", "8", "last", "4.0ms", "p50", "4.0ms", "4.0ms"])
        #expect(scene.line("longest ").hasSuffix("   longest               3s"))
        #expect(scene.line("recovery ").hasSuffix("recovery         mean 3s"))
        scene.send(.resize(Size(columns: 73, rows: 60)))
        #expect(scene.line("sent ").split(separator: " ") == ["sent", "8", "8", "last", "4.0ms"])
        scene.send(.resize(Size(columns: 50, rows: 60)))
        #expect(scene.line("sent ").split(separator: " ") == ["sent", "8", "8"])
        scene.send(.resize(Size(columns: 80, rows: 24)))
        #expect(scene.line("recovery ").contains("jitter "), "the last line")
        #expect(scene.line("lines 1–20 of").contains("up for "))
    }

    @Test func `the distribution has ranges and marks of percentiles`() {
        var scene = Scene([.make("NAS", slow: .milliseconds(4))], columns: 80, rows: 80)
        let values = [Double?](repeating: 1.1, count: 60) + .init(repeating: 2.6, count: 37) + [4.5, 4.6, 30]
        scene.receive(values, from: "NAS")
        scene.press(.enter)
        #expect(scene.line("← p50").hasSuffix("60  ← p50") && scene.line("← p50").hasPrefix(" 1.0–1.5ms  ━━━━"))
        #expect(scene.line("← p95").hasSuffix("37  ← p95") && scene.line("← p95").hasPrefix(" 2.5–3.0ms  ━━━━"))
        #expect(scene.line("← p99").hasPrefix(" 4.5–5.0ms  ━"))
        #expect(scene.line("> 5").hasPrefix("   > 5.5ms  ━"))
        #expect(scene.line("1.5–2.5ms").hasSuffix(" 1.5–2.5ms  0"), "empty ranges in a row are one")
    }

    @Test func `round trips below a millisecond are in microseconds`() {
        var scene = Scene([.make("NAS")], columns: 80, rows: 60)
        scene.receive([0.004, 0.049, 0.912], from: "NAS")
        #expect(scene.line("▸").contains("912µs"))
        scene.press(.enter)
        #expect(scene.line("min ").contains("min           4µs    4µs"))
        #expect(!scene.screen.contains("0.00ms"))
    }

    @Test func `availability is rounded down`() {
        var scene = Scene([.make("NAS", fall: 1)], columns: 80, rows: 60)
        scene.receive("rxr", from: "NAS")
        scene.wait(.seconds(100_000))
        scene.press(.enter)
        #expect(scene.line("available ").contains("99.99%"))
        #expect(scene.line("longest ").contains("1s"))
    }

    @Test func `a session shows its state and age, a link has no round trips`() throws {
        var scene = Scene([.make("SSH", url: "session://nas.local:22"), .make("Out", url: "link:any")])
        let id = try #require(scene.id("SSH"))
        scene.receive("r", from: "SSH")
        scene.send(.findings([.session(id, .ready, at: scene.now)]))
        scene.receive(.reply(Reply(roundTrip: nil, detail: "ready 0s")), from: "SSH")
        scene.wait(.seconds(74))
        // Its probes may be rare; what they said is out of date.
        #expect(scene.line("SSH  ").contains("ready 1m15s") && !scene.screen.contains("ready 0s"))
        scene.press(.enter)
        #expect(scene.line("session  ").contains("ready  for 1m15s") && !scene.screen.contains("ready 0s"))
        scene.press(.escape)
        scene.receive(.reply(Reply(roundTrip: nil, detail: "wired")), from: "Out")
        scene.select("Out")
        scene.press(.enter)
        #expect(scene.line("answer  ").contains("wired"))
        #expect(!scene.screen.contains("jitter"))
        #expect(!scene.screen.contains("Distribution"))
    }

    @Test func `an expired certificate is marked, one that expires today shows hours`() {
        var scene = Scene([.make("Shop", url: "tls://shop.example.com")])
        let start = Int64(Scene.wall.start.components.seconds)
        scene.receive(.reply(Reply(roundTrip: .milliseconds(5), certificateExpiry: start + 7_201)), from: "Shop")
        scene.press(.enter)
        #expect(scene.line("certificate ").contains("2h00m left  until 2026-11-20"))
        scene.wait(.seconds(7_200))
        #expect(scene.line("certificate ").contains("expired on 2026-11-20"))
    }

    @Test func `every size can be drawn`() {
        var scene = Scene.evening
        scene.open("Shop")
        for columns in [1, 2, 5, 12, 20, 40, 99, 100, 101, 300] {
            for rows in [1, 2, 3, 5, 10, 24, 100] {
                scene.send(.resize(Size(columns: columns, rows: rows)))
                #expect(scene.model.draw().size == Size(columns: columns, rows: rows))
                scene.press(.end)
            }
        }
    }
}
