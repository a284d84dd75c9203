import ReachHooks
import ReachMonitoring
import TestSupport
import Testing

/// Retries of real commands, and runs that are not allowed on mobile networks.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HookRetryTests {
    private let scratch: Scratch
    private var live = LiveRunner()

    init() throws {
        scratch = try Scratch()
    }

    @Test mutating func `a command that fails twice succeeds at the third attempt`() async {
        let line = "echo $REACH_ATTEMPT >>\(scratch.file("attempts")); [ $REACH_ATTEMPT = 3 ]"
        let reports = await live.reports(of: .make(1, run: .shell(line), retries: 5))
        #expect(reports.map { $0.run.attempt } == [1, 1, 2, 2, 2, 3, 3, 3])
        #expect(scratch.lines(of: "attempts") == ["1", "2", "3"])
        for case .retrying(let run, let pause) in reports {
            #expect(pause <= .milliseconds(1 << (run.attempt - 2)))
        }
        guard case .finished(_, let result) = reports.last else {
            Issue.record("the last attempt has not finished")
            return
        }
        #expect(result.isSuccess)
        #expect(reports.last?.summary.hasSuffix(", attempt 3 of 6") == true)
    }

    @Test func `delays grow from one attempt to the next`() async {
        var live = LiveRunner(generator: Constant.high)
        let reports = await live.reports(of: .make(1, run: .shell("exit 1"), retries: 4))
        let pauses = reports.compactMap { report -> Duration? in
            if case .retrying(_, let pause) = report { pause } else { nil }
        }
        #expect(pauses.count == 4)
        // The maximum of full jitter: the first delay is the base, and each further one doubles.
        let first = pauses.first ?? .zero
        #expect(first > .milliseconds(1) * 0.95 && first <= .milliseconds(1))
        for (shorter, longer) in zip(pauses, pauses.dropFirst()) { #expect(longer > shorter * 1.9) }
    }

    @Test mutating func `the number of attempts is limited`() async {
        let reports = await live.reports(of: .make(1, run: .program("no-such-program", arguments: []), retries: 2))
        #expect(reports.map { $0.run.attempt } == [1, 2, 2, 3, 3])
    }

    @Test func `a request that fails permanently is not retried`() async {
        var live = LiveRunner(send: { _, run in HookResult(status: .answered(status: 503 - run.id), duration: .zero) })
        let webhook = HookAction.request(Webhook(url: "https://example.net/"))
        let unavailable = HookRun.make(0, run: webhook, retries: 1)
        #expect(await live.reports(of: unavailable).map { $0.run.attempt } == [1, 1, 2, 2, 2])
        let forbidden = HookRun.make(100, run: webhook, retries: 1)
        await live.runner.submit([forbidden])
        #expect(await live.next() == .started(forbidden))
        _ = await live.next()
        await live.runner.quit()
        #expect(await live.next() == nil)
    }

    @Test(arguments: [(7, 7), (86_400, 30)])
    func `Retry-After is honoured up to a limit`(requested: Int, expected: Int) async {
        var live = LiveRunner(
            send: { _, _ in
                HookResult(status: .answered(status: 503), duration: .zero, retryAfter: .seconds(requested))
            }
        )
        await live.runner.submit([.make(1, run: .request(Webhook(url: "https://example.net/")))])
        while let report = await live.next() {
            guard case .retrying(_, let pause) = report else { continue }
            #expect(pause == .seconds(expected))
            break
        }
        await live.runner.quit()
    }

    @Test func `the opposite transition cancels a delayed retry`() async throws {
        var live = LiveRunner(backoff: Backoff(base: .seconds(86_400), cap: .seconds(86_400)))
        let run = HookRun.make(1, run: .shell("exit 1"), retries: 3)
        await live.runner.submit([run])
        while let report = await live.next() {
            if case .retrying = report { break }
        }
        await live.runner.dropObsolete(of: run.target, isReachable: false)
        #expect(await live.next() == .dropped(try #require(run.retry), .obsolete))
    }

    @Test func `quitting does not wait for delayed retries`() async throws {
        var live = LiveRunner(backoff: Backoff(base: .seconds(86_400), cap: .seconds(86_400)))
        let run = HookRun.make(1, run: .shell("exit 1"), retries: 3)
        await live.runner.submit([run])
        while let report = await live.next() {
            if case .retrying = report { break }
        }
        await live.runner.quit()
        #expect(await live.next() == .dropped(try #require(run.retry), .quitting))
        #expect(await live.next() == nil)
    }

    @Test func `a run not allowed on mobile networks is dropped, and the next one starts`() async {
        var live = LiveRunner(limit: 1, isOnCellular: { _ in true })
        let costly = HookRun.make(1, run: .shell("echo backup"), retries: 3, allowsCellular: false)
        let cheap = HookRun.make(2, run: .shell("echo cheap"))
        await live.runner.submit([costly, cheap])
        #expect(await live.next() == .dropped(costly, .cellular))
        #expect(await live.next() == .started(cheap))
    }
}
