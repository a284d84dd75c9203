/// Runs an operation, and cancels it when a limit ends first. Returns when both have ended.
///
/// - Parameters:
///   - limit: Waits for the limit, such as a deadline. It is cancelled when the operation ends.
///   - operation: The operation, which must return soon after its task is cancelled.
/// - Returns: The result of the operation, also of a cancelled one, and whether the limit ended first.
package func withLimit<Value: Sendable>(
    _ limit: @escaping @Sendable () async -> Void,
    _ operation: @escaping @Sendable () async -> Value
) async -> (value: Value, isLate: Bool) {
    await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            await limit()
            return nil
        }
        var isLate = false
        for await value in group {
            group.cancelAll()
            if let value { return (value, isLate) }
            isLate = true
        }
        preconditionFailure("an operation has no result")
    }
}

/// Runs an operation, and cancels it after a timeout.
///
/// - Returns: The result of the operation; nil after the timeout.
package func withTimeout<Value: Sendable>(
    _ timeout: Duration,
    clock: some Clock<Duration> = ContinuousClock(),
    _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    let (value, isLate) = await withLimit({ try? await Task.sleep(for: timeout, clock: clock) }, operation)
    return isLate ? nil : value
}

/// Runs the jobs of tasks by a closure, such as `async` of a serial queue or `execute` of an event loop. An input of a loop
/// then wakes only the loop's thread. On the thread pool, each step of a task may continue on another thread, and waking a
/// thread costs more than the step.
package final class SerialTaskExecutor: TaskExecutor {
    private let submit: @Sendable (@escaping @Sendable () -> Void) -> Void

    /// - Parameter submit: Runs a closure later, and one at a time.
    package init(_ submit: @escaping @Sendable (@escaping @Sendable () -> Void) -> Void) {
        self.submit = submit
    }

    package func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        submit { [self] in job.runSynchronously(on: asUnownedTaskExecutor()) }
    }
}
