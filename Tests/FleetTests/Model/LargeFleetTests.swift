import Monitoring
import Testing

@testable import Fleet

/// A fleet with more targets than are read at once.
struct LargeFleetTests {
    private typealias Server = FleetStory.Server
    private typealias Expression = FleetStory.Server.Expression

    /// A large fleet: only the counts and the failing targets are read, and the rows of those.
    private func large() -> Server {
        var server = Server.healthy()
        server.answers[Expression.counts] = ["group=Web,vantage=fra 90000", "group=DB,vantage=fra 10000"]
        server.answers[Expression.failing] = ["target=Shop,group=Web,vantage=fra,health=down,reason=refused 900"]
        server.answers[Expression.rows("Shop")] = [
            "target=Shop,group=Web,vantage=fra 0", "target=Shop,group=Web,vantage=nyc 1",
            "target=Shop,group=Web,vantage=sin 1", "target=Shop,group=Web,vantage=sin,reach_part=round_trip 0.18",
        ]
        return server
    }

    @Test func `of a large fleet, never all series are read`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(60))
        #expect(
            story.expressions() == [
                "/api/v1/label/__name__/values", "/api/v1/labels", Expression.reports, Expression.failing,
                Expression.counts, Expression.rows("Shop"), Expression.summaries,
            ]
        )
        #expect(story.roster.states.count == 1)
        #expect(story.model.wantedRows(at: story.now) == ["Shop"])
    }

    @Test func `the first vantage point that sees a target down is no majority`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        #expect(story.health("Shop") == .up)
        #expect(story.transitions == ["Shop: unknown→up"])
    }

    @Test func `what is counted only is what is not among the targets`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        #expect(story.model.takeUpdate(at: story.now).counted == ["Web": 89_999, "DB": 10_000])
    }

    @Test func `a target without a user is forgotten`() {
        var story = FleetStory([large()])
        story.run(for: .seconds(5))
        story.servers[0].answers[Expression.failing] = []
        story.servers[0].answers[Expression.rows("Shop")] = ["target=Shop,group=Web,vantage=fra 1"]
        story.servers[0].answers[Expression.reports] = ["vantage=fra 1020", "vantage=nyc 1020", "vantage=sin 1020"]
        story.run(for: .seconds(300))
        #expect(story.roster.states.count == 1)
        story.run(for: .seconds(320))
        #expect(story.roster.states.isEmpty)
    }
}
