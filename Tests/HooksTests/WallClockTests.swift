import Hooks
import Monitoring
import Synchronization
import TestSupport
import Testing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct WallClockTests {
    @Test func `commands use a clock that is set after the start`() async throws {
        let wall = Mutex(WallTime(start: .seconds(788_918_400)))
        let start = ContinuousClock.now
        let runner = HookRunner(
            limit: 1,
            wall: { wall.withLock { $0 } },
            payload: { _ in "" },
            now: { start.duration(to: .now) }
        )
        var reports = runner.reports.makeAsyncIterator()
        var times: [String] = []
        for id in 1...2 {
            await runner.submit([HookRun.make(id, run: .shell("printf %s $REACH_SINCE"))])
            while let report = await reports.next(isolation: nil) {
                guard case .finished(_, let result) = report else { continue }
                times.append(result.output)
                break
            }
            // The network is up, and the clock has been set.
            wall.withLock { $0 = WallTime(start: .seconds(1_795_183_200)) }
        }
        #expect(times.map { $0.prefix(4) } == ["1995", "2026"])
        await runner.quit()
    }
}
