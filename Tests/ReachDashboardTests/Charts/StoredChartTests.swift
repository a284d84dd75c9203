import ReachMonitoring
import ReachScreen
import TestSupport
import Testing

@testable import ReachDashboard

/// The chart of the details over hours and days, which the history has.
@Suite struct StoredChartTests {
    private func figures(_ median: Int, _ p95: Int, sent: Int = 60, lost: Int = 0) -> ProbeFigures {
        let trips = ProbeFigures.RoundTrips(
            p50: RoundTripBucket(.milliseconds(median)),
            p95: RoundTripBucket(.milliseconds(p95)),
            p99: RoundTripBucket(.milliseconds(p95)),
            longest: RoundTripBucket(.milliseconds(p95 * 10))
        )
        return ProbeFigures(sent: sent, lost: lost, roundTrips: sent == lost ? nil : trips)
    }

    private func scene() -> Scene {
        var scene = Scene([.make("NAS")], columns: 120, rows: 40)
        scene.receive("rrr", from: "NAS")
        scene.press(.enter)
        return scene
    }

    private func requests(_ scene: Scene) -> [ChartPeriod] {
        scene.effects.compactMap { effect in
            if case .readHistory(.chart(_, let period)) = effect { period } else { nil }
        }
    }

    @Test func `after an hour come six hours, a day, seven and thirty days, and the limit is said`() {
        var scene = scene()
        for _ in 0..<3 { scene.press(.character("+")) }
        #expect(scene.screen.contains("Round trips of the last hour"))
        #expect(requests(scene).isEmpty)
        scene.press(.character("+"))
        #expect(scene.screen.contains("Round trips of the last 6 hours"))
        #expect(scene.screen.contains("reading the history"))
        for text in ["day", "7 days", "30 days"] {
            scene.press(.character("+"))
            #expect(scene.screen.contains("Round trips of the last \(text)"))
        }
        #expect(!scene.screen.contains("longest time"))
        scene.press(.character("+"))
        #expect(scene.screen.contains("30 days is the longest time"))
    }

    @Test func `without a history, an hour is the longest time`() {
        var scene = scene()
        scene.send(.history(.unreadable("the history is off"), Scene.wall.zone))
        for _ in 0..<4 { scene.press(.character("+")) }
        #expect(scene.screen.contains("1 hour is the longest time"))
        for _ in 0..<4 { scene.press(.character("-")) }
        #expect(scene.screen.contains("1 minute is the shortest time"))
    }

    @Test func `median, 95th percentile and losses are those of the history`() throws {
        var scene = scene()
        for _ in 0..<4 { scene.press(.character("+")) }
        let period = try #require(requests(scene).last)
        let id = try #require(scene.id("NAS"))
        let first = period.start.components.seconds / 60
        var minutes: [Int64: ProbeFigures] = [:]
        for minute in 0..<360 {
            // An outage of half an hour.
            minutes[first + Int64(minute)] =
                (100..<130).contains(minute) ? figures(1, 1, sent: 60, lost: 60) : figures(20, 40)
        }
        scene.send(.history(.chart(id, StoredChart(period, minutes: minutes, hours: [:])), Scene.wall.zone))
        #expect(scene.screen.contains("median, 95th percentile above it"))
        #expect(scene.screen.contains(/lost │ +▆▆▆+/))
        #expect(scene.screen.contains("40ms"))
        // The longest round trips would hide the others.
        #expect(!scene.screen.contains("400ms"))
        // The same chart is not read again at once.
        let count = requests(scene).count
        scene.wait(.seconds(10))
        #expect(requests(scene).count == count)
        scene.wait(.seconds(60))
        #expect(requests(scene).count == count + 1)
    }

    @Test func `the labels of days are dates`() {
        var scene = scene()
        for _ in 0..<6 { scene.press(.character("+")) }
        #expect(scene.screen.contains("14 Nov") || scene.screen.contains("15 Nov"))
    }

    @Test func `columns join minutes, and hours where no minutes are kept`() {
        let period = ChartPeriod(from: .seconds(7_200), step: .seconds(1_800), count: 4)
        let chart = StoredChart(
            period,
            minutes: [180: figures(10, 20), 181: figures(30, 40), 215: figures(5, 5, lost: 30), 999: figures(1, 1)],
            hours: [2: figures(7, 9, sent: 3_600), 3: figures(99, 99)]
        )
        #expect(chart.columns.keys.sorted() == [1, 2, 3])
        #expect(chart.columns[1]?.sent == 3_600)
        #expect(chart.columns[2]?.sent == 120)
        #expect(chart.columns[2]?.roundTrips?.p50 ?? RoundTripBucket(.zero) < RoundTripBucket(.milliseconds(31)))
        #expect(chart.columns[3]?.lost == 30)
    }
}
