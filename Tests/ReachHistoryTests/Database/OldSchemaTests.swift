import GRDB
import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

/// Files that older versions have written. Each is stored here as SQL, which never changes.
@Suite(.serialized, .live) struct OldSchemaTests {
    /// The schema of version 0.2.0 with a target, a run, an outage, two minutes and two hours.
    private static let first = """
        PRAGMA application_id = 1919247208;
        CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
        INSERT INTO grdb_migrations VALUES('1');
        CREATE TABLE target (
            id INTEGER PRIMARY KEY, name TEXT NOT NULL, url TEXT NOT NULL, grp TEXT, UNIQUE (name, url)
        );
        INSERT INTO target VALUES(1,'NAS','tcp://nas.local:445','Home');
        CREATE TABLE run (
            id INTEGER PRIMARY KEY, source TEXT NOT NULL, version TEXT NOT NULL, started INTEGER NOT NULL,
            seen INTEGER NOT NULL, ended INTEGER
        );
        INSERT INTO run VALUES(1,'dashboard.toml','0.2.0',1793527200000,1793534400000,1793534400000);
        CREATE TABLE event (
            id INTEGER PRIMARY KEY, run INTEGER NOT NULL, target INTEGER, time INTEGER NOT NULL, kind TEXT NOT NULL,
            old TEXT, new TEXT, since INTEGER, reason TEXT, detail TEXT, length INTEGER, success INTEGER
        );
        INSERT INTO event VALUES(1,1,1,1793527200000,'transition','unknown','up',1793527200000,NULL,NULL,0,NULL);
        INSERT INTO event VALUES(2,1,1,1793530803000,'transition','up','down',1793530800000,'refused','refused',3600000,NULL);
        INSERT INTO event VALUES(3,1,1,1793531400000,'transition','down','up',1793531400000,NULL,NULL,600000,NULL);
        INSERT INTO event VALUES(4,1,1,1793531500000,'a_kind_of_later','x','y',NULL,NULL,NULL,NULL,NULL);
        CREATE TABLE snapshot (id INTEGER PRIMARY KEY, minute INTEGER NOT NULL, figures BLOB NOT NULL);
        CREATE TABLE minutes (
            hour INTEGER NOT NULL, target INTEGER NOT NULL, figures BLOB NOT NULL, PRIMARY KEY (hour, target)
        ) WITHOUT ROWID;
        INSERT INTO minutes VALUES(498202,1,X'ec13204507003b023040');
        CREATE TABLE hours (
            day INTEGER NOT NULL, target INTEGER NOT NULL, figures BLOB NOT NULL, PRIMARY KEY (day, target)
        ) WITHOUT ROWID;
        INSERT INTO hours VALUES(20758,1,X'ef130a77023040000700901cd804202049');
        CREATE TABLE samples (id INTEGER PRIMARY KEY, run INTEGER NOT NULL, time INTEGER NOT NULL, blocks BLOB NOT NULL);
        CREATE INDEX event_run ON event (run, target);
        CREATE INDEX event_time ON event (time);
        """

    @Test(arguments: [first]) func `a file of an older version is updated, and its records are in the reports`(
        sql: String
    ) async throws {
        let folder = try HistoryFolder()
        try await DatabaseQueue(path: folder.file).writeWithoutTransaction { try $0.execute(sql: sql) }
        // Before and after a new version has written to it.
        for pass in 1...2 {
            let database = try HistoryDatabase(path: folder.file, for: .read)
            let report = try database.report(of: nil, from: .seconds(1_793_500_000), until: .seconds(1_793_600_000))
            let row = try #require(report.rows.first)
            #expect(row.name == "NAS" && (row.group == "Home" || pass == 2), "pass \(pass)")
            #expect(row.availability.up == .seconds(6_600) && row.availability.down == .seconds(600))
            #expect(row.availability.outages.map(\.cause) == ["refused"])
            #expect(row.figures?.sent == 3_719 && row.figures?.lost == 602)
            guard pass == 1 else { break }
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS"], folder, writer)
            recorded.probe("NAS", .replies(1))
            await writer.close()
            #expect(await writer.messages.reduce(into: []) { $0.append($1.text) } == [])
        }
        // The target is still the same one.
        #expect(try folder.number("SELECT count(*) FROM target") == 1)
        #expect(try folder.number("SELECT count(*) FROM run") == 2)
        #expect(try folder.texts("PRAGMA integrity_check") == ["ok"])
    }

    @Test func `the retention clock of version 1 continues`() async throws {
        let folder = try HistoryFolder()
        try await DatabaseQueue(path: folder.file).writeWithoutTransaction {
            try $0.execute(sql: Self.first + "PRAGMA user_version = 29892107;")
        }
        _ = try HistoryDatabase(path: folder.file, for: .write)
        #expect(try folder.number("SELECT time FROM retention") == 29_892_107 * 60_000)
    }
}
