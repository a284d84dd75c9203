@testable import ReachHooks
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@Suite struct ReportBufferTests {
    private var buffer = ReportBuffer()

    private mutating func removeAll() -> [HookReport] {
        var reports: [HookReport] = []
        while let report = buffer.removeFirst() { reports.append(report) }
        return reports
    }

    @Test mutating func `reports are in order`() {
        let run = HookRun.make(1)
        let reports: [HookReport] = [
            .started(run), .dropped(HookRun.make(2), .obsolete), .dropped(HookRun.make(3), .obsolete),
            .finished(run, HookResult(status: .exited(0), duration: .zero)),
        ]
        for report in reports { buffer.append(report) }
        #expect(removeAll() == reports)
        #expect(removeAll() == [])
    }

    @Test mutating func `a full buffer keeps each end, and the newest drop of each rule`() {
        let result = HookResult(status: .exited(0), duration: .zero)
        let started = (0..<2 * ReportBuffer.capacity).map { HookRun.make($0, target: $0) }
        for run in started.prefix(ReportBuffer.capacity) { buffer.append(.started(run)) }
        #expect(buffer.isFull)
        for run in started { buffer.append(.finished(run, result)) }
        let drops = (1_000..<11_000).map { HookRun.make($0, target: $0 % 3, to: $0 % 2 == 0 ? .up : .down) }
        for run in drops { buffer.append(.dropped(run, .obsolete)) }
        let reports = removeAll()
        let ends = reports.compactMap { if case .finished(let run, _) = $0 { run } else { nil } }
        #expect(ends == started)
        #expect(reports.suffix(6).map(\.run) == drops.suffix(6))
        #expect(reports.count == 3 * ReportBuffer.capacity + 6)
    }
}

/// A consumer that does not receive reports for a while.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct SlowConsumerTests {
    @Test func `no run starts while the consumer does not receive reports, and all end after it`() async throws {
        let starts = Starts()
        var live = LiveRunner(
            limit: 4,
            send: { _, _ in
                starts.count.add(1, ordering: .relaxed)
                return HookResult(status: .answered(status: 200), duration: .zero)
            }
        )
        let runs = (1...600).map {
            HookRun.make($0, target: $0, run: .request(Webhook(url: "https://example.net/hook")))
        }
        await live.runner.submit(runs)
        while await live.runner.running > 0 { await Task.yield() }
        // Each run is reported twice, and those that have started when the buffer is full still end.
        let full = ReportBuffer.capacity / 2
        #expect((full...full + 4).contains(starts.count.load(ordering: .relaxed)))
        var ended: [HookRun.ID] = []
        while ended.count < runs.count, let report = await live.next() {
            if case .finished(let run, _) = report { ended.append(run.id) }
        }
        #expect(Set(ended) == Set(runs.map(\.id)))
        await live.runner.quit()
        #expect(await live.next() == nil)
    }

    /// The number of runs that have started.
    private final class Starts: Sendable {
        let count = Atomic<Int>(0)
    }
}
