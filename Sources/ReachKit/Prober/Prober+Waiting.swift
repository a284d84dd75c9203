extension Prober {
    /// How long one sleep lasts at the most. The runtime keeps what is to wake a task until its time, though the task
    /// was cancelled long before: an hour of patience would be an hour of memory for each of those who gave up.
    private static let longestSleep = Duration.seconds(5)

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
                    repeat {
                        try? await self.clock.sleep(for: max(.zero, min(deadline - self.time, Self.longestSleep)))
                    } while self.time < deadline && !Task.isCancelled
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
