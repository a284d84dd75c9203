extension Reachability {
    /// Performs an operation once the subject is reachable, immediately if it already is. Returns at once.
    ///
    /// Any number of operations can wait on one instance, independently of each other. Each is performed at most once,
    /// however often the reachability changes, and is released when it has ended. While an operation waits and the
    /// subject is down, it is probed every second.
    ///
    /// - Parameters:
    ///   - limit: how long to wait for the subject, from now on; without a limit by default. With zero, the operation
    ///     is performed if the subject is known to be reachable (``currentStatus``).
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
        let wait = ReachabilityWait(for: self, within: limit, allowsCellular: allowCellular)
        return ReachableTask {
            let isReachable = await wait.run()
            if Task.isCancelled { return .success(.cancelled) }
            guard isReachable else { return .success(.expired) }
            do throws(Failure) {
                return .success(.performed(try await operation()))
            } catch {
                return .failure(error)
            }
        }
    }

    /// Waits until the subject is reachable; returns at once if it already is. The wait is part of the calling task, and
    /// ends when that is cancelled.
    ///
    /// ```swift
    /// try await Reachability(of: "db:5432").waitUntilReachable(within: .seconds(30))
    /// ```
    ///
    /// - Parameters:
    ///   - limit: how long to wait, from now on; without a limit by default. With zero, what is known decides
    ///     (``currentStatus``).
    ///   - allowCellular: whether the subject may be reached by a mobile network. A link of unknown type does not count
    ///     as one.
    /// - Throws: ``WaitError``, after the limit or when the task is cancelled.
    public func waitUntilReachable(
        within limit: Duration? = nil,
        allowCellular: Bool = true
    ) async throws(WaitError) {
        let isReachable = await ReachabilityWait(for: self, within: limit, allowsCellular: allowCellular).run()
        if Task.isCancelled { throw .cancelled }
        guard isReachable else { throw .expired(currentStatus) }
    }

    /// Why a wait for a subject ended without it.
    public enum WaitError: Error, Sendable, Hashable, Codable {
        /// The subject was not reachable in time. The status is what was known at the end.
        case expired(Status)
        /// The task was cancelled.
        case cancelled
    }
}

extension Reachability.WaitError: CustomStringConvertible {
    /// The error as text: `not reachable in time: refused`.
    public var description: String {
        switch self {
        case .expired(.unreachable(let cause)): "not reachable in time: \(cause)"
        case .expired: "not reachable in time"
        case .cancelled: "cancelled"
        }
    }
}
