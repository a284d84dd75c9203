import Hooks
import Monitoring

/// A runner with a real clock for tests, with its reports.
struct LiveRunner {
    let runner: HookRunner
    private var reports: AsyncStream<HookReport>.Iterator

    init(
        limit: Int = 4,
        killGrace: Duration = .milliseconds(150),
        payload: String = #"{"kind":"transition"}"#,
        send: @escaping HookRunner.Send = { _, _ in HookResult(status: .answered(status: 200), duration: .zero) },
        isOnCellular: @escaping @Sendable (HookRun) async -> Bool = { _ in false },
        backoff: Backoff = Backoff(base: .milliseconds(1)),
        generator: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator(),
        onPayload: @escaping @Sendable () -> Void = {}
    ) {
        let clock = ContinuousClock()
        let start = clock.now
        runner = HookRunner(
            limit: limit,
            wall: { WallTime(start: .seconds(1_795_183_200)) },
            payload: { _ in
                onPayload()
                return payload
            },
            send: send,
            now: { start.duration(to: clock.now) },
            isOnCellular: isOnCellular,
            backoff: backoff,
            generator: generator,
            killGrace: killGrace
        )
        reports = runner.reports.makeAsyncIterator()
    }

    /// Returns the next report.
    mutating func next() async -> HookReport? {
        await reports.next(isolation: nil)
    }

    /// Runs one command and returns its reports, up to the end of the last retry.
    mutating func reports(of run: HookRun) async -> [HookReport] {
        await runner.submit([run])
        var reports: [HookReport] = []
        while let report = await next() {
            reports.append(report)
            switch report {
            case .started, .retrying: continue
            case .finished(let run, let result): if result.isSuccess || run.retry == nil { return reports }
            case .dropped: return reports
            }
        }
        return reports
    }

    /// Runs one command and returns its result.
    mutating func result(of run: HookRun) async -> HookResult? {
        await runner.submit([run])
        while let report = await next() {
            if case .finished(run, let result) = report { return result }
        }
        return nil
    }

    /// Runs one shell line and returns its result.
    mutating func result(of line: String, timeout: Duration = .seconds(30)) async -> HookResult? {
        await result(of: .make(1, run: .shell(line), timeout: timeout))
    }
}
