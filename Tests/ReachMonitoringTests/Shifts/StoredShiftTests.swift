import TestSupport
import Testing

@testable import ReachMonitoring

/// Changes of latency and loss in the history: their text, totals for reports, levels over a restart, and the replay.
struct StoredShiftTests {
    private static let wall = WallTime(start: .seconds(1_700_000_000))

    private static func level(_ before: Int, _ after: Int, began: Int, ends: Int? = nil) -> LevelShift {
        LevelShift(
            before: .milliseconds(before),
            after: .milliseconds(after),
            began: .seconds(began),
            found: .seconds(began + 5),
            ends: ends.map { .seconds($0) }
        )
    }

    private static func stored(_ news: ShiftNews) throws -> StoredShift {
        let event = RosterEvent(.shift(news), of: [Target.ID(0)], at: .seconds(50))
        let stored = try #require(HistoryEvent(event, wall: wall, redaction: Redaction()))
        #expect(stored.time == wall.start + .seconds(50))
        return try #require(StoredShift(stored))
    }

    @Test func `an event of the history has the levels, the time and the reason`() throws {
        var shift = Self.level(12, 38, began: 40)
        (shift.hop, shift.others) = (4, "9 others: 10.1.0.1")
        let stored = try Self.stored(.level(shift))
        #expect(stored.began == Self.wall.start + .seconds(40))
        #expect(stored.detail == "from 12.000 to 38.000ms, since hop 4 changed, with 9 others: 10.1.0.1")
        #expect(stored.words == "latency rose from 12 to 38ms, since hop 4 changed, with 9 others: 10.1.0.1")
        #expect(stored.change == .latencyRose)
        let back = try Self.stored(.level(Self.level(38, 12, began: 900, ends: 860)))
        #expect(back.words == "latency back to 12ms after 14m20s")
        let loss = try Self.stored(.loss(LossShift(before: 0, after: 0.125, began: .seconds(3), found: .seconds(4))))
        #expect(loss.words == "loss rose from 0 to 13%")
        #expect(abs(loss.after - 12.5) < 0.01)
        let common = RosterEvent(.shift(.common(CommonShift(.sample, isRise: true, isReturn: false))), at: .zero)
        #expect(HistoryEvent(common, wall: Self.wall, redaction: Redaction()) == nil)
    }

    @Test(
        arguments: [
            "", "from to", "from x to 3ms", "from 1 to 2", "from 1.0.0 to 2ms", "from 5 to 5ms",
            "from 1 to 9300000000000000000000.0ms", "from 99999999999999999999999999.0 to 1ms",
        ] as [String]
    )
    func `a damaged event is none`(detail: String) {
        let event = HistoryEvent(.shift, at: .zero, reason: "latency_rose", detail: detail)
        #expect(StoredShift(event) == nil)
        #expect(!event.summary.isEmpty)
    }

    @Test func `other words of a stored change are left out, and a return has a length`() {
        let stored = { (detail: String, length: Duration?) in
            let change: ShiftNews.Change = length == nil ? .latencyRose : .latencyBack
            let event = HistoryEvent(.shift, at: .zero, reason: change.rawValue, detail: detail, length: length)
            return StoredShift(event)?.words
        }
        #expect(stored("from 5 to 7ms<script>", nil) == "latency rose from 5.0 to 7.0ms")
        #expect(stored("from 5 to 7ms, since hop 99999999 changed", nil) == "latency rose from 5.0 to 7.0ms")
        #expect(stored("from 5 to 7ms, since hop 3 changed", nil)?.hasSuffix(", since hop 3 changed") == true)
        #expect(stored("from 7 to 5ms", .seconds(-1)) == nil)
        #expect(stored("from 7 to 5ms", .seconds(Int64.max)) == nil)
        #expect(stored("from 7 to 5ms", .seconds(60)) == "latency back to 5.0ms after 1m00s")
    }

    @Test func `a report counts changes without returns, and the longest until the next`() {
        var totals = ShiftTotals()
        for (began, ends, before, after) in [
            (0, nil, 12, 38), (100, 100, 38, 12), (200, nil, 12, 30), (8_000, nil, 30, 60),
        ]
            as [(Int, Int?, Int, Int)]
        {
            if let shift = StoredShift(.level(Self.level(before, after, began: began, ends: ends))) {
                totals.add(shift)
            }
        }
        if let loss = StoredShift(.loss(LossShift(before: 0, after: 0.2, began: .seconds(9), found: .seconds(9)))) {
            totals.add(loss)
        }
        #expect(totals.all.map(\.kind) == ["latency", "loss"])
        #expect(totals.all.map(\.summary) == ["3 shifts, longest 2h10m", "1 shift"])
        #expect(totals.all.first?.last?.began == .seconds(8_000))
    }

    // MARK: Restarts

    private static func figures(_ milliseconds: Double, sent: Int = 60, lost: Int = 0) -> ProbeFigures {
        let bucket = { (factor: Double) in RoundTripBucket(.milliseconds(1) * (milliseconds * factor)) }
        return ProbeFigures(
            sent: sent,
            lost: lost,
            roundTrips: .init(p50: bucket(1), p95: bucket(1.05), p99: bucket(1.1), longest: bucket(1.2))
        )
    }

    private static func world(_ stored: StoredLevels) -> ShiftWorld {
        var world = ShiftWorld([ShiftWorld.target("NAS")])
        world.restore(stored)
        return world
    }

    /// The minutes before the start of a world.
    private static func minutes(_ levels: [Double]) -> StoredLevels {
        var stored = StoredLevels()
        let last = (wall.start + .seconds(100)).components.seconds / 60
        for (index, level) in levels.enumerated() {
            stored.add(figures(level), ofMinute: last - Int64(levels.count) + Int64(index))
        }
        return stored
    }

    @Test func `after a restart, the level is known, and a change meanwhile is found at once`() {
        var world = Self.world(Self.minutes(Array(repeating: 12, count: 60)))
        #expect(
            world["NAS"].flatMap { world.roster.level(of: $0.id) }.map { abs($0 / .milliseconds(12) - 1) < 0.02 }
                == true
        )
        world.levels["NAS"] = 38
        world.run(12)
        #expect(world.news == ["NAS: latency rose from 12 to 38ms"])
        #expect(world["NAS"]?.levelShift?.began == .seconds(101))
    }

    @Test func `after a restart with the same level, there is no change`() {
        var world = Self.world(Self.minutes(Array(repeating: 12, count: 60)))
        world.run(200)
        #expect(world.news.isEmpty)
    }

    @Test func `a shift before the restart ends after it`() throws {
        var stored = Self.minutes(Array(repeating: 12, count: 30) + Array(repeating: 38, count: 10))
        let began = Self.wall.start + .seconds(100 - 600)
        stored.lastShift = StoredShift(.level(Self.level(12, 38, began: 0)))?.moved(by: began)
        var world = Self.world(stored)
        #expect(world["NAS"]?.levelShift?.began == .seconds(-500))
        #expect(world["NAS"]?.lastingShifts(at: world.now).count == 1)
        world.levels["NAS"] = 12
        world.run(12)
        #expect(world.news == ["NAS: latency back to 12ms after 10m01s"])
    }

    @Test func `what was long ago is learned again, and nights are not`() {
        var stored = StoredLevels()
        let hour = (Self.wall.start + .seconds(100)).components.seconds / 3_600
        for day in 2...6 as ClosedRange<Int64> { stored.add(Self.figures(12), ofHour: hour - day * 24) }
        var world = Self.world(stored)
        #expect(world["NAS"].flatMap { world.roster.level(of: $0.id) } == nil)
        world.levels["NAS"] = 38
        world.run(60)
        #expect(world.news.isEmpty)
        let usual = world["NAS"].flatMap { world.roster.shifts?[$0.id]?.level.usualLevel(forHour: Int(hour % 24)) }
        #expect(usual.map { abs($0 / .milliseconds(12) - 1) < 0.02 } == true)
    }

    // MARK: The replay

    @Test func `the stored minutes have the changes that limits would have reported`() {
        let levels =
            Array(repeating: 12.0, count: 120) + Array(repeating: 38, count: 60) + Array(repeating: 12, count: 60)
        for (settings, expected) in [
            (ShiftSettings(), ["latency rose from 12 to 38ms", "latency back to 12ms after 1h00m"]),
            (ShiftSettings(atLeast: 5), []),
        ] {
            var replay = ShiftReplay(under: settings, startingAt: Self.wall.start, zone: ZoneOffsets(.zero))
            let first = Self.wall.start.components.seconds / 60 + 1
            var found: [StoredShift] = []
            for (index, level) in levels.enumerated() {
                let noisy = level * (1 + 0.01 * Double(index * 7 % 5 - 2))
                found += replay.add(Self.figures(noisy), ofMinute: first + Int64(index))
            }
            #expect(found.map(\.words) == expected)
            if let shift = found.first { #expect(shift.began == .seconds((first + 120) * 60)) }
            #expect(replay.minutes == 240)
        }
    }

    @Test func `the replay finds losses`() {
        var replay = ShiftReplay(under: ShiftSettings(), startingAt: .zero, zone: ZoneOffsets(.zero))
        var found: [StoredShift] = []
        for minute in 1...90 as ClosedRange<Int64> {
            found += replay.add(Self.figures(12, lost: (31...50).contains(minute) ? 12 : 0), ofMinute: minute)
        }
        #expect(found.first?.change == .lossRose)
        #expect(found.last?.change == .lossBack)
        #expect(found.last?.ends.map { abs($0.inSeconds - 20 * 60) <= 400 } == true)
        #expect(found.count { $0.change == .lossRose } == 1)
        #expect(found.first.map { abs($0.began.inSeconds - 31 * 60) <= 60 } == true)
    }
}
