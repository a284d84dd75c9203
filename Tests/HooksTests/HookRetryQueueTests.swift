import Hooks
import Monitoring
import Testing

/// The retries of failed runs in the queue.
@Suite struct HookRetryQueueTests {
    private var queue = HookQueue(limit: 1)
    private let run = HookRun.make(1, retries: 2)

    @Test mutating func `a failed run is retried as often as its rule allows`() throws {
        let second = try #require(run.retry)
        let third = try #require(second.retry)
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.finished(run, isSuccess: false) == [.delayRetry(second)])
        #expect(queue.retryDelayElapsed(second) == [.start(second)])
        #expect(queue.finished(second, isSuccess: false) == [.delayRetry(third)])
        #expect(queue.retryDelayElapsed(third) == [.start(third)])
        #expect(queue.finished(third, isSuccess: false) == [])
        #expect([run, second, third].map(\.attempt) == [1, 2, 3])
        #expect(third.retry == nil)
    }

    @Test mutating func `successes and permanent failures are not retried`() {
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.finished(run, isSuccess: true) == [])
        let refused = HookRun.make(2, retries: 2)
        #expect(queue.enqueue(refused) == [.start(refused)])
        #expect(queue.finished(refused, isSuccess: false, isTransient: false) == [])
    }

    @Test mutating func `a delayed retry does not count toward the limit`() throws {
        let other = HookRun.make(2, target: 2)
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        _ = queue.enqueue(other)
        #expect(queue.finished(run, isSuccess: false) == [.delayRetry(retry), .start(other)])
        #expect(queue.retryDelayElapsed(retry) == [])
        #expect(queue.finished(other, isSuccess: true) == [.start(retry)])
    }

    @Test mutating func `other runs of a target start during the delay of a retry`() throws {
        queue = HookQueue(limit: 4)
        let others = [2, 3].map { HookRun.make($0, run: .shell("\($0)")) }
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        for other in others { #expect(queue.enqueue(other).isEmpty) }
        #expect(queue.finished(run, isSuccess: false) == [.delayRetry(retry), .start(others[0])])
        #expect(queue.retryDelayElapsed(retry).isEmpty)
        // Its first try arrived before the other run.
        #expect(queue.finished(others[0], isSuccess: true) == [.start(retry)])
        #expect(queue.finished(retry, isSuccess: true) == [.start(others[1])])
    }

    @Test mutating func `the opposite transition drops a delayed retry`() throws {
        let retry = try #require(run.retry)
        let alarm = HookRun.make(2, to: .down, run: .shell("alarm"))
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        #expect(queue.enqueue(alarm) == [.drop(retry, .obsolete), .start(alarm)])
        #expect(queue.retryDelayElapsed(retry) == [])
    }

    @Test mutating func `a run is not retried if the opposite transition came while it ran`() throws {
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        #expect(queue.noteTransition(of: run.target, isReachable: false) == [])
        #expect(queue.finished(run, isSuccess: false) == [.drop(retry, .obsolete)])
    }

    @Test mutating func `a newer state replaces a delayed retry`() throws {
        let retry = try #require(run.retry)
        let again = HookRun.make(2, retries: 2)
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        #expect(queue.enqueue(again) == [.drop(retry, .obsolete), .start(again)])
        #expect(queue.retryDelayElapsed(retry) == [])
    }

    @Test mutating func `a run is not retried if its rule fired again`() throws {
        let retry = try #require(run.retry)
        let again = HookRun.make(2, retries: 2)
        _ = queue.enqueue(run)
        _ = queue.enqueue(again)
        #expect(queue.finished(run, isSuccess: false) == [.drop(retry, .alreadyQueued), .start(again)])
    }

    @Test mutating func `quitting drops retries`() throws {
        let retry = try #require(run.retry)
        let other = HookRun.make(2, target: 2, retries: 1)
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        _ = queue.enqueue(other)
        #expect(queue.quit() == [.drop(retry, .quitting)])
        #expect(queue.finished(other, isSuccess: false) == [.drop(try #require(other.retry), .quitting)])
        #expect(queue.retryDelayElapsed(retry) == [])
    }

    @Test mutating func `a newer address replaces an older one, and tests are independent`() {
        let running = HookRun.make(1, event: .address)
        let older = HookRun.make(2, event: .address)
        let newer = HookRun.make(3, event: .address)
        let tests = (4...5).map { HookRun.make($0, event: .test) }
        _ = queue.enqueue(running)
        _ = queue.enqueue(older)
        #expect(queue.enqueue(newer) == [.drop(older, .obsolete)])
        #expect(queue.enqueue(tests[0]) == [])
        #expect(queue.enqueue(tests[1]) == [.drop(tests[1], .alreadyQueued)])
        #expect(queue.noteTransition(of: Target.ID(1), isReachable: false) == [])
        #expect(queue.waiting == [newer, tests[0]])
    }
}
