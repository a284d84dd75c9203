import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// Hooks that run in another process, on the screen.
@Suite struct HookOwnerTests {
    private func scene(columns: Int = 120, owner: HookOwner = .process(4_711), hooks: [HookRule]? = nil) -> Scene {
        let rules = hooks ?? [HookRule(on: [.down], run: .shell("page"))]
        var scene = Scene([.make(hooks: rules), .make("Router")], columns: columns, rows: 24)
        scene.send(.hookOwner(owner))
        scene.receiveTogether(["NAS": "rrr", "Router": "rrr"])
        return scene
    }

    private func header(_ scene: Scene) -> String {
        String(scene.screen.prefix { $0 != "\n" })
    }

    @Test(arguments: [80, 120, 200]) func `the header names the process`(columns: Int) {
        #expect(header(scene(columns: columns)).contains("  hooks run in process 4711  "))
        #expect(header(scene(columns: columns, owner: .process(nil))).contains("  hooks run in another process  "))
        #expect(header(scene(columns: columns, owner: .disabled)).contains("  hooks are off  "))
    }

    @Test(arguments: [HookOwner.thisProcess, .unknown("cannot lock x")])
    func `the header is as before if hooks run here`(owner: HookOwner) {
        #expect(!header(scene(owner: owner)).contains("hooks"))
    }

    @Test func `without hooks, nothing is said`() {
        let scene = scene(hooks: [])
        #expect(!header(scene).contains("hooks run") && !scene.screen.contains("process 4711"))
    }

    @Test func `no run starts or is listed until this process takes over`() {
        var scene = scene()
        #expect(scene.screen.contains("reach already runs here (process 4711): it runs the hooks"))
        scene.receive("ttt", from: "NAS")
        #expect(scene.effects.flatMap(\.runs).isEmpty)
        scene.press(.character("h"))
        #expect(scene.screen.contains("Hook runs – hooks run in process 4711 ─"))
        #expect(scene.screen.contains("no hook runs yet"))
        scene.send(.hookOwner(.thisProcess))
        scene.receive("rttt", from: "NAS")
        #expect(scene.effects.flatMap(\.runs).map(\.rule.action) == [.shell("page")])
        #expect(!scene.screen.contains("process 4711") && scene.screen.contains(" Hook runs ─"))
        scene.press(.character("e"))
        #expect(scene.screen.contains("hooks: this process runs them now"))
    }

    @Test func `the runs of the other process are read every two seconds, and at its end`() throws {
        var scene = scene()
        var requests: Int {
            scene.effects.count { if case .readHistory(.hookRuns) = $0 { true } else { false } }
        }
        scene.wait(.seconds(1))
        #expect(requests == 0)
        scene.press(.character("h"))
        #expect(requests == 1)
        let id = try #require(scene.id("NAS"))
        let wall = Scene.wall.start
        let run = { (seconds: Int, detail: String, isSuccess: Bool) in
            TargetEvent(
                id,
                HistoryEvent(
                    .hook,
                    at: wall + .seconds(seconds + 1),
                    since: wall + .seconds(seconds),
                    reason: "down",
                    detail: detail,
                    length: .milliseconds(1_200),
                    isSuccess: isSuccess
                )
            )
        }
        var past = StoredPast()
        past.events = [run(-60, "page exited 0 in 1.2s", true), run(1, "other exited 1 in 1.2s", false)]
        scene.send(.history(.hookRuns(past), ZoneOffsets(.zero)))
        #expect(scene.line("14:01:31").contains(/NAS +down +page +ok +1.2s/))
        #expect(scene.line("14:02:32").contains(/NAS +down +other exited 1 in 1.2s +failed +1.2s/))
        #expect(scene.screen.contains("exited 1 in 1.2s, in another process"))
        scene.wait(.seconds(1))
        #expect(requests == 1)
        scene.wait(.seconds(1))
        #expect(requests == 2)
        scene.send(.hookOwner(.thisProcess))
        #expect(requests == 3)
    }

    @Test func `an armed command runs here`() {
        var scene = scene()
        scene.select("NAS")
        scene.press(.character("x"))
        scene.type("echo hello")
        scene.press(.enter)
        #expect(scene.effects.flatMap(\.runs).map(\.rule.action) == [.shell("echo hello")])
    }
}
