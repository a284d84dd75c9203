import History
@testable import Monitoring
import TestSupport
import Testing

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
