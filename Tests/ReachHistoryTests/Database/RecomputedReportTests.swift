import Foundation
import GRDB
import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

private let hasProgram = FileManager.default.isExecutableFile(atPath: "/usr/bin/sqlite3")

/// Random histories, whose figures the `sqlite3` program computes again from the table of events, in plain SQL.
@Suite(.serialized, .live, .enabled(if: hasProgram, "sqlite3 is not installed")) struct RecomputedReportTests {
    private static let start: Int64 = 1_800_000_000_000

    /// The figures of one target, in milliseconds.
    private struct Figures: Hashable, CustomStringConvertible {
        let up: Int64
        let down: Int64
        let maintenance: Int64
        let outages: Int64
        let longest: Int64
        let ended: Int64

        /// The figures of a target that a report leaves out.
        static let none = Figures(up: 0, down: 0, maintenance: 0, outages: 0, longest: 0, ended: 0)

        var description: String {
            "up \(up), down \(down), maintenance \(maintenance), \(outages) outages, longest \(longest), ended \(ended)"
        }
    }

    /// Ten files with a thousand histories each.
    @Test func `the figures of 10,000 random histories are those of plain SQL`() throws {
        var random = SplitMix(seed: 20)
        var (histories, outages, interrupted, maintained) = (0, Int64(0), 0, 0)
        for _ in 0..<10 {
            let folder = try HistoryFolder()
            try write(1_000, to: folder.file, &random)
            let first = Self.start + .random(in: -100_000...1_200_000, using: &random)
            let last = first + .random(in: 200_000...2_500_000, using: &random)
            let found = try reported(folder.file, from: first, until: last)
            let expected = try recomputed(folder.file, from: first, until: last)
            for (name, figures) in expected where found[name, default: .none] != figures {
                Issue.record("\(name): \(found[name].map { "\($0)" } ?? "missing"); by SQL \(figures)")
                return
            }
            histories += expected.count
            outages += expected.values.reduce(0) { $0 + $1.outages }
            interrupted += expected.values.count { $0.outages > 0 && $0.ended < $0.down }
            maintained += expected.values.count { $0.maintenance > 0 }
        }
        #expect(histories == 10_000 && outages > 1_000 && interrupted > 100 && maintained > 1_000)
    }

    /// The figures of the report.
    private func reported(_ file: String, from first: Int64, until last: Int64) throws -> [String: Figures] {
        let database = try HistoryDatabase(path: file, for: .read)
        let report = try database.report(of: nil, from: .milliseconds(first), until: .milliseconds(last))
        var found: [String: Figures] = [:]
        for row in report.rows {
            let account = row.availability
            let ended = account.outages.filter { $0.end != nil }.reduce(Duration.zero) { $0 + $1.length }
            found[row.name] = Figures(
                up: account.up.milliseconds,
                down: account.down.milliseconds,
                maintenance: account.maintenance.milliseconds,
                outages: Int64(account.outages.count),
                longest: (account.longest?.length ?? .zero).milliseconds,
                ended: ended.milliseconds
            )
        }
        return found
    }

    // MARK: Writing

    /// Writes histories of targets over some runs of the program, which may overlap.
    private func write(_ count: Int, to file: String, _ random: inout SplitMix) throws {
        _ = try HistoryDatabase(path: file, for: .write)
        try DatabaseQueue(path: file).write { database in
            let runs = (0..<Int.random(in: 2...5, using: &random)).map { _ in
                let start = Self.start + .random(in: 0...1_200_000, using: &random)
                return start...(start + .random(in: 1_000...900_000, using: &random))
            }
            for (number, run) in runs.enumerated() {
                // One of them was killed: it has no end.
                try database.execute(
                    sql: "INSERT INTO run (id, source, version, started, seen, ended) VALUES (?, ?, '1', ?, ?, ?)",
                    arguments: [
                        number, "\(number).toml", run.lowerBound, run.upperBound, number == 0 ? nil : run.upperBound,
                    ]
                )
            }
            for target in 1...count {
                try database.execute(
                    sql: "INSERT INTO target (id, name, url) VALUES (?, ?, 'icmp://192.0.2.1')",
                    arguments: [target, "T\(target)"]
                )
            }
            let insert = try database.makeStatement(
                sql: "INSERT INTO event (run, target, time, kind, new, since, length) VALUES (?, ?, ?, ?, ?, ?, ?)"
            )
            for (number, run) in runs.enumerated() {
                var events: [Event] = []
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    events.append(Self.interruption(at: .random(in: run, using: &random), &random))
                }
                for target in 1...count where number == target % runs.count || Bool.random(using: &random) {
                    var time = run.lowerBound
                    for _ in 0..<Int.random(in: 1...10, using: &random) {
                        time = min(run.upperBound, time + .random(in: 0...120_000, using: &random))
                        events.append(Self.event(of: target, at: time, &random))
                    }
                }
                for event in events.sorted(by: { $0.time < $1.time }) {
                    try insert.execute(
                        arguments: [
                            number, event.target, event.time, event.kind, event.new, event.since, event.length,
                        ]
                    )
                }
            }
        }
    }

    /// A row of the table of events.
    private struct Event {
        let time: Int64
        let kind: String
        var target: Int?
        var new: String?
        var since: Int64?
        var length: Int64?
    }

    /// A time without the program, or a step of the clock.
    private static func interruption(at time: Int64, _ random: inout SplitMix) -> Event {
        Bool.random(using: &random)
            ? Event(time: time, kind: "stalled", length: .random(in: 1_000...60_000, using: &random))
            : Event(time: time, kind: "clock", length: .random(in: -60_000...60_000, using: &random))
    }

    private static func event(of target: Int, at time: Int64, _ random: inout SplitMix) -> Event {
        let kinds = [
            "paused", "resumed", "blocked", "unblocked", "removed", "maintenance", "maintenance_ended", "address",
        ]
        guard Int.random(in: 0..<3, using: &random) == 0, let kind = kinds.randomElement(using: &random) else {
            let health = Health.allCases.randomElement(using: &random) ?? .up
            let since = time - .random(in: 0...5_000, using: &random)
            return Event(time: time, kind: "transition", target: target, new: health.rawValue, since: since)
        }
        return Event(time: time, kind: kind, target: target)
    }

    // MARK: Recomputing

    private func recomputed(_ file: String, from first: Int64, until last: Int64) throws -> [String: Figures] {
        let process = Process()
        process.executableURL = URL(filePath: "/usr/bin/sqlite3")
        process.arguments = ["-readonly", "-list", file, Self.query(from: first, until: last)]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let text = String(decoding: try output.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        var figures: [String: Figures] = [:]
        for line in text.split(separator: "\n") {
            let parts = line.split(separator: "|")
            let numbers = parts.dropFirst().compactMap { Int64($0) }
            guard numbers.count == 6 else { continue }
            figures[String(parts[0])] = Figures(
                up: numbers[0],
                down: numbers[1],
                maintenance: numbers[2],
                outages: numbers[3],
                longest: numbers[4],
                ended: numbers[5]
            )
        }
        return figures
    }

    /// The accounting of docs/history.md: `mark` has the times at which the state of a target may change in a run, `span`
    /// the states in between without maintenance, `planned` the maintenance, `piece` the state of each time over all runs, and
    /// whether the target replied.
    private static func query(from first: Int64, until last: Int64) -> String {
        """
        WITH feed AS (
            SELECT DISTINCT own.run, own.target, event.id, event.kind, event.new, event.time, event.since, event.length
            FROM (SELECT DISTINCT run, target FROM event WHERE target IS NOT NULL) AS own
            JOIN event ON event.run = own.run AND (event.target = own.target OR event.target IS NULL)
            WHERE event.kind != 'address'
        ), mark AS (
            SELECT run, target, id, 1 AS part, kind, new, 0 AS gap,
                CASE kind WHEN 'transition' THEN since ELSE time END AS at FROM feed
            UNION ALL SELECT run, target, id, 0, kind, new, 1, time - length FROM feed WHERE kind IN ('stalled', 'clock')
            UNION ALL SELECT DISTINCT feed.run, target, 0, 1, 'start', NULL, 0, started FROM feed JOIN run ON run.id = feed.run
            UNION ALL SELECT DISTINCT feed.run, target, 9e15, 1, 'end', NULL, 0, coalesce(ended, seen)
                FROM feed JOIN run ON run.id = feed.run
        ), checked AS (
            SELECT *, max(at) OVER past AS start,
                max(CASE kind WHEN 'maintenance' THEN id * 10 + 1 WHEN 'maintenance_ended' THEN id * 10
                    WHEN 'removed' THEN id * 10 END) OVER past % 10 AS maintained,
                max(CASE kind WHEN 'removed' THEN id * 10 + 1 WHEN 'transition' THEN id * 10 WHEN 'blocked' THEN id * 10
                    WHEN 'maintenance' THEN id * 10 END) OVER before % 10 AS was_removed
            FROM mark WINDOW past AS (PARTITION BY run, target ORDER BY id, part ROWS UNBOUNDED PRECEDING),
                before AS (PARTITION BY run, target ORDER BY id, part ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING)
        ), planned AS (
            SELECT run, target, start, lead(start) OVER (PARTITION BY run, target ORDER BY id, part) AS end, maintained
            FROM checked
        ), known AS (
            SELECT run, target, id, part, gap, kind,
                max(at) OVER past AS start,
                max(CASE kind WHEN 'transition' THEN id * 10 + CASE new WHEN 'up' THEN 1 WHEN 'degraded' THEN 2 WHEN 'down' THEN 3 ELSE 0 END
                    WHEN 'removed' THEN id * 10 END) OVER past % 10 AS health,
                max(CASE kind WHEN 'paused' THEN id * 10 + 1 WHEN 'resumed' THEN id * 10 WHEN 'removed' THEN id * 10 END)
                    OVER past % 10 AS paused,
                max(CASE kind WHEN 'blocked' THEN id * 10 + 1 WHEN 'unblocked' THEN id * 10 WHEN 'transition' THEN id * 10
                    WHEN 'resumed' THEN id * 10 WHEN 'removed' THEN id * 10 END) OVER past % 10 AS blocked,
                max(CASE kind WHEN 'removed' THEN id * 10 + 1 WHEN 'transition' THEN id * 10 WHEN 'blocked' THEN id * 10
                    WHEN 'maintenance' THEN id * 10 END) OVER past % 10 AS removed
            FROM checked WHERE kind NOT IN ('maintenance', 'maintenance_ended') OR kind = 'maintenance' AND was_removed
            WINDOW past AS (PARTITION BY run, target ORDER BY id, part ROWS UNBOUNDED PRECEDING)
        ), span AS (
            SELECT run, target, kind, start, lead(start) OVER (PARTITION BY run, target ORDER BY id, part) AS end,
                CASE WHEN gap OR removed THEN 9 WHEN paused THEN 8 WHEN health = 3 THEN 1
                    WHEN blocked THEN 7 WHEN health IN (1, 2) THEN 2 ELSE 8 END AS rank
            FROM known
        ), cut AS (
            SELECT target, start AS time FROM span UNION SELECT target, end FROM span WHERE end IS NOT NULL
            UNION SELECT target, start FROM planned
        ), slice AS (
            SELECT target, time AS start, lead(time) OVER (PARTITION BY target ORDER BY time) AS end FROM cut
        ), piece AS (
            SELECT slice.target, slice.start, slice.end,
                min(CASE WHEN span.rank < 9 AND planned.maintained THEN 0 ELSE span.rank END) AS rank,
                max(CASE WHEN span.rank = 2 AND planned.maintained THEN 1 ELSE 0 END) AS is_maintained_reply,
                max(0, min(slice.end, \(last)) - max(slice.start, \(first))) AS counted
            FROM slice JOIN span ON span.target = slice.target AND span.start <= slice.start AND span.end >= slice.end
            JOIN planned ON planned.run = span.run AND planned.target = slice.target AND planned.start <= slice.start
                AND planned.end >= slice.end
            WHERE span.end > span.start AND slice.end IS NOT NULL GROUP BY slice.target, slice.start
        ), numbered AS (
            SELECT *, sum(rank = 2 OR is_maintained_reply) OVER (PARTITION BY target ORDER BY start) AS outage,
                max(CASE WHEN (rank = 2 OR is_maintained_reply) AND start < \(last) THEN start END) OVER (PARTITION BY target) AS last_up
            FROM piece WHERE start < \(last)
        ), outage AS (
            SELECT target, sum(counted) AS length, max(start) < coalesce(last_up, 0) AS has_ended
            FROM numbered WHERE rank = 1 GROUP BY target, outage HAVING sum(counted) > 0
        )
        SELECT name, coalesce(up, 0), coalesce(down, 0), coalesce(maintenance, 0), coalesce(outages, 0),
            coalesce(longest, 0), coalesce(ended, 0)
        FROM target
        LEFT JOIN (
            SELECT target, sum(counted * (rank = 2)) AS up, sum(counted * (rank = 1)) AS down,
                sum(counted * (rank = 0)) AS maintenance FROM piece GROUP BY target
        ) AS times ON times.target = target.id
        LEFT JOIN (
            SELECT target, count(*) AS outages, max(length) AS longest, sum(length * has_ended) AS ended
            FROM outage GROUP BY target
        ) AS lengths ON lengths.target = target.id;
        """
    }
}
