import Foundation
import GRDB
@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

@Suite(.serialized, .live) struct WriterTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    @Test func `transitions with their causes are committed`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(2) + .losses(3) + .replies(1))
        writer.flush()
        let condition = "FROM event WHERE kind = 'transition'"
        #expect(try folder.texts("SELECT new \(condition)") == ["up", "down", "up"])
        #expect(try folder.texts("SELECT reason \(condition)") == ["", "refused", ""])
        let since = try folder.number("SELECT since \(condition) AND new = 'down'").map { Int64($0) }
        #expect(since == folder.wall.start.milliseconds + 3_000)
        await writer.close()
        #expect(try folder.number("SELECT count(*) FROM run WHERE ended IS NOT NULL") == 1)
    }

    @Test func `the response of a server, its certificate and the output of a hook are stored below their events`()
        async throws
    {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        var reply = Reply(roundTrip: .milliseconds(2))
        reply.certificateExpiry = 1_800_000_000
        reply.certificate = CertificateIdentity(name: "www.example.com, serial 04", issuer: "Authority")
        var failure = Failure(.httpStatus, detail: "HTTP 503", httpStatus: 503)
        failure.response = "HTTP/1.1 503\nRetry-After: 9"
        recorded.probe("NAS", [.reply(reply), .failure(failure), .failure(failure), .failure(failure)])
        let id = try #require(recorded.id("NAS"))
        let context = HookContext(.down, by: .user, at: folder.now, of: try #require(recorded.roster[id]))
        let run = HookRun(id: 1, target: id, rule: .make(on: [.down], "page me"), context: context)
        for output in ["one\ntwo\n", "three\n"] {
            let result = HookResult(status: .exited(0), duration: .seconds(1), output: output)
            writer.record(.finished(run, result), at: folder.now, wall: folder.wall, redaction: Redaction())
        }
        await writer.close()
        let database = try HistoryDatabase(path: "\(folder.path)/history.sqlite", for: .read)
        var events: [HistoryEvent] = []
        try database.export { if case .event(let event, _, _) = $0 { events.append(event) } }
        let down = try #require(events.first { $0.to == .down })
        #expect(down.detail == "HTTP 503")
        let certificate = "certificate www.example.com, serial 04, issued by Authority, until 2027-01-15"
        #expect(down.output == "HTTP/1.1 503\nRetry-After: 9\n\(certificate)")
        #expect(events.filter { $0.kind == .hook }.map(\.output) == ["one\ntwo", "three"])
        #expect(events.filter { $0.kind == .hook }.allSatisfy { $0.detail == "page me exited 0 in 1.0s" })
    }

    @Test func `the file is private and its free pages can be returned`() async throws {
        let writer = folder.writer()
        _ = RecordedRoster(["NAS"], folder, writer)
        writer.flush()
        for name in ["history.sqlite", "history.sqlite-wal"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder.path)/\(name)")
            #expect(attributes[.posixPermissions] as? Int == 0o600)
        }
        #expect(try folder.number("PRAGMA auto_vacuum") == 2)
        #expect(try folder.texts("PRAGMA journal_mode") == ["wal"])
        await writer.close()
    }

    @Test func `the figures of a minute are stored when it is over, and move to the target's hour`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        // 1,800,000,000 is a whole hour.
        recorded.probe("NAS", .replies(50) + .losses(30) + .replies(45))
        folder.advance(by: .seconds(60))
        writer.flush()
        let snapshots = try folder.number("SELECT count(*) FROM snapshot")
        #expect(snapshots == 3)
        folder.advance(by: .seconds(3_600))
        writer.flush()
        #expect(try folder.number("SELECT count(*) FROM snapshot") == 0)
        let row = try #require(try folder.rows("SELECT hour, target, figures FROM minutes").first)
        #expect(row[0] as Int64 == 500_000)
        let series = FigureSeries(.minute, bytes: [UInt8](row[2] as Data))
        #expect(series.figures.keys.sorted() == [0, 1, 2])
        // The sample at the full minute belongs to the next one.
        #expect([0, 1, 2].map { series.figures[$0]?.sent } == [59, 60, 6])
        #expect([0, 1, 2].map { series.figures[$0]?.lost } == [9, 21, 0])
        let day = try #require(try folder.rows("SELECT day, figures FROM hours").first)
        let hours = FigureSeries(.hour, bytes: [UInt8](day[1] as Data))
        #expect(hours.figures.count == 1 && hours.figures.values.first?.sent == 125)
        await writer.close()
    }

    @Test func `pauses, address changes, hooks, acknowledgements and stalls are stored`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        let id = try #require(recorded.id("NAS"))
        recorded.probe("NAS", .losses(3))
        let acknowledged = recorded.roster.acknowledge([id], reason: "new switch", for: .seconds(60), at: folder.now)
        recorded.record(acknowledged)
        recorded.record(recorded.roster.pause([id], at: folder.now))
        recorded.record(recorded.roster.resume([id], at: folder.now))
        let changed = [Finding.addressChanged(id, from: "192.0.2.1", to: "192.0.2.2", at: folder.now)]
        recorded.record(recorded.roster.record(changed))
        recorded.record(recorded.roster.record([.stalled(gap: .seconds(9), at: folder.now)]))
        let context = HookContext(.down, by: .user, at: folder.now, of: try #require(recorded.roster[id]))
        let run = HookRun(id: 1, target: id, rule: .make(on: [.down], "true"), context: context)
        let report = HookReport.finished(run, HookResult(status: .exited(0), duration: .seconds(1)))
        writer.record(report, at: folder.now, wall: folder.wall, redaction: Redaction())
        recorded.record(recorded.roster.apply(Settings(targets: []), at: folder.now))
        writer.flush()
        #expect(
            try folder.texts("SELECT kind FROM event ORDER BY id") == [
                "transition", "acknowledged", "paused", "resumed", "address", "stalled", "hook", "removed",
            ]
        )
        let details = try folder.texts("SELECT detail FROM event ORDER BY id")
        #expect(details[1] == "new switch" && details[4] == "192.0.2.2, was 192.0.2.1")
        #expect(details[6] == "true exited 0 in 1.0s")
        await writer.close()
    }

    @Test func `samples of paused targets do not count`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        let id = try #require(recorded.id("NAS"))
        recorded.probe("NAS", .replies(2))
        recorded.record(recorded.roster.pause([id], at: folder.now))
        recorded.probe("NAS", .replies(2))
        await writer.close()
        let row = try #require(try folder.rows("SELECT figures FROM snapshot").first)
        #expect(MinuteSnapshot.figures(in: [UInt8](row[0] as Data)).map(\.figures.sent) == [2])
    }

    @Test func `a target keeps its history over runs, and over a rename that is declared`() async throws {
        for (name, formerly) in [("NAS", nil), ("NAS", nil), ("Storage", "NAS"), ("Box", nil)] {
            let writer = folder.writer()
            var recorded = RecordedRoster([name], folder, writer, formerly: formerly)
            recorded.probe(name, .replies(1))
            await writer.close()
            folder.restart(after: .seconds(60))
        }
        #expect(try folder.texts("SELECT name FROM target ORDER BY id") == ["Storage", "Box"])
        #expect(try folder.number("SELECT count(*) FROM event WHERE target = 1") == 3)
    }

    @Test func `a declared rename that cannot continue the records before says so`() async throws {
        let apart = #""Storage" has records of its own, so those of "NAS" stay apart"#
        let anew = #""Box" begins a new history, since "NAS" had another URL"#
        let fix = "remove formerly; reach report --all-known lists both"
        let runs: [(name: String, port: UInt16, formerly: String?, messages: [String])] = [
            ("NAS", 445, nil, []), ("Storage", 445, nil, []), ("Storage", 445, "NAS", ["history: \(apart) – \(fix)"]),
            ("Box", 446, "NAS", ["history: \(anew) – \(fix)"]), ("Box", 446, "NAS", []), ("Disk", 445, "NAS", []),
        ]
        for run in runs {
            let writer = folder.writer()
            var recorded = RecordedRoster([], folder, writer)
            recorded.apply([run.name], port: run.port, formerly: run.formerly)
            recorded.probe(run.name, .replies(1))
            await writer.close()
            #expect(await writer.messages.reduce(into: []) { $0.append($1.text) } == run.messages)
            folder.restart(after: .seconds(60))
        }
        #expect(try folder.texts("SELECT name FROM target ORDER BY id") == ["Disk", "Storage", "Box"])
    }

    @Test func `a target is not watched before a reload adds it, and while the settings lack it`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(10))
        recorded.apply(["NAS", "Box"])
        recorded.probe("Box", .replies(5))
        recorded.apply(["Box"])
        folder.advance(by: .seconds(100))
        recorded.apply(["NAS", "Box"])
        recorded.probe("NAS", .replies(1))
        await writer.close()
        let end = folder.wall.start + folder.now
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let report = { (isDown: Bool) in
            try database.report(of: nil, from: folder.wall.start, until: end, countingUnknownAsDown: isDown)
        }
        let accounts = try report(false).rows.map(\.availability)
        let (box, nas) = (try #require(accounts.first), try #require(accounts.last))
        #expect(box.times == [.unknown: .seconds(1), .up: .seconds(105)])
        #expect(nas.times == [.unwatched: .seconds(100), .unknown: .seconds(2), .up: .seconds(14)])
        // From the first record of a target on.
        #expect(try report(true).rows.map(\.availability.down) == [.seconds(1), .seconds(102)])
    }

    @Test func `targets that are renamed back and forth have one history`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(10))
        for (name, formerly) in [("Storage", "NAS"), ("NAS", "Storage"), ("Storage", "NAS")] {
            recorded.apply([name], formerly: formerly)
            recorded.probe(name, .replies(2) + .losses(3) + .replies(1))
        }
        await writer.close()
        #expect(try folder.texts("SELECT name FROM target") == ["Storage"])
        let database = try HistoryDatabase(path: folder.file, for: .read)
        let report = try database.report(of: nil, from: folder.wall.start, until: folder.wall.start + folder.now)
        #expect(report.rows.map(\.availability.outages.count) == [3])
        // A renamed target keeps its health until its next reply. The first second is before the first one.
        #expect(report.rows.first?.availability.up == .seconds(10 + 3 * 3 - 1))
    }

    @Test func `a second process only reads, and says so`() async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, first)
        recorded.probe("NAS", .replies(5))
        first.flush()
        let second = folder.writer()
        var other = RecordedRoster(["NAS"], folder, second)
        other.probe("NAS", .losses(3))
        second.flush()
        var messages = second.messages.makeAsyncIterator()
        let text = "reach already runs here (process \(getpid())): it keeps the history"
        let fix = "for targets that only this one probes, set another XDG_STATE_HOME, or --no-history"
        #expect(await messages.next()?.text == "\(text) – \(fix)")
        #expect(try folder.number("SELECT count(*) FROM run") == 1)
        // The first one has not ended.
        var pasts = second.past.makeAsyncIterator()
        let past = try #require(await pasts.next())
        #expect(past.events.count == 1 && past.lastSeen.values.map(\.health) == [.up] && !past.isOver)
        #expect(past.summary(of: try #require(other.id("NAS")), at: folder.wall.start) == nil)
        // Another source may write at the same time.
        let third = folder.writer("other.toml")
        var more = RecordedRoster(["Box"], folder, third)
        more.probe("Box", .replies(1))
        third.flush()
        #expect(try folder.number("SELECT count(*) FROM run") == 2)
        for writer in [third, second, first] { await writer.close() }
    }

    @Test func `a process that takes over writes the present state of its targets`() async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, first)
        recorded.probe("NAS", .replies(5))
        first.flush()
        let second = folder.writer()
        var other = RecordedRoster(["NAS"], folder, second)
        other.probe("NAS", .losses(3))
        let since = folder.wall.start + folder.now - .seconds(2)
        second.flush()
        await first.close()
        // It has no other change of health.
        folder.advance(by: .seconds(120))
        second.flush()
        #expect(try folder.number("SELECT count(*) FROM run") == 2)
        folder.advance(by: .seconds(120))
        await second.close()
        let end = folder.wall.start + folder.now
        let report = try HistoryDatabase(path: folder.file, for: .read).report(of: nil, from: .seconds(1), until: end)
        let outages = report.rows.first?.availability.outages
        #expect(outages?.map(\.start) == [since] && outages?.first?.length == end - since)
    }

    @Test func `the last record of a run that goes on is known, and of runs that ended or were killed it is not`()
        async throws
    {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(9))
        writer.flush()
        let last = folder.wall.start + folder.now
        let database = try HistoryDatabase(path: folder.file, for: .read)
        #expect(try database.lastRecordOfRunning(at: last + .seconds(50)) == last)
        #expect(try database.lastRecordOfRunning(at: last + .seconds(70)) == nil)
        await writer.close()
        #expect(try database.lastRecordOfRunning(at: last + .seconds(50)) == nil)
    }

    /// A run that was killed has no end. The rows have the settings file and the times of runs, in seconds.
    @Test func `a killed run is over once a newer run of the same settings file has begun`() throws {
        let database = try HistoryDatabase(path: folder.file, for: .write)
        let queue = try DatabaseQueue(path: folder.file)
        let add = { (source: String, started: Int64, seen: Int64, ended: Int64?) in
            try queue.write { database in
                try database.execute(
                    sql: "INSERT INTO run (source, version, started, seen, ended) VALUES (?, '1.0', ?, ?, ?)",
                    arguments: [source, started * 1_000, seen * 1_000, ended.map { $0 * 1_000 }]
                )
                return database.lastInsertedRowID
            }
        }
        _ = try add("dashboard.toml", 900, 1_000, nil)
        #expect(try database.lastRecordOfRunning(at: .seconds(1_005)) == .seconds(1_000))
        // One of another settings file, or an older one that was imported, does not end it.
        let other = try add("other.toml", 1_001, 1_004, 1_004)
        let old = try add("dashboard.toml", 700, 800, 800)
        #expect(try database.lastRecordOfRunning(at: .seconds(1_005)) == .seconds(1_000))
        let newer = try add("dashboard.toml", 1_006, 1_015, nil)
        #expect(newer > old && old > other)
        #expect(try database.lastRecordOfRunning(at: .seconds(1_016)) == .seconds(1_015))
        try queue.write { try $0.execute(sql: "UPDATE run SET ended = seen WHERE id = ?", arguments: [newer]) }
        #expect(try database.lastRecordOfRunning(at: .seconds(1_016)) == nil)
    }

    @Test func `old rows are removed in steps`() async throws {
        var settings = HistorySettings()
        (settings.events, settings.minutes, settings.hours) = (.seconds(86_400), .seconds(7_200), .seconds(86_400))
        let writer = folder.writer(settings: settings)
        var recorded = RecordedRoster(["NAS"], folder, writer)
        for _ in 0..<6 {
            recorded.probe("NAS", .replies(2) + .losses(3))
            folder.advance(by: .seconds(3_600))
            writer.flush()
        }
        // A step a minute.
        for _ in 0..<6 {
            folder.advance(by: .seconds(61))
            writer.flush()
        }
        #expect(try #require(try folder.number("SELECT count(*) FROM minutes")) <= 3)
        #expect(try folder.number("SELECT count(*) FROM event WHERE kind = 'transition'") == 12)
        folder.advance(by: .seconds(3 * 86_400))
        writer.flush()
        for _ in 0..<6 {
            folder.advance(by: .seconds(61))
            writer.flush()
        }
        // The present state stays.
        #expect(try folder.texts("SELECT new FROM event") == ["down"])
        #expect(try folder.number("SELECT count(*) FROM hours") == 0)
        await writer.close()
    }
}
