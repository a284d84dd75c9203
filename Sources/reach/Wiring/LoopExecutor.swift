import Dispatch

/// Runs a loop, and whatever leads to it, on one thread at a time. What comes in wakes that thread and no other: between
/// the threads of the pool, each step of a sequence may be handed over, and to wake one costs more than the step.
final class LoopExecutor: TaskExecutor {
    private let queue = DispatchQueue(label: "reach.loop", qos: .userInteractive)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
