import Foundation
import GRDB
import ReachMonitoring

/// What was removed with a target.
package struct ForgottenRecords: Sendable, Hashable {
    package var events = 0
    /// The days whose figures were removed.
    package var days = 0
}

/// How targets and all that is stored of them are removed.
extension HistoryDatabase {
    /// The process that probes a target and writes its history at present.
    package struct Occupation: Sendable, Hashable {
        /// Its number; nil if that is not known.
        package let process: Int32?
        /// What its targets are from: the path of the settings file, or the arguments.
        package let source: String
    }

    /// Returns the process that probes a target at present; nil if none does. Its records would come back.
    package func occupation(of target: TargetRow) throws(HistoryFailure) -> Occupation? {
        let folder = URL(filePath: path).deletingLastPathComponent().path
        let sources = try read { database in
            // In the newest run of each source: whether its last event says that it was removed.
            let rows = try Row.fetchAll(
                database,
                sql: """
                    SELECT run.source, kind FROM event JOIN run ON run.id = event.run
                    WHERE event.id IN (
                        SELECT max(id) FROM event WHERE target = ?
                        AND run IN (SELECT max(id) FROM run GROUP BY source) GROUP BY run
                    )
                    """,
                arguments: [target.id]
            )
            return rows.compactMap { row in row.text(1) == HistoryEvent.Kind.removed.rawValue ? nil : row.text(0) }
        }
        for source in sources {
            let lock = ProcessLock.path(of: "history", for: source, in: folder)
            if case .taken(let process)? = ProcessLock.refusal(at: lock) {
                return Occupation(process: process, source: source)
            }
        }
        return nil
    }

    /// Removes a target and all that is stored of it.
    package func forget(_ target: TargetRow) throws(HistoryFailure) -> ForgottenRecords {
        try write { database in
            var removed = ForgottenRecords()
            try database.execute(sql: "DELETE FROM event WHERE target = ?", arguments: [target.id])
            removed.events = database.changesCount
            try database.execute(sql: "DELETE FROM minutes WHERE target = ?", arguments: [target.id])
            try database.execute(sql: "DELETE FROM hours WHERE target = ?", arguments: [target.id])
            removed.days = database.changesCount
            // The newest figures and samples are in rows of many targets.
            try Self.rewrite("snapshot", "figures", database) { bytes in
                let figures = MinuteSnapshot.figures(in: bytes)
                guard figures.contains(where: { $0.target == target.id }) else { return nil }
                return MinuteSnapshot.bytes(of: figures.filter { $0.target != target.id })
            }
            try Self.rewrite("samples", "blocks", database) { SampleBlocks.removing([target.id], from: $0) }
            try database.execute(sql: "DELETE FROM target WHERE id = ?", arguments: [target.id])
            return removed
        }
    }

    /// Replaces the bytes in the rows of a table; a row without bytes is removed.
    ///
    /// - Parameter change: returns the new bytes; nil if they stay.
    private static func rewrite(
        _ table: String,
        _ column: String,
        _ database: Database,
        _ change: ([UInt8]) -> [UInt8]?
    ) throws {
        let rows = try Row.fetchCursor(database, sql: "SELECT id, \(column) FROM \(table)")
        var changes: [(id: Int64, bytes: [UInt8])] = []
        while let row = try rows.next() {
            guard let id = row.integer(0), let bytes = change(row.bytes(1)) else { continue }
            changes.append((id, bytes))
        }
        for (id, bytes) in changes {
            if bytes.isEmpty {
                try database.execute(sql: "DELETE FROM \(table) WHERE id = ?", arguments: [id])
            } else {
                try database.execute(
                    sql: "UPDATE \(table) SET \(column) = ? WHERE id = ?",
                    arguments: [Data(bytes), id]
                )
            }
        }
    }
}
