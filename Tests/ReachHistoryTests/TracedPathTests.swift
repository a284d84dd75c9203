import Foundation
import GRDB
@testable import ReachHistory
@testable import ReachMonitoring
import TestSupport
import Testing

/// The paths in the history file.
@Suite(.serialized, .live) struct TracedPathTests {
    private let folder: HistoryFolder

    init() throws {
        folder = try HistoryFolder()
    }

    private func trace(_ hops: [String?], of id: Target.ID, _ recorded: inout RecordedRoster) {
        let end = PathEnd.silent(hop: hops.count, address: "10.0.0.1", length: 5)
        let completion = PathCompletion(cause: .refresh, end: end, started: folder.now, probes: 3, hops: hops)
        recorded.record(recorded.roster.record([.path(id, .traced(completion), at: folder.now)]))
    }

    /// A target that is up, with a path.
    private func begin(_ writer: HistoryWriter) throws -> (RecordedRoster, Target.ID) {
        var recorded = RecordedRoster(["NAS"], folder, writer)
        var target = try #require(recorded.roster.states.first).target
        target.path = PathSettings()
        recorded.record(recorded.roster.apply(Settings(targets: [target]), at: folder.now))
        let id = try #require(recorded.id("NAS"))
        let reply = Outcome.reply(roundTrip: .milliseconds(1))
        folder.advance(by: .seconds(1))
        let observation = Observation(target: id, sequence: 1, time: folder.now, outcome: reply, address: "192.0.2.7")
        recorded.record(recorded.roster.record([.observation(observation)]))
        return (recorded, id)
    }

    private func past(_ writer: HistoryWriter) async -> StoredPast? {
        var iterator = writer.past.makeAsyncIterator()
        return await iterator.next()
    }

    @Test func `the next run gets the paths of the hour before it, and they are no events`() async throws {
        let writer = folder.writer()
        var (recorded, id) = try begin(writer)
        let start = folder.wall.start
        for hops in [["old"], ["earlier"], ["earlier"], ["a", nil, "b"], ["c"]] as [[String?]] {
            trace(hops, of: id, &recorded)
            folder.advance(by: .seconds(1_500))
        }
        await writer.close()
        #expect(try folder.number("SELECT count(*) FROM event WHERE kind = 'traced'") == 4)
        #expect(
            try folder.texts("SELECT detail FROM event WHERE kind = 'traced'")[2] == "a * b; hop 3, 10.0.0.1, of 5"
        )
        folder.restart(after: .seconds(10))
        let second = folder.writer()
        let (_, next) = try begin(second)
        let past = try #require(await past(second))
        #expect(past.paths[next]?.map(\.path.hops) == [["earlier"], ["a", nil, "b"], ["c"]])
        #expect(past.paths[next]?.last?.time == start + .seconds(6_001))
        #expect(past.events.allSatisfy { $0.event.kind != .traced })
        await second.close()
        // `watch` shows no past times.
        folder.restart(after: .seconds(10))
        let third = folder.writer(readsSamples: false)
        _ = try begin(third)
        #expect(await self.past(third)?.paths.isEmpty == true)
        await third.close()
    }

    @Test func `a new file begins with the present path`() async throws {
        let writer = folder.writer()
        var (recorded, id) = try begin(writer)
        trace(["a"], of: id, &recorded)
        trace(["b"], of: id, &recorded)
        writer.flush()
        try FileManager.default.moveItem(atPath: folder.file, toPath: folder.file + ".away")
        folder.advance(by: .seconds(60))
        recorded.record(recorded.roster.pause([id], at: folder.now))
        writer.flush()
        #expect(try folder.texts("SELECT detail FROM event WHERE kind = 'traced'") == ["b; hop 1, 10.0.0.1, of 5"])
        await writer.close()
    }
}
