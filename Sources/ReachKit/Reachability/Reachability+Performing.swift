extension Reachability {
    /// Performs an operation once the subject is reachable, at once if it is. Returns at once.
    ///
    /// Any number may wait on one instance, and none disturbs another. The operation is performed once at the most,
    /// however often the subject comes and goes, and is let go of when it has ended.
    ///
    /// - Parameters:
    ///   - limit: how long the subject may take to become reachable, from now on; as long as it likes unless given.
    ///   - allowCellular: whether a mobile network will do as the way there. A link that the system cannot tell is taken
    ///     for none.
    ///   - operation: what to do. It runs on no actor unless it says so, as `{ @MainActor in … }` does.
    /// - Returns: what can be waited for, and cancelled.
    @discardableResult
    public func whenReachable<Value: Sendable, Failure: Error>(
        within limit: Duration? = nil,
        allowCellular: Bool = true,
        perform operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> ReachableTask<Value, Failure> {
        let deadline = limit.map { prober.time + $0 }
        let statuses = subscription.subscribe { [$0.status] }
        return ReachableTask { [prober] in
            let isReachable = await prober.wait(until: deadline) {
                while let status = await statuses.next(isolation: nil) {
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
