import Foundation
import Testing

@testable import ReachMonitoring

@Suite("Stories of one target")
struct ShiftStoryTests {
    @Test("A step is reported once, with its levels, and dated back to its first reply")
    func step() throws {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        let began = feed.now + feed.interval
        feed.send(100, level: 38)
        let shift = try #require(feed.reports.first)
        #expect(feed.reports.count == 1)
        #expect(abs(shift.before.milliseconds - 12) < 0.5)
        #expect(abs(shift.after.milliseconds - 38) < 1)
        #expect(shift.began == began)
        #expect(shift.found - shift.began <= .seconds(5))
        #expect(shift.isRise)
        #expect(shift.ends == nil)
    }

    @Test("A return says how long the shift lasted")
    func back() throws {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        feed.send(1260, level: 38)
        feed.send(100, level: 12.2)
        #expect(feed.reports.count == 2)
        let shift = try #require(feed.reports.last)
        #expect(shift.ends == .seconds(1260))
        #expect(!shift.isRise)
    }

    @Test("Spikes are no change, be they single or two in a row", arguments: [1, 2])
    func spikes(width: Int) {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        for _ in 0..<20 {
            for _ in 0..<width { feed.send(.milliseconds(80)) }
            feed.send(30, level: 12)
        }
        #expect(feed.reports.isEmpty)
    }

    @Test("Before 30 replies, nothing is reported")
    func warmup() {
        var feed = ShiftFeed()
        feed.send(12, level: 12)
        feed.send(17, level: 50)
        #expect(feed.reports.isEmpty)
        #expect(feed.shifts.level.level == nil)
        feed.send(200, level: 50)
        #expect(feed.reports.isEmpty)
    }

    @Test("A change below 20 % or below 5 ms is none")
    func small() {
        var feed = ShiftFeed()
        feed.send(100, level: 100)
        feed.send(100, level: 112)
        feed.send(100, level: 100)
        #expect(feed.reports.isEmpty)
        var other = ShiftFeed()
        other.send(100, level: 8)
        other.send(100, level: 12)
        #expect(other.reports.isEmpty)
    }

    @Test(
        "A ramp is one change, whether fast or slow",
        arguments: [3, 5, 10, 20, 30, 45, 60, 100, 300, 1000, 2000, 10_000]
    )
    func ramp(length: Int) throws {
        var feed = ShiftFeed()
        feed.send(200, level: 12)
        let start = feed.now
        for index in 0..<length { feed.send(1, level: 12 + 26 * Double(index) / Double(length)) }
        let end = feed.now
        feed.send(300, level: 38)
        #expect(feed.reports.count == 1)
        let shift = try #require(feed.reports.first)
        #expect(shift.isRise)
        #expect(shift.began >= start - .seconds(2) && shift.began <= end + .seconds(1))
        feed.send(200, level: 12)
        #expect(feed.reports.count == 2)
        #expect(feed.reports.last?.ends != nil)
    }

    @Test("Noise alone is no change", arguments: [0.001, 0.01, 0.05, 0.2])
    func noise(deviation: Double) {
        var feed = ShiftFeed(seed: 7)
        feed.send(20_000, level: 50, noise: deviation)
        #expect(feed.reports.isEmpty)
    }

    @Test("Replies by two paths at random are rarely a change; a lasting one is still found")
    func twoPaths() {
        var feed = ShiftFeed(seed: 13)
        for _ in 0..<20_000 { feed.send(1, level: feed.random.uniform() < 0.5 ? 20 : 30) }
        let before = feed.reports.count
        // Without the count of outliers, there would be more than a thousand.
        #expect(before <= 100)
        let began = feed.now
        feed.send(200, level: 90)
        #expect(feed.reports.count == before + 1)
        #expect(feed.reports.last.map { abs(($0.began - began) / .seconds(1)) <= 2 } == true)
    }

    @Test("Over a pause with the same level, nothing is reported")
    func pause() {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        feed.send(3, level: 38)
        feed.shifts.interrupt()
        feed.now += .seconds(30)
        feed.send(100, level: 12)
        #expect(feed.reports.isEmpty)
    }

    @Test("A level that differs after a suspension is dated after the gap")
    func suspension() throws {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        // Two slow replies before the gap must not date the change.
        feed.send(2, level: 38)
        feed.now += .seconds(7 * 3600)
        let resumed = feed.now + feed.interval
        feed.send(100, level: 38)
        #expect(feed.reports.count == 1)
        #expect(feed.reports.first?.began == resumed)
    }

    @Test("Losses during a step do not hide it, and an outage is no gap in the level")
    func lossDuringStep() throws {
        var feed = ShiftFeed(seed: 3)
        feed.send(200, level: 12)
        feed.send(10, level: 12, loss: 1)
        let began = feed.now + feed.interval
        feed.send(100, level: 38, loss: 0.3)
        #expect(feed.reports.count == 1)
        let shift = try #require(feed.reports.first)
        #expect(shift.began >= began && shift.began <= began + .seconds(4))
    }

    @Test("More sensitive settings after a reload do not report old changes")
    func reload() {
        var feed = ShiftFeed()
        feed.send(100, level: 100)
        feed.send(200, level: 112)
        #expect(feed.reports.isEmpty)
        feed.settings.atLeast = 0.05
        feed.shifts.rebase()
        feed.send(200, level: 112)
        #expect(feed.reports.isEmpty)
        feed.send(100, level: 125)
        #expect(feed.reports.count == 1)
    }

    @Test("A restart with history continues: no warm-up, the shift and its age are known")
    func restart() throws {
        var feed = ShiftFeed()
        feed.send(100, level: 12)
        feed.send(300, level: 38)
        #expect(feed.reports.count == 1)
        let level = feed.shifts.level.snapshot(at: feed.now)
        var next = ShiftFeed()
        next.now = .seconds(5)
        next.shifts = TargetShifts(level: level, at: next.now, after: .seconds(60))
        let resumed = next.now + next.interval
        next.send(50, level: 12)
        #expect(next.reports.count == 1)
        let shift = try #require(next.reports.first)
        #expect(shift.began == resumed)
        // 300 replies, the pause and the first reply.
        #expect(shift.ends == .seconds(360))
    }

    @Test("An invalid snapshot is ignored")
    func invalidSnapshot() {
        var snapshot = LevelDetector().snapshot(at: .zero)
        #expect(!LevelDetector(snapshot, at: .zero).isReady)
        (snapshot.replies, snapshot.segmentReplies) = (30, 30)
        #expect(LevelDetector(snapshot, at: .zero).isReady)
        for level in [Float.nan, .infinity, 1e30] {
            snapshot.level = level
            #expect(!LevelDetector(snapshot, at: .zero).isReady)
        }
        snapshot.level = 9
        (snapshot.reported, snapshot.previous, snapshot.previousAge) = (1e30, .nan, .max)
        snapshot.hours = [1, .max]
        var detector = LevelDetector(snapshot, at: .zero)
        for index in 0..<100 {
            _ = detector.record(roundTrip: .milliseconds(index < 50 ? 8 : 20), at: .seconds(index), hour: 0)
        }
        #expect(detector.isReady)
    }

    @Test("A target probed every 5 min")
    func slowTarget() throws {
        var feed = ShiftFeed(interval: .seconds(300))
        feed.send(300, level: 80)
        let began = feed.now + feed.interval
        feed.send(30, level: 120)
        #expect(feed.reports.count == 1)
        #expect(feed.reports.first?.began == began)
    }

    @Test("In a LAN, 100 µs count")
    func lan() throws {
        var feed = ShiftFeed()
        feed.send(500, level: 0.2, noise: 0.1)
        let began = feed.now + feed.interval
        feed.send(100, level: 0.4, noise: 0.1)
        #expect(feed.reports.count == 1)
        let shift = try #require(feed.reports.first)
        #expect(abs((shift.began - began) / .seconds(1)) <= 2)
        #expect(abs(shift.after.milliseconds - 0.4) < 0.05)
        var quiet = ShiftFeed()
        quiet.send(500, level: 0.2, noise: 0.1)
        quiet.send(500, level: 0.27, noise: 0.1)
        #expect(quiet.reports.isEmpty)
    }
}

/// Changes in several steps: the report is corrected once the level has come to rest.
struct CorrectedShiftTests {
    private func words(_ feed: ShiftFeed) -> [String] { feed.reports.map(\.words) }

    @Test(arguments: [4, 6, 10, 20, 29, 40, 80])
    func `a step to 20 and one to 80 ms some replies later`(between: Int) {
        var feed = ShiftFeed()
        feed.send(100, level: 12, noise: 0.002)
        feed.send(between, level: 20, noise: 0.002)
        feed.send(120, level: 80, noise: 0.002)
        let together = ["latency rose from 12 to 80ms"]
        let apart = ["latency rose from 12 to 20ms", "latency rose from 20 to 80ms"]
        #expect([together, apart].contains(words(feed)), "\(words(feed))")
        #expect(feed.reports.first.map { abs($0.began.inSeconds - 1_101) < 0.2 } == true)
    }

    @Test(arguments: [4, 10, 20])
    func `a fall in two steps back to the level before`(between: Int) {
        var feed = ShiftFeed()
        feed.send(100, level: 12, noise: 0.002)
        feed.send(100, level: 38, noise: 0.002)
        feed.send(between, level: 25, noise: 0.002)
        feed.send(120, level: 12, noise: 0.002)
        #expect(words(feed) == ["latency rose from 12 to 38ms", "latency back to 12ms after 1m40s"])
    }

    @Test func `a ramp has the level at its end`() {
        var feed = ShiftFeed()
        feed.send(100, level: 12, noise: 0.002)
        for step in 0..<60 { feed.send(1, level: 12 + Double(step), noise: 0.002) }
        feed.send(200, level: 72, noise: 0.002)
        #expect(words(feed) == ["latency rose from 12 to 72ms"])
        feed.send(100, level: 12, noise: 0.002)
        #expect(words(feed).last?.hasPrefix("latency back to 12ms after 4m") == true)
    }

    @Test func `up three steps and down three steps`() {
        var feed = ShiftFeed()
        for level in [12, 32, 52, 72, 52, 32] as [Double] { feed.send(100, level: level, noise: 0.002) }
        #expect(
            words(feed) == [
                "latency rose from 12 to 32ms", "latency rose from 32 to 52ms", "latency rose from 52 to 72ms",
                "latency back to 52ms after 1m40s", "latency back to 32ms after 5m00s",
            ]
        )
    }
}
