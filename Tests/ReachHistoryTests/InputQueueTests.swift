@testable import ReachHistory
import ReachMonitoring
import TestSupport
import Testing

@Suite(.serialized, .live) struct InputQueueTests {
    private static func events(_ count: Int) -> HistoryWriter.Input {
        let event = TargetEvent(nil, HistoryEvent(.stalled, at: .zero))
        return .events([TargetEvent](repeating: event, count: count))
    }

    private static func samples(_ count: Int) -> HistoryWriter.Input {
        let sample = (target: Target.ID(1), sample: Sample(time: .zero, roundTrip: nil))
        return .samples([(target: Target.ID, sample: Sample)](repeating: sample, count: count), .zero)
    }

    @Test func `while the thread is blocked, new events and samples are dropped and counted`() {
        var queue = InputQueue()
        #expect(queue.append(Self.events(InputQueue.maxEvents - 1)).isQueued)
        #expect(!queue.append(Self.events(2)).isQueued)
        #expect(queue.append(Self.events(1)).isQueued)
        #expect(queue.append(Self.samples(InputQueue.maxSamples)).isQueued)
        #expect(!queue.append(Self.samples(3)).isQueued)
        // Its caller calls it at once.
        #expect(!queue.append(.afterCommit {}).isQueued)
        #expect(queue.append(.forget([Target.ID(1)])).isQueued)
        let inputs = queue.removeAll()
        #expect(inputs.count == 5)
        guard case .dropped(events: 2, samples: 3)? = inputs.last else {
            Issue.record("the last input does not count what was dropped")
            return
        }
        #expect(queue.append(.afterCommit {}).isQueued && queue.removeAll().count == 1)
    }

    @Test func `what was dropped is reported when the file is written again`() throws {
        let folder = try HistoryFolder()
        let messages = Messages()
        var loop = WriterLoop(
            HistoryWriter.Job(path: folder.file, source: "dashboard.toml", version: "1"),
            settings: HistorySettings(),
            time: folder.time,
            startingAt: folder.wall.start,
            elapsed: .zero,
            report: { messages.texts.append($0.text) },
            deliver: { _ in }
        )
        let targets = [Target.ID(1): StoredTarget(name: "NAS", url: "icmp://192.0.2.1")]
        loop.process([.targets(targets, folder.wall.start), .dropped(events: 2, samples: 1)], at: folder.now)
        #expect(messages.texts == ["history: written again, without 2 events and 1 probe"])
    }

    private final class Messages {
        var texts: [String] = []
    }
}
