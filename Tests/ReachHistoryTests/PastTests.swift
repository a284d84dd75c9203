import Foundation
import TestSupport
import Testing

@testable import ReachHistory
@testable import ReachMonitoring

/// What a run gets of those before it.
@Suite(.serialized, .live) struct PastTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    @Test func `the next run gets the events, the samples and what was down`() async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS", "Box"], folder, first)
        recorded.probe("Box", .replies(1))
        recorded.probe("NAS", .replies(20) + .losses(3))
        await first.close()
        folder.restart(after: .seconds(600))

        let second = folder.writer()
        let again = RecordedRoster(["NAS", "Box"], folder, second)
        second.flush()
        var iterator = second.past.makeAsyncIterator()
        let past = try #require(await iterator.next())
        let id = try #require(again.id("NAS"))
        #expect(past.events.map(\.event.kind) == [.transition, .transition, .transition])
        #expect(past.lastSeen[id]?.summary(at: folder.wall.start) == "was down when last seen 10m00s ago")
        let samples = try #require(past.samples[id])
        #expect(samples.count == 23 && samples.count { $0.isLoss } == 3)
        let last = try #require(samples.last?.time)
        #expect(last <= .seconds(-599) && last >= .seconds(-602))
        await second.close()
    }

    @Test func `an outage that goes on over several runs keeps its beginning`() async throws {
        let begin = folder.wall.start
        var outcomes: [(nas: [Outcome], box: [Outcome])] = [
            (.replies(5) + .losses(3), .losses(3)), ([], []), (.losses(4), .losses(3) + .replies(2) + .losses(3)),
        ]
        outcomes.reverse()
        while let (nas, box) = outcomes.popLast() {
            let writer = folder.writer()
            var recorded = RecordedRoster(["NAS", "Box"], folder, writer)
            recorded.probe("NAS", nas)
            recorded.probe("Box", box)
            await writer.close()
            folder.restart(after: .seconds(600))
        }
        let writer = folder.writer()
        let again = RecordedRoster(["NAS", "Box"], folder, writer)
        writer.flush()
        var iterator = writer.past.makeAsyncIterator()
        let past = try #require(await iterator.next())
        let (nas, box) = (try #require(again.id("NAS")), try #require(again.id("Box")))
        // The first loss of the first run, and that after the replies of the last one.
        let since = try #require(past.lastSeen[nas]?.since)
        #expect(since > begin && since < begin + .seconds(10))
        #expect(try #require(past.lastSeen[box]?.since) > begin + .seconds(1_200))
        await writer.close()
    }

    @Test func `a program without charts gets the past without samples`() async throws {
        let first = folder.writer()
        var recorded = RecordedRoster(["NAS"], folder, first)
        recorded.probe("NAS", .replies(20) + .losses(3))
        await first.close()
        folder.restart(after: .seconds(600))
        let second = folder.writer(readsSamples: false)
        recorded = RecordedRoster(["NAS"], folder, second)
        second.flush()
        var iterator = second.past.makeAsyncIterator()
        let past = try #require(await iterator.next())
        #expect(past.events.count == 2 && past.lastSeen.count == 1 && past.samples.isEmpty)
        await second.close()
    }

    @Test func `the next run gets the hook runs of rules with a limit, but not those of armed hooks`() async throws {
        let rules = [HookRule.make(on: [.down], "page", cooldown: .seconds(600)), .make(on: [.down], "log")]
        let first = folder.writer()
        let recorded = RecordedRoster(["NAS"], folder, first, hooks: rules)
        let state = try #require(recorded.roster.states.first)
        folder.advance(by: .seconds(5))
        let armed = ArmedHook(id: ArmedHook.ID(1), action: rules[0].action, since: .zero)
        for (number, rule) in ([rules[0], rules[1], armed.rule]).enumerated() {
            let context = HookContext(rule == armed.rule ? .up : .down, by: .user, at: folder.now, of: state)
            let hook = number == 2 ? armed : nil
            let run = HookRun(id: number, target: state.id, rule: rule, armed: hook, context: context)
            let report = HookReport.finished(run, HookResult(status: .exited(0), duration: .seconds(1)))
            first.record(report, at: folder.now + .seconds(1), wall: folder.wall, redaction: Redaction())
        }
        let fired = folder.wall.start + folder.now
        await first.close()
        folder.restart(after: .seconds(60))

        let second = folder.writer()
        let again = RecordedRoster(["NAS"], folder, second, hooks: rules)
        second.flush()
        var iterator = second.past.makeAsyncIterator()
        let past = try #require(await iterator.next())
        let id = try #require(again.id("NAS"))
        #expect(past.finishedHooks == [.init(rules[0].action, of: id, on: .down, at: fired, isSuccess: true)])
        await second.close()
    }
}
