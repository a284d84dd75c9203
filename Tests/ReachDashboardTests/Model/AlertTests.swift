import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The bell, notifications and the window's title.
@Suite struct AlertTests {
    private func scene(of names: [String] = ["NAS", "Router"], _ alerts: AlertSettings) -> Scene {
        var scene = Scene(names.map { .make($0) })
        var settings = Settings(targets: names.map { .make($0) })
        settings.alerts = alerts
        scene.send(.settings(settings))
        for name in names { scene.receive("r", from: name) }
        return scene
    }

    private func alerts(_ effects: [Effect]) -> [Alert] {
        effects.compactMap { if case .alert(let alert) = $0 { alert } else { nil } }
    }

    private func titles(_ effects: [Effect]) -> [String?] {
        effects.compactMap { effect -> String?? in if case .title(let title) = effect { .some(title) } else { nil } }
    }

    private static let loud = AlertSettings(bell: true, title: true, notify: true)

    @Test func `an outage rings once, and its recovery shows a notification only`() {
        var scene = scene(Self.loud)
        #expect(alerts(scene.effects).isEmpty)
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(2))
        #expect(alerts(scene.effects) == [Alert(rings: true, notification: "NAS down")])
        scene.pass(.seconds(30))
        #expect(alerts(scene.effects).count == 1)
        scene.receive("r", from: "NAS")
        scene.pass(.seconds(2))
        #expect(alerts(scene.effects).dropFirst() == [Alert(rings: false, notification: "NAS up again")])
    }

    @Test func `an acknowledged target neither rings nor counts, and its recovery shows a notification`() {
        var scene = scene(Self.loud)
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(2))
        let before = alerts(scene.effects).count
        scene.type("Anew switch")
        scene.press(.enter)
        scene.pass(.seconds(1))
        #expect(titles(scene.effects).last == .some("reach"))
        // A target that is degraded stays acknowledged.
        let degraded = Outcome.reply(Reply(roundTrip: .milliseconds(1), concern: "HTTP 200, expires soon"))
        for _ in 0..<3 { scene.receive(degraded, from: "NAS") }
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(6))
        #expect(scene.model.roster.states.healthCounts.expectedDown == 1)
        #expect(alerts(scene.effects).count == before)
        scene.receive("r", from: "NAS")
        scene.pass(.seconds(6))
        #expect(alerts(scene.effects).dropFirst(before) == [Alert(rings: false, notification: "NAS up again")])
    }

    @Test func `a hundred targets that go down together ring once`() {
        let names = (1...100).map { "host \($0)" }
        var scene = scene(of: names, Self.loud)
        let findings = { (sequence: Int, now: Duration, roster: Roster) in
            roster.states.map { state in
                Finding.observation(
                    Observation(target: state.id, sequence: sequence, time: now, outcome: .failure(Failure(.refused)))
                )
            }
        }
        for sequence in 1_000...1_003 {
            for finding in findings(sequence, scene.now, scene.model.roster) {
                scene.send(.findings([finding]))
                scene.tick()
            }
            scene.pass(.milliseconds(300))
        }
        scene.pass(.seconds(10))
        #expect(scene.model.roster.states.healthCounts.down == 100)
        let text = "host 1, host 2, host 3 and 97 more down"
        #expect(alerts(scene.effects) == [Alert(rings: true, notification: text)])
        #expect(titles(scene.effects).last == .some("100 down – reach"))
    }

    @Test func `outages one after the other do not delay the alert for ever`() {
        let names = (1...20).map { "host \($0)" }
        var scene = scene(of: names, Self.loud)
        for name in names { scene.receive("xxx", from: name, every: .milliseconds(300)) }
        scene.pass(.seconds(3))
        let count = alerts(scene.effects).count
        #expect(count >= 3 && count <= 5, "\(count)")
    }

    @Test func `targets that are paused, or up again, make no alert`() {
        var scene = scene(Self.loud)
        scene.receive("xxx", from: "NAS", every: .milliseconds(100))
        scene.press(.character("g"), .character(" "))
        scene.pass(.seconds(5))
        #expect(scene.model.roster.states.healthCounts.paused == 1)
        scene.receive("xxxr", from: "Router", every: .milliseconds(100))
        scene.pass(.seconds(5))
        #expect(alerts(scene.effects).isEmpty)
    }

    @Test func `the first verdict and a test of hooks make no alert`() {
        var scene = Scene([.make("NAS")])
        var settings = Settings(targets: [.make("NAS")])
        settings.alerts = Self.loud
        scene.send(.settings(settings))
        scene.receive("xxx", from: "NAS")
        scene.press(.character("t"), .character("y"))
        scene.pass(.seconds(5))
        #expect(scene.model.roster.states.healthCounts.down == 1)
        #expect(alerts(scene.effects).isEmpty)
        #expect(titles(scene.effects).last == .some("1 down – reach"))
    }

    @Test func `the title counts the targets that are down, or else slow`() {
        var scene = scene(AlertSettings())
        #expect(titles(scene.effects) == ["reach"])
        scene.receive("xxx", from: "NAS")
        scene.receive("xxx", from: "Router")
        scene.receive("r", from: "NAS")
        scene.receive("r", from: "Router")
        scene.tick()
        #expect(titles(scene.effects) == ["reach", "1 down – reach", "2 down – reach", "1 down – reach", "reach"])
        #expect(alerts(scene.effects).isEmpty)
        var settings = Settings(targets: [.make("NAS"), .make("Router")])
        settings.alerts.title = false
        scene.send(.settings(settings))
        scene.tick()
        #expect(titles(scene.effects).last == .some(nil))
    }

    @Test func `the title is ASCII where the screen is`() {
        var scene = Scene([.make("NAS")], glyphs: .ascii)
        scene.receive("xxx", from: "NAS")
        scene.tick()
        #expect(titles(scene.effects).last == .some("1 down - reach"))
    }

    @Test func `a key switches bell and notifications`() {
        var scene = scene(AlertSettings())
        scene.press(.character("b"))
        #expect(scene.model.status?.text == "bell and notifications on")
        scene.receive("xxx", from: "NAS")
        scene.pass(.seconds(2))
        #expect(alerts(scene.effects) == [Alert(rings: true, notification: "NAS down")])
        scene.press(.character("b"))
        #expect(scene.model.status?.text == "bell and notifications off")
        scene.receive("xxx", from: "Router")
        scene.pass(.seconds(5))
        #expect(alerts(scene.effects).count == 1)

        var quiet = self.scene(AlertSettings(bell: true))
        quiet.press(.character("b"))
        #expect(quiet.model.status?.text == "bell and notifications off")
        quiet.press(.character("b"))
        #expect(quiet.model.status?.text == "bell on")
    }
}

extension Scene {
    /// Receives outcomes of one target, with this pause before each.
    fileprivate mutating func receive(_ letters: String, from name: String, every pause: Duration) {
        for outcome in Outcome.picture(letters) { receive(outcome, from: name, after: pause) }
        tick()
    }

    /// Lets time pass, with ten ticks a second.
    fileprivate mutating func pass(_ duration: Duration) {
        let end = now + duration
        while now < end { wait(.milliseconds(100)) }
    }
}
