import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The time cursor before the start of the program, where the history has the state of all targets.
@Suite struct MomentTests {
    private func scene() -> Scene {
        var scene = Scene(
            [.make("Router", url: "icmp://192.168.1.1", group: "Home"), .make("NAS", group: "Home")],
            columns: 100,
            rows: 24
        )
        scene.receiveTogether(["Router": "rrr", "NAS": "rrr"])
        return scene
    }

    /// The times that were requested, since the start of the program.
    private func requested(_ scene: Scene) -> [Duration] {
        scene.effects.compactMap { effect in
            if case .readHistory(.moment(let time, _)) = effect { time - Scene.wall.start } else { nil }
        }
    }

    /// Answers the last request: the NAS was down since a minute before.
    private func answer(_ scene: inout Scene, historyFrom start: Duration = .seconds(-86_400 * 30)) {
        guard let time = requested(scene).last.map({ Scene.wall.start + $0 }) else { return }
        var moment = StoredMoment(at: time)
        moment.start = Scene.wall.start + start
        let up = HistoryEvent(.transition, at: time - .seconds(7_200), from: .unknown, to: .up)
        let down = HistoryEvent(
            .transition,
            at: time - .seconds(60),
            from: .up,
            to: .down,
            since: time - .seconds(63),
            reason: "refused",
            detail: "refused",
            length: .seconds(7_000)
        )
        let cause = HistoryEvent(.cause, at: time - .seconds(59), reason: "named", detail: "group Home")
        for (name, events) in [("Router", [up]), ("NAS", [up, down, cause])] {
            guard let id = scene.id(name) else { continue }
            moment.targets[id] = .init()
            moment.targets[id]?.events = events
            let trips = ProbeFigures.RoundTrips(
                p50: RoundTripBucket(.milliseconds(7)),
                p95: RoundTripBucket(.milliseconds(9)),
                p99: RoundTripBucket(.milliseconds(9)),
                longest: RoundTripBucket(.milliseconds(9))
            )
            let minute = time.components.seconds / 60 - 1
            let lost = name == "NAS" ? 60 : 0
            let figures = ProbeFigures(sent: 60, lost: lost, roundTrips: lost == 0 ? trips : nil)
            moment.targets[id]?.minutes = [StoredMinute(figures, number: minute)]
            moment.events += events.map { TargetEvent(id, $0) }
        }
        moment.events.sort { $0.event.time < $1.event.time }
        scene.send(.history(.moment(moment), Scene.wall.zone))
    }

    private func go(to text: String, in scene: inout Scene) {
        scene.press(.character(":"))
        scene.type(text)
        scene.press(.enter)
    }

    @Test func `a time that is typed shows the screen of then`() {
        var scene = scene()
        // The program started at 14:02:31.
        go(to: "12:25", in: &scene)
        #expect(requested(scene) == [.seconds(-5_851)])
        #expect(scene.line("reading").contains("reading 12:25:00"))
        answer(&scene)
        #expect(scene.line("reach").contains("● 1 up  ○ 1 down   FROZEN 12:25:00"))
        #expect(scene.line("NAS").contains("down  refused"))
        #expect(scene.line("NAS").contains(" 1m03s"))
        #expect(scene.line("192.168.1.1").contains(" 9.0ms"))
        #expect(scene.line("1 down since").contains("1 down since 12:23 – group Home"))
        #expect(scene.line("12:24:00 ").contains("NAS"))
        #expect(!scene.screen.contains("14:02"))
        scene.press(.character("2"))
        #expect(scene.screen.contains("○ 1 down"))
        scene.press(.escape)
        #expect(scene.line("reach").contains("● 2 up"))
    }

    @Test(arguments: [
        ("yesterday 14:00", -86_400 - 151), ("2026-11-01 00:00", nil), ("2h", -7_197), ("14:02:32", 1),
    ])
    func `the forms of a time`(text: String, expected: Int?) {
        var scene = scene()
        go(to: text, in: &scene)
        let cursor = scene.model.cursor
        #expect(cursor != nil)
        if let expected { #expect(cursor == .seconds(expected)) }
    }

    @Test(arguments: ["25:99", "12:25:99", "2026-13-01", "yesterday noon", "9999-01-01", "2027-01-01"])
    func `a wrong time says what times look like, and stays in the prompt`(text: String) {
        var scene = scene()
        go(to: text, in: &scene)
        #expect(scene.screen.contains("\(text): ") && scene.model.frozen == nil)
        #expect(scene.screen.contains("such as 12:25") || scene.screen.contains("not in the past"))
        #expect(scene.model.prompts.current != nil)
    }

    @Test func `another day is shown with its name`() {
        var scene = scene()
        go(to: "yesterday 14:00", in: &scene)
        answer(&scene)
        #expect(scene.line("FROZEN").contains("FROZEN 19 Nov 14:00:00"))
        #expect(scene.line("at 19 Nov 14:00:00").contains("read the past"))
        #expect(scene.screen.contains("\n 19 Nov 13:59 ○ NAS"))
    }

    @Test func `keys jump five minutes, and each time is read once`() {
        var scene = scene()
        scene.press(.character("{"))
        #expect(requested(scene) == [.seconds(-297)])
        answer(&scene)
        scene.press(.character("{"))
        #expect(requested(scene) == [.seconds(-297), .seconds(-597)])
        // The next request waits for the answer.
        scene.press(.character("{"))
        #expect(requested(scene).count == 2)
        answer(&scene)
        #expect(requested(scene).last == .seconds(-897))
        answer(&scene)
        #expect(scene.line("FROZEN").contains("FROZEN 13:47:34"))
        scene.press(.character("}"), .character("}"), .character("}"))
        #expect(!scene.screen.contains(" at 14:") && scene.line("FROZEN").contains("● 2 up"))
    }

    @Test func `the cursor does not go before the beginning of the history`() {
        var scene = scene()
        go(to: "12:25", in: &scene)
        answer(&scene, historyFrom: .seconds(-3_600))
        #expect(scene.screen.contains("the history begins here, on 20 Nov 13:02"))
        #expect(requested(scene).last == .seconds(-3_600))
        answer(&scene, historyFrom: .seconds(-3_600))
        #expect(scene.line("FROZEN").contains("FROZEN 13:02:31"))
        scene.press(.character("{"))
        #expect(scene.screen.contains("the history begins here, on 20 Nov 13:02"))
    }

    @Test func `without a history, the cursor stops at the start of the program, and says why`() {
        var scene = scene()
        scene.press(.character("{"))
        scene.send(.history(.unreadable("the history is off"), Scene.wall.zone))
        #expect(scene.screen.contains("earlier times cannot be read: the history is off"))
        #expect(scene.line("FROZEN").contains("FROZEN 14:02:31"))
        scene.press(.character("{"))
        #expect(scene.screen.contains("the program started here"))
        #expect(requested(scene).count == 1)
    }

    @Test func `an answer for a time that was left is not shown`() {
        var scene = scene()
        scene.press(.character("{"))
        scene.press(.escape)
        answer(&scene)
        #expect(!scene.screen.contains("FROZEN") && scene.line("reach").contains("● 2 up"))
    }

    @Test func `the previous and next event are those of the history`() {
        var scene = scene()
        go(to: "12:25", in: &scene)
        answer(&scene)
        scene.press(.character("["))
        #expect(requested(scene).last == .seconds(-5_910))
        answer(&scene)
        #expect(scene.line("FROZEN").contains("FROZEN 12:24:01"))
    }

    @Test func `details and events are those of the moment`() {
        var scene = scene()
        scene.select("NAS")
        go(to: "12:25", in: &scene)
        answer(&scene)
        scene.press(.enter)
        #expect(scene.line("at 12:2").contains("at 12:25:00 down for 1m03s: refused"))
        scene.press(.end)
        #expect(scene.screen.contains("12:24:00 ○ down: refused"))
        scene.press(.character("e"))
        #expect(scene.line("12:24:00").contains("○ NAS"))
        scene.press(.down, .enter)
        #expect(requested(scene).last == .seconds(-5_911))
    }
}
