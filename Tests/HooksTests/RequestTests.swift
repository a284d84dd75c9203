import Hooks
import Monitoring
import TestSupport
import Testing

/// Requests, which are queued and reported like commands.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct RequestTests {
    private static let webhook = Webhook(url: "https://example.net/hook?key=secret")

    @Test func `the answer to a request is the result of its run`() async {
        var live = LiveRunner { webhook, run in
            HookResult(status: .answered(status: 204), duration: .zero, output: "\(webhook.method) for \(run.id)")
        }
        let run = HookRun.make(7, run: .request(Self.webhook))
        await live.runner.submit([run])
        #expect(await live.next() == .started(run))
        guard case .finished(run, let result) = await live.next() else {
            Issue.record("the request has not finished")
            return
        }
        #expect(result.status == .answered(status: 204))
        #expect(result.isSuccess)
        #expect(result.output == "POST for 7")
    }

    @Test func `a request that times out is cancelled`() async throws {
        var live = LiveRunner(send: Self.never)
        let run = HookRun.make(1, run: .request(Self.webhook), timeout: .milliseconds(20))
        #expect(await live.result(of: run)?.status == .timedOut)
    }

    @Test func `quitting cancels a request in progress`() async throws {
        var live = LiveRunner(send: Self.never)
        let run = HookRun.make(1, run: .request(Self.webhook))
        await live.runner.submit([run])
        #expect(await live.next() == .started(run))
        await live.runner.quit(graceful: .seconds(30))
        guard case .finished(run, let result) = await live.next() else {
            Issue.record("the request has not finished")
            return
        }
        #expect(result.status == .cancelled)
        #expect(await live.next() == nil)
    }

    @Test func `the description of a request hides its query`() {
        #expect("\(HookAction.request(Self.webhook))" == "POST https://example.net/hook?…")
    }

    /// A server that never answers, until the task is cancelled.
    private static let never: HookRunner.Send = { _, _ in
        let (silence, continuation) = AsyncStream<Never>.makeStream()
        for await _ in silence {}
        continuation.finish()
        return HookResult(status: .unanswered(Failure(.closed)), duration: .zero)
    }
}
