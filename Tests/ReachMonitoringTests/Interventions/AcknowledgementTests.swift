import ReachMonitoring
import TestSupport
import Testing

/// What an acknowledgement changes besides events: the state, the summary, the counts, and the context of hooks.
@Suite struct AcknowledgementTests {
    private func failing() throws -> (story: Story, nas: Target.ID) {
        var story = Story(.make(fall: 1, hooks: [.make(on: [.up])]), .make("Web"))
        story.hear("rx")
        return (story, try #require(story["NAS"]?.id))
    }

    @Test func `an acknowledged target is counted`() throws {
        var (story, nas) = try failing()
        #expect(story.roster.states.healthCounts.acknowledged == 0)
        let changes = story.roster.states.changes
        story.take(story.roster.acknowledge([nas], reason: "new switch", at: story.now))
        #expect(story["NAS"]?.acknowledgement == Acknowledgement(reason: "new switch", since: story.now))
        #expect(story.roster.states.changes == changes + 1)
        let counts = story.roster.states.healthCounts
        #expect([counts.down, counts.acknowledged, counts.expectedDown] == [1, 1, 1])
        #expect(counts.expectedDegraded == 0)
        story.hear("r")
        #expect(story["NAS"]?.isAcknowledged == false)
        #expect(story.roster.states.healthCounts.acknowledged == 0)
        #expect(story.roster.states.healthCounts.expectedDown == 0)
    }

    @Test func `a paused target is not counted, but stays acknowledged`() throws {
        var (story, nas) = try failing()
        story.take(story.roster.acknowledge([nas], reason: "new switch", at: story.now))
        story.take(story.roster.pause([nas], at: story.now))
        #expect(story.roster.states.healthCounts.acknowledged == 0)
        #expect(story["NAS"]?.isAcknowledged == true)
    }

    @Test func `targets that do not fail are not acknowledged`() throws {
        var (story, _) = try failing()
        let web = try #require(story["Web"]?.id)
        #expect(story.roster.acknowledge([web], reason: "new switch", at: story.now) == Consequences())
        #expect(story["Web"]?.acknowledgement == nil)
    }

    @Test func `the hook of the recovery gets the reason`() throws {
        var (story, nas) = try failing()
        story.take(story.roster.acknowledge([nas], reason: "new switch", at: story.now))
        story.hear("r x r")
        #expect(story.runs.map(\.context.acknowledged) == ["new switch", nil])
        let values = story.runs.map { run in
            run.environment(wall: WallTime(start: .zero)).first { $0.name == "REACH_ACKNOWLEDGED" }?.value
        }
        #expect(values == ["new switch", ""])
    }

    @Test func `the texts name reason and time`() {
        let forever = Acknowledgement(reason: "new switch", since: .seconds(60))
        let limited = Acknowledgement(reason: "new switch", since: .seconds(60), length: .seconds(7_200))
        #expect(forever.summary == "acknowledged: new switch")
        #expect(limited.summary == "acknowledged for 2h: new switch")
        #expect(forever.summary(at: .seconds(90)) == "acknowledged: new switch, until it is up")
        #expect(limited.summary(at: .seconds(180)) == "acknowledged: new switch, 1h58m left")
    }
}
