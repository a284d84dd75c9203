import Foundation
import GRDB
@testable import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

/// Reports on the same history before and after its hours are over, and on an imported copy of it.
@Suite(.serialized, .live) struct CopiedReportTests {
    private static let hour: Int64 = 500_000
    private static let targets: [Int64] = [1, 2, 700]

    /// A new file with the targets.
    private func folderWithTargets() throws -> HistoryFolder {
        let folder = try HistoryFolder()
        _ = try HistoryDatabase(path: folder.file, for: .write)
        try DatabaseQueue(path: folder.file).write { database in
            for target in Self.targets {
                try database.execute(
                    sql: "INSERT INTO target (id, name, url) VALUES (?, ?, ?)",
                    arguments: [target, "Target \(target)", "icmp://192.0.2.1"]
                )
            }
        }
        return folder
    }

    private func copy(of folder: HistoryFolder) throws -> HistoryFolder {
        var records: [StoredRecord] = []
        try HistoryDatabase(path: folder.file, for: .read).export { records.append($0) }
        let copy = try HistoryFolder()
        var rest = records[...]
        _ = try HistoryDatabase(path: copy.file, for: .write).add { rest.popFirst() }
        return copy
    }

    /// The figures of each target by its name, for a period in minutes from the first hour on.
    private func figures(_ folder: HistoryFolder, _ period: Range<Int64>) throws -> [String: ProbeFigures] {
        let start = { (minute: Int64) in Duration.seconds((Self.hour * 60 + minute) * 60) }
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let report = try database.report(of: nil, from: start(period.lowerBound), until: start(period.upperBound))
        return Dictionary(uniqueKeysWithValues: report.rows.compactMap { row in row.figures.map { (row.name, $0) } })
    }

    @Test func `the report on a minute with several runs is that on its copy`() throws {
        let folder = try folderWithTargets()
        let figures = { (microseconds: [Int]) in
            let bucket = { (index: Int) in RoundTripBucket(.microseconds(microseconds[index])) }
            return ProbeFigures(
                sent: 20,
                lost: 0,
                roundTrips: .init(p50: bucket(0), p95: bucket(1), p99: bucket(2), longest: bucket(2))
            )
        }
        try HistoryDatabase(path: folder.file, for: .write).write { database in
            for run in [[40, 60, 99], [45, 70, 75], [30, 31, 32]] {
                try HistoryDatabase.insert([(1, figures(run))], minute: Self.hour * 60 + 7, database)
            }
        }
        let found = try self.figures(folder, 0..<30)
        #expect(found["Target 1"]?.sent == 60)
        #expect(try self.figures(copy(of: folder), 0..<30) == found)
    }

    @Test func `the figures of random histories stay the same when their hours end, and in a copy`() throws {
        var random = SplitMix(seed: 11)
        for _ in 0..<40 {
            let folder = try folderWithTargets()
            try fill(folder, &random)
            let periods = (0..<6).map { _ in
                let bounds = [Int64.random(in: -30...250, using: &random), .random(in: -30...250, using: &random)]
                return (bounds.min() ?? 0)..<(bounds.max() ?? 0)
            }
            let all = periods + [0..<60, 60..<180, 0..<240]
            let before = try all.map { try figures(folder, $0) }
            let imported = try copy(of: folder)
            #expect(try all.map { try figures(imported, $0) } == before)
            let database = try HistoryDatabase(path: folder.file, for: .write)
            while try database.write({ try HistoryDatabase.endHour(before: Self.hour + 9, $0) }) {}
            #expect(try all.map { try figures(folder, $0) } == before)
        }
    }

    /// Writes snapshots of four hours, some minutes of which have several rows, and moves some of them.
    private func fill(_ folder: HistoryFolder, _ random: inout SplitMix) throws {
        let database = try HistoryDatabase(path: folder.file, for: .write)
        for _ in 0..<3 {
            for _ in 0..<Int.random(in: 1...25, using: &random) {
                let minute = Self.hour * 60 + .random(in: 0..<240, using: &random)
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let figures = Self.targets.filter { _ in Bool.random(using: &random) }.map { target in
                        (target: target, figures: Self.randomFigures(&random))
                    }
                    try database.write { try HistoryDatabase.insert(figures, minute: minute, $0) }
                }
            }
            let current = Self.hour + .random(in: 0...3, using: &random)
            for _ in 0..<Int.random(in: 0...4, using: &random) {
                _ = try database.write { try HistoryDatabase.endHour(before: current, $0) }
            }
        }
    }

    private static func randomFigures(_ random: inout SplitMix) -> ProbeFigures {
        let numbers = (0..<3).map { _ in Int.random(in: 100...400, using: &random) }.sorted()
        let buckets = numbers.compactMap { RoundTripBucket(number: $0) }
        let sent = Int.random(in: 1...60, using: &random)
        let lost = Int.random(in: 0...sent, using: &random)
        return ProbeFigures(
            sent: sent,
            lost: lost,
            roundTrips: lost == sent
                ? nil : .init(p50: buckets[0], p95: buckets[1], p99: buckets[2], longest: buckets[2])
        )
    }
}
