import Foundation
import GRDB
@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

/// What is removed, also if the clock is wrong.
@Suite(.serialized, .live) struct RetentionTests {
    private let folder: HistoryFolder
    private static let decade = Duration.seconds(3_650 * 86_400)

    init() throws {
        folder = try HistoryFolder()
    }

    /// A run of five minutes and an hour, whose target was down once.
    private func record(_ settings: HistorySettings = HistorySettings()) async {
        let writer = folder.writer(settings: settings)
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(120) + .losses(3) + .replies(120))
        folder.advance(by: .seconds(3_600))
        writer.flush()
        await writer.close()
    }

    private func counts() throws -> [Int?] {
        try ["event WHERE run = 1", "minutes WHERE hour = 500000", "hours WHERE day = 20833", "samples WHERE run = 1"]
            .map {
                try folder.number("SELECT count(*) FROM \($0)")
            }
    }

    @Test func `a clock that is ten years ahead at the start of several runs removes nothing`() async throws {
        await record()
        let before = try counts()
        #expect(before.allSatisfy { ($0 ?? 0) > 0 })
        folder.restart(after: Self.decade)
        for _ in 0..<3 {
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS"], folder, writer)
            for _ in 0..<4 {
                recorded.probe("NAS", .replies(2))
                folder.advance(by: .seconds(60))
                writer.flush()
            }
            await writer.close()
            folder.restart(after: .seconds(5))
        }
        #expect(try folder.number("SELECT count(*) FROM run") == 4)
        let after = try counts()
        #expect(after == before)
    }

    @Test func `a clock that is ten years ahead for some seconds removes nothing, and hides nothing`() async throws {
        await record()
        let before = try counts()
        folder.restart(after: .seconds(60))
        let start = folder.wall.start
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(61))
        writer.flush()
        for step in [Self.decade, .zero - Self.decade] {
            folder.setClock(by: step)
            recorded.probe("NAS", .replies(3))
            folder.advance(by: .seconds(70))
            writer.flush()
        }
        recorded.probe("NAS", .replies(200))
        await writer.close()
        let after = try counts()
        #expect(after == before)
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let report = try database.report(of: nil, from: start, until: folder.wall.start + folder.now)
        let account = try #require(report.rows.first?.availability)
        #expect(account.availability == 1)
        #expect((account.times[.up] ?? .zero) > .seconds(300) && (account.times[.unwatched] ?? .zero) < .seconds(80))
    }

    @Test func `after a pause, the removal follows within a while`() async throws {
        var settings = HistorySettings()
        settings.events = .seconds(86_400)
        await record(settings)
        folder.restart(after: .seconds(3 * 86_400))
        let writer = folder.writer(settings: settings)
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(2))
        for minute in 1...75 {
            folder.advance(by: .seconds(60))
            writer.flush()
            if minute == 10 { #expect(try #require(try counts()[0]) > 0) }
        }
        #expect(try counts()[0] == 0)
        await writer.close()
    }

    @Test func `the state of a target stays as long as its run`() throws {
        let day = Duration.seconds(86_400)
        let end = day * 20
        let event = { (kind: HistoryEvent.Kind, time: Duration, health: Health?) in
            HistoryEvent(kind, at: time, to: health, since: health.map { _ in time - .seconds(1) })
        }
        var records: [StoredRecord] = [
            .run(id: 1, source: "a", version: "1", start: day * 5, seen: end, end: nil),
            .run(id: 2, source: "b", version: "1", start: day * 5, seen: day * 8, end: day * 8),
        ]
        let events: [(String, [HistoryEvent])] = [
            (
                "down",
                [event(.transition, day * 6, .up), event(.hook, day * 6, nil), event(.transition, day * 7, .down)]
            ),
            ("paused", [event(.transition, day * 6, .up), event(.paused, day * 7, nil)]),
            ("resumed", [event(.paused, day * 6, nil), event(.resumed, day * 7, nil)]),
            ("maintenance", [event(.maintenance, day * 6, nil), event(.transition, day * 7, .up)]),
            ("removed", [event(.transition, day * 6, .up), event(.removed, day * 7, nil)]),
            ("later", [event(.transition, day * 6, .up), event(.transition, end - .seconds(9), .down)]),
        ]
        for (number, (name, own)) in events.enumerated() {
            let id = Int64(number)
            records.append(.target(id: id, name: name, url: "tcp://nas.local:445", group: nil))
            records += own.map { .event($0, target: id, run: 1) }
        }
        records.append(.event(event(.transition, day * 6, .up), target: 0, run: 2))
        records.append(.event(HistoryEvent(.clock, at: day * 8, length: .seconds(2)), target: nil, run: 1))
        var rest = records[...]
        let database = try HistoryDatabase(path: folder.file, for: .write)
        _ = try database.add { rest.popFirst() }
        let before = try database.report(of: nil, from: end - day, until: end)
        var settings = HistorySettings()
        settings.events = day
        try database.prune(settings, at: end)
        let kept = try folder.texts(
            "SELECT name || ' ' || kind FROM event JOIN target ON target.id = target WHERE run = 1 ORDER BY event.id"
        )
        let expected = [
            "down transition", "paused transition", "paused paused", "maintenance maintenance",
            "maintenance transition", "later transition", "later transition",
        ]
        #expect(kept == expected)
        #expect(try folder.number("SELECT count(*) FROM event WHERE run = 2") == 0)
        let after = try database.report(of: nil, from: end - day, until: end)
        let names = Set(["down", "paused", "maintenance", "later"])
        #expect(after.rows.map(\.availability) == before.rows.filter { names.contains($0.name) }.map(\.availability))
        let outage = try #require(after.rows.first { $0.name == "down" }?.availability.outages.first)
        #expect(outage.start == day * 7 - .seconds(1) && outage.length == day)
    }

    @Test func `samples of the last hour are kept by their number`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        for _ in 0..<100 {
            recorded.probe("NAS", .replies(1))
            folder.advance(by: .seconds(60))
            writer.flush()
        }
        await writer.close()
        let count = try #require(try folder.number("SELECT count(*) FROM samples"))
        #expect((60...75).contains(count))
    }

    @Test func `a removal on request is refused if records are later than the clock, unless these are removed too`()
        async throws
    {
        await record()
        let now = folder.wall.start + folder.now
        folder.restart(after: Self.decade)
        await record()
        let database = try HistoryDatabase(path: folder.file, for: .write)
        let failure = #expect(throws: HistoryFailure.self) { try database.prune(HistorySettings(), at: now) }
        #expect(failure?.description.contains("set the clock; if it is right") == true)
        #expect(try folder.number("SELECT count(*) FROM run") == 2)
        try database.prune(HistorySettings(), at: now, withFuture: true)
        #expect(try folder.number("SELECT count(*) FROM run") == 1)
        #expect(try #require(try counts()[0]) > 0)
        try database.prune(HistorySettings(), at: now)
    }

    @Test func `the newest record is not that of a run whose clock was set back`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(9) + .losses(3))
        let last = folder.wall.start + folder.now
        folder.setClock(by: .seconds(-3_600))
        folder.advance(by: .seconds(9))
        await writer.close()
        #expect(try HistoryDatabase(path: folder.file, for: .read).summary().last == last)
    }

    @Test func `the first record is that of the first run, or the first hour`() async throws {
        folder.advance(by: .seconds(2_051))
        let start = folder.wall.start + folder.now
        await record()
        let database = try HistoryDatabase(path: folder.file, for: .write)
        #expect(try database.summary().first == start)
        try database.write { try $0.execute(sql: "DELETE FROM run; DELETE FROM event") }
        #expect(try database.summary().first == folder.wall.start)
    }

    @Test func `what was down is known after a run that had only maintenance`() async throws {
        let target = StoredTarget(name: "NAS", url: "tcp://nas.local:445")
        let run = { (id: Int64) in
            StoredRecord.run(id: id, source: "a", version: "1", start: .seconds(id), seen: .seconds(id), end: nil)
        }
        let down = HistoryEvent(.transition, at: .seconds(1), from: .up, to: .down)
        let records: [StoredRecord] = [
            .target(id: 1, name: target.name, url: target.url, group: nil), run(1), .event(down, target: 1, run: 1),
            run(2), .event(HistoryEvent(.maintenance, at: .seconds(2)), target: 1, run: 2),
        ]
        let database = try HistoryDatabase(path: folder.file, for: .write)
        var rest = records[...]
        _ = try database.add { rest.popFirst() }
        let past = try database.past(
            of: [Target.ID(7): target],
            from: "a",
            before: nil,
            startingAt: .seconds(9),
            at: .seconds(9)
        )
        #expect(past.lastSeen[Target.ID(7)]?.health == .down)
    }

    @Test func `records that are repeated in one import are added once`() throws {
        let run = StoredRecord.run(id: 1, source: "a", version: "1", start: .seconds(60), seen: .seconds(90), end: nil)
        let event = StoredRecord.event(HistoryEvent(.paused, at: .seconds(70)), target: 1, run: 1)
        let minute = StoredRecord.minute(ProbeFigures(sent: 9, lost: 1), target: 1, number: 1)
        let target = StoredRecord.target(id: 1, name: "NAS", url: "tcp://nas.local:445", group: nil)
        var rest = [target, run, event, event, minute, minute, run, event, minute][...]
        let database = try HistoryDatabase(path: folder.file, for: .write)
        let (added, orphans) = try database.add { rest.popFirst() }
        #expect(added == 3 && orphans == 0)
        let series = try folder.rows("SELECT figures FROM minutes").map {
            FigureSeries(.minute, bytes: [UInt8]($0[0] as Data))
        }
        #expect(series.map { $0.figures[1]?.sent } == [9])
    }

    @Test func `a later export of a run that the file has adds what is new`() throws {
        let event = { (time: Int, kind: HistoryEvent.Kind) in
            StoredRecord.event(HistoryEvent(kind, at: .seconds(time)), target: 1, run: 1)
        }
        let target = StoredRecord.target(id: 1, name: "NAS", url: "tcp://nas.local:445", group: nil)
        let run = { (seen: Int, end: Int?) in
            StoredRecord.run(
                id: 1,
                source: "a",
                version: "1",
                start: .seconds(60),
                seen: .seconds(seen),
                end: end.map { .seconds($0) }
            )
        }
        let minute = { (number: Int64, sent: Int) in
            StoredRecord.minute(ProbeFigures(sent: sent, lost: 0), target: 1, number: number)
        }
        let early = [target, run(130, nil), event(70, .paused), event(80, .resumed), minute(1, 9), minute(2, 2)]
        let late = [
            target, run(300, 300), event(70, .paused), event(80, .resumed), event(200, .paused), minute(1, 9),
            minute(2, 8), minute(3, 9),
        ]
        let database = try HistoryDatabase(path: folder.file, for: .write)
        // The later one has one event, one minute, a minute with more probes, and the end of the run.
        for (records, expected) in [(early, 5), (early, 0), (late, 4), (late, 0), (early, 0)] {
            var rest = records[...]
            #expect(try database.add { rest.popFirst() }.added == expected)
        }
        var exported: [StoredRecord] = []
        try database.export { exported.append($0) }
        #expect(exported == late)
        // What was removed as old is not newer than the rest.
        try database.write { try $0.execute(sql: "DELETE FROM event WHERE time < 80000") }
        for records in [late, early] {
            var rest = records[...]
            #expect(try database.add { rest.popFirst() }.added == 0)
        }
    }

    @Test func `two runs in one minute are exported as one minute`() async throws {
        for outcomes in [[Outcome].replies(12), .losses(12)] {
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS"], folder, writer)
            recorded.probe("NAS", outcomes)
            await writer.close()
            folder.restart(after: .seconds(2))
        }
        var exported: [StoredRecord] = []
        try HistoryDatabase(path: folder.file, for: .read).export { exported.append($0) }
        let copy = try HistoryFolder()
        let database = try HistoryDatabase(path: copy.file, for: .write)
        for isFirst in [true, false] {
            var rest = exported[...]
            #expect(try (database.add { rest.popFirst() }.added > 0) == isFirst)
        }
        let report = try database.report(of: nil, from: .seconds(1), until: folder.wall.start)
        #expect(report.rows.map(\.figures?.sent) == [24] && report.rows.map(\.figures?.lost) == [12])
    }

    @Test(arguments: [HistoryDatabase.Access.read, .write])
    func `a pipe or a folder in place of the file is refused`(access: HistoryDatabase.Access) throws {
        #expect(mkfifo(folder.file, 0o600) == 0)
        for path in [folder.file, folder.path] {
            let failure = #expect(throws: HistoryFailure.self) { try HistoryDatabase(path: path, for: access) }
            #expect(failure?.description == "history: \(path) is not a regular file – move it away")
        }
    }

    @Test func `the files beside one that was read-only for a while become writable`() async throws {
        await record()
        let reader = try HistoryDatabase(path: folder.file, for: .read)
        _ = try reader.summary()
        for suffix in ["-wal", "-shm"] {
            let path = folder.file + suffix
            if !FileManager.default.fileExists(atPath: path) {
                #expect(FileManager.default.createFile(atPath: path, contents: nil))
            }
            try FileManager.default.setAttributes([.posixPermissions: 0o400], ofItemAtPath: path)
        }
        _ = try HistoryDatabase(path: folder.file, for: .write)
        for suffix in ["-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        _ = try reader.summary()
    }

    @Test func `an empty file that others can read becomes private`() async throws {
        #expect(
            FileManager.default.createFile(atPath: folder.file, contents: nil, attributes: [.posixPermissions: 0o644])
        )
        let writer = folder.writer()
        _ = RecordedRoster(["NAS"], folder, writer)
        writer.flush()
        for suffix in ["", "-wal", "-shm"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file + suffix)
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        await writer.close()
    }
}
