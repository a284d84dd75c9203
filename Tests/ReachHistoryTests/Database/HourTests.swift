import Foundation
import GRDB
@testable import ReachHistory
@testable import ReachMonitoring
import Synchronization
import TestSupport
import Testing

/// How the figures of an hour that is over move from snapshots into rows of one target.
@Suite(.serialized, .live) struct HourTests {
    private let folder: HistoryFolder
    private static let hour: Int64 = 500_000
    /// Three steps.
    private static let targets: ClosedRange<Int64> = 1...1_200

    init() throws {
        folder = try HistoryFolder()
    }

    /// Figures of a minute that differ from target to target.
    private func figures(of targets: ClosedRange<Int64>, sent: Int) -> MinuteSnapshot.Figures {
        targets.map { ($0, ProbeFigures(sent: sent, lost: Int($0 % 7))) }
    }

    /// The probes of each target, sent and lost, in what a report reads.
    private func counts(_ database: HistoryDatabase) throws -> [Int64: [Int]] {
        let start = Duration.seconds(Self.hour * 3_600)
        let figures = try database.read {
            try HistoryDatabase.figures(of: Array(Self.targets), from: start, until: start + .seconds(7_200), $0)
        }
        return figures.mapValues { [$0.sent, $0.lost] }
    }

    private struct Stop: Error {}

    @Test func `an hour is in the file once after each step, also if the program is killed between or in them`() throws
    {
        var database = try HistoryDatabase(path: folder.file, for: .write)
        let first = Self.hour * 60
        try database.write { connection in
            for minute in first..<first + 3 {
                try HistoryDatabase.insert(figures(of: Self.targets, sent: 60), minute: minute, connection)
            }
            // The program was started again within a minute.
            try HistoryDatabase.insert(figures(of: Self.targets, sent: 20), minute: first + 2, connection)
            // This hour is not over.
            try HistoryDatabase.insert(figures(of: Self.targets, sent: 10), minute: first + 60, connection)
        }
        let expected = Dictionary(uniqueKeysWithValues: Self.targets.map { ($0, [210, 5 * Int($0 % 7)]) })
        #expect(try counts(database) == expected)
        var moved: [Int?] = []
        while true {
            database = try HistoryDatabase(path: folder.file, for: .write)
            #expect(throws: HistoryFailure.self) {
                try database.write { connection in
                    _ = try HistoryDatabase.endHour(before: Self.hour + 1, connection)
                    throw Stop()
                }
            }
            #expect(try counts(database) == expected)
            guard try database.write({ try HistoryDatabase.endHour(before: Self.hour + 1, $0) }) else { break }
            #expect(try counts(database) == expected)
            moved.append(try folder.number("SELECT count(*) FROM minutes WHERE hour = \(Self.hour)"))
        }
        #expect(moved == [499, 999, 1_200])
        #expect(try folder.number("SELECT count(*) FROM snapshot WHERE minute < \(first + 60)") == 0)
        #expect(try folder.number("SELECT count(*) FROM snapshot") == 3)
        #expect(try folder.number("SELECT count(*) FROM hours") == 1_200)
    }

    @Test func `a row with all targets, as it was once, moves in one step beside newer ones`() throws {
        let database = try HistoryDatabase(path: folder.file, for: .write)
        let first = Self.hour * 60
        try database.write { connection in
            let bytes = Data(MinuteSnapshot.bytes(of: figures(of: Self.targets, sent: 60)))
            try connection.execute(
                sql: "INSERT INTO snapshot (minute, figures) VALUES (?, ?), (?, ?)",
                arguments: [first, bytes, first + 1, Data()]
            )
            try HistoryDatabase.insert(figures(of: Self.targets, sent: 60), minute: first + 1, connection)
        }
        let expected = Dictionary(uniqueKeysWithValues: Self.targets.map { ($0, [120, 2 * Int($0 % 7)]) })
        #expect(try counts(database) == expected)
        for _ in 0..<3 {
            #expect(try database.write { try HistoryDatabase.endHour(before: Self.hour + 1, $0) })
            #expect(try counts(database) == expected)
        }
        #expect(try !database.write { try HistoryDatabase.endHour(before: Self.hour + 1, $0) })
        #expect(try folder.number("SELECT count(*) FROM snapshot") == 0)
    }

    private func loop() -> WriterLoop {
        WriterLoop(
            HistoryWriter.Job(path: folder.file, source: "dashboard.toml", version: "1"),
            settings: HistorySettings(),
            time: folder.time,
            startingAt: folder.wall.start,
            elapsed: .zero,
            report: { _ in },
            deliver: { _ in }
        )
    }

    @Test func `a change of health is written between the steps`() throws {
        var loop = loop()
        let ids = Self.targets.map { Target.ID(Int($0)) }
        let targets = ids.map { ($0, StoredTarget(name: "\($0.rawValue)", url: "icmp://192.0.2.1")) }
        let samples = ids.map { ($0, Sample(time: .seconds(1), roundTrip: .milliseconds(2))) }
        folder.advance(by: .seconds(1))
        let inputs: [HistoryWriter.Input] = [
            .targets(Dictionary(uniqueKeysWithValues: targets), folder.wall.start),
            .samples(samples, folder.wall.start),
        ]
        loop.process(inputs, at: folder.now)
        #expect(loop.nextDeadline() > folder.now)
        folder.advance(by: .seconds(3_600))
        // The samples are counted, then their figures are written and the hour begins to move.
        for _ in 0..<2 { loop.process([], at: folder.now) }
        let rows = "SELECT count(*) FROM snapshot"
        #expect(try folder.number(rows) == 2 && loop.nextDeadline() <= folder.now)

        let event = HistoryEvent(.transition, at: folder.wall.start + folder.now, from: .up, to: .down)
        let snapshots = Mutex<Int?>(nil)
        let count = { @Sendable [folder] in
            let found = try? folder.number("SELECT (\(rows)) + 10 * count(*) FROM event WHERE kind = 'transition'")
            snapshots.withLock { $0 = found }
        }
        loop.process([.events([TargetEvent(ids[0], event)]), .afterCommit(count)], at: folder.now)
        // One event, before the second step.
        #expect(snapshots.withLock { $0 } == 12)
        var steps = 0
        while loop.nextDeadline() <= folder.now, steps < 10 {
            loop.process([], at: folder.now)
            steps += 1
        }
        #expect(try folder.number(rows) == 0)
        #expect(try folder.number("SELECT count(*) FROM minutes") == 1_200)
    }
}
