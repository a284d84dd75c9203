import GRDB

extension HistoryDatabase {
    /// The versions of the schema, oldest first. A published one never changes.
    static let migrator: DatabaseMigrator = {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1") { database in
            try database.execute(sql: "PRAGMA application_id = \(applicationID)")
            try database.execute(sql: first)
        }
        return migrator
    }()

    /// Throws if the schema lacks a table, column or index of its version: statements for it would fail as if reach had an
    /// error. Additional ones are ignored.
    static func checkSchema(_ database: Database, path: String) throws {
        guard try migrator.hasCompletedMigrations(database) else { return }
        let missing = try columns.subtracting(columns(of: database))
        if let first = missing.min() { throw HistoryFailure.schemaLacks(first, path: path) }
    }

    /// The columns of the newest version.
    private static let columns: Set<String> = {
        // In memory: it cannot fail. Without columns, nothing is missing.
        let new = try? DatabaseQueue()
        try? new.map(migrator.migrate)
        return (try? new?.read(columns)) ?? []
    }()

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
    /// ``MinuteSnapshot`` describe the figures, ``HistoryEvent`` the events, ``SampleBlocks`` the samples.
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
