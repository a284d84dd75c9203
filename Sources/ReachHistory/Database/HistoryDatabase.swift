import Foundation
import GRDB
import ReachSystem

/// An open history file: one connection, used by one thread at a time.
package final class HistoryDatabase {
    /// How the file is opened.
    package enum Access: Sendable {
        case read
        case write
    }

    package let path: String
    let queue: DatabaseQueue
    /// The identity of the open file: another file at the path has another one.
    private let identity: FileNumber?

    /// "rech": marks SQLite files of reach.
    static let applicationID: Int32 = 0x7265_6368

    /// Opens the file. For writing, creates it if it does not exist, and updates its schema.
    package init(path: String, for access: Access) throws(HistoryFailure) {
        self.path = path
        do {
            if access == .read, ReachSystem.access(path, R_OK) != 0 {
                throw HistoryFailure.cannotRead(path, errno: errno)
            }
            // SQLite would wait for the other end of a pipe.
            if Self.isIrregular(path) { throw HistoryFailure.irregular(path: path) }
            if access == .write { try Self.create(path) }
            queue = try DatabaseQueue(path: path, configuration: Self.configuration(for: access))
            try Self.check(queue, path: path, for: access)
            if access == .write { try Self.migrator.migrate(queue) }
            try queue.read { try Self.checkSchema($0, path: path) }
        } catch {
            throw HistoryFailure(error, path: path)
        }
        identity = FileNumber(at: path)
    }

    /// Whether something is at the path that is not a file: a folder, a pipe, a device.
    private static func isIrregular(_ path: String) -> Bool {
        stat(at: path).map { !$0.isRegular } ?? false
    }

    /// Creates an empty file that only this user can read, or makes one private. SQLite gives its other files the same
    /// mode.
    private static func create(_ path: String) throws(HistoryFailure) {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else {
            throw .cannotWrite(path, errno: errno)
        }
        defer { close(descriptor) }
        try makeOtherFilesWritable(path)
        // One with records may have been opened to others on purpose.
        guard let status = stat(of: descriptor), status.st_size == 0, status.st_mode & 0o077 != 0 else { return }
        guard fchmod(descriptor, 0o600) == 0 else { throw .cannotWrite(path, errno: errno) }
    }

    /// SQLite gives its other files the mode of the file when it makes them, also for a report on a file that was read-only
    /// then.
    private static func makeOtherFilesWritable(_ path: String) throws(HistoryFailure) {
        for other in ["\(path)-wal", "\(path)-shm"] {
            var status = stat()
            guard lstat(other, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
            if status.st_uid == geteuid(), status.st_mode & S_IWUSR == 0 { chmod(other, status.st_mode | S_IWUSR) }
            guard access(other, W_OK) == 0 else { throw .cannotWrite(other, errno: errno) }
        }
    }

    private static func configuration(for access: Access) -> Configuration {
        var configuration = Configuration()
        configuration.label = "reach.history"
        // A longer lock is reported, and the writer tries again.
        configuration.busyMode = .timeout(access == .write ? 0.5 : 5)
        configuration.readonly = access == .read
        // Readers do not block the writer, and a commit waits for no disk.
        configuration.journalMode = .wal
        configuration.prepareDatabase { database in
            guard access == .write else { return }
            // Before the first table: free pages return to the system in steps.
            try database.execute(sql: "PRAGMA auto_vacuum = INCREMENTAL")
            // Overwriting deleted rows with zeros would write each page twice.
            try database.execute(sql: "PRAGMA secure_delete = OFF")
            try database.execute(sql: "PRAGMA cache_size = -2048")
        }
        return configuration
    }

    /// Throws if the file is not a history, or is from a newer version.
    private static func check(_ queue: DatabaseQueue, path: String, for access: Access) throws {
        try queue.read { database in
            let tables = try String.fetchAll(database, sql: "SELECT tbl_name FROM sqlite_master")
            // A first write that failed left no table, or only that of the versions.
            guard tables.contains(where: { $0 != "grdb_migrations" }) else {
                if access == .read { throw HistoryFailure.empty(path: path) }
                return
            }
            let id = try Int32.fetchOne(database, sql: "PRAGMA application_id")
            guard id == applicationID else {
                throw HistoryFailure(.damaged, "\(path) is not a history of reach – move it away")
            }
            guard try !migrator.hasBeenSuperseded(database) else { throw HistoryFailure.newer(path: path) }
            // The first version is recorded with the first table.
            guard try !migrator.completedMigrations(database).isEmpty else {
                throw HistoryFailure.schemaLacks("version", path: path)
            }
        }
    }

    /// Whether the path still names the open file.
    package var isInPlace: Bool {
        identity != nil && FileNumber(at: path) == identity
    }

    /// Whether the write-ahead log, if it is not empty, begins as one. If another program overwrites it, SQLite notices
    /// nothing, and copies it into the file at the next checkpoint.
    var hasIntactLog: Bool {
        let descriptor = open(path + "-wal", O_RDONLY | O_CLOEXEC | O_NONBLOCK)
        guard descriptor >= 0 else { return true }
        defer { close(descriptor) }
        guard let bytes = try? readAll(from: descriptor, limit: 4), bytes.count == 4 else { return true }
        // https://sqlite.org/fileformat2.html#the_write_ahead_log
        return bytes.starts(with: [0x37, 0x7F, 0x06]) && [0x82, 0x83].contains(bytes[3])
    }

    /// Reads from the file.
    func read<Value>(_ body: (Database) throws -> Value) throws(HistoryFailure) -> Value {
        do {
            return try queue.read(body)
        } catch {
            throw HistoryFailure(error, path: path)
        }
    }

    /// Writes to the file in one transaction.
    func write<Value>(_ body: (Database) throws -> Value) throws(HistoryFailure) -> Value {
        do {
            return try queue.write(body)
        } catch {
            throw HistoryFailure(error, path: path)
        }
    }
}

extension HistoryDatabase {
    /// The versions of the schema, oldest first. A published one never changes.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: first)
        }
        migrator.registerMigration("2") { database in
            try database.execute(
                sql: "CREATE TABLE retention (id INTEGER PRIMARY KEY CHECK (id = 1), time INTEGER NOT NULL)"
            )
            // Before, it was in this integer of the file, in minutes.
            let minutes = try Int64.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            if minutes > 0 { try setRetentionTime(.seconds(minutes * 60), database) }
        }
        return migrator
    }()

    /// Throws if the schema lacks a table, column or index of its version: statements for it would fail as if reach had an
    /// error. Additional ones are ignored.
    static func checkSchema(_ database: Database, path: String) throws {
        guard let version = try migrator.completedMigrations(database).last else { return }
        let missing = try columns(ofVersion: version).subtracting(columns(of: database))
        if let first = missing.min() { throw HistoryFailure.schemaLacks(first, path: path) }
    }

    /// The columns of a version, from an empty database in memory.
    private static func columns(ofVersion version: String) throws -> Set<String> {
        let new = try DatabaseQueue()
        try migrator.migrate(new, upTo: version)
        return try new.read(columns)
    }

    /// The columns of all tables and indexes, such as `table target: name`.
    private static func columns(of database: Database) throws -> Set<String> {
        try String.fetchSet(
            database,
            sql: """
                SELECT 'table ' || s.name || ': ' || c.name FROM sqlite_master s JOIN pragma_table_info(s.name) c
                WHERE s.type = 'table'
                UNION SELECT 'index ' || s.name || ': ' || c.name FROM sqlite_master s JOIN pragma_index_info(s.name) c
                WHERE s.type = 'index'
                """
        )
    }

    /// Times are milliseconds since 1970, minutes, hours and days their numbers since 1970. ``FigureSeries`` and
    /// ``MinuteSnapshot`` describe the figures, ``HistoryEvent`` the events, ``SampleBlocks`` the samples. The only row of
    /// `retention`, which version 2 adds, is the retention clock (``retentionTime(in:after:at:_:)``).
    private static let first = """
        CREATE TABLE target (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL,
            url TEXT NOT NULL,
            grp TEXT,
            UNIQUE (name, url)
        );
        CREATE TABLE run (
            id INTEGER PRIMARY KEY,
            source TEXT NOT NULL,
            version TEXT NOT NULL,
            started INTEGER NOT NULL,
            seen INTEGER NOT NULL,
            ended INTEGER
        );
        CREATE TABLE event (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL,
            target INTEGER,
            time INTEGER NOT NULL,
            kind TEXT NOT NULL,
            old TEXT,
            new TEXT,
            since INTEGER,
            reason TEXT,
            detail TEXT,
            length INTEGER,
            success INTEGER
        );
        CREATE INDEX event_run ON event (run, target);
        CREATE INDEX event_time ON event (time);
        CREATE TABLE snapshot (
            id INTEGER PRIMARY KEY,
            minute INTEGER NOT NULL,
            figures BLOB NOT NULL
        );
        CREATE TABLE minutes (
            hour INTEGER NOT NULL,
            target INTEGER NOT NULL,
            figures BLOB NOT NULL,
            PRIMARY KEY (hour, target)
        ) WITHOUT ROWID;
        CREATE TABLE hours (
            day INTEGER NOT NULL,
            target INTEGER NOT NULL,
            figures BLOB NOT NULL,
            PRIMARY KEY (day, target)
        ) WITHOUT ROWID;
        CREATE TABLE samples (
            id INTEGER PRIMARY KEY,
            run INTEGER NOT NULL,
            time INTEGER NOT NULL,
            blocks BLOB NOT NULL
        );
        """
}
