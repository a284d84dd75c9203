import Foundation
import Synchronization
public import Testing

/// Limits how many live tests run at once, and runs each on threads outside of Swift's pool.
///
/// A live test waits for sockets, processes and clocks, and some block their thread. On Swift's pool, which has a thread for
/// each core, it would wait for the tests that only compute, and delay them. The first live test starts when those have
/// ended.
public struct Live: SuiteTrait, TestTrait, TestScoping {
    /// How many live tests run at once: most of their time they wait.
    private static let limit = 5
    private static let gate = Gate(limit: limit)

    /// Whether no other live test runs meanwhile.
    let isAlone: Bool

    /// The trait of a suite holds for each of its tests.
    public var isRecursive: Bool { true }

    /// The place is taken for a test function as a whole, outside of its time limit.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Live? {
        guard !test.isSuite, testCase == nil else { return nil }
        let isOverridden = !isAlone && test.traits.contains { ($0 as? Live)?.isAlone == true }
        return isOverridden ? nil : self
    }

    /// Waits for a place, and runs the test.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Self.gate.enter(alone: isAlone)
        defer { Self.gate.leave() }
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == Live {
    /// The tests wait for sockets, processes or clocks: a few of them run at once.
    public static var live: Live { Live(isAlone: false) }

    /// The tests measure time, or change what all processes share: no other live test runs meanwhile.
    public static var alone: Live { Live(isAlone: true) }
}

/// Admits a few tests at once, or one that must be alone. Those come last, so that the others run side by side.
private final class Gate: Sendable {
    /// The process is idle when it uses less than this share of one core.
    private static let idleShare = 0.25

    private struct State {
        var isWatching = false
        var isOpen = false
        var running = 0
        var isAlone = false
        var waiting: [CheckedContinuation<Void, Never>] = []
        var waitingAlone: [CheckedContinuation<Void, Never>] = []
    }

    private let limit: Int
    private let state = Mutex(State())

    init(limit: Int) {
        self.limit = limit
    }

    func enter(alone: Bool) async {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                if alone { state.waitingAlone.append(continuation) } else { state.waiting.append(continuation) }
                defer { state.isWatching = true }
                return !state.isWatching
            }
            if isFirst { Thread.detachNewThread { self.openWhenIdle() } }
            admit()
        }
    }

    /// Opens the gate when the tests that only compute have ended.
    private func openWhenIdle() {
        var used = clock()
        while true {
            Thread.sleep(forTimeInterval: 0.3)
            let now = clock()
            guard Double(now - used) / 1_000_000 < 0.3 * Self.idleShare else {
                used = now
                continue
            }
            state.withLock { $0.isOpen = true }
            return admit()
        }
    }

    func leave() {
        state.withLock { state in
            state.running -= 1
            state.isAlone = false
        }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Void, Never>] = []
            guard state.isOpen else { return admitted }
            while !state.isAlone, state.running < limit, !state.waiting.isEmpty {
                admitted.append(state.waiting.removeFirst())
                state.running += 1
            }
            if state.running == 0, !state.waitingAlone.isEmpty {
                admitted.append(state.waitingAlone.removeFirst())
                state.running = 1
                state.isAlone = true
            }
            return admitted
        }
        for continuation in admitted { continuation.resume() }
    }
}

/// Runs jobs on as many threads as are needed for none to wait.
private final class ThreadExecutor: TaskExecutor {
    static let shared = ThreadExecutor()

    private struct State {
        var jobs: [UnownedJob] = []
        var idle = 0
    }

    private let condition = NSCondition()
    nonisolated(unsafe) private var state = State()  // guarded by `condition`

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        condition.lock()
        state.jobs.append(job)
        let needsThread = state.idle < state.jobs.count
        condition.signal()
        condition.unlock()
        if needsThread { Thread.detachNewThread { self.run() } }
    }

    private func run() {
        while true {
            condition.lock()
            state.idle += 1
            while state.jobs.isEmpty { condition.wait() }
            state.idle -= 1
            let job = state.jobs.removeFirst()
            condition.unlock()
            job.runSynchronously(on: asUnownedTaskExecutor())
        }
    }
}
