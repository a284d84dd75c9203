import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// The effect of keys and events: a screen, an input, and the resulting screen.
@Suite struct TripleTests {
    private func twoTargets(columns: Int = 100, rows: Int = 24) -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1", group: "Home"), .make("NAS", group: "Home")],
            columns: columns,
            rows: rows
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "rrr"])
        return scene
    }

    @Test func `a pending transition is shown`() {
        var scene = twoTargets(columns: 120)
        scene.receive("x", from: "NAS")
        #expect(scene.line("NAS").contains("up 1/3  refused"))
        scene.receive("x", from: "NAS")
        #expect(scene.line("NAS").contains("up 2/3  refused"))
        scene.receive("x", from: "NAS")
        #expect(scene.line("NAS").contains("down  refused"))
        #expect(scene.screen.contains("down after 3 losses: refused"))
        scene.receive("r", from: "NAS")
        #expect(scene.line("NAS").contains("up "))
        #expect(scene.screen.contains("up after 3s"))
    }

    @Test func `a slow reply shows the limit instead of its detail`() {
        var scene = Scene([.make("Shop", url: "https://shop.example.com", slow: .milliseconds(500))], columns: 140)
        for _ in 0..<3 { scene.receive(.reply(Reply(roundTrip: .milliseconds(900), detail: "HTTP 200")), from: "Shop") }
        #expect(scene.line("shop.example").contains("degraded  > 500ms"))
        scene.receive(.reply(Reply(roundTrip: .milliseconds(20), detail: "HTTP 200")), from: "Shop")
        #expect(scene.line("shop.example").contains("HTTP 200"))
    }

    @Test func `a lossy target shows its loss, also while a probe is lost`() {
        var scene = Scene([.make("Link", url: "icmp://192.0.2.1", fall: 9, lossy: 0.2)], columns: 140)
        scene.receive(String(repeating: "rrrt", count: 5) + "rtt", from: "Link")
        scene.wait(.seconds(1))
        #expect(scene.line("192.0.2.1").contains("degraded 2/9  35% loss"))
        #expect(scene.line("reach ").contains("◐ 1 degraded"))
        scene.receive("r", from: "Link")
        #expect(scene.line("192.0.2.1").contains("degraded  30% loss"))
        scene.receive("x", from: "Link")
        scene.open("Link")
        #expect(scene.line("degraded for").contains("degraded for 5s: 35% loss over 20%"))
        #expect(scene.line("degraded for").contains("1 of 9 losses toward down: refused"))
    }

    @Test func `degraded targets are slow only if all of them are`() {
        var scene = Scene(
            [
                .make("Shop", group: "G", slow: .milliseconds(500)),
                .make("Cert", url: "https://b.example", group: "G", slow: .milliseconds(500)),
            ],
            columns: 140
        )
        scene.receive([900, 900, 900], from: "Shop")
        #expect(scene.line("reach ").contains("◐ 1 slow"))
        #expect(scene.line("▾ G").hasSuffix("0/2 up, 1 slow, 1 unknown ──"))
        let reply = Reply(roundTrip: .milliseconds(9), concern: "certificate expires in 4 days")
        for _ in 0..<3 { scene.receive(.reply(reply), from: "Cert") }
        #expect(scene.line("reach ").contains("◐ 2 degraded"))
        #expect(scene.line("▾ G").hasSuffix("0/2 up, 2 degraded ──"))
    }

    @Test func `the footer ends with a whole word at any width`() {
        var scene = Scene.evening
        for view in ["1", "2", "3", "4", "e", "h", "?"] {
            scene.press(.escape, .escape, .escape, .character(Character(view)))
            for columns in stride(from: 20, through: 130, by: 2) {
                scene.send(.resize(Size(columns: columns, rows: 24)))
                let isOverview = ["1", "2", "3", "4"].contains(view)
                #expect(scene.screen.hasSuffix(isOverview ? " q quit" : " esc back"))
            }
        }
    }

    @Test func `space pauses only the selected target`() throws {
        var scene = twoTargets()
        scene.press(.down, .character(" "))
        let nas = try #require(scene.id("NAS"))
        #expect(scene.effects.last?.requests == [.forget([nas])])
        #expect(scene.line("tcp ").contains("paused"))
        #expect(!scene.line("icmp").contains("paused"))
        scene.press(.character(" "))
        #expect(scene.effects.last?.requests.last == .now([nas]))
        #expect(!scene.line("tcp ").contains("paused"))
    }

    @Test func `space on a group pauses the group`() throws {
        var scene = twoTargets()
        scene.press(.home, .character(" "))
        #expect(scene.line("192.168").contains("paused"))
        #expect(scene.line("nas.local").contains("paused"))
        scene.press(.character(" "))
        #expect(!scene.screen.contains("‖"))
    }

    @Test func `the filter matches targets with a pending transition`() {
        var scene = twoTargets()
        scene.receive("t", from: "NAS")
        scene.press(.character("/"))
        scene.type("is:pending")
        scene.press(.enter)
        let table = scene.screen.split(separator: "Events")[0]
        #expect(["Router", "NAS"].filter { table.contains(" \($0) ") } == ["NAS"])
    }

    @Test func `a filter applies while typed, enter keeps it, esc clears it`() {
        var scene = twoTargets()
        scene.press(.character("/"))
        scene.type("na")
        #expect(scene.line("filter:").contains("filter: na"))
        #expect(!scene.screen.contains("192.168.1.1"))
        scene.press(.enter)
        #expect(scene.line("filter: na").contains("esc clears it"))
        scene.press(.escape)
        #expect(scene.screen.contains("192.168.1.1"))
    }

    @Test(
        arguments: [
            ("nas", ["NAS"]), ("NAS.LOCAL", ["NAS"]), ("home", ["Router", "NAS"]), ("!nas", ["Router"]),
            ("icmp", ["Router"]), ("is:down", ["NAS"]), ("is:up", ["Router"]), ("is:pending", []),
            ("home !router", ["NAS"]),
            ("is:paused", []), ("banana", []),
        ] as [(String, [String])]
    )
    func `a filter shows targets that match all of its words`(text: String, names: [String]) {
        var scene = twoTargets()
        scene.receive("ttt", from: "NAS")
        scene.press(.character("/"))
        scene.type(text)
        scene.press(.enter)
        let table = scene.screen.split(separator: "Events")[0]
        #expect(["Router", "NAS"].filter { table.contains(" \($0) ") } == names)
        if names.isEmpty { #expect(scene.screen.contains("no target matches \"\(text)\"")) }
    }

    @Test func `esc in the prompt clears the filter at any cursor position`() {
        var scene = twoTargets()
        scene.press(.character("/"))
        scene.type("nas x")
        scene.press(.left, .backspace, .control("w"), .home, .delete, .escape)
        #expect(!scene.screen.contains("filter:"))
        #expect(scene.screen.contains("Router"))
    }

    @Test func `sorting keeps the selection`() {
        var scene = twoTargets()
        scene.press(.down)
        #expect(scene.line("▸").contains("NAS"))
        scene.receive("ttt", from: "NAS")
        scene.press(.character("s"))
        #expect(scene.screen.contains("sorted by health, failing first"))
        let lines = scene.screen.split(separator: "\n").map(String.init)
        let nas = lines.firstIndex { $0.contains("nas.local") } ?? -1
        let router = lines.firstIndex { $0.contains("192.168") } ?? -1
        #expect(nas < router)
        #expect(lines[nas].hasPrefix("▸"))
        scene.press(.character("S"))
        #expect(scene.screen.contains("reversed"))
    }

    @Test func `the final table ignores the filter`() {
        var scene = twoTargets()
        scene.press(.character("/"))
        scene.type("nothing like it")
        #expect(scene.model.finalScreen().text.contains("nas.local"))
    }

    @Test func `folding a group hides its targets, unfolding shows them`() {
        var scene = twoTargets()
        scene.press(.left)
        #expect(scene.line("Home").contains("▹ Home"))
        #expect(!scene.screen.contains("nas.local"))
        scene.press(.right)
        #expect(scene.screen.contains("nas.local"))
        #expect(scene.line("Home").contains("▾ Home"))
    }

    @Test func `n selects a failing target, or reports that there is none`() {
        var scene = twoTargets()
        scene.press(.character("n"))
        #expect(scene.screen.contains("nothing is failing"))
        scene.receive("ttt", from: "NAS")
        scene.press(.character("n"))
        #expect(scene.line("nas.local").hasPrefix("▸"))
    }

    @Test func `r probes the selected target now, unless it is paused`() throws {
        var scene = twoTargets()
        let router = try #require(scene.id("Router"))
        scene.press(.character("r"))
        #expect(scene.effects.last?.requests == [.now([router])])
        scene.press(.character(" "))
        let before = scene.effects.count
        scene.press(.character("r"))
        #expect(scene.effects.count == before)
    }

    @Test func `R resets the statistics`() {
        var scene = twoTargets()
        scene.receive("ttt", from: "Router")
        #expect(scene.line("192.168").contains("50%"))
        scene.press(.character("R"))
        #expect(!scene.line("192.168").contains("%"))
    }

    @Test func `help opens, scrolls and closes, esc closes every view`() {
        var scene = twoTargets(rows: 10)
        scene.press(.character("?"))
        #expect(scene.screen.contains("pause or resume"))
        scene.press(.end)
        #expect(scene.screen.contains("last 100 probes"))
        scene.press(.escape)
        #expect(scene.screen.contains("nas.local"))
        scene.press(.character("e"), .escape)
        #expect(scene.screen.contains("nas.local"))
    }

    @Test(
        arguments: [
            (.control("c"), .exit(.quit)), (.control("z"), .suspend),
            (.control("l"), .repaint),
            (.control("r"), .edit(.reread(nil))),
        ] as [(Key, Effect)]
    )
    func `program keys return effects in every view`(key: Key, effect: Effect) {
        for opening: Key in [.escape, .character("e"), .character("?")] {
            var scene = twoTargets()
            scene.press(opening, key)
            #expect(scene.effects.last == effect)
        }
    }

    @Test func `a key without an action is ignored`() {
        var scene = twoTargets()
        let before = scene.model.draw()
        scene.model.markPainted()
        scene.press(.character("@"), .function(9), .alt("x"), .paste("rm -rf\n"))
        #expect(scene.model.staleness == .fresh)
        #expect(scene.model.draw() == before)
    }

    @Test func `without changes, nothing is painted within a second`() {
        var scene = twoTargets()
        scene.wait(.milliseconds(100))
        scene.model.markPainted()
        scene.wait(.milliseconds(100))
        #expect(scene.model.staleness == .fresh)
        scene.wait(.seconds(1))
        #expect(scene.model.staleness == .stale)
    }

    @Test func `a second is drawn even if findings arrive before its tick`() {
        var scene = twoTargets()
        scene.model.markPainted()
        let next = scene.now + .seconds(1)
        scene.send(.findings([]), at: next)
        #expect(scene.model.staleness == .fresh)
        scene.send(.tick(Scene.wall), at: next)
        #expect(scene.model.staleness == .stale)
    }

    @Test func `a further reply changes only the row of its target, a loss the screen`() {
        // Too low for the chart of the target.
        var scene = twoTargets(rows: 14)
        scene.tick()
        let painted = scene.model.draw()
        scene.model.markPainted()
        let first = Target.ID(0)
        let reply = Observation(
            target: first,
            sequence: 90,
            time: scene.now,
            outcome: .reply(roundTrip: .milliseconds(7))
        )
        scene.send(.findings([.observation(reply)]))
        #expect(scene.model.staleness == .moved)
        let moved = scene.model.draw(over: painted)
        #expect(Set(moved.changes(from: painted).runs.map(\.position.row)) == [3])
        #expect(moved.text.contains("7.0ms"))
        let loss = Observation(target: first, sequence: 91, time: scene.now, outcome: .timeout)
        scene.send(.findings([.observation(loss)]))
        #expect(scene.model.staleness == .stale)
    }

    @Test func `a round trip that changes by more than a tenth is bold until the next second`() {
        let last = { (scene: Scene) in scene.model.draw().map { $0.attributes.contains(.bold) ? "b" : "." } }
        for (milliseconds, isBold) in [(1.05, false), (3, true)] {
            var scene = twoTargets()
            let before = last(scene)
            let reply = Observation(
                target: Target.ID(0),
                sequence: 90,
                time: scene.now + .milliseconds(1),
                outcome: .reply(roundTrip: .milliseconds(1) * milliseconds)
            )
            scene.send(.findings([.observation(reply)]), at: scene.now + .milliseconds(1))
            #expect((last(scene) != before) == isBold)
            scene.wait(.seconds(1))
            #expect(last(scene) == before)
        }
    }

    @Test func `findings wait for the next tick, keys do not`() {
        var scene = twoTargets()
        scene.model.markPainted()
        scene.send(.findings([]))
        #expect(scene.model.staleness <= .stale)
        scene.press(.down)
        #expect(scene.model.staleness.isUrgent)
    }

    @Test func `a reload shows the changes, a rejected one its problems`() {
        var scene = twoTargets()
        scene.send(.settingsRefused(["dashboard.toml:3:1: no", "dashboard.toml:4:1: neither"]))
        #expect(
            scene.screen.contains("settings refused, the old ones keep running: dashboard.toml:3:1: no (and 1 more")
        )
        #expect(scene.line("nas.local").contains("up"))
        scene.press(.character("e"))
        #expect(scene.screen.contains("dashboard.toml:4:1: neither"))
        scene.press(.escape)
        scene.send(.settings(Settings(targets: [.make("NAS", group: "Home"), .make("New")])))
        #expect(scene.screen.contains("settings read again: 1 added, 1 removed"))
        #expect(!scene.screen.contains("refused, the old"))
        #expect(scene.line("NAS").contains("up"))
    }

    @Test func `a hint is shown until a problem replaces it`() {
        var scene = twoTargets()
        scene.send(.hint("no dashboard.toml"))
        #expect(scene.screen.contains("no dashboard.toml"))
        scene.send(.settingsRefused(["dashboard.toml:3:1: no"]))
        #expect(!scene.screen.contains("no dashboard.toml"))
        #expect(scene.screen.contains("settings refused"))
        scene.send(.settings(Settings(targets: [.make("NAS")])))
        #expect(!scene.screen.contains("no dashboard.toml"), "there is a file now")
    }

    @Test func `a fault has a banner`() {
        var scene = twoTargets()
        scene.receive("f", from: "Router")
        #expect(scene.line("!").contains("1 target cannot be probed: no permission"))
        #expect(scene.line("192.168").contains("! permission"))
        scene.receive("r", from: "Router")
        #expect(!scene.screen.contains("1 target cannot be probed"))
        #expect(!scene.line("192.168").contains("permission"))
    }

    @Test func `each command that fixes a fault has its own line`() throws {
        var scene = twoTargets()
        let cures = ["sysctl -w net.ipv4.ping_group_range=\"0 2147483647\"", "setcap cap_net_raw+ep /usr/bin/reach"]
        let router = try #require(scene.id("Router"))
        let fault = Outcome.fault(Fault(.permission, detail: "ICMP is not permitted", cures: cures))
        let observation = Observation(target: router, sequence: 9, time: scene.now, outcome: fault)
        scene.send(.findings([.observation(observation)]))
        #expect(scene.line("!").contains("1 target cannot be probed: ICMP is not permitted – fix, with either:"))
        for cure in cures { #expect(scene.screen.contains("\n     \(cure)\n")) }
        #expect(scene.line("192.168").contains("! permission"))
    }

    @Test func `a dashboard without targets, or whose selection was removed, can be drawn`() {
        var scene = Scene([])
        #expect(scene.screen.contains("no targets"))
        scene.press(.down, .character(" "), .character("r"), .character("s"), .left, .character("n"), .end)
        #expect(scene.screen.contains("no targets"))
        scene = twoTargets()
        scene.press(.down)
        scene.send(.settings(Settings(targets: [.make("Router", url: "icmp://192.168.1.1")])))
        #expect(scene.line("▸").contains("Router"))
    }

    @Test func `every size can be drawn, also after many resizes`() {
        var scene = Scene.evening
        for (columns, rows) in [(1, 1), (2, 2), (3, 3), (20, 5), (40, 10), (80, 24), (200, 50), (300, 100), (500, 150)]
        {
            scene.send(.resize(Size(columns: columns, rows: rows)))
            #expect(scene.model.draw().size == Size(columns: columns, rows: rows))
        }
        var random = SplitMix(seed: 7)
        for _ in 0..<300 {
            let size = Size(columns: .random(in: 0...220, using: &random), rows: .random(in: 0...70, using: &random))
            scene.send(.resize(size))
            #expect(scene.model.draw().size == size)
            if let binding = KeyTable.bindings.randomElement(using: &random) { scene.press(binding.keys[0]) }
        }
    }
}
