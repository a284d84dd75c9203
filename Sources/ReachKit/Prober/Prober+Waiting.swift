extension Prober {
    /// How long one sleep lasts at the most. The runtime keeps what is to wake a task until its time, though the task
    /// was cancelled long before: an hour of patience would be an hour of memory for each of those who gave up.
    private static let longestSleep = Duration.seconds(5)

    /// Sleeps until a time of the prober's, by its clock; no longer than the task lasts.
    func sleep(until time: Duration) async {
        while !Task.isCancelled, self.time < time {
            try? await rest(min(time, self.time + Self.longestSleep))
        }
    }

    /// How waiting ended.
    enum Waiting: Sendable {
        /// What was waited for has come, in time.
        case met
        /// The time is over, or nothing will come any more, or the task is cancelled.
        case over
    }

    /// Waits until something holds, but no longer than until the deadline, by the prober's own clock.
    ///
    /// - Parameter bells: ring when it may hold.
    func wait(
        until deadline: Duration?,
        at bells: AsyncStream<Void>,
        for isMet: @escaping @Sendable () -> Bool
    ) async -> Waiting {
        await withTaskGroup(of: Waiting.self) { group in
            group.addTask {
                for await _ in bells where isMet() { return .met }
                return .over
            }
            if let deadline {
                group.addTask {
                    await self.sleep(until: deadline)
                    return .over
                }
            }
            let first = await group.next() ?? .over
            group.cancelAll()
            // Whichever task is told first, the clock decides.
            guard let deadline, time > deadline else { return first }
            return .over
        }
    }
}
