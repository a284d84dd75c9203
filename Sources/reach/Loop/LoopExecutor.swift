import Dispatch

/// Runs an event loop and its input sources on one thread at a time, so that an input wakes only that thread. On the thread
/// pool, each step of a sequence may continue on another thread, and waking a thread costs more than the step.
final class LoopExecutor: TaskExecutor {
    /// Runs the steps, one after the other.
    let queue = DispatchQueue(label: "reach.loop", qos: .userInteractive)

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
