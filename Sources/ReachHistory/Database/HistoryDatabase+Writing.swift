import Foundation
import GRDB
package import ReachMonitoring

/// A target as it is stored, without secrets.
package struct StoredTarget: Sendable, Hashable {
    package var name: String
    package var url: String
    package var group: String?
    /// The name before, whose history continues.
    package var formerly: String?
    /// The actions of its hooks with `cooldown` or `once`, by their descriptions without secrets.
    package var limitedActions: [String: HookAction] = [:]
    /// The most samples of the last hour that are shown again.
    var maxSamples = 3_600

    package init(name: String, url: String, group: String? = nil, formerly: String? = nil) {
        (self.name, self.url, self.group, self.formerly) = (name, url, group, formerly)
    }

    /// The stored form of a target.
    package init(_ target: Target, redaction: Redaction) {
        self.init(
            name: redaction.label(of: target),
            url: redaction.url(of: target),
            group: redaction.group(of: target)
        )
        for rule in target.hooks where rule.isOnce || rule.cooldown > .zero {
            limitedActions[redaction.text("\(rule.action)")] = rule.action
        }
        maxSamples = Roster.historyCapacity(of: target, covering: HistoryDatabase.sampleSpan)
        formerly = target.formerLabel
    }
}

extension HistoryDatabase {
    /// Begins a run of the program.
    ///
    /// - Parameter source: what the targets are from: the path of the settings file, or the arguments.
    /// - Returns: its number.
    static func beginRun(
        _ database: Database,
        of source: String,
        version: String,
        at time: Duration
    ) throws -> Int64 {
        try database.execute(
            sql: "INSERT INTO run (source, version, started, seen) VALUES (?, ?, ?, ?)",
            arguments: [source, version, time.milliseconds, time.milliseconds]
        )
        return database.lastInsertedRowID
    }

    /// Adds a run of an export, or extends the run that the file has.
    ///
    /// - Returns: its number, and whether something was added.
    static func addRun(
        _ database: Database,
        of source: String,
        version: String,
        from start: Duration,
        seen: Duration,
        end: Duration?
    ) throws -> (run: Int64, isChanged: Bool) {
        let known = try Row.fetchOne(
            database,
            sql: "SELECT id FROM run WHERE source = ? AND started = ?",
            arguments: [source, start.milliseconds]
        )
        guard let run = known?.integer(0) else {
            let run = try beginRun(database, of: source, version: version, at: start)
            try updateRun(database, run, from: start, at: end ?? seen, isEnd: end != nil)
            return (run, true)
        }
        // One that ended later than the export is as it is.
        try database.execute(
            sql: """
                UPDATE run SET seen = ?2, ended = ?3
                WHERE id = ?1 AND (seen < ?2 OR seen = ?2 AND ended IS NULL AND ?3 IS NOT NULL)
                """,
            arguments: [run, (end ?? seen).milliseconds, end?.milliseconds]
        )
        return (run, database.changesCount > 0)
    }

    /// Records that a run of the program writes, or has ended.
    ///
    /// - Parameter start: when it began: earlier than before, if the clock was set back to a time before that.
    static func updateRun(
        _ database: Database,
        _ run: Int64,
        from start: Duration,
        at time: Duration,
        isEnd: Bool
    ) throws {
        let statement = try database.cachedStatement(
            sql: "UPDATE run SET started = ?, seen = ?, ended = ? WHERE id = ?"
        )
        try statement.execute(
            arguments: [start.milliseconds, time.milliseconds, isEnd ? time.milliseconds : nil, run]
        )
    }

    /// Why a target does not continue the records of its name before, and what to do; nil if it does, or if there are none.
    static func problem(ofRenamed target: StoredTarget, _ database: Database) throws -> String? {
        guard let formerly = target.formerly else { return nil }
        let find = try database.cachedStatement(sql: "SELECT url FROM target WHERE name = ?")
        let before = try String.fetchAll(find, arguments: [formerly])
        let hasRecords = try String.fetchAll(find, arguments: [target.name]).contains(target.url)
        let (new, old) = (target.name, formerly)
        let fix = "remove formerly; reach report --all-known lists both"
        if hasRecords, before.contains(target.url) {
            return "\"\(new)\" has records of its own, so those of \"\(old)\" stay apart – \(fix)"
        }
        if !hasRecords, !before.isEmpty, !before.contains(target.url) {
            return "\"\(new)\" begins a new history, since \"\(old)\" had another URL – \(fix)"
        }
        return nil
    }

    /// The number of a target, which is added if it is new.
    static func number(of target: StoredTarget, _ database: Database) throws -> Int64 {
        let find = try database.cachedStatement(sql: "SELECT id, grp FROM target WHERE name = ? AND url = ?")
        if let row = try Row.fetchOne(find, arguments: [target.name, target.url]), let id = row.integer(0) {
            if row.text(1) != target.group {
                let update = try database.cachedStatement(sql: "UPDATE target SET grp = ? WHERE id = ?")
                try update.execute(arguments: [target.group, id])
            }
            return id
        }
        if let formerly = target.formerly,
            let row = try Row.fetchOne(find, arguments: [formerly, target.url]), let id = row.integer(0)
        {
            let rename = try database.cachedStatement(sql: "UPDATE target SET name = ?, grp = ? WHERE id = ?")
            try rename.execute(arguments: [target.name, target.group, id])
            return id
        }
        let insert = try database.cachedStatement(sql: "INSERT INTO target (name, url, grp) VALUES (?, ?, ?)")
        try insert.execute(arguments: [target.name, target.url, target.group])
        return database.lastInsertedRowID
    }

    /// Adds an event.
    static func insert(_ event: HistoryEvent, of target: Int64?, in run: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(
            sql: """
                INSERT INTO event (run, target, time, kind, old, new, since, reason, detail, length, success)
                VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
                """
        )
        try statement.execute(
            arguments: [
                run, target, event.time.milliseconds, event.kind.rawValue, event.from?.rawValue, event.to?.rawValue,
                event.since?.milliseconds, event.reason, event.storedText, event.length?.milliseconds, event.isSuccess,
            ]
        )
    }

    /// The number of the last event in a run that is equal to one; nil if there is none.
    static func number(
        of event: HistoryEvent,
        of target: Int64?,
        in run: Int64,
        _ database: Database
    ) throws -> Int64? {
        // Few events have the same time; a run may have very many.
        let statement = try database.cachedStatement(
            sql: """
                SELECT max(id) FROM event INDEXED BY event_time
                WHERE time = ? AND run = ? AND target IS ? AND kind = ? AND old IS ? AND new IS ? AND since IS ?
                AND reason IS ? AND detail IS ? AND length IS ? AND success IS ?
                """
        )
        let arguments: StatementArguments = [
            event.time.milliseconds, run, target, event.kind.rawValue, event.from?.rawValue, event.to?.rawValue,
            event.since?.milliseconds, event.reason, event.storedText, event.length?.milliseconds, event.isSuccess,
        ]
        return try Row.fetchOne(statement, arguments: arguments)?.integer(0)
    }

    /// The number of the newest event of a target in a run, or of the program; nil if there is none.
    static func newestEvent(of target: Int64?, in run: Int64, _ database: Database) throws -> Int64? {
        let statement = try database.cachedStatement(sql: "SELECT max(id) FROM event WHERE run = ? AND target IS ?")
        return try Row.fetchOne(statement, arguments: [run, target])?.integer(0)
    }

    /// The targets of a row of snapshots: those whose numbers have the same quotient by this one.
    static let targetsInRow: Int64 = 500

    /// Adds the figures of a minute of many targets. A row has some hundred of them, which ``endHour(before:_:)`` moves at
    /// once.
    static func insert(_ figures: MinuteSnapshot.Figures, minute: Int64, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO snapshot (minute, figures) VALUES (?, ?)")
        let rows = Dictionary(grouping: figures) { $0.target / targetsInRow }
        for (_, figures) in rows.sorted(by: { $0.key < $1.key }) {
            try statement.execute(arguments: [minute, Data(MinuteSnapshot.bytes(of: figures))])
        }
    }

    /// The time for which samples are kept.
    static let sampleSpan = Duration.seconds(3_600)

    /// The most rows of samples of a source: those of an hour, and some more for restarts.
    private static let maxSampleRows = 75

    /// Adds samples of many targets, and removes the oldest ones of the same source. Their number decides, since the clock
    /// may be wrong.
    ///
    /// - Parameter blocks: the bytes of ``SampleBlocks``; times count from `time`.
    static func insert(_ blocks: [UInt8], in run: Int64, at time: Duration, _ database: Database) throws {
        let statement = try database.cachedStatement(sql: "INSERT INTO samples (run, time, blocks) VALUES (?, ?, ?)")
        try statement.execute(arguments: [run, time.milliseconds, Data(blocks)])
        let same = "run IN (SELECT id FROM run WHERE source = (SELECT source FROM run WHERE id = ?))"
        let oldest = try Row.fetchOne(
            database,
            sql: "SELECT id FROM samples WHERE \(same) ORDER BY id DESC LIMIT 1 OFFSET ?",
            arguments: [run, maxSampleRows]
        )
        guard let id = oldest?.integer(0) else { return }
        try database.execute(sql: "DELETE FROM samples WHERE id <= ? AND \(same)", arguments: [id, run])
    }
}

extension Duration {
    /// Whole milliseconds, as in the file.
    package var milliseconds: Int64 { nanoseconds / 1_000_000 }
}

extension Row {
    /// An integer of a column; nil if it is not one, as in a damaged file.
    func integer(_ index: Int) -> Int64? {
        Int64.fromDatabaseValue(self[index] as DatabaseValue)
    }

    /// A text of a column; nil if it is not one.
    func text(_ index: Int) -> String? {
        String.fromDatabaseValue(self[index] as DatabaseValue)
    }

    /// The bytes of a column; empty if it has none.
    func bytes(_ index: Int) -> [UInt8] {
        (try? withUnsafeData(atIndex: index) { $0.map { [UInt8]($0) } }) ?? []
    }

    /// A time of a column.
    func duration(_ index: Int) -> Duration? {
        // Half of the range of milliseconds, so that sums do not overflow.
        integer(index).flatMap { $0.magnitude < 1 << 50 ? .milliseconds($0) : nil }
    }
}
