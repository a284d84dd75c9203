import Foundation
import ReachHistory
import TestSupport
import Testing

@testable import ReachMonitoring

/// The state of all targets at a moment, from a real file, compared with what the roster of that time remembers.
@Suite(.serialized, .live) struct MomentTests {
    private let folder: HistoryFolder
    private let names = ["NAS", "Router", "Switch", "Shop"]

    init() throws {
        folder = try HistoryFolder()
    }

    private func moment(_ time: Duration, of roster: Roster) throws -> StoredMoment {
        let assignments = roster.states.map { ProbeRequest.Assignment(id: $0.id, target: $0.target) }
        let answer = HistoryReader.read(
            .moment(time, assignments),
            path: folder.file,
            time: folder.time,
            redaction: Redaction()
        )
        guard case .moment(let moment) = answer else {
            throw UnexpectedAnswer(text: "\(answer)")
        }
        return moment
    }

    private struct UnexpectedAnswer: Error { let text: String }

    /// A roster of the next run of the program, whose times are since its start.
    private func nextRun() -> Roster {
        var roster = Roster(keepsPast: true)
        let targets = names.map {
            Target(name: $0, question: .tcp(host: "nas.local", port: 445), interval: .seconds(1))
        }
        _ = roster.apply(Settings(targets: targets), at: .zero)
        return roster
    }

    @Test(arguments: [1, 2, 3, 4, 5, 6] as [UInt64])
    func `at random times, health, pauses and acknowledgements are those that the program showed`(
        seed: UInt64
    ) async throws {
        var random = SplitMix(seed: seed)
        let writer = folder.writer()
        var recorded = RecordedRoster([], folder, writer)
        recorded.roster = Roster(keepsPast: true)
        recorded.apply(names)
        let start = folder.wall.start
        for _ in 0..<120 {
            guard let name = names.randomElement(using: &random), let id = recorded.id(name) else { continue }
            switch Int.random(in: 0..<10, using: &random) {
            case 0: recorded.record(recorded.roster.pause([id], at: folder.now))
            case 1, 2: recorded.record(recorded.roster.resume([id], at: folder.now))
            case 3:
                let length = Bool.random(using: &random) ? Duration.seconds(20) : nil
                recorded.record(recorded.roster.acknowledge([id], reason: "known", for: length, at: folder.now))
            case 4: recorded.record(recorded.roster.removeAcknowledgements(of: [id], at: folder.now))
            case 5, 6: recorded.probe(name, .losses(Int.random(in: 1...4, using: &random)))
            default: recorded.probe(name, .replies(Int.random(in: 1...3, using: &random)))
            }
            folder.advance(by: .milliseconds(Int.random(in: 1...900, using: &random)))
            recorded.record(recorded.roster.expire(at: folder.now))
        }
        let end = folder.now
        await writer.close()
        folder.restart(after: .seconds(60))
        let next = nextRun()
        for _ in 0..<60 {
            let time = Duration.milliseconds(Int.random(in: 1..<Int(end.components.seconds) * 1_000, using: &random))
            let then = recorded.roster.rewound(to: time)
            let found = next.restored(to: try moment(start + time, of: next), wall: folder.wall)
                .rewound(to: start + time - folder.wall.start)
            for (id, name) in zip(next.states.map(\.id), names) {
                let expected = try #require(then.states.first { $0.target.name == name })
                let state = found[id]
                let what = "\(name) at \(time), seed \(seed)"
                // A target without an event so far was not judged.
                guard let state else {
                    #expect(expected.health == .unknown && !expected.isPaused, "\(what)")
                    continue
                }
                #expect(state.health == expected.health, "\(what)")
                #expect(state.isPaused == expected.isPaused, "\(what)")
                #expect(state.acknowledgement?.reason == expected.acknowledgement?.reason, "\(what)")
                let since = state.since + folder.wall.start - start
                let isSame = max(since, expected.since) - min(since, expected.since) < .milliseconds(2)
                #expect(expected.health == .unknown || isSame, "\(what): \(since), \(expected.since)")
            }
        }
    }

    @Test func `the minutes around the moment are read, and the events of the day`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(names, folder, writer)
        recorded.probe("NAS", .replies(400) + .losses(30) + .replies(200))
        await writer.close()
        let start = folder.wall.start
        folder.restart(after: .seconds(3_600))
        let next = nextRun()
        let moment = try moment(start + .seconds(420), of: next)
        let nas = try #require(moment.targets[next.states[0].id])
        #expect(nas.minutes.map(\.figures.sent).reduce(0, +) >= 360)
        #expect(nas.minutes.map(\.figures.lost).reduce(0, +) == 30)
        #expect(moment.start == start)
        #expect(moment.events.filter { $0.event.kind == .transition }.map(\.event.to) == [.up, .down, .up])
        #expect(moment.targets.count == 1, "the others were never judged")
    }

    @Test func `outside the runs of the program, no target was watched`() async throws {
        let writer = folder.writer()
        var recorded = RecordedRoster(names, folder, writer)
        recorded.probe("NAS", .replies(30))
        await writer.close()
        let (start, end) = (folder.wall.start, folder.wall.start + folder.now)
        folder.restart(after: .seconds(3_600))
        let next = nextRun()
        #expect(try moment(start - .seconds(1), of: next).targets.isEmpty)
        #expect(try moment(end + .seconds(100), of: next).targets.isEmpty)
        #expect(try moment(start + .seconds(20), of: next).targets.count == 1)
    }
}
