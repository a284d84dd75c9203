import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// What the screen requests of the history, and when.
@Suite struct HistoryCacheTests {
    private func requests(_ scene: Scene, from index: Int = 0) -> [HistoryRequest] {
        scene.effects.dropFirst(index).compactMap { effect in
            if case .readHistory(let request) = effect { request } else { nil }
        }
    }

    /// The names of the targets of requests for pasts.
    private func pasts(_ requests: [HistoryRequest]) -> [[String]] {
        requests.compactMap { request in
            if case .pasts(let assignments) = request { assignments.map(\.target.name) } else { nil }
        }
    }

    @Test func `nothing is read before a view shows it`() {
        var scene = Scene.evening
        scene.press(.character("2"), .character("3"), .character("1"), .character("e"), .character("h"), .escape)
        scene.wait(.seconds(600))
        #expect(requests(scene).isEmpty)
    }

    @Test func `of thousands of rows, the visible ones are read and then those near them, one request at a time`() {
        var scene = Scene.halls([2_400, 1_700], columns: 80, rows: 24)
        scene.press(.character("4"))
        let first = pasts(requests(scene))
        #expect(first.count == 1 && (5...20).contains(first[0].count))
        let before = scene.effects.count
        // Without an answer, nothing else is requested.
        scene.press(.end)
        scene.wait(.seconds(30))
        #expect(requests(scene, from: before).isEmpty)
        scene.answerHistory()
        let next = pasts(requests(scene, from: before))
        #expect(next.count == 2 && next[0].contains("2-1699"))
        #expect(next[1].count <= 2 * next[0].count && Set(next[1]).isDisjoint(with: next[0]))
        #expect(scene.screen.contains("2-1699"))
    }

    @Test func `the pages after and before are read when the visible one is, and then paging shows them at once`() {
        var scene = Scene.halls([300], columns: 160, rows: 24)
        scene.press(.character("4"))
        let visible = pasts(requests(scene))[0]
        #expect(scene.screen.contains("reading"))
        // The answer that the user waits for is painted at once, the next one with the next frame.
        scene.model.markPainted()
        let before = scene.effects.count
        scene.answerHistory(number: 0)
        #expect(scene.model.staleness == .urgent)
        let nearby = pasts(requests(scene, from: before))
        #expect(nearby.count == 1 && nearby[0].count == visible.count + 1 && !visible.contains(nearby[0][0]))
        scene.model.markPainted()
        scene.answerHistory(number: 1)
        #expect(scene.model.staleness == .stale)
        #expect(requests(scene).count == 2)
        // The first one moves the selection to the end of the page. Then, the heading is in place of the first target.
        scene.press(.pageDown)
        scene.press(.pageDown)
        #expect(scene.screen.contains(nearby[0][1]) && !scene.screen.contains("reading"))
    }

    @Test func `pasts of pages that are not visible displace none that is`() {
        var cache = HistoryCache()
        func assignments(_ numbers: Range<Int>) -> [ProbeRequest.Assignment] {
            numbers.map { ProbeRequest.Assignment(id: Target.ID($0), target: .make("\($0)")) }
        }
        let needs = HistoryCache.Needs(strips: assignments(0..<300), nearbyStrips: assignments(300..<900))
        for second in 0..<4 {
            for case .pasts(let assignments) in cache.requests(for: needs, at: .seconds(second), all: { [] }) {
                let pasts = assignments.map { ($0.id, TargetPast([])) }
                cache.receive(.pasts(Dictionary(pasts) { $1 }), zone: ZoneOffsets(.zero), at: .seconds(second))
            }
        }
        #expect((0..<400).allSatisfy { cache.past(of: Target.ID($0)) != nil })
        #expect(cache.requests(for: needs, at: .seconds(4), all: { [] }).isEmpty)
        let others = Dictionary(uniqueKeysWithValues: (900..<1_300).map { (Target.ID($0), TargetPast([])) })
        cache.receive(.pasts(others), zone: ZoneOffsets(.zero), at: .seconds(5))
        #expect((0..<300).allSatisfy { cache.past(of: Target.ID($0)) != nil })
    }

    @Test func `a past is read again after five minutes, and a problem is tried again after one`() {
        var scene = Scene([.make("NAS")])
        scene.pressWithHistory(.character("4"))
        #expect(requests(scene).count == 1)
        scene.wait(.seconds(299))
        #expect(requests(scene).count == 1)
        scene.wait(.seconds(2))
        #expect(requests(scene).count == 2)
        scene.refuseHistory("history: locked")
        #expect(scene.screen.contains("history: locked"))
        scene.wait(.seconds(59))
        #expect(requests(scene).count == 2)
        scene.wait(.seconds(2))
        #expect(requests(scene).count == 3)
        scene.answerHistory(from: scene.effects.count - 1)
        #expect(!scene.screen.contains("history: locked"))
    }

    @Test func `availability is read for its columns and orders, again after a minute, and less often if it is slow`() {
        var scene = Scene([.make("A"), .make("B")])
        let columns: [TableColumn] = [.name, .health, .last30Days]
        scene.send(.settings(Settings(targets: scene.model.roster.targets, columns: columns)))
        scene.tick()
        #expect(requests(scene).count == 1)
        // The answer takes four seconds.
        scene.wait(.seconds(4))
        scene.answerHistory()
        scene.wait(.seconds(198))
        #expect(requests(scene).count == 1)
        scene.wait(.seconds(3))
        #expect(requests(scene).count == 2)
        scene.answerHistory(from: scene.effects.count - 1)
        scene.wait(.seconds(59))
        #expect(requests(scene).count == 2)
        scene.wait(.seconds(2))
        #expect(requests(scene).count == 3)
    }

    @Test func `columns show the availability, and sort by it`() throws {
        var scene = Scene([.make("A"), .make("B"), .make("C")])
        let columns: [TableColumn] = [.name, .health, .last24Hours, .last30Days]
        scene.send(.settings(Settings(targets: scene.model.roster.targets, columns: columns)))
        let (now, start) = (Scene.wall.start, Scene.wall.start - .seconds(20 * 86_400))
        func availability(_ minutesDown: Int) -> PeriodAvailability {
            let down = now - .seconds(minutesDown * 60)
            let spans = [WatchedSpan(.up, from: start, until: down), WatchedSpan(.down, from: down, until: now)]
            return PeriodAvailability(spans, at: now)
        }
        let ids = try ["A", "B", "C"].map { try #require(scene.id($0)) }
        let all = [ids[0]: availability(2), ids[1]: availability(200)]
        scene.send(.history(.availability(all), SimulatedHistory.zone))
        #expect(scene.line("A ").contains("99.86%") && scene.line("A ").contains("99.99%"))
        #expect(scene.line("B ").contains("86.11%") && scene.line("B ").contains("99.30%"))
        #expect(scene.line("C ").contains("–"))
        for _ in Sort.allCases where scene.model.list.sort != .last24Hours { scene.press(.character("s")) }
        let states = scene.model.roster.states
        #expect(scene.model.list.order.positions.map { states[$0].target.name } == ["B", "A", "C"])
        // New figures are a new order.
        let swapped = [ids[0]: availability(200), ids[1]: availability(2)]
        scene.send(.history(.availability(swapped), SimulatedHistory.zone))
        #expect(scene.model.list.order.positions.map { states[$0].target.name } == ["A", "B", "C"])
    }

    @Test(arguments: [60, 80, 99, 120])
    func `the headings of the figures have blanks between them`(columns: Int) {
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445")], columns: columns)
        scene.receive("rrrrr", from: "NAS")
        scene.pressWithHistory(.enter)
        #expect(scene.line("last 100").split(separator: " ").contains { $0 == "100" })
    }

    @Test func `the figures of the details are those of 90 days, until a reset`() {
        var scene = Scene([.make("NAS", url: "tcp://nas.local:445")])
        scene.receive("rrrrr", from: "NAS")
        scene.pressWithHistory(.enter)
        #expect(scene.line("last 100").contains("90 days"))
        #expect(scene.line("sent ").contains("777605"))
        scene.press(.character("R"))
        #expect(scene.line("last 100").contains("total"))
        #expect(!scene.line("sent ").contains("777605"))
    }

    @Test func `the probes of the minute of the start that were before it count`() throws {
        var scene = Scene([.make("NAS")])
        let id = scene.model.roster.states[0].id
        var past = StoredPast()
        var samples = SampleHistory(capacity: 3_600)
        // The program starts 31 seconds after a whole minute.
        for second in -60 ..< -10 { samples.append(Sample(time: .seconds(second), roundTrip: .milliseconds(1))) }
        past.samples = [id: samples]
        scene.send(.past(past))
        scene.receive("rrrrr", from: "NAS")
        scene.press(.enter)
        var figures = TargetPast([])
        figures.figures = ProbeFigures(sent: 29, lost: 0)
        scene.send(.history(.figures(id, figures), SimulatedHistory.zone))
        #expect(scene.line("last 100").contains("90 days"))
        #expect(scene.line("sent ").split(separator: " ").suffix(2).allSatisfy { $0 == "55" })
        // They may be the only ones.
        scene.send(.history(.figures(id, TargetPast([])), SimulatedHistory.zone))
        #expect(scene.line("sent ").split(separator: " ").suffix(2) == ["55", "26"])
    }

    @Test func `after the clock was set, figures are requested without all times of this run`() throws {
        var scene = Scene([.make("NAS")])
        scene.receive("rrrrr", from: "NAS")
        let before = Scene.wall.start + scene.now
        let start = Scene.wall.start + .seconds(3_600)
        scene.send(.tick(WallTime(start: start)))
        scene.press(.enter)
        let requests = scene.effects.compactMap { effect -> [Range<Duration>]? in
            if case .readHistory(.figures(_, let ran)) = effect { ran } else { nil }
        }
        #expect(requests == [[Scene.wall.start..<before, start + scene.now..<start + scene.now]])
    }

    @Test func `without earlier probes, the figures are those of this run`() {
        var scene = Scene([.make("NAS")])
        scene.receive("rrrrr", from: "NAS")
        scene.press(.enter)
        let id = scene.model.roster.states[0].id
        scene.send(.history(.figures(id, TargetPast([])), SimulatedHistory.zone))
        #expect(scene.line("last 100").contains("total"))
        #expect(scene.line("sent ").contains("5"))
    }

    @Test func `pasts of targets that are not shown any more are forgotten first`() {
        var cache = HistoryCache()
        for number in 0..<1_000 {
            let past = TargetPast([WatchedSpan(.up, from: .zero, until: .seconds(1))])
            cache.receive(.pasts([Target.ID(number): past]), zone: ZoneOffsets(.zero), at: .seconds(number))
        }
        #expect((0..<1_000).count { cache.past(of: Target.ID($0)) != nil } == 400)
        #expect(cache.past(of: Target.ID(999)) != nil && cache.past(of: Target.ID(0)) == nil)
    }
}
