import Hooks
import Monitoring
import Testing

/// Stories of runs that fail and are tried again.
@Suite struct HookRetryQueueTests {
    private var queue = HookQueue(limit: 1)
    private let run = HookRun.make(1, retries: 2)

    @Test mutating func `a run that fails is tried again as often as its rule says`() throws {
        let second = try #require(run.retry)
        let third = try #require(second.retry)
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.finished(run, isSuccess: false) == [.rest(second)])
        #expect(queue.rested(second) == [.start(second)])
        #expect(queue.finished(second, isSuccess: false) == [.rest(third)])
        #expect(queue.rested(third) == [.start(third)])
        #expect(queue.finished(third, isSuccess: false) == [])
        #expect([run, second, third].map(\.attempt) == [1, 2, 3])
        #expect(third.retry == nil)
    }

    @Test mutating func `a success is not tried again, nor what another try cannot mend`() {
        #expect(queue.enqueue(run) == [.start(run)])
        #expect(queue.finished(run, isSuccess: true) == [])
        let refused = HookRun.make(2, retries: 2)
        #expect(queue.enqueue(refused) == [.start(refused)])
        #expect(queue.finished(refused, isSuccess: false, mayPass: false) == [])
    }

    @Test mutating func `a retry that pauses holds no place`() throws {
        let other = HookRun.make(2, target: 2)
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        _ = queue.enqueue(other)
        #expect(queue.finished(run, isSuccess: false) == [.rest(retry), .start(other)])
        #expect(queue.rested(retry) == [])
        #expect(queue.finished(other, isSuccess: true) == [.start(retry)])
    }

    @Test mutating func `while a retry pauses, the other rules of its target run, and it waits for them`() throws {
        queue = HookQueue(limit: 4)
        let others = [2, 3].map { HookRun.make($0, run: .shell("\($0)")) }
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        for other in others { #expect(queue.enqueue(other).isEmpty) }
        #expect(queue.finished(run, isSuccess: false) == [.rest(retry), .start(others[0])])
        #expect(queue.rested(retry).isEmpty)
        // It came before the other one.
        #expect(queue.finished(others[0], isSuccess: true) == [.start(retry)])
        #expect(queue.finished(retry, isSuccess: true) == [.start(others[1])])
    }

    @Test mutating func `the opposite transition drops a retry that pauses`() throws {
        let retry = try #require(run.retry)
        let alarm = HookRun.make(2, to: .down, run: .shell("alarm"))
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        #expect(queue.enqueue(alarm) == [.drop(retry, .obsolete), .start(alarm)])
        #expect(queue.rested(retry) == [])
    }

    @Test mutating func `a run is not tried again when the opposite transition came while it ran`() throws {
        let retry = try #require(run.retry)
        _ = queue.enqueue(run)
        #expect(queue.noteTransition(of: run.target, isReachable: false) == [])
        #expect(queue.finished(run, isSuccess: false) == [.drop(retry, .obsolete)])
    }

    @Test mutating func `a newer state takes the place of a retry that pauses`() throws {
        let retry = try #require(run.retry)
        let again = HookRun.make(2, retries: 2)
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        #expect(queue.enqueue(again) == [.drop(retry, .obsolete), .start(again)])
        #expect(queue.rested(retry) == [])
    }

    @Test mutating func `a rule that fired again while it ran is not tried again besides`() throws {
        let retry = try #require(run.retry)
        let again = HookRun.make(2, retries: 2)
        _ = queue.enqueue(run)
        _ = queue.enqueue(again)
        #expect(queue.finished(run, isSuccess: false) == [.drop(retry, .alreadyQueued), .start(again)])
    }

    @Test mutating func `quitting drops the retries`() throws {
        let retry = try #require(run.retry)
        let other = HookRun.make(2, target: 2, retries: 1)
        _ = queue.enqueue(run)
        _ = queue.finished(run, isSuccess: false)
        _ = queue.enqueue(other)
        #expect(queue.quit() == [.drop(retry, .quitting)])
        #expect(queue.finished(other, isSuccess: false) == [.drop(try #require(other.retry), .quitting)])
        #expect(queue.rested(retry) == [])
    }

    @Test mutating func `a newer address takes the place of the older one, and a test is for itself`() {
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
