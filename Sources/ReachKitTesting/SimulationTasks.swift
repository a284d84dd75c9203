import Dispatch
import ReachKit
import Synchronization

/// Runs the tasks of simulated networks one at a time, and tracks what they have resumed. A clock advances only when all
/// of that has settled.
package final class SimulationTasks: TaskTracker {
    private struct State {
        /// The jobs that are queued or run.
        var jobs = 0
        var waiters: [Waiter] = []
        /// The subscribers that have an event to read.
        var resumed: Set<ObjectIdentifier> = []
        /// How many jobs were queued and subscribers resumed so far.
        var activity = 0
        /// Whether a subscriber was resumed since the last call of ``takeResumption()``.
        var hasResumed = false
    }

    /// A task that waits until there are no jobs.
    private struct Waiter {
        let waking: CheckedContinuation<Bool, Never>
        /// The number of jobs after which it does not wait any longer.
        var remainingJobs: Int
    }

    /// The number of jobs after which the end of all jobs is not awaited any longer: an operation may loop until the test
    /// does something.
    private static let maximumJobs = 10_000

    private let queue = DispatchQueue(label: "ReachKitTesting")
    private let state = Mutex(State())

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        state.withLock { state in
            state.jobs += 1
            state.activity += 1
        }
        queue.async { [self] in
            job.runSynchronously(on: asUnownedTaskExecutor())
            let (waiters, isIdle) = endJob()
            for waiter in waiters { waiter.resume(returning: isIdle) }
        }
    }

    package func subscriberResumed(_ id: ObjectIdentifier) {
        state.withLock { state in
            state.resumed.insert(id)
            state.activity += 1
            state.hasResumed = true
        }
    }

    package func subscriberSettled(_ id: ObjectIdentifier) {
        state.withLock { _ = $0.resumed.remove(id) }
    }

    /// How many jobs were queued and subscribers resumed so far.
    var activity: Int { state.withLock { $0.activity } }

    /// Whether there are subscribers with an event to read.
    var hasResumedSubscribers: Bool { state.withLock { !$0.resumed.isEmpty } }

    /// Ignores the subscribers that have not read their events. A task may do something else after an event.
    func ignoreResumedSubscribers() {
        state.withLock { $0.resumed = [] }
    }

    /// Whether a subscriber was resumed since the last call.
    func takeResumption() -> Bool {
        state.withLock { state in
            defer { state.hasResumed = false }
            return state.hasResumed
        }
    }

    /// Waits until there are no jobs.
    ///
    /// - Returns: Whether there are none; false where an operation does not end.
    func untilIdle() async -> Bool {
        await withCheckedContinuation { waking in
            let isIdle = state.withLock { state in
                if state.jobs > 0 { state.waiters.append(Waiter(waking: waking, remainingJobs: Self.maximumJobs)) }
                return state.jobs == 0
            }
            if isIdle { waking.resume(returning: true) }
        }
    }

    /// - Returns: The waiters that need not wait any longer, and whether there are no jobs.
    private func endJob() -> (waiters: [CheckedContinuation<Bool, Never>], isIdle: Bool) {
        state.withLock { state in
            state.jobs -= 1
            guard !state.waiters.isEmpty else { return ([], state.jobs == 0) }
            for index in state.waiters.indices { state.waiters[index].remainingJobs -= 1 }
            let isIdle = state.jobs == 0
            let done = state.waiters.filter { isIdle || $0.remainingJobs <= 0 }
            state.waiters.removeAll { isIdle || $0.remainingJobs <= 0 }
            return (done.map(\.waking), isIdle)
        }
    }
}
