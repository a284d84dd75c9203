import ReachHooks
import ReachMonitoring
import Testing

/// Sequences of events and the resulting actions of the queue.
@Suite struct HookQueueTests {
    private var queue = HookQueue(limit: 4)

    @Test mutating func `a run below the limit starts at once`() {
        let run = HookRun.make(1)
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.running == [run])
    }

    @Test mutating func `a target runs one hook at a time, in order`() {
        let runs = (1...3).map { HookRun.make($0, run: .shell("step \($0)")) }
        #expect(queue.enqueue(runs[0]) == [.start(runs[0])])
        #expect(queue.enqueue(runs[1]) == [])
        #expect(queue.enqueue(runs[2]) == [])
        #expect(queue.finished(runs[0], isSuccess: false) == [.start(runs[1])])
        #expect(queue.finished(runs[1], isSuccess: true) == [.start(runs[2])])
        #expect(queue.finished(runs[2], isSuccess: true) == [])
        #expect(queue.running.isEmpty)
    }

    @Test mutating func `a busy target does not block other targets`() {
        let first = HookRun.make(1, target: 1)
        let second = HookRun.make(2, target: 1, run: .shell("second"))
        let other = HookRun.make(3, target: 2)
        #expect(queue.enqueue(first) == [.start(first)])
        #expect(queue.enqueue(second) == [])
        #expect(queue.enqueue(other) == [.start(other)])
    }

    @Test mutating func `the limit delays runs and drops none`() {
        let runs = (1...10).map { HookRun.make($0, target: $0) }
        #expect(runs.flatMap { queue.enqueue($0) } == runs.prefix(4).map { .start($0) })
        var started = 4
        for run in runs {
            #expect(queue.running.count <= 4)
            for action in queue.finished(run, isSuccess: true) {
                #expect(action == .start(runs[started]))
                started += 1
            }
        }
        #expect(started == 10)
        #expect(queue.waiting.isEmpty)
    }

    @Test mutating func `no run starts while none may, and none is lost`() {
        let runs = (1...3).map { HookRun.make($0, target: $0) }
        #expect(queue.enqueue(runs[0]) == [.start(runs[0])])
        #expect(queue.setMayStart(false) == [])
        #expect(queue.enqueue(runs[1]) == [])
        #expect(queue.finished(runs[0], isSuccess: true) == [])
        #expect(queue.enqueue(runs[2]) == [])
        #expect(queue.setMayStart(true) == [.start(runs[1]), .start(runs[2])])
    }

    @Test mutating func `a higher limit starts waiting runs, a lower one lets runs in progress end`() {
        queue = HookQueue(limit: 1)
        let runs = (1...5).map { HookRun.make($0, target: $0) }
        #expect(runs.flatMap { queue.enqueue($0) } == [.start(runs[0])])
        #expect(queue.setLimit(3) == [.start(runs[1]), .start(runs[2])])
        #expect(queue.setLimit(1) == [])
        #expect(queue.finished(runs[0], isSuccess: true) == [])
        #expect(queue.finished(runs[1], isSuccess: true) == [])
        #expect(queue.finished(runs[2], isSuccess: true) == [.start(runs[3])])
    }

    @Test mutating func `the limit is at least one`() {
        queue = HookQueue(limit: 0)
        let run = HookRun.make(1)
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.setLimit(-3) == [])
        #expect(queue.limit == 1)
    }

    @Test mutating func `the opposite transition drops waiting runs, not those in progress`() {
        let running = HookRun.make(1, to: .up)
        let waiting = HookRun.make(2, to: .up, run: .shell("second"))
        let opposite = HookRun.make(3, to: .down, run: .shell("alarm"))
        _ = queue.enqueue(running)
        _ = queue.enqueue(waiting)
        #expect(queue.enqueue(opposite) == [.drop(waiting, .obsolete)])
        #expect(queue.running == [running])
        #expect(queue.finished(running, isSuccess: true) == [.start(opposite)])
    }

    @Test mutating func `a transition without a rule drops waiting runs`() {
        let running = HookRun.make(1, to: .up)
        let waiting = HookRun.make(2, to: .up, run: .shell("second"))
        _ = queue.enqueue(running)
        _ = queue.enqueue(waiting)
        #expect(queue.dropObsolete(of: Target.ID(2), isReachable: false) == [])
        #expect(queue.dropObsolete(of: Target.ID(1), isReachable: true) == [])
        #expect(queue.dropObsolete(of: Target.ID(1), isReachable: false) == [.drop(waiting, .obsolete)])
        #expect(queue.finished(running, isSuccess: true) == [])
    }

    @Test mutating func `the transition from up to degraded drops nothing`() {
        let running = HookRun.make(1, to: .up)
        let up = HookRun.make(2, to: .up, run: .shell("second"))
        let degraded = HookRun.make(3, to: .degraded, run: .shell("third"))
        _ = queue.enqueue(running)
        _ = queue.enqueue(up)
        #expect(queue.enqueue(degraded) == [])
        #expect(queue.waiting == [up, degraded])
    }

    @Test mutating func `a waiting run is replaced by the newest state of its rule`() {
        let running = HookRun.make(1, to: .degraded, event: .change)
        let waiting = HookRun.make(2, to: .up, event: .change)
        let other = HookRun.make(3, to: .up, event: .change, run: .shell("other"))
        let newest = HookRun.make(4, to: .degraded, event: .change)
        let elsewhere = HookRun.make(5, target: 2)
        #expect(queue.enqueue(running) == [.start(running)])
        #expect(queue.enqueue(waiting) == [])
        #expect(queue.enqueue(other) == [])
        #expect(queue.enqueue(newest) == [.drop(waiting, .obsolete)])
        #expect(queue.enqueue(elsewhere) == [.start(elsewhere)])
        #expect(queue.waiting == [other, newest])
        #expect(queue.finished(running, isSuccess: true) == [.start(other)])
        #expect(queue.finished(other, isSuccess: true) == [.start(newest)])
    }

    @Test mutating func `a successful test drops no waiting runs, even of a rule that runs once`() {
        let tests = [1, 3].map { HookRun.make($0, event: .test, isOnce: true) }
        let waiting = HookRun.make(2, isOnce: true)
        #expect(queue.enqueue(tests[0]) == [.start(tests[0])])
        #expect(queue.enqueue(waiting) == [])
        #expect(queue.enqueue(tests[1]) == [])
        #expect(queue.finished(tests[0], isSuccess: true) == [.start(waiting)])
        #expect(queue.waiting == [tests[1]])
    }

    @Test mutating func `waiting runs of a removed target are dropped, those in progress continue`() throws {
        queue = HookQueue(limit: 1)
        let running = HookRun.make(1, retries: 1)
        let waiting = HookRun.make(2, run: .shell("second"))
        let other = HookRun.make(3, target: 2)
        for run in [running, waiting, other] { _ = queue.enqueue(run) }
        #expect(queue.remove([Target.ID(1), Target.ID(9)]) == [.drop(waiting, .targetGone)])
        #expect(queue.running == [running])
        let retry = try #require(running.retry)
        #expect(queue.finished(running, isSuccess: false) == [.drop(retry, .obsolete), .start(other)])
    }

    @Test mutating func `a delayed retry of a removed target is dropped`() throws {
        let run = HookRun.make(1, retries: 1)
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        #expect(queue.remove([run.target]) == [.drop(try #require(run.retry), .targetGone)])
        #expect(queue.delayedRetries.isEmpty)
    }

    @Test mutating func `a waiting run for the opposite transition is replaced`() {
        let running = HookRun.make(1, to: .up)
        let older = HookRun.make(2, to: .down)
        let newer = HookRun.make(3, to: .up)
        _ = queue.enqueue(running)
        _ = queue.enqueue(older)
        #expect(queue.enqueue(newer) == [.drop(older, .obsolete)])
        #expect(queue.waiting == [newer])
    }

    @Test mutating func `waiting runs of a rule that runs once are dropped after its success`() {
        let running = HookRun.make(1, isOnce: true)
        let waiting = HookRun.make(2, isOnce: true)
        let other = HookRun.make(3, run: .shell("other"))
        for run in [running, waiting, other] { _ = queue.enqueue(run) }
        #expect(
            queue.finished(running, isSuccess: true) == [.drop(waiting, .alreadySucceeded), .start(other)]
        )
    }

    @Test mutating func `a rule that runs once runs again after a failure`() {
        let running = HookRun.make(1, isOnce: true)
        let waiting = HookRun.make(2, isOnce: true)
        _ = queue.enqueue(running)
        _ = queue.enqueue(waiting)
        #expect(queue.finished(running, isSuccess: false) == [.start(waiting)])
    }

    @Test mutating func `a rule that runs once may be armed again`() {
        let first = HookRun.make(1, isOnce: true)
        let armedAgain = HookRun.make(2, isOnce: true)
        _ = queue.enqueue(first)
        _ = queue.finished(first, isSuccess: true)
        #expect(queue.enqueue(armedAgain) == [.start(armedAgain)])
    }

    @Test mutating func `quitting drops waiting and later runs`() {
        queue = HookQueue(limit: 1)
        let runs = (1...4).map { HookRun.make($0, target: $0) }
        for run in runs.prefix(3) { _ = queue.enqueue(run) }
        #expect(queue.quit() == [.drop(runs[1], .quitting), .drop(runs[2], .quitting)])
        #expect(queue.enqueue(runs[3]) == [.drop(runs[3], .quitting)])
        #expect(queue.finished(runs[0], isSuccess: true) == [])
        #expect(queue.quit() == [])
    }

    @Test mutating func `the end of an unknown run changes nothing`() {
        let run = HookRun.make(1)
        _ = queue.enqueue(run)
        #expect(queue.finished(HookRun.make(9), isSuccess: true) == [])
        #expect(queue.running == [run])
    }
}

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
        #expect(queue.dropObsolete(of: run.target, isReachable: false) == [])
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
        #expect(queue.dropObsolete(of: Target.ID(1), isReachable: false) == [])
        #expect(queue.waiting == [newer, tests[0]])
    }
}
