import Foundation
import Synchronization
public import Testing

/// Limits how many live tests run at once, and runs each on threads outside of Swift's pool.
///
/// A live test waits for sockets, processes and clocks, and some block their thread. On Swift's pool, which has a thread for
/// each core, it would wait for the tests that only compute, and delay them. The first live test starts when those have
/// ended.
public struct Live: SuiteTrait, TestTrait, TestScoping {
    /// What else may run meanwhile. Those with the most company come first, so that the others need not wait for them.
    enum Company: Int, CaseIterable {
        case several
        case few
        case none

        /// How many such tests run at once.
        var limit: Int {
            switch self {
            case .several: 8
            case .few: 4
            case .none: 1
            }
        }
    }

    private static let gate = Gate()

    let company: Company

    /// The trait of a suite holds for each of its tests.
    public var isRecursive: Bool { true }

    /// The place is taken for a test function as a whole, outside of its time limit.
    public func scopeProvider(for test: Test, testCase: Test.Case?) -> Live? {
        guard !test.isSuite, testCase == nil else { return nil }
        // Of the traits of a test and its suites, the one with the least company counts.
        let isOverridden = test.traits.contains {
            ($0 as? Live).map { $0.company.rawValue > company.rawValue } ?? false
        }
        return isOverridden ? nil : self
    }

    /// Waits for a place, and runs the test.
    public func provideScope(
        for test: Test,
        testCase: Test.Case?,
        performing function: @Sendable @concurrent () async throws -> Void
    ) async throws {
        await Self.gate.enter(company)
        defer { Self.gate.leave() }
        try await withTaskExecutorPreference(ThreadExecutor.shared) { try await function() }
    }
}

extension Trait where Self == Live {
    /// The tests wait for sockets, processes or clocks: a few of them run at once.
    public static var live: Live { Live(company: .several) }

    /// The tests measure time by the tenth of a second, or need much of the machine: four of them run at once.
    public static var quiet: Live { Live(company: .few) }

    /// The tests measure time more closely, or change what all tests share: no other live test runs meanwhile.
    public static var alone: Live { Live(company: .none) }
}

/// Admits live tests, by the company that they bear.
private final class Gate: Sendable {
    /// The process is idle when it uses less than this share of one core.
    private static let idleShare = 0.25

    private struct State {
        var isWatching = false
        var isOpen = false
        var running = 0
        /// The company of the tests that run.
        var company = Live.Company.several
        var waiting: [[CheckedContinuation<Void, Never>]] = Live.Company.allCases.map { _ in [] }
    }

    private let state = Mutex(State())

    func enter(_ company: Live.Company) async {
        await withCheckedContinuation { continuation in
            let isFirst = state.withLock { state in
                state.waiting[company.rawValue].append(continuation)
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
        state.withLock { $0.running -= 1 }
        admit()
    }

    private func admit() {
        let admitted = state.withLock { state in
            var admitted: [CheckedContinuation<Void, Never>] = []
            while state.isOpen,
                let company = Live.Company.allCases.first(where: { !state.waiting[$0.rawValue].isEmpty }),
                state.running == 0 || state.company == company && state.running < company.limit
            {
                state.company = company
                state.running += 1
                admitted.append(state.waiting[company.rawValue].removeFirst())
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

/// Waits without a limit until the task is cancelled.
///
/// - Throws: `CancellationError`, always.
public func sleepUntilCancelled() async throws(CancellationError) {
    let (stream, continuation) = AsyncStream<Never>.makeStream()
    defer { continuation.finish() }
    for await _ in stream {}
    throw CancellationError()
}
