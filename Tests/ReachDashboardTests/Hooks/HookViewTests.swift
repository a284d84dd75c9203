import ReachDashboard
import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

/// Arming hooks, testing them, and the list of hook runs.
@Suite struct HookViewTests {
    /// NAS is down, Router is up and has a hook.
    private func evening(columns: Int = 120, rows: Int = 30) -> Scene {
        let rule = HookRule(on: [.up], run: .shell("systemctl restart wg0"))
        var scene = Scene(
            [
                .make("Router", url: "icmp://192.168.1.1", group: "Home", hooks: [rule]),
                .make("NAS", group: "Home"), .make("Cam", url: "tcp://cam.local:554", group: "Home"),
            ],
            columns: columns,
            rows: rows
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "xxx", "Cam": "xxx"])
        return scene
    }

    /// Selects a target by its name.
    private func select(_ name: String, in scene: inout Scene) {
        scene.press(.character("g"))
        for _ in 0..<8 where !scene.line("▸").contains(name) { scene.press(.down) }
    }

    /// The hook runs that the dashboard has requested.
    private func runs(of scene: Scene) -> [HookRun] {
        scene.effects.flatMap(\.runs)
    }

    private func finish(_ run: HookRun, _ status: HookResult.Status, _ output: String = "", in scene: inout Scene) {
        scene.send(.hook(.started(run)))
        let result = HookResult(status: status, duration: .milliseconds(1_200), output: output)
        scene.send(.hook(.finished(run, result)))
    }

    @Test func `an armed command is shown in the row, and runs once when the target is reachable`() throws {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        #expect(scene.line("run once NAS is reachable:").contains("enter arms it, esc cancels"))
        scene.type("mount /mnt/nas")
        scene.press(.enter)
        #expect(scene.screen.contains("`mount /mnt/nas` runs when NAS is reachable"))
        #expect(scene.line("nas.local").contains("down ⚑"))
        #expect(runs(of: scene).isEmpty)

        scene.receive("r", from: "NAS")
        #expect(runs(of: scene).map(\.rule.action) == [.shell("mount /mnt/nas")])
        #expect(!scene.line("nas.local").contains("⚑"))
        scene.receive("xxxr", from: "NAS")
        #expect(runs(of: scene).count == 1)
    }

    @Test func `a command for a reachable target runs immediately`() {
        var scene = evening()
        select("Router", in: &scene)
        scene.press(.character("x"))
        scene.type("echo hello")
        scene.press(.enter)
        #expect(scene.screen.contains("`echo hello` runs now: Router is reachable"))
        #expect(runs(of: scene).map(\.rule.action) == [.shell("echo hello")])
    }

    @Test func `the prompt for a command says what enter does`() {
        var scene = evening()
        select("Router", in: &scene)
        scene.press(.character("x"))
        #expect(scene.line("run now, Router is reachable:").contains("enter runs it now, esc cancels"))
        scene.press(.escape)
        select("NAS", in: &scene)
        scene.press(.character("x"))
        #expect(scene.line("run once NAS is reachable:").contains("enter arms it, esc cancels"))
        scene.press(.escape, .character("g"), .character("x"))
        #expect(scene.line("run once for each of 3").contains("enter runs it now for 1, arms it for 2"))
    }

    @Test func `a command for a group is armed or run for each target`() {
        var scene = evening()
        scene.press(.character("g"), .character("x"))
        #expect(scene.screen.contains("run once for each of 3 targets when reachable:"))
        scene.type("echo $REACH_TARGET")
        scene.press(.enter)
        #expect(scene.screen.contains("runs now for 1, armed for 2"))
        #expect(runs(of: scene).map(\.context.name) == ["Router"])
        scene.receive("r", from: "Cam")
        #expect(runs(of: scene).map(\.context.name) == ["Router", "Cam"])
    }

    @Test func `an armed command can have a time limit`() {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type("2m: mount /mnt/nas")
        scene.press(.enter, .character("h"))
        #expect(scene.line("armed for 2m").contains("mount /mnt/nas"))
        #expect(scene.line("armed for 2m").contains("2m00s left") || scene.line("armed for 2m").contains("2m left"))
        scene.wait(.seconds(121))
        #expect(scene.screen.contains("dropped: not reachable within 2m"))
        scene.receive("r", from: "NAS")
        #expect(runs(of: scene).isEmpty)
    }

    @Test(
        arguments: [
            ("30: mount", "30 has no unit – 30s or 30m?"), ("30m:", "missing command after 30m:"),
            ("30x: mount", "invalid duration \"30x\""), ("0s: mount", "invalid duration \"0s\""),
        ]
    )
    func `an invalid line stays in the prompt, with its problem`(line: String, problem: String) {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type(line)
        scene.press(.enter)
        #expect(scene.line("run once NAS is reachable: \(line)").contains(problem))
        scene.press(.backspace)
        #expect(!scene.screen.contains(problem))
        scene.press(.escape)
        #expect(!scene.line("nas.local").contains("⚑"))
    }

    @Test func `a pasted command of two thousand characters is accepted, and its end is visible`() {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        let command = "echo \(String(repeating: "x", count: 1_980)) > the-end"
        scene.press(.paste(command))
        let line = scene.line("run once NAS is reachable: …")
        #expect(line.contains("xx > the-end") && !line.contains("the-end…"), "the cursor stands at the end")
        scene.press(.home)
        #expect(scene.line("run once NAS").contains("reachable: echo xx"))
        scene.press(.enter)
        scene.receive("r", from: "NAS")
        #expect(runs(of: scene).map(\.rule.action) == [.shell(command)])
    }

    @Test func `a paste that exceeds the limit is ignored, with a problem`() {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type("echo 1")
        scene.press(.paste(String(repeating: "x", count: 1_995)))
        #expect(scene.line("run once NAS").contains("echo 1    line too long: at most 2000 characters"))
        scene.press(.paste(String(repeating: "x", count: 1_994)))
        #expect(scene.line("run once NAS").contains("reachable: …xxx") && !scene.screen.contains("line too long"))
        scene.type("y")
        #expect(scene.line("run once NAS").contains("xxx    line too long: at most 2000 characters"))
        scene.press(.left)
        #expect(!scene.screen.contains("line too long"))
    }

    @Test(arguments: ["", "   "])
    func `an empty line arms nothing`(line: String) {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type(line)
        scene.press(.enter)
        #expect(!scene.line("nas.local").contains("⚑"))
        #expect(!scene.screen.contains("run once NAS"))
    }

    @Test func `commands of the history and the settings can be completed and recalled`() {
        var scene = evening()
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type("sys")
        #expect(scene.line("run once NAS").contains("systemctl restart wg0"))
        scene.press(.tab)
        scene.type(" --now")
        scene.press(.enter, .character("x"), .up)
        #expect(scene.line("run once NAS").contains("systemctl restart wg0 --now"))
        scene.press(.up)
        #expect(scene.line("run once NAS").contains("systemctl restart wg0  "))
        scene.press(.down, .down)
        #expect(!scene.line("run once NAS").contains("systemctl"))
    }

    @Test func `a filter can be recalled`() {
        var scene = evening()
        scene.press(.character("/"))
        scene.type("cam")
        scene.press(.enter, .escape, .character("/"), .up)
        #expect(scene.line("filter:").contains("filter: cam"))
        // A recalled filter applies immediately.
        #expect(!scene.screen.contains("nas.local"))
    }

    @Test func `only armed hooks can be disarmed in the list`() {
        var scene = evening()
        scene.press(.character("g"), .character("x"))
        scene.type("echo one")
        scene.press(.enter, .character("h"))
        #expect(scene.screen.contains("Hook runs ─"))
        scene.press(.character("g"), .character("x"))
        #expect(scene.screen.contains("disarmed echo one"))
        #expect(scene.screen.contains("dropped: disarmed"))
        scene.press(.end, .character("x"))
        #expect(scene.screen.contains("only an armed hook can be disarmed"))
        scene.receive("r", from: "NAS")
        scene.receive("r", from: "Cam")
        #expect(runs(of: scene).map(\.context.name) == ["Router", "Cam"])
    }

    @Test func `a disarmed hook stays in the hook runs of its target only`() {
        var scene = evening()
        scene.send(.resize(Size(columns: 120, rows: 60)))
        select("NAS", in: &scene)
        scene.press(.character("x"))
        scene.type("echo one")
        scene.press(.enter, .character("H"))
        #expect(scene.line("echo one").contains("armed"))
        scene.press(.character("x"))
        #expect(scene.line("dropped: disarmed").contains("echo one"))
        scene.press(.escape, .enter)
        #expect(scene.line("dropped: disarmed").contains("echo one"))
        scene.press(.escape)
        select("Cam", in: &scene)
        scene.press(.character("H"))
        #expect(!scene.screen.contains("dropped: disarmed"))
    }

    @Test func `t runs the target's hooks as a test`() {
        var scene = evening()
        select("Router", in: &scene)
        scene.press(.character("t"))
        #expect(scene.screen.hasSuffix("of Router now, as a test?  y yes  n no"))
        scene.press(.character("n"))
        #expect(runs(of: scene).isEmpty)
        scene.press(.character("t"), .character("y"))
        #expect(scene.screen.contains("testing 1 hook of Router"))
        #expect(runs(of: scene).map(\.context.event) == [.test])
        select("NAS", in: &scene)
        scene.press(.character("t"))
        #expect(scene.screen.contains("NAS has no hooks – press x to arm one"))
        scene.press(.character("g"), .character("t"))
        #expect(scene.screen.contains("select a target to test its hooks"))
        #expect(runs(of: scene).count == 1)
    }

    @Test func `the list shows time, cause, action, status, duration and output`() throws {
        var scene = evening()
        #expect(
            {
                scene.press(.character("h")); return scene.screen
            }().contains("no hook runs yet")
        )
        scene.press(.escape)
        scene.receive("xxxr", from: "Router")
        let run = try #require(runs(of: scene).first)
        scene.press(.character("h"))
        #expect(scene.line("systemctl").contains("waiting"))
        scene.send(.hook(.started(run)))
        #expect(scene.line("systemctl").contains("running"))
        finish(run, .exited(3), "first\nlast words\n", in: &scene)
        let line = scene.line("Router")
        for text in ["14:02:", "up after", "systemctl restart wg0", "failed, status 3", "1.2s"] {
            #expect(line.contains(text), "\(line)")
        }
        #expect(line.hasPrefix("▸! 14:02:"), "a failed run is marked")
        #expect(scene.line(" in 1.2s: ").contains("failed, status 3 in 1.2s: systemctl restart wg0 ──"))
        #expect(scene.screen.contains("  last words"))
        #expect(!scene.screen.contains("disarm"), "nothing is armed")
        scene.send(.hook(.dropped(run, .obsolete)))
        #expect(scene.line("Router").contains("dropped: obsolete"))
        scene.press(.character("h"))
        #expect(scene.screen.contains("192.168.1.1"))
    }

    @Test func `the whole output opens, scrolls and closes`() throws {
        var scene = evening()
        select("Router", in: &scene)
        scene.press(.character("t"), .character("y"), .character("h"))
        let output = (1...100).map { "line \($0)." }.joined(separator: "\n")
        finish(try #require(runs(of: scene).first), .exited(0), output, in: &scene)
        #expect(scene.screen.contains("line 100.") && !scene.screen.contains("line 1.\n"))
        scene.press(.enter)
        #expect(scene.screen.contains("line 1.") && !scene.screen.contains("line 100."))
        scene.press(.end)
        #expect(scene.screen.contains("line 100."))
        scene.press(.escape)
        #expect(scene.screen.contains("Hook runs"))
        scene.press(.escape)
        #expect(scene.screen.contains("nas.local"))
    }

    @Test func `H shows the hook runs of the selected target only`() throws {
        var scene = evening()
        scene.press(.character("g"), .character("x"))
        scene.type("echo all")
        scene.press(.enter)
        select("Cam", in: &scene)
        scene.press(.character("H"))
        #expect(scene.line("Hook runs of").contains("Hook runs of Cam"))
        #expect(scene.screen.contains("⚑ ") && !scene.screen.contains("NAS") && !scene.screen.contains("Router"))
    }

    @Test func `new runs do not change the selection`() throws {
        var scene = evening()
        select("Router", in: &scene)
        scene.press(.character("t"), .character("y"), .character("t"), .character("y"), .character("h"), .down, .up)
        let ids = runs(of: scene).map(\.id)
        #expect(ids.count == 2)
        finish(runs(of: scene)[1], .exited(7), in: &scene)
        #expect(scene.line("▸").contains("failed, status 7"))
        scene.receive("xxxr", from: "Router")
        scene.tick()
        #expect(scene.line("▸").contains("failed, status 7"))
        #expect(scene.screen.contains("up after"))
    }

    @Test func `old outputs are truncated, and old runs are removed`() throws {
        var scene = evening()
        select("Router", in: &scene)
        for _ in 0..<1_200 { scene.press(.character("t"), .character("y")) }
        let all = runs(of: scene)
        for run in all.suffix(60) {
            finish(run, .exited(0), "begin \(String(repeating: "x", count: 5_000)) end", in: &scene)
        }
        scene.press(.character("h"))
        for _ in 0..<55 { scene.press(.down) }
        #expect(scene.screen.contains("earlier bytes were dropped"))
        scene.press(.character("g"))
        #expect(!scene.screen.contains("earlier bytes were dropped"))
        scene.press(.end)
        #expect(scene.line("▸").contains("test"))
    }
}
