import Foundation
import GRDB
import ReachHistory
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

/// Trouble with the file: probing goes on, one message says what to do, and writing resumes.
@Suite(.serialized, .live) struct FaultTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    /// The messages of a writer that has ended.
    private func messages(of writer: HistoryWriter) async -> [String] {
        await writer.messages.reduce(into: []) { $0.append($1.text) }
    }

    /// The stored changes of health.
    private var transitions: Int? {
        get throws { try folder.number("SELECT count(*) FROM event WHERE kind = 'transition'") }
    }

    /// Lets the writer try again.
    private func retry(_ writer: HistoryWriter) {
        folder.advance(by: .seconds(2))
        writer.flush()
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/proc/self/fd"), "there is no /proc"))
    func `descriptors that a child process still has do not keep the next run from writing`() async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, first)
        recorded.probe("NAS", .replies(1))
        first.flush()
        // A copy shares the lock, as the descriptor of a child does before its exec.
        let locks = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap(Int32.init).filter {
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
            return path?.hasPrefix(folder.path) == true && path?.hasSuffix(".lock") == true
        }
        #expect(locks.count == 1)
        let copies = locks.map { fcntl($0, F_DUPFD_CLOEXEC, 0) }
        defer { for copy in copies { close(copy) } }
        await first.close()
        folder.restart(after: .seconds(60))
        let second = folder.writer()
        recorded = RecordedRoster(["NAS"], folder, second)
        recorded.probe("NAS", .replies(1))
        await second.close()
        #expect(try transitions == 2)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(!left.contains { $0.hasSuffix(".lock") }, "\(left)")
    }

    @Test func `a file that another process locks for ten seconds`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.file, configuration: configuration)
        try Self.execute("BEGIN IMMEDIATE", other)
        recorded.probe("NAS", .losses(3))
        for _ in 0..<5 { retry(writer) }
        try Self.execute("ROLLBACK", other)
        retry(writer)
        #expect(try transitions == 2)
        await writer.close()
        #expect(
            await messages(of: writer) == [
                "history: \(folder.file) is locked by another process – end that process, or wait for it",
                "history: written again",
            ]
        )
    }

    private static func execute(_ sql: String, _ queue: DatabaseQueue) throws {
        try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    @Test func `a file that is removed while it is open`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
        recorded.probe("NAS", .losses(3))
        writer.flush()
        // The state before, and the change.
        #expect(try transitions == 2)
        #expect(try folder.number("SELECT count(*) FROM target") == 1)
        await writer.close()
        #expect(await messages(of: writer) == ["history: \(folder.file) was removed – a new one begins"])
    }

    @Test func `what happened to the file and is noticed at the end is among the last messages`() async throws {
        for isRemoved in [true, false] {
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS"], folder, writer)
            recorded.probe("NAS", .replies(1))
            writer.flush()
            if isRemoved {
                for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
                #expect(await writer.close() == ["history: \(folder.file) was removed – a new one begins"])
            } else {
                try Data("no database".utf8).write(to: URL(filePath: folder.file), options: .atomic)
                let last = await writer.close()
                #expect(last.count == 1 && last[0].contains("moved to \(folder.file).damaged-"))
            }
            #expect(await messages(of: writer) == [])
            folder.restart(after: .seconds(60))
        }
    }

    @Test func `a new file begins with the present states of the targets`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS", "Box"], folder, writer)
        recorded.probe("NAS", .replies(1) + .losses(3))
        recorded.probe("Box", .replies(1))
        let box = try #require(recorded.id("Box"))
        recorded.record(recorded.roster.pause([box], at: folder.now))
        writer.flush()
        let start = folder.wall.start
        folder.advance(by: .seconds(1_000))
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
        folder.advance(by: .seconds(100))
        await writer.close()
        let report = try HistoryDatabase(path: folder.file, for: .read)
            .report(of: nil, from: start, until: start + folder.now)
        let nas = try #require(report.rows.first { $0.name == "NAS" }?.availability)
        #expect(nas.outages.map(\.start) == [start + .seconds(2)])
        #expect(nas.outages.first?.length == folder.now - .seconds(2))
        let paused = try #require(report.rows.first { $0.name == "Box" }?.availability)
        #expect(paused.times[.paused] == folder.now - .seconds(5))
    }

    @Test func `a folder that is removed while its file is open`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        try FileManager.default.removeItem(atPath: folder.path)
        recorded.probe("NAS", .losses(3))
        writer.flush()
        // The state before, and the change.
        #expect(try transitions == 2)
        // The lock is in the new folder.
        let other = folder.writer()
        var second = RecordedRoster(["NAS"], folder, other)
        second.probe("NAS", .replies(1))
        await other.close()
        #expect(await messages(of: other).contains { $0.contains("it keeps the history") })
        await writer.close()
        #expect(await messages(of: writer) == ["history: \(folder.file) was removed – a new one begins"])
    }

    @Test func `a history that is replaced by an older copy goes on there, and says so`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        try FileManager.default.copyItem(atPath: folder.file, toPath: folder.file + ".copy")
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
        try FileManager.default.moveItem(atPath: folder.file + ".copy", toPath: folder.file)
        recorded.probe("NAS", .losses(3))
        writer.flush()
        #expect(try transitions == 2)
        await writer.close()
        #expect(await messages(of: writer) == ["history: \(folder.file) was replaced – the new file is written now"])
    }

    @Test func `a file whose first write failed is continued, and has no history before`() async throws {
        // The table of versions is written first, in a transaction of its own.
        let half = try DatabaseQueue(path: folder.file)
        try Self.execute("CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY)", half)
        try half.close()
        let failure = #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: folder.file, for: .read) }
        #expect(failure?.kind == .missing && failure?.description.contains("has no history yet") == true)
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        await writer.close()
        #expect(try transitions == 1)
        #expect(await messages(of: writer) == [])
    }

    @Test func `what could not be written until the end is reported`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let lock = try DatabaseQueue(path: folder.file, configuration: configuration)
        try Self.execute("BEGIN IMMEDIATE", lock)
        recorded.probe("NAS", .losses(3))
        let reason = "\(folder.file) is locked by another process – end that process, or wait for it"
        let text = "1 event and the figures of 1 minute could not be written"
        #expect(await writer.close() == ["history: \(text): \(reason)"])
        try Self.execute("ROLLBACK", lock)
        let second = folder.writer()
        recorded = RecordedRoster(["NAS"], folder, second)
        #expect(await second.close() == [])
    }

    @Test func `an empty file has no history yet`() throws {
        try Data().write(to: URL(filePath: folder.file))
        let failure = #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: folder.file, for: .read) }
        let expected = "\(folder.file) has no history yet – reach and reach watch write it while they run"
        #expect(failure?.description == "history: \(expected)")
    }

    @Test func `a symbolic link is not written to`() async throws {
        try FileManager.default.createSymbolicLink(atPath: folder.file, withDestinationPath: "elsewhere")
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        await writer.close()
        let problem = "it is a symbolic link – replace it by a file, or switch the history off with --no-history"
        #expect(await messages(of: writer) == ["history: cannot write \(folder.file): \(problem)"])
    }

    @Test func `records of an unknown target or run are counted`() throws {
        let run = StoredRecord.run(id: 1, source: "a", version: "1", start: .seconds(60), seen: .seconds(90), end: nil)
        let event = HistoryEvent(.paused, at: .seconds(70))
        let records: [StoredRecord] = [
            .target(id: 1, name: "NAS", url: "tcp://nas.local:445", group: nil), run,
            .event(event, target: 1, run: 1), .event(event, target: 2, run: 1), .event(event, target: 1, run: 2),
        ]
        let database = try HistoryDatabase(path: folder.file, for: .write)
        for expected in [2, 0] {
            var rest = records[...]
            let (added, orphans) = try database.add { rest.popFirst() }
            #expect(added == expected && orphans == 2)
        }
    }

    @Test func `a file that is replaced by another one while it is open`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: folder.file + suffix) }
        try Data("no database".utf8).write(to: URL(filePath: folder.file), options: .atomic)
        recorded.probe("NAS", .losses(3))
        writer.flush()
        // The state before, and the change.
        #expect(try transitions == 2)
        await writer.close()
        let texts = await messages(of: writer)
        #expect(texts.count == 1 && texts[0].contains("moved to \(folder.file).damaged-"))
    }

    @Test func `a write-ahead log that is overwritten while it is open`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        writer.flush()
        let log = try FileHandle(forUpdating: URL(filePath: folder.file + "-wal"))
        let size = try log.seekToEnd()
        #expect(size > 4_096)
        try log.seek(toOffset: 0)
        try log.write(contentsOf: Data(repeating: 0xA5, count: Int(size)))
        try log.close()
        recorded.probe("NAS", .losses(3))
        writer.flush()
        // The state before, and the change.
        #expect(try transitions == 2)
        await writer.close()
        let texts = await messages(of: writer)
        #expect(texts.count == 1 && texts[0].contains("history.sqlite-wal was overwritten, moved to"))
    }

    @Test func `a file of a newer version is refused and not changed`() async throws {
        let first = folder.writer()
        _ = RecordedRoster(["NAS"], folder, first)
        await first.close()
        try Self.execute("INSERT INTO grdb_migrations (identifier) VALUES ('99')", DatabaseQueue(path: folder.file))
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(1))
        await writer.close()
        let fix = "update reach, or move the file away"
        let expected = "history: \(folder.file) is from a newer version of reach – \(fix)"
        #expect(await messages(of: writer) == [expected])
        #expect(try transitions == 0)
        let failure = #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: folder.file, for: .read) }
        #expect(failure?.description == expected)
    }

    @Test(arguments: [3_600, -3_600]) func `a clock that is set by an hour`(step: Int) async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(90))
        writer.flush()
        let before = folder.wall.start + folder.now
        folder.setClock(by: .seconds(step))
        recorded.probe("NAS", .replies(90))
        folder.advance(by: .seconds(3_700))
        await writer.close()
        let row = try #require(try folder.rows("SELECT time, length FROM event WHERE kind = 'clock'").first)
        #expect(row[1] as Int64 == Int64(step) * 1_000)
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let end = folder.wall.start + folder.now
        let report = try database.report(of: nil, from: .seconds(1_799_990_000), until: end)
        let account = try #require(report.rows.first?.availability)
        let lived = Duration.seconds(90 + 90 + 3_700) - .seconds(1)
        // Set back to a time before its start, the run is watched from then on; set forward, the skipped hour was not watched.
        let counted = step < 0 ? end - (before + .seconds(step)) : lived
        #expect(abs((account.up - counted) / .seconds(1)) < 2)
        #expect(account.outages.isEmpty && report.rows.first?.figures?.sent == 180)
    }

    @Test func `garbage files are moved aside as they are, or written on, and a lost change of health is reported`()
        async throws
    {
        let valid = try await garbageSource()
        var random = SplitMix(seed: 44)
        var moved = 0
        for round in 0..<Self.rounds {
            let garbage = try Self.garbage(from: valid, round, &random)
            try garbage.write(to: URL(filePath: folder.file))
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS"], folder, writer)
            recorded.probe("NAS", .replies(1))
            let time = folder.wall.start + folder.now
            folder.advance(by: .seconds(3_700))
            let last = await writer.close()
            let texts = await messages(of: writer) + last
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            let aside = names.filter { $0.contains(".damaged-") && !$0.hasSuffix("-wal") && !$0.hasSuffix("-shm") }
            if let first = aside.min() {
                moved += 1
                let path = "\(folder.path)/\(first)"
                #expect(texts.first?.hasSuffix(", moved to \(path); a new one begins") == true, "\(round): \(texts)")
                // What reach never wrote to is as it was.
                if round % 4 == 0 { #expect(try Data(contentsOf: URL(filePath: path)) == garbage) }
                #expect(try folder.texts("PRAGMA integrity_check") == ["ok"], "\(round)")
            } else {
                // SQLite met no damage in what it read and wrote.
                #expect(round % 4 != 0 || garbage.isEmpty, "\(round)")
                #expect(texts.isEmpty, "\(round): \(texts)")
            }
            let milliseconds = time.nanoseconds / 1_000_000
            let condition = "WHERE time = \(milliseconds) AND new = 'up'"
            // SQLite does not notice a damage of what it does not read: the index may lack the row, and other pages may be
            // damaged.
            let kept = ["INDEXED BY event_time", "NOT INDEXED"].contains { access in
                (try? folder.number("SELECT count(*) FROM event \(access) \(condition)")) == 1
            }
            // A damage that shows after the commit takes it along.
            #expect(kept || !texts.isEmpty, "\(round)")
            for name in names { try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)") }
        }
        // All random bytes and most others.
        #expect(moved > Self.rounds / 2)
    }

    /// The number of garbage files: `REACH_ROUNDS`, or 100.
    private static let rounds = ProcessInfo.processInfo.environment["REACH_ROUNDS"].flatMap { Int($0) } ?? 100

    /// A valid file with some of everything.
    private func garbageSource() async throws -> Data {
        let writer = folder.writer()
        var recorded = RecordedRoster((0..<20).map { "Target \($0)" }, folder, writer)
        for number in 0..<20 { recorded.probe("Target \(number)", .replies(3) + .losses(4)) }
        folder.advance(by: .seconds(3_700))
        await writer.close()
        return try Data(contentsOf: URL(filePath: folder.file))
    }

    private static func garbage(from valid: Data, _ round: Int, _ random: inout SplitMix) throws -> Data {
        var bytes = [UInt8](valid)
        switch round % 4 {
        case 0:
            return Data(
                (0..<Int.random(in: 0...9_000, using: &random)).map { _ in .random(in: 0...255, using: &random) }
            )
        case 1:
            return Data(bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)))
        case 2:
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
            }
        default:
            // A page of zeros.
            let page = Int.random(in: 0..<max(1, bytes.count / 4_096), using: &random) * 4_096
            for index in page..<min(bytes.count, page + 4_096) { bytes[index] = 0 }
        }
        return Data(bytes)
    }
}
