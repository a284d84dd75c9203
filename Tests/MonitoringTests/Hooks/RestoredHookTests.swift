@testable import Monitoring
import TestSupport
import Testing

/// `cooldown` and `once` of hook rules over a restart of the program.
@Suite struct RestoredHookTests {
    private let wall = WallTime(start: .seconds(1_800_000_000))

    /// A roster at its start, after a run of `command` that fired for `down` some time before.
    private func story(
        of rule: HookRule,
        after command: String,
        _ age: Duration,
        isSuccess: Bool = true
    ) throws -> Story {
        var story = Story(.make(hooks: [rule]))
        let id = try #require(story["NAS"]?.id)
        let action = HookAction.shell(command)
        let time = wall.start - age
        story.roster.restore([.init(action, of: id, on: .down, at: time, isSuccess: isSuccess)], wall: wall, at: .zero)
        return story
    }

    @Test(arguments: [
        (Duration.seconds(120), 0),
        (.seconds(594), 0),
        (.seconds(596), 1),
        // The wall clock was set back.
        (.seconds(-3_600), 0),
    ])
    func `a cooldown goes on`(age: Duration, runs: Int) throws {
        // The verdict comes 4 s after the start.
        var story = try story(of: .make(on: [.down], "page", cooldown: .seconds(600)), after: "page", age)
        story.hear("r ttt")
        #expect(story.runs.count == runs)
    }

    @Test func `a cooldown of another command does not count`() throws {
        var story = try story(of: .make(on: [.down], "page", cooldown: .seconds(600)), after: "page -v", .seconds(9))
        story.hear("r ttt")
        #expect(story.runNames == ["NAS: down"])
    }

    @Test func `a cooldown counts for its event only`() throws {
        let rule = HookRule.make(on: [.down, .up], "page", cooldown: .seconds(600))
        var story = try story(of: rule, after: "page", .seconds(9))
        story.hear("r ttt r")
        #expect(story.runNames == ["NAS: up"])
    }

    @Test(arguments: [(true, 0), (false, 1)]) func `once is over after a success`(isSuccess: Bool, runs: Int) throws {
        let rule = HookRule.make(on: [.down], "page", isOnce: true)
        var story = try story(of: rule, after: "page", .seconds(1_000_000), isSuccess: isSuccess)
        story.hear("r ttt")
        #expect(story.runs.count == runs)
    }

    @Test(arguments: [
        HookResult.Status.exited(1), .signalled(9), .timedOut, .cancelled, .notStarted("no shell"),
        .answered(status: 200), .unanswered(Failure(.refused)),
    ])
    func `the action of a stored run is found again`(status: HookResult.Status) {
        let detail = "page \(HookResult(status: status, duration: .seconds(1)).summary)"
        #expect(HookAction.isAction("page", of: detail))
        #expect(!HookAction.isAction("pag", of: detail))
        #expect(!HookAction.isAction("page", of: "page me exited 0 in 1.0s"))
    }
}
