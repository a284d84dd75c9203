extension Prober {
    /// Sleeps until a time of the prober's clock, or until the task is cancelled.
    func sleep(until time: Duration) async {
        while !Task.isCancelled, self.time < time {
            try? await sleepOnce(longestSleep.map { min(time, self.time + $0) } ?? time)
        }
    }

    /// Waits until an operation ends or the deadline passes, by the prober's own clock.
    ///
    /// - Returns: The result of the operation; false after the deadline.
    func wait(until deadline: Duration?, for operation: @escaping @Sendable () async -> Bool) async -> Bool {
        await withTaskGroup(of: Bool.self) { group in
            group.addTask { await operation() }
            if let deadline {
                group.addTask {
                    await self.sleep(until: deadline)
                    return false
                }
            }
            let result = await group.next() ?? false
            group.cancelAll()
            // The clock decides, not the order in which the tasks ended.
            guard let deadline, time > deadline else { return result }
            return false
        }
    }
}
