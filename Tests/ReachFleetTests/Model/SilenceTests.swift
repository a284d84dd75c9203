import ReachMonitoring
import Testing

@testable import ReachFleet

/// Servers and vantage points that report again after a silence: what is from before it judges nothing.
struct SilenceTests {
    private typealias Expression = FleetStory.Server.Expression

    private static let all = Expression.rows(where: "", staleAfter: 10)
    private static let group = Expression.rows(where: PromQL.matcher("group", oneOf: ["Web"]), staleAfter: 10)

    private static func read(_ targets: String...) -> String {
        Expression.rows(where: PromQL.matcher("target", oneOf: targets), staleAfter: 10)
    }

    private static let vantages = ["fra", "nyc", "sin"]

    /// The reports of all vantage points at a time.
    private static func reports(at time: Int) -> [String] { vantages.map { "vantage=\($0) \(time)" } }

    /// The rows of a target, up from these vantage points.
    private static func rows(_ target: String, up: Set<String>) -> [String] {
        vantages.map { "target=\(target),group=Web,vantage=\($0) \(up.contains($0) ? 1 : 0)" }
    }

    private static func failing(_ target: String, down: [String], since: Int) -> [String] {
        down.map { "target=\(target),group=Web,health=down,reason=refused,vantage=\($0) \(since)" }
    }

    /// A fleet after three seconds: API is up, and Shop down.
    private func story(rows: Int = 2_000) -> FleetStory {
        var server = FleetStory.Server()
        server.answers[Expression.reports] = Self.reports(at: 1_000)
        server.answers[Expression.counts] = ["group=Web,vantage=fra 2"]
        server.answers[Self.all] = Self.rows("API", up: Set(Self.vantages)) + Self.rows("Shop", up: [])
        server.answers[Expression.failing] = Self.failing("Shop", down: Self.vantages, since: 900)
        var story = FleetStory([server], rows: rows) { $0.staleAfter = .seconds(10) }
        story.run(for: .seconds(3))
        return story
    }

    @Test func `a server that answers again judges nothing before the values were read`() {
        var story = story()
        #expect(story.transitions == ["API: unknown→up", "Shop: unknown→down"])
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(20))
        #expect(story.transitions.suffix(2) == ["API: up→unknown", "Shop: down→unknown"])
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_040)
        story.servers[0].answers[Expression.failing] = Self.failing("API", down: Self.vantages, since: 1_010)
        story.servers[0].answers[Self.all] =
            Self.rows("API", up: []) + Self.rows("Shop", up: Set(Self.vantages))
        story.servers[0].answers[Self.read("API")] = Self.rows("API", up: [])
        story.servers[0].answers[Self.read("Shop")] = Self.rows("Shop", up: Set(Self.vantages))
        story.servers[0].answers[Self.read("API", "Shop")] = story.servers[0].answers[Self.all]
        for expression in [Expression.reports, Expression.failing, Self.all] {
            story.servers[0].delays[expression] = .seconds(4)
        }
        story.run(for: .seconds(60))
        #expect(story.transitions.dropFirst(4).prefix(2).sorted() == ["API: unknown→down", "Shop: unknown→up"])
    }

    @Test func `one vantage point that fails is no majority, before the others were read again`() {
        var story = story()
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(20))
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_060)
        story.servers[0].answers[Expression.failing] = Self.failing("API", down: ["fra"], since: 1_010)
        story.servers[0].answers[Self.all] =
            Self.rows("API", up: ["nyc", "sin"]) + Self.rows("Shop", up: Set(Self.vantages))
        story.servers[0].delays[Self.all] = .seconds(4)
        story.run(for: .seconds(40))
        #expect(story.health("API") == .up && story.verdict("API")?.isDisputed == true)
        #expect(!story.transitions.contains("API: unknown→down"), "\(story.transitions)")
    }

    @Test func `of a large fleet, what is not visible is read again after a silence`() {
        var story = story(rows: 1)
        story.servers[0].answers[Self.read("API")] = Self.rows("API", up: Set(Self.vantages))
        story.servers[0].answers[Self.read("API", "Shop")] =
            Self.rows("API", up: Set(Self.vantages)) + Self.rows("Shop", up: [])
        story.servers[0].answers[Self.read("Shop")] = Self.rows("Shop", up: [])
        story.servers[0].answers[Self.group] = Self.rows("API", up: Set(Self.vantages))
        story.groups = ["Web"]
        story.run(for: .seconds(3))
        story.groups = []
        // Rows say nothing about a target that is down everywhere.
        #expect(story.health("API") == .up && story.model.requestedRows(at: story.now) == [])
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(20))
        #expect(story.health("API") == .unknown)
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_050)
        story.run(for: .seconds(25))
        #expect(story.health("API") == .up && story.health("Shop") == .down)
        #expect(story.model.requestedRows(at: story.now) == [])
    }

    /// A Prometheus that has just started looks back for five minutes.
    @Test func `a server that answers with old samples only judges nothing`() {
        var story = story()
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(20))
        #expect(story.transitions.count == 4)
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_006)
        story.run(for: .seconds(30))
        #expect(story.transitions.count == 4, "\(story.transitions)")
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_054)
        story.run(for: .seconds(3))
        #expect(story.transitions.suffix(2) == ["API: unknown→up", "Shop: unknown→down"])
        #expect(story.times == story.times.sorted())
    }

    @Test func `a vantage point judges for no longer than its newest sample is fresh`() {
        var story = story()
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_004)
        story.run(for: .seconds(10.5))
        #expect(story.health("API") == .up)
        story.run(for: .seconds(1))
        #expect(story.transitions.suffix(2) == ["API: up→unknown", "Shop: down→unknown"])
        story.run(for: .seconds(60))
        #expect(story.transitions.count == 4, "\(story.transitions)")
    }

    @Test func `an outage that began during a silence has the age that the vantage points report`() {
        var story = story()
        story.servers[0].failure = .unreachable("refused")
        story.run(for: .seconds(20))
        story.servers[0].failure = nil
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_050)
        story.servers[0].answers[Expression.failing] =
            Self.failing("API", down: Self.vantages, since: 1_008)
            + Self.failing("Shop", down: Self.vantages, since: 900)
        story.servers[0].answers[Self.all] = Self.rows("API", up: []) + Self.rows("Shop", up: [])
        story.run(for: .seconds(25))
        #expect(story.transitions.suffix(2).sorted() == ["API: unknown→down", "Shop: unknown→down"])
        #expect(story.roster.states.map { $0.since.inSeconds.rounded() } == [8, -100])
    }

    /// Samples with explicit timestamps have no marker of their end. The failing targets are read with old samples, too.
    @Test func `a failing target without a fresh row has no verdict`() {
        var story = story()
        story.servers[0].answers[Self.all] = Self.rows("API", up: Set(Self.vantages))
        story.servers[0].answers[Expression.failing]? += Self.failing("Old", down: ["fra"], since: 800)
        story.servers[0].answers[Expression.reports] = Self.reports(at: 1_004)
        story.run(for: .seconds(5))
        #expect(story.health("API") == .up && story.health("Shop") == .unknown && story.health("Old") == .unknown)
        #expect(story.verdict("Shop")?.silent.map(\.name) == Self.vantages)
        #expect(!story.transitions.contains("Old: unknown→down"))
    }
}
