import ReachMonitoring
import TestSupport
import Testing

/// Outcomes in, hook runs out.
struct HookStory: Sendable, CustomTestStringConvertible {
    let name: String
    let rules: [HookRule]
    var slow: Duration? = nil
    let outcomes: String
    let runs: [String]

    var testDescription: String { name }
}

@Suite struct HookStoryTests {
    static let stories: [HookStory] = [
        HookStory(
            name: "the first verdict after the start fires nothing",
            rules: [.make(on: [.up, .down, .change])],
            outcomes: "r",
            runs: []
        ),
        HookStory(
            name: "with firesAtStart the first verdict fires",
            rules: [.make(on: [.up], firesAtStart: true)],
            outcomes: "r",
            runs: ["NAS: up"]
        ),
        HookStory(name: "up fires when the target recovers", rules: [.make()], outcomes: "r ttt r", runs: ["NAS: up"]),
        HookStory(
            name: "up fires on the transition, not on every reply",
            rules: [.make()],
            outcomes: "ttt rrrr",
            runs: ["NAS: up"]
        ),
        HookStory(
            name: "up fires on every recovery",
            rules: [.make()],
            outcomes: "ttt r ttt r",
            runs: ["NAS: up", "NAS: up"]
        ),
        HookStory(
            name: "down fires when the target goes down",
            rules: [.make(on: [.down])],
            outcomes: "r ttt r",
            runs: ["NAS: down"]
        ),
        HookStory(
            name: "down at the start is a first verdict",
            rules: [.make(on: [.down])],
            outcomes: "ttt r ttt",
            runs: ["NAS: down"]
        ),
        HookStory(
            name: "change fires on every transition but the first verdict",
            rules: [.make(on: [.change])],
            slow: .milliseconds(500),
            outcomes: "r sss rrr ttt r",
            runs: ["NAS: change", "NAS: change", "NAS: change", "NAS: change"]
        ),
        HookStory(
            name: "degraded fires when replies become slow",
            rules: [.make(on: [.degraded])],
            slow: .milliseconds(500),
            outcomes: "r sss",
            runs: ["NAS: degraded"]
        ),
        HookStory(
            name: "a target that recovers with slow replies is reachable: up fires",
            rules: [.make()],
            slow: .milliseconds(500),
            outcomes: "r ttt sss",
            runs: ["NAS: up"]
        ),
        HookStory(
            name: "a target that stays reachable does not fire up",
            rules: [.make()],
            slow: .milliseconds(500),
            outcomes: "r sss rrr",
            runs: []
        ),
        HookStory(
            name: "a rule that waits for several events runs once for each transition",
            rules: [.make(on: [.up, .down, .change])],
            outcomes: "r ttt r",
            runs: ["NAS: down", "NAS: up"]
        ),
        HookStory(
            name: "rules fire in the order of the settings",
            rules: [.make(on: [.change], "first"), .make(on: [.up], "second")],
            outcomes: "ttt r",
            runs: ["NAS: change", "NAS: up"]
        ),
        HookStory(
            name: "within the cooldown nothing fires",
            rules: [.make(cooldown: .seconds(60))],
            outcomes: "ttt r ttt r",
            runs: ["NAS: up"]
        ),
        HookStory(
            name: "after the cooldown it fires again",
            rules: [.make(cooldown: .seconds(4))],
            outcomes: "ttt r ttt r",
            runs: ["NAS: up", "NAS: up"]
        ),
    ]

    @Test(arguments: stories)
    func `hooks fire on transitions`(_ test: HookStory) {
        var story = Story(.make(slow: test.slow, hooks: test.rules))
        story.hear(test.outcomes)
        #expect(story.runNames == test.runs)
    }

    @Test func `a success disarms a rule that runs once, a failure does not`() throws {
        var story = Story(.make(hooks: [.make(isOnce: true)]))
        story.hear("ttt r")
        story.end(try #require(story.runs.last), .exited(1))
        story.hear("ttt r")
        #expect(story.runs.count == 2)
        story.end(try #require(story.runs.last), .exited(0))
        story.hear("ttt r ttt r")
        #expect(story.runs.count == 2)
    }

    @Test func `a late report of a drop does not revoke a newer run`() throws {
        var target = Target.make(hooks: [.make(cooldown: .seconds(5))])
        target.mayFlap = false
        var story = Story(target)
        story.hear("ttt r rr ttt r")
        #expect(story.runs.count == 2)
        story.roster.record(.dropped(try #require(story.runs.first), .obsolete))
        story.hear("ttt r")
        #expect(story.runs.count == 2, "four seconds after the last run")
        story.roster.record(.dropped(try #require(story.runs.last), .obsolete))
        story.hear("ttt r")
        #expect(story.runs.count == 3)
    }

    @Test func `a skipped hook is reported with its reason`() throws {
        let rule = HookRule.make(cooldown: .seconds(60))
        var story = Story(.make(hooks: [rule]))
        story.hear("ttt r ttt r")
        let id = try #require(story["NAS"]).id
        #expect(story.others.map(\.kind) == [.hookSkipped(rule, .coolingDown(left: .seconds(56)))])
        #expect(story.others.map(\.targets) == [[id]])
    }

    @Test func `a reload keeps cooldowns and drops the state of removed rules`() {
        let rule = HookRule.make(cooldown: .seconds(60))
        var story = Story(.make(hooks: [rule]))
        story.hear("ttt r")
        _ = story.roster.apply(Settings(targets: [.make(hooks: [rule, .make(on: [.down], "other")])]), at: story.now)
        story.hear("ttt r")
        #expect(story.runNames == ["NAS: up", "NAS: down"])
    }

    @Test func `a run has all variables of its transition`() throws {
        var story = Story(.make(group: "Home", hooks: [.make()]))
        story.hear("r ttx r")
        let run = try #require(story.runs.first)
        let wall = WallTime(start: .seconds(1_795_183_339))
        let environment = Dictionary(
            uniqueKeysWithValues: run.environment(wall: wall).map { ($0.name, $0.value) }
        )
        #expect(
            environment == [
                "REACH_EVENT": "up", "REACH_TARGET": "NAS", "REACH_URL": "tcp://nas.local:445",
                "REACH_HOST": "nas.local", "REACH_PORT": "445", "REACH_ADDRESS": "192.0.2.5", "REACH_GROUP": "Home",
                "REACH_TAGS": "",
                "REACH_HEALTH": "up", "REACH_PREVIOUS_HEALTH": "down", "REACH_REASON": "",
                "REACH_SINCE": "2026-11-20T14:02:24.000Z", "REACH_PREVIOUS_ADDRESS": "", "REACH_FLAPPING": "",
                "REACH_DOWN_SECONDS": "3.000",
                "REACH_ROUND_TRIP_MS": "1.000", "REACH_LOSS": "0.6", "REACH_ACKNOWLEDGED": "",
                "REACH_VANTAGE_UP": "", "REACH_VANTAGE_DEGRADED": "", "REACH_VANTAGE_DOWN": "",
                "REACH_VANTAGE_SILENT": "",
                "REACH_ATTEMPT": "1", "REACH_PATH_END": "", "REACH_PATH_HOPS": "", "REACH_PATH_BEFORE": "",
                "REACH_SHIFT": "", "REACH_LEVEL_BEFORE_MS": "", "REACH_LEVEL_MS": "",
                "REACH_CAUSE": "", "REACH_CAUSE_COUNT": "",
            ]
        )
    }
}
