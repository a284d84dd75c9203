import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The events, with the results of the hooks that they triggered.
@Suite struct EventTests {
    private func scene(columns: Int = 120, rows: Int = 24, hooks: [HookRule]) -> Scene {
        var scene = Scene(
            [
                .make("NAS", url: "tcp://nas.local:445", group: "Home", hooks: hooks),
                .make("Router", url: "icmp://192.168.1.1", group: "Home"),
            ],
            columns: columns,
            rows: rows
        )
        scene.receiveTogether(["NAS": "rrrxxxr", "Router": "rrrrrrr"])
        return scene
    }

    private func runs(of scene: Scene) -> [HookRun] {
        scene.effects.flatMap(\.runs)
    }

    private func finish(_ run: HookRun, _ status: HookResult.Status, _ output: String = "", in scene: inout Scene) {
        let result = HookResult(status: status, duration: .milliseconds(200), output: output)
        scene.send(.hook(.finished(run, result)))
    }

    @Test func `an invisible character at the start of a name is replaced in the table and in the events`() {
        var scene = Scene([.make("\u{E0041}tag")])
        scene.receive("r", from: "\u{E0041}tag")
        #expect(scene.screen.ranges(of: " �tag ").count == 2)
    }

    @Test func `the result of a hook is on the line of its event`() throws {
        var scene = scene(hooks: [.make(on: [.up], "mount /mnt/nas")])
        let run = try #require(runs(of: scene).last)
        #expect(scene.line("up after 3s").contains("up after 3s  ·  mount waiting"))
        scene.send(.hook(.started(run)))
        #expect(scene.line("up after 3s").contains("up after 3s  ·  mount running"))
        scene.receive("rr", from: "NAS")
        finish(run, .exited(0), "mounted\n", in: &scene)
        #expect(scene.line("up after 3s").contains("up after 3s  ·  mount ok, 0.2s: mounted"))
        #expect(!scene.screen.contains("hook mount"))
        #expect(scene.model.log.entries.count { $0.text.contains("up") } == 3)
    }

    @Test func `at full height, the output of a hook is shown once`() throws {
        var scene = scene(hooks: [.make(on: [.up], "mount /mnt/nas")])
        finish(try #require(runs(of: scene).last), .exited(32), "mount: busy\ntry umount\n", in: &scene)
        scene.press(.character("e"))
        #expect(scene.line("up after 3s").hasSuffix("up after 3s  ·  mount failed, status 32"))
        #expect(scene.screen.split(separator: "\n").count { $0.contains("try umount") } == 1)
        #expect(scene.screen.split(separator: "\n").count { $0.contains("mount: busy") } == 1)
        #expect(scene.model.eventList().height == scene.model.log.entries.count + 2)
    }

    @Test func `at full height, the response of a server that went down is below its event while that is selected`() {
        var scene = Scene([.make("Shop"), .make("NAS")])
        var failure = Failure(.httpStatus, detail: "HTTP 503", httpStatus: 503)
        failure.response = "HTTP/1.1 503 Service Unavailable\nRetry-After: 9\n\nback at noon"
        scene.receive("r", from: "NAS")
        for _ in 0..<3 { scene.receiveAll { _, state in state.target.name == "Shop" ? .failure(failure) : nil } }
        #expect(!scene.screen.contains("back at noon"))
        scene.press(.character("e"))
        #expect(scene.screen.contains("Retry-After: 9") && scene.screen.contains("back at noon"))
        scene.press(.down)
        #expect(!scene.screen.contains("back at noon"))
    }

    @Test func `a run that is retried stays on the line of its event`() throws {
        let rule = HookRule(on: [.up], run: .shell("mount /mnt/nas"), retries: 1)
        var scene = scene(hooks: [rule])
        let first = try #require(runs(of: scene).last)
        let second = try #require(first.retry)
        scene.send(.hook(.retrying(second, after: .seconds(10))))
        #expect(scene.line("up after 3s").hasSuffix("  ·  mount failed, attempt 2 is next"))
        finish(second, .exited(0), in: &scene)
        #expect(scene.line("up after 3s").hasSuffix("  ·  mount ok, 0.2s, attempt 2"))
    }

    @Test func `a run that is dropped says why on the line of its event`() throws {
        var scene = scene(hooks: [.make(on: [.up], "mount /mnt/nas")])
        scene.send(.hook(.dropped(try #require(runs(of: scene).last), .quitting)))
        #expect(scene.line("up after 3s").hasSuffix("  ·  mount did not run: the program is quitting"))
    }

    @Test func `a run that waited for a cooldown is on the line of the change that it reports`() throws {
        var scene = scene(rows: 60, hooks: [.make(on: [.change], "logger change", cooldown: .seconds(60))])
        // Up, down and up again wait for the cooldown; only the last holds.
        finish(try #require(runs(of: scene).first), .exited(0), in: &scene)
        scene.receive("xxxr", from: "NAS")
        let count = runs(of: scene).count
        scene.wait(.seconds(60))
        #expect(runs(of: scene).count == count + 1)
        let lines = scene.screen.split(separator: "\n").filter { $0.hasPrefix(" 14:") && $0.contains(" NAS ") }
        let waiting = lines.filter { $0.hasSuffix("logger waiting") }
        #expect(waiting.map { $0.contains("up after 3s") } == [true])
        #expect(lines.count { $0.hasSuffix("logger ok, 0.2s") } == 1)
        #expect(lines.count { $0.contains("  ·  logger did not run: cooling down for another 5") } == 2)
    }

    @Test func `a test has a line of its own, with its output once`() throws {
        var scene = scene(hooks: [.make(on: [.address], "mount /mnt/nas")])
        scene.select("NAS")
        scene.press(.character("t"), .character("y"))
        finish(try #require(runs(of: scene).last), .exited(0), "mounted\n", in: &scene)
        #expect(scene.line("hook mount").contains("hook mount /mnt/nas exited 0 in 0.2s   mounted"))
        scene.press(.character("e"))
        #expect(scene.line("hook mount").hasSuffix("hook mount /mnt/nas exited 0 in 0.2s"))
        #expect(scene.screen.split(separator: "\n").count { $0.contains("mounted") } == 1)
    }

    @Test func `a hook whose event left the log has a line of its own`() throws {
        var scene = scene(hooks: [.make(on: [.up], "mount /mnt/nas")])
        let run = try #require(runs(of: scene).last)
        for _ in 0..<1_000 { scene.receive("xxxr", from: "Router") }
        finish(run, .exited(0), in: &scene)
        #expect(scene.line("hook mount").contains("NAS       hook mount /mnt/nas exited 0 in 0.2s"))
    }

    @Test func `an armed hook is on the line of the recovery`() throws {
        var scene = scene(hooks: [])
        scene.receive("xxx", from: "NAS")
        scene.select("NAS")
        scene.press(.character("x"))
        scene.type("rsync -a /photos /mnt")
        scene.press(.enter)
        scene.receive("r", from: "NAS")
        finish(try #require(runs(of: scene).last), .timedOut, in: &scene)
        #expect(scene.line("rsync failed").contains("up after 3s  ·  rsync failed, timed out"))
    }

    @Test func `several hooks are on one line, each with its output`() throws {
        var scene = scene(
            hooks: [.make(on: [.down], "~/bin/notify.sh NAS"), .make(on: [.change], "A=b logger 'NAS changed'")]
        )
        let down = runs(of: scene).filter { $0.context.transition?.to == .down }
        #expect(down.count == 2)
        for run in down { finish(run, .exited(0), "done\n", in: &scene) }
        scene.press(.character("e"))
        #expect(scene.line("down after 3").hasSuffix("   was up 3s  ·  notify.sh ok, 0.2s  ·  logger ok, 0.2s"))
        #expect(scene.screen.contains(" notify.sh: done") && scene.screen.contains(" logger: done"))
    }

    @Test func `a skipped hook follows the ones that run`() throws {
        var scene = scene(
            columns: 140,
            hooks: [.make(on: [.up], "fsck", minDown: .seconds(60)), .make(on: [.up], "mount /mnt/nas")]
        )
        finish(try #require(runs(of: scene).last), .exited(0), "mounted\n", in: &scene)
        let text = "up after 3s  ·  mount ok, 0.2s  ·  fsck did not run: down for 3.0s, less than min_down 1m"
        #expect(scene.line("up after 3s").contains(text.replacing("0.2s  ", with: "0.2s: mounted  ")))
        scene.press(.character("e"))
        #expect(scene.line("up after 3s").hasSuffix(text))
        #expect(scene.screen.contains("  mounted\n"))
    }

    @Test func `on a short line, the note makes room for the hook`() throws {
        var scene = scene(columns: 76, hooks: [.make(on: [.down], "mount /mnt/nas")])
        #expect(scene.line("down after 3").hasSuffix("refused  ·  mount waiting"))
        scene.send(.resize(Size(columns: 120, rows: 24)))
        #expect(scene.line("down after 3").hasSuffix("refused   was up 3s  ·  mount waiting"))
    }

    @Test func `the hook of flapping is on its line`() throws {
        var scene = Scene([.make("Radio", fall: 1, hooks: [.make(on: [.flapping], "logger flapping")])])
        scene.receive("rrrrrrrrrrrrrrrrrrrrtrtrtrtr", from: "Radio")
        finish(try #require(runs(of: scene).last), .exited(0), in: &scene)
        #expect(
            scene.line("too often").contains(
                "changes too often: its reports wait until it is stable  ·  logger ok, 0.2s"
            )
        )
        #expect(scene.line("dashboard.toml").contains("~ 1 flapping"))
    }

    @Test func `a pause ends flapping without an entry that it is over, and without a hook`() {
        var scene = Scene([.make("Radio", fall: 1, hooks: [.make(on: [.flapping], "logger flapping")])])
        scene.receive("rrrrrrrrrrrrrrrrrrrrtrtrtrtr", from: "Radio")
        let runs = runs(of: scene)
        scene.press(.character(" "))
        #expect(scene.screen.contains(/Radio +paused/))
        #expect(!scene.screen.contains("stable again"))
        #expect(self.runs(of: scene) == runs && runs.count == 1)
        scene.press(.character(" "))
        #expect(!scene.screen.contains("stable again"))
        #expect(!scene.line("dashboard.toml").contains("flapping"))
    }

    @Test func `on a short line, the description is shortened, and the result of the hook stays`() throws {
        var scene = scene(columns: 64, hooks: [.make(on: [.down], "mount /mnt/nas")])
        finish(try #require(runs(of: scene).last), .exited(0), "done\n", in: &scene)
        #expect(scene.line("mount").hasSuffix("down after 3 losses: …  ·  mount ok, 0.2s"))
        scene.send(.resize(Size(columns: 72, rows: 24)))
        #expect(scene.line("mount").hasSuffix("down after 3 losses: refused  ·  mount ok, 0.2s"))
        scene.send(.resize(Size(columns: 76, rows: 24)))
        #expect(scene.line("mount").hasSuffix("down after 3 losses: refused  ·  mount ok, 0.2s: done"))
    }

    @Test func `a note that does not fit is omitted`() {
        var scene = scene(columns: 63, hooks: [])
        scene.receive("xxx", from: "NAS")
        #expect(scene.line("down after").hasSuffix("down after 3 losses: refused   was up 1s"))
        scene.send(.resize(Size(columns: 62, rows: 24)))
        #expect(scene.line("down after").hasSuffix("down after 3 losses: refused"))
    }

    @Test(
        arguments: [
            (.shell("mount /mnt/nas"), "mount"), (.shell("  A=1 B=2 /usr/bin/env x"), "env"),
            (.shell("\"/opt/x/run\" --now"), "run"), (.shell("(cd /tmp && ./go)"), "cd"), (.shell(""), ""),
            (.program("/usr/local/bin/alarm", arguments: ["on"]), "alarm"),
            (.request(Webhook(url: "https://me:pw@ntfy.sh:8443/topic?k=v")), "POST ntfy.sh:8443"),
            (.request(Webhook(url: "http://[::1]/", method: "PUT")), "PUT [::1]"),
        ] as [(HookAction, String)]
    )
    func `an action has a short name`(action: HookAction, name: String) {
        #expect(action.shortName == name)
    }

    @Test(
        arguments: [
            (.exited(0), "ok, 0.2s"), (.exited(3), "failed, status 3"), (.signalled(9), "failed, killed by signal 9"),
            (.timedOut, "failed, timed out"), (.cancelled, "cancelled"),
            (.notStarted("no such file"), "did not start: no such file"), (.answered(status: 204), "ok, 0.2s"),
            (.answered(status: 500), "failed, HTTP 500"),
            (.unanswered(Failure(.refused)), "failed, not answered: refused"),
        ] as [(HookResult.Status, String)]
    )
    func `the end of a run is a few words`(status: HookResult.Status, text: String) throws {
        var scene = scene(hooks: [.make(on: [.up], "mount /mnt/nas")])
        finish(try #require(runs(of: scene).last), status, in: &scene)
        #expect(scene.line("up after 3s").hasSuffix("up after 3s  ·  mount \(text)"))
    }

    @Test(arguments: [
        (9, "lab-1, lab-2, lab-3, lab-4, lab-5, lab-6, lab-7, lab-8, lab-9"), (50, ", lab-40, and 10 more"),
    ])
    func `the event of an outage lists the blocked targets that fit`(count: Int, expected: String) {
        let names = (1...count).map { "lab-\($0)" }
        var scene = Scene(
            [.make("Switch")] + names.map { .make($0, dependsOn: [.target("Switch")]) },
            columns: 500,
            rows: 24
        )
        scene.receiveTogether(["Switch": "rrrxxx"].merging(names.map { ($0, "rrr") }) { first, _ in first })
        #expect(scene.line("blocks ").contains("blocks \(count) targets"))
        #expect(scene.line("blocks ").hasSuffix(expected))
        scene.send(.resize(Size(columns: 80, rows: 24)))
        #expect(scene.line("blocks ").hasSuffix("…"))
    }
}
