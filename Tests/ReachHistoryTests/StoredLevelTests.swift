import GRDB
@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

/// The round-trip levels and their changes in the history file.
@Suite(.serialized, .live) struct StoredLevelTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private static func replies(_ count: Int, milliseconds: Int) -> [Outcome] {
        (0..<count).map { .reply(roundTrip: .microseconds(milliseconds * 1_000 + $0 * 7 % 5 * 30)) }
    }

    /// Six minutes at 12 ms, and then two at 38 ms.
    private func run(_ writer: HistoryWriter) -> RecordedRoster {
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.roster.findsShifts = true
        recorded.probe("NAS", Self.replies(360, milliseconds: 12))
        recorded.probe("NAS", Self.replies(120, milliseconds: 38))
        return recorded
    }

    @Test(arguments: [true, false]) func `the next run knows the level and the change that lasts`(isKilled: Bool)
        async throws
    {
        let writer = folder.writer()
        _ = run(writer)
        let began = folder.wall.start + .seconds(361)
        writer.flush()
        if !isKilled { await writer.close() }
        folder.restart(after: .seconds(30))
        // After a crash, the lock of the file is free; here, the first writer still has it, and the second only reads.
        let second = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, second)
        recorded.roster.findsShifts = true
        let id = try #require(recorded.id("NAS"))
        var pasts = second.past.makeAsyncIterator()
        let past = try #require(await pasts.next())
        let levels = try #require(past.levels[id])
        #expect(levels.lastShift?.words == "latency rose from 12 to 38ms")
        #expect(levels.lastShift?.began == began)
        recorded.roster.restore(past.levels, wall: folder.wall, at: folder.now)
        let level = try #require(recorded.roster.level(of: id))
        #expect(abs(level / .milliseconds(38) - 1) < 0.02)
        #expect(recorded.roster[id]?.levelShift.map { folder.wall.start + $0.began } == began)
        recorded.probe("NAS", Self.replies(20, milliseconds: 12))
        let shift = try #require(recorded.roster[id]?.levelShift)
        #expect(shift.ends != nil)
        #expect(ShiftNews.level(shift).summary.hasPrefix("latency back to 12ms after 2m"))
        await second.close()
        await writer.close()
    }

    @Test func `a report counts the changes of its period, and the minutes can be searched again`() async throws {
        let writer = folder.writer()
        _ = run(writer)
        await writer.close()
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let (start, end) = (folder.wall.start, folder.wall.start + folder.now)
        let report = try database.report(of: nil, from: start, until: end)
        #expect(report.shifts.map(\.total.summary) == ["1 shift"])
        #expect(report.shifts.first?.total.last?.words == "latency rose from 12 to 38ms")
        #expect(try database.report(of: nil, from: start, until: start + .seconds(300)).shifts.isEmpty)
        let row = try #require(try database.targets().first)
        let minutes = try database.minutes(of: row, from: start, until: end)
        #expect(minutes.count == 9)
        #expect(minutes.map(\.figures.sent).reduce(0, +) == 480)
        let medians = minutes.compactMap { $0.figures.roundTrips?.p50.roundTrip }
        #expect(medians.first.map { abs($0 / .milliseconds(12) - 1) < 0.02 } == true)
        #expect(medians.last.map { abs($0 / .milliseconds(38) - 1) < 0.02 } == true)
        #expect(try database.minutes(of: row, from: start, until: start + .seconds(120)).count == 3)
    }
}
