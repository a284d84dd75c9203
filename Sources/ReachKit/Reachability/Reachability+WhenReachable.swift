extension Reachability {
    /// Performs an operation once the subject is reachable, immediately if it already is. Returns at once.
    ///
    /// Any number of operations can wait on one instance, independently of each other. Each is performed at most once,
    /// however often the reachability changes, and is released when it has ended.
    ///
    /// - Parameters:
    ///   - limit: how long to wait for the subject, from now on; without a limit by default.
    ///   - allowCellular: whether the subject may be reached by a mobile network. A link of unknown type does not count
    ///     as one.
    ///   - operation: the operation. It is not isolated to an actor unless it says so: `{ @MainActor in … }`.
    /// - Returns: A task that can be awaited and cancelled.
    @discardableResult
    public func whenReachable<Value: Sendable, Failure: Error>(
        within limit: Duration? = nil,
        allowCellular: Bool = true,
        perform operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> ReachableTask<Value, Failure> {
        let deadline = limit.map { prober.time + $0 }
        let statuses = subscription.subscribe { [$0.report] }
        return ReachableTask { [prober] in
            let isReachable = await prober.wait(until: deadline) {
                while let status = await statuses.next(isolation: nil)?.status {
                    if case .reachable(let link) = status, allowCellular || link != .cellular { return true }
                }
                return false
            }
            // The operation can take long and does not need the subscription.
            statuses.cancel()
            if Task.isCancelled { return .success(.cancelled) }
            guard isReachable else { return .success(.expired) }
            do throws(Failure) {
                return .success(.performed(try await operation()))
            } catch {
                return .failure(error)
            }
        }
    }
}
