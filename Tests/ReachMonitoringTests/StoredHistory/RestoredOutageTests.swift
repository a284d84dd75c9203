import TestSupport
import Testing

@testable import ReachMonitoring

/// Outages that go on after a restart of the program.
@Suite struct RestoredOutageTests {
    private let wall = WallTime(start: .seconds(1_800_000_000))

    private func story(lastSeen health: Health = .down) throws -> Story {
        var story = Story(.make())
        try restore(health, in: &story)
        return story
    }

    /// The target was down an hour before the start, and the program ended ten minutes before it.
    private func restore(_ health: Health, in story: inout Story) throws {
        let id = try #require(story["NAS"]?.id)
        let since = health == .down ? wall.start - .seconds(3_600) : nil
        let last = StoredPast.LastSeen(health, at: wall.start - .seconds(600), since: since)
        story.roster.restore([id: last], wall: wall, at: story.now)
    }

    @Test func `an outage that goes on keeps its beginning, and the recovery ends all of it`() throws {
        var story = try story()
        #expect(story["NAS"]?.since == .zero)
        story.hear("xxx")
        #expect(story["NAS"]?.health == .down && story["NAS"]?.since == .seconds(-3_600))
        story.hear("xxrrr")
        let outage = try #require(story["NAS"]).totals.longestOutage
        #expect(outage > .seconds(3_600) && outage < .seconds(3_610))
        // The next one is another.
        story.hear("xxx")
        #expect(try #require(story["NAS"]?.since) > .zero)
    }

    @Test func `the history may be read after the verdict, but not after a reply`() throws {
        var story = Story(.make())
        story.hear("xxx")
        #expect(try #require(story["NAS"]?.since) > .zero)
        try restore(.down, in: &story)
        #expect(story["NAS"]?.since == .seconds(-3_600))
        story = Story(.make())
        story.hear("rxxx")
        try restore(.down, in: &story)
        #expect(try #require(story["NAS"]?.since) > .zero)
    }

    @Test(arguments: [("rxxx", Health.down), ("xxx", .up)])
    func `an outage after a reply, or of a target that was up, is another`(outcomes: String, health: Health) throws {
        var story = try story(lastSeen: health)
        story.hear(outcomes)
        #expect(story["NAS"]?.health == .down)
        #expect(try #require(story["NAS"]?.since) > .zero)
    }

    @Test func `the time before the start is not counted`() throws {
        var story = try story()
        story.hear("xxxxxrrrrr")
        let share = try #require(story["NAS"]?.availability(at: story.now))
        #expect(share > 0.3)
    }
}

struct StateEventsTests {
    private let nas = Target.ID(1)

    private func kinds(_ events: [HistoryEvent]) -> [HistoryEvent.Kind] {
        var states = StateEvents()
        states.apply(events.map { TargetEvent(nas, $0) })
        return states.all.map(\.event.kind)
    }

    @Test func `only events of the present state are kept, in order`() {
        let up = HistoryEvent(.transition, at: .seconds(1), to: .up)
        let down = HistoryEvent(.transition, at: .seconds(3), to: .down)
        let event = { (kind: HistoryEvent.Kind) in HistoryEvent(kind, at: .seconds(2)) }
        #expect(kinds([up, event(.maintenance), down]) == [.maintenance, .transition])
        #expect(kinds([up, event(.hook), event(.address), event(.blocked)]) == [.transition, .blocked])
        #expect(kinds([up, event(.blocked), down]) == [.transition])
        #expect(kinds([up, event(.blocked), event(.unblocked)]) == [.transition])
        #expect(kinds([up, event(.paused)]) == [.transition, .paused])
        #expect(kinds([event(.maintenance), up, event(.paused), event(.resumed)]) == [.maintenance, .transition])
        #expect(kinds([event(.maintenance), event(.maintenanceEnded)]) == [])
        #expect(kinds([event(.added), up]) == [.added, .transition])
        #expect(kinds([event(.added), up, event(.removed)]) == [])
    }

    @Test func `after the clock was set, the times are those of the new clock`() {
        var states = StateEvents()
        let down = HistoryEvent(.transition, at: .seconds(9_003), to: .down, since: .seconds(9_001))
        states.apply([TargetEvent(nas, down)])
        states.apply([TargetEvent(nil, HistoryEvent(.clock, at: .seconds(5_500), length: .seconds(-3_600)))])
        #expect(states.all.map(\.event.time) == [.seconds(5_403)])
        #expect(states.all.map(\.event.since) == [.seconds(5_401)])
    }
}
