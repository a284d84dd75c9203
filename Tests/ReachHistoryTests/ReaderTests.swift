import Foundation
import GRDB
import ReachHistory
import TestSupport
import Testing

@testable import ReachMonitoring

/// What the screen reads, from real files.
@Suite(.serialized, .live) struct ReaderTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    /// Reads by the reader's thread.
    private func read(_ request: HistoryRequest) async -> HistoryAnswer? {
        let reader = HistoryReader(path: folder.file, time: folder.time, redaction: { Redaction() })
        reader.read(request)
        var answers = reader.answers.makeAsyncIterator()
        let answer = await answers.next()
        reader.close()
        return answer
    }

    private func assignment(_ name: String, _ recorded: RecordedRoster) throws -> ProbeRequest.Assignment {
        let state = try #require(recorded.roster.states.first { $0.target.name == name })
        return ProbeRequest.Assignment(id: state.id, target: state.target)
    }

    /// The spans as text, in seconds since the start of the first run.
    private func text(_ spans: [WatchedSpan], since start: Duration) -> [String] {
        spans.map { "\($0.state) \(($0.start - start).components.seconds)-\(($0.end - start).components.seconds)" }
    }

    @Test(arguments: [7_200, 600, -60, -600, -7_200])
    func `after the clock was set, the probes of this run are not among those before it`(step: Int) async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, first)
        recorded.probe("NAS", .replies(120))
        await first.close()
        folder.restart(after: .seconds(36_000))
        var coverage = WallCoverage(from: folder.wall.start)
        let second = folder.writer()
        var again = RecordedRoster(["NAS"], folder, second)
        again.probe("NAS", .replies(900))
        second.flush()
        coverage.set(
            from: folder.wall.start + folder.now,
            to: folder.wall.start + folder.now + .seconds(step)
        )
        folder.setClock(by: .seconds(step))
        again.probe("NAS", .replies(700))
        second.flush()
        let ran = coverage.ranges(until: folder.wall.start + folder.now)
        let answer = await read(.figures(try assignment("NAS", again), without: ran))
        guard case .figures(_, let past)? = answer else {
            Issue.record("no figures: \(String(describing: answer))")
            return
        }
        #expect(past.figures?.sent == 120)
        await second.close()
    }

    @Test func `the past of two runs and the figures before this one`() async throws {
        let start = folder.wall.start
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS", "Box"], folder, first)
        recorded.probe("NAS", .replies(50) + .losses(10) + .replies(60))
        await first.close()
        folder.restart(after: .seconds(600))
        let second = folder.writer()
        var again = RecordedRoster(["NAS", "Box"], folder, second)
        again.probe("NAS", .replies(30))
        second.flush()

        let nas = try assignment("NAS", again)
        let answer = await read(.figures(nas))
        guard case .figures(let id, let past)? = answer else {
            Issue.record("no figures: \(String(describing: answer))")
            return
        }
        #expect(id == nas.id)
        let expected = ["unknown 0-1", "up 1-51", "down 51-61", "up 61-120", "unknown 720-721"]
        #expect(text(past.spans, since: start).starts(with: expected))
        #expect(past.spans[2].cause == "refused")
        // Only the probes before this run.
        #expect(past.figures?.sent == 120 && past.figures?.lost == 10)

        let box = try assignment("Box", again)
        guard case .pasts(let pasts)? = await read(.pasts([nas, box])) else {
            Issue.record("no pasts")
            return
        }
        #expect(pasts[box.id] == TargetPast([]))
        #expect(pasts[nas.id]?.spans == past.spans)
        await second.close()
    }

    @Test func `the availability of all targets over four times`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS", "Box", "New"], folder, writer)
        recorded.probe("NAS", .replies(99) + .losses(10) + .replies(2))
        await writer.close()
        folder.restart(after: .seconds(2 * 86_400))
        let second = folder.writer()
        var again = RecordedRoster(["NAS", "Box", "New"], folder, second)
        again.probe("Box", .replies(5))
        folder.advance(by: .seconds(61))
        second.flush()

        let all = try ["NAS", "Box", "New"].map { try assignment($0, again) }
        guard case .availability(let availability)? = await read(.availability(all)) else {
            Issue.record("no availability")
            return
        }
        let nas = try #require(availability[all[0].id])
        #expect(nas[.last24Hours] == nil)
        // 101 s up and 10 s down, the first second unknown.
        for column in [TableColumn.last7Days, .last30Days, .last90Days] {
            let share = try #require(nas[column])
            #expect(abs(share - 100.0 / 110) < 0.002)
        }
        #expect(availability[all[1].id]?[.last24Hours] == 1)
        #expect(availability[all[2].id] == nil)
        #expect(nas[.loss] == nil)
        await second.close()
    }

    @Test func `a file that is missing, damaged or locked is a reason, and later reads succeed`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer)
        recorded.probe("NAS", .replies(5))
        let nas = try assignment("NAS", recorded)
        let reader = HistoryReader(path: folder.file, time: folder.time, redaction: { Redaction() })
        var answers = reader.answers.makeAsyncIterator()
        await writer.close()
        let away = "\(folder.path)/away"
        try FileManager.default.moveItem(atPath: folder.file, toPath: away)
        reader.read(.pasts([nas]))
        guard case .unreadable(let missing)? = await answers.next() else {
            Issue.record("read a missing file")
            return
        }
        #expect(missing.contains("history.sqlite does not exist"))
        try Data("nonsense, and more of it than a header has".utf8).write(to: URL(filePath: folder.file))
        reader.read(.pasts([nas]))
        guard case .unreadable(let damaged)? = await answers.next() else {
            Issue.record("read a damaged file")
            return
        }
        #expect(damaged.contains("damaged"))
        try FileManager.default.removeItem(atPath: folder.file)
        try FileManager.default.moveItem(atPath: away, toPath: folder.file)
        reader.read(.pasts([nas]))
        guard case .pasts(let pasts)? = await answers.next() else {
            Issue.record("did not read a file that is back")
            return
        }
        #expect(pasts[nas.id]?.spans.isEmpty == false)
        reader.close()
        let last = await answers.next()
        #expect(last == nil)
    }
}

/// The hook runs that one process records, and another one with the same settings reads.
@Suite(.serialized, .live) struct HookRunTests {
    private let folder: HistoryFolder
    private let rules = [HookRule.make(on: [.down], "page", isOnce: true)]

    init() throws {
        folder = try HistoryFolder()
    }

    /// Records a successful run of the rule.
    private func run(_ number: Int, of recorded: RecordedRoster) throws {
        let state = try #require(recorded.roster.states.first)
        let context = HookContext(.down, by: .user, at: folder.now, of: state)
        let run = HookRun(id: number, target: state.id, rule: rules[0], armed: nil, context: context)
        let report = HookReport.finished(run, HookResult(status: .exited(0), duration: .seconds(1)))
        recorded.writer.record(report, at: folder.now + .seconds(1), wall: folder.wall, redaction: Redaction())
    }

    @Test func `a process that takes over reads the runs since its start, and writes from then on`() async throws {
        let first = folder.writer()
        let recorded = RecordedRoster(["NAS"], folder, first, hooks: rules)
        first.flush()
        let second = folder.writer()
        let other = RecordedRoster(["NAS"], folder, second, hooks: rules)
        second.flush()
        var pasts = second.past.makeAsyncIterator()
        let start = try #require(await pasts.next())
        #expect(start.finishedHooks.isEmpty)

        folder.advance(by: .seconds(5))
        try run(1, of: recorded)
        await first.close()
        second.readHooks()
        let past = try #require(await pasts.next())
        let id = try #require(other.id("NAS"))
        let fired = folder.wall.start + folder.now
        #expect(past.finishedHooks == [.init(rules[0].action, of: id, on: .down, at: fired, isSuccess: true)])
        #expect(past.events.isEmpty && past.lastSeen.isEmpty && past.samples.isEmpty)
        #expect(try folder.number("SELECT count(*) FROM run") == 2)
        await second.close()
    }

    @Test func `the screen reads the runs of another process`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, writer, hooks: rules)
        recorded.probe("NAS", .replies(1) + .losses(3))
        try run(1, of: recorded)
        writer.flush()
        let reader = HistoryReader(path: folder.file, time: folder.time, redaction: { Redaction() })
        var answers = reader.answers.makeAsyncIterator()
        let state = try #require(recorded.roster.states.first)
        reader.read(.hookRuns([ProbeRequest.Assignment(id: state.id, target: state.sharedTarget)]))
        guard case .hookRuns(let past)? = await answers.next() else {
            Issue.record("no hook runs")
            return
        }
        #expect(past.events.map(\.event.kind) == [.hook] && past.events.first?.event.detail == "page exited 0 in 1.0s")
        reader.close()
        await writer.close()
    }
}
