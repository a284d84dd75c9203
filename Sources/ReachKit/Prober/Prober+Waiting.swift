extension Prober {
    /// How waiting ended.
    enum Waiting: Sendable {
        /// What was waited for has come, in time.
        case met
        /// The time is over, or nothing will come any more, or the task is cancelled.
        case over
    }

    /// Waits for a value that will do, but no longer than until the deadline, by the prober's own clock.
    func wait<Value: Sendable>(
        until deadline: Duration?,
        for values: AsyncStream<Value>,
        where isEnough: @escaping @Sendable (Value) -> Bool
    ) async -> Waiting {
        await withTaskGroup(of: Waiting.self) { group in
            group.addTask {
                for await value in values where isEnough(value) { return .met }
                return .over
            }
            if let deadline {
                group.addTask { [clock, time] in
                    try? await clock.sleep(for: max(.zero, deadline - time))
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
