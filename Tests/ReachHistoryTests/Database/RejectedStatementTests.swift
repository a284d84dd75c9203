import Foundation
import GRDB
@testable import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

/// Errors of SQLite that are no damage: the file stays where it is.
@Suite(.serialized, .live) struct RejectedStatementTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    /// Changes the file by another connection.
    private func execute(_ sql: String) throws {
        try DatabaseQueue(path: folder.file).write { try $0.execute(sql: sql) }
    }

    /// Ends a writer, and returns its messages.
    private func messages(of writer: HistoryWriter) async -> [String] {
        let last = await writer.close()
        return await writer.messages.reduce(into: []) { $0.append($1.text) } + last
    }

    private var moved: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.contains(".damaged-") }
        }
    }

    @Test(arguments: [
        ("SELECT RAISE(ABORT, 'no')", "no"),
        ("INSERT INTO target (id, name, url) VALUES ('x', 'a', 'b')", "datatype mismatch"),
        ("SELECT json_extract('{', '$')", "malformed JSON"),
        ("SELECT zeroblob(2000000000)", "string or blob too big"),
    ])
    func `a healthy file in which SQLite rejects a statement stays, and is written again later`(
        statement: String,
        text: String
    ) async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        try execute("CREATE TRIGGER reject BEFORE INSERT ON event BEGIN \(statement); END")
        recorded.probe("NAS", .losses(3))
        for _ in 0..<3 {
            folder.advance(by: .seconds(2))
            writer.flush()
        }
        #expect(try moved == [])
        #expect(try folder.number("SELECT count(*) FROM event WHERE new = 'up'") == 1)
        try execute("DROP TRIGGER reject")
        folder.advance(by: .seconds(2))
        writer.flush()
        #expect(try folder.number("SELECT count(*) FROM event WHERE new = 'down'") == 1)
        let texts = await messages(of: writer)
        let problem = "an error of reach, the file is not damaged: \(text)"
        let fix = "update reach, or report this message to its developers"
        #expect(texts == ["history: \(folder.file): \(problem) – \(fix)", "history: written again"])
    }

    @Test func `only a corrupt file, and one that is no database, are damaged`() {
        let primary: [ResultCode] = [
            .SQLITE_ERROR, .SQLITE_INTERNAL, .SQLITE_PERM, .SQLITE_ABORT, .SQLITE_BUSY, .SQLITE_LOCKED, .SQLITE_NOMEM,
            .SQLITE_READONLY, .SQLITE_INTERRUPT, .SQLITE_IOERR, .SQLITE_NOTFOUND, .SQLITE_FULL, .SQLITE_CANTOPEN,
            .SQLITE_PROTOCOL, .SQLITE_EMPTY, .SQLITE_SCHEMA, .SQLITE_TOOBIG, .SQLITE_CONSTRAINT, .SQLITE_MISMATCH,
            .SQLITE_MISUSE, .SQLITE_NOLFS, .SQLITE_AUTH, .SQLITE_FORMAT, .SQLITE_RANGE,
        ]
        let kind = { (code: ResultCode) in
            HistoryFailure(DatabaseError(resultCode: code, message: "text"), path: "file").kind
        }
        for code in primary {
            #expect(kind(code) != .damaged, "\(code)")
            // Extended codes are those of their primary code.
            #expect(kind(ResultCode(rawValue: code.rawValue | 3 << 8)) != .damaged, "\(code)")
        }
        for code: ResultCode in [.SQLITE_CORRUPT, .SQLITE_CORRUPT_VTAB, .SQLITE_NOTADB] {
            #expect(kind(code) == .damaged, "\(code)")
        }
        for code: ResultCode in [.SQLITE_ERROR, .SQLITE_CONSTRAINT_TRIGGER, .SQLITE_RANGE, .SQLITE_TOOBIG] {
            #expect(kind(code) == .rejected, "\(code)")
        }
    }

    @Test(arguments: [
        ("DROP INDEX event_time", "index event_time: time"),
        ("ALTER TABLE event RENAME COLUMN since TO began", "table event: since"),
        ("DROP TABLE snapshot", "table snapshot: figures"),
        ("DELETE FROM grdb_migrations", "version"),
    ])
    func `a file with another schema is not a history: it is renamed`(change: String, missing: String) async throws {
        _ = try HistoryDatabase(path: folder.file, for: .write)
        try execute(change)
        let problem = "\(folder.file) is not a history of reach: it has no \(missing)"
        let failure = #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: folder.file, for: .read) }
        #expect(failure?.description == "history: \(problem) – move it away")
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        let texts = await messages(of: writer)
        #expect(texts.count == 1 && texts[0].hasPrefix("history: \(problem), moved to "), "\(texts)")
        #expect(try folder.number("SELECT count(*) FROM event WHERE new = 'up'") == 1)
    }

    @Test func `additional tables, columns and indexes are ignored`() async throws {
        _ = try HistoryDatabase(path: folder.file, for: .write)
        try execute("ALTER TABLE event ADD COLUMN note TEXT")
        try execute("CREATE TABLE mine (a); CREATE INDEX by_url ON target (url)")
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        #expect(await messages(of: writer) == [])
        #expect(try folder.number("SELECT count(*) FROM event WHERE new = 'up'") == 1 && moved == [])
    }
}
