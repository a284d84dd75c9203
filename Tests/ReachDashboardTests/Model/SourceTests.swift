import ReachMonitoring
import TestSupport
import Testing

@testable import ReachDashboard

/// Sources of targets on the screen.
struct SourceTests {
    private func notice(
        _ name: String = "t/*.json",
        problem: String? = nil,
        leftOut: String? = nil,
        targets: [Target]? = nil,
        changes: String? = nil
    ) -> Event.Kind {
        let settings = targets.map { Settings(targets: $0) }
        return .source(
            SourceNotice(name: name, problem: problem, leftOut: leftOut, settings: settings, changes: changes)
        )
    }

    @Test func `a source that fails is shown in the banner and in the events until it is read again`() {
        var scene = Scene([.make("NAS", group: "Home")])
        scene.send(notice(problem: "HTTP 503; its 2 targets stay"))
        #expect(scene.screen.contains("source t/*.json: HTTP 503; its 2 targets stay"))
        // The same problem again is not another event.
        scene.send(notice(problem: "HTTP 503; its 2 targets stay"))
        scene.send(notice("sd", problem: "timeout"))
        #expect(scene.screen.contains("source sd: timeout (and 1 more, press e)"))
        scene.send(notice("sd"))
        scene.send(notice())
        let texts = scene.model.log.entries.map(\.text).filter { $0.hasPrefix("source") }
        #expect(
            texts == [
                "source t/*.json: HTTP 503; its 2 targets stay", "source sd: timeout", "source sd: read again",
                "source t/*.json: read again",
            ]
        )
        #expect(scene.model.live.sourceProblems.isEmpty && scene.model.bannerLines.isEmpty)
    }

    @Test func `a missed schedule is shown in the banner while it lasts, and its start and end in the events`() {
        var scene = Scene([.make("NAS", group: "Home")])
        for share in [0.6, 0.7, nil] {
            let report = ScheduleReport(late: 1, skipped: 2, missedShare: share)
            scene.send(.findings([.schedule(report, lane: 0, at: scene.now)]))
            let text = share.map(RosterEvent.scheduleMissedSummary)
            #expect(scene.model.bannerLines.isEmpty == (text == nil))
            if let text { #expect(scene.screen.contains(text.prefix(60))) }
        }
        let texts = scene.model.log.entries.map(\.text).filter { $0.contains("schedule") }
        #expect(
            texts == [RosterEvent.scheduleMissedSummary(share: 0.6), RosterEvent(.scheduleKept, at: .zero).summary]
        )
    }

    @Test func `the targets of a new list are added with an event`() {
        var scene = Scene([.make("NAS", group: "Home")])
        let targets = [Target.make("NAS", group: "Home"), .make("New"), .make("Other")]
        scene.send(notice(leftOut: "1 of 3 targets left out, the first: x", targets: targets, changes: "2 added"))
        #expect(scene.screen.contains("source t/*.json: 1 of 3 targets left out, the first: x"))
        #expect(scene.model.roster.targets.map(\.name) == ["NAS", "New", "Other"])
        #expect(scene.screen.contains("source t/*.json: 2 added"))
        let count = scene.model.log.entries.count
        scene.send(notice(targets: targets))
        #expect(scene.model.log.entries.count == count, "nothing changed")
    }

    @Test func `a new list neither clears rejected settings nor the user's choices`() {
        var scene = Scene([.make("NAS")])
        scene.send(.settingsRefused(["dashboard.toml:3:1: no"]))
        scene.send(notice("sd", targets: [.make("NAS"), .make("New")]))
        #expect(scene.screen.contains("settings refused, the old ones keep running"))
    }

    @Test func `the problem of a source that the settings no longer have is forgotten`() {
        var scene = Scene([.make("NAS")])
        scene.send(notice(problem: "timeout; it has no targets yet"))
        scene.send(.settings(Settings(targets: [.make("NAS")])))
        #expect(!scene.screen.contains("source t/*.json: timeout") || scene.model.bannerLines.isEmpty)
        #expect(scene.model.live.sourceProblems.isEmpty)
    }
}
