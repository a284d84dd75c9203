/// An operation that starts once a subject is reachable, from
/// ``Reachability/whenReachable(within:allowCellular:perform:)``.
///
/// It continues when this value is dropped, and everything it holds is released when it ends.
public struct ReachableTask<Value: Sendable, Failure: Error>: Sendable {
    /// How the wait and the operation ended.
    public enum Completion: Sendable {
        /// The operation was performed, once, with this result.
        case performed(Value)
        /// The subject was not reachable in time, and the operation never starts.
        case expired
        /// The task was cancelled before the operation started; the operation never starts.
        case cancelled
    }

    private let task: Task<Result<Completion, Failure>, Never>

    init(_ body: @escaping @Sendable () async -> Result<Completion, Failure>) {
        task = Task { await body() }
    }

    /// Waits for the end, and returns how it ended.
    ///
    /// - Throws: The error of the operation.
    public var value: Completion {
        get async throws(Failure) { try await task.value.get() }
    }

    /// Cancels the task. An operation that has started is not undone: as with Swift's own `Task.cancel()`, it can check
    /// for cancellation and decide its own result.
    public func cancel() {
        task.cancel()
    }
}

// Swift 6.3 crashes when it compiles a use of the other `value` that cannot throw.
extension ReachableTask where Failure == Never {
    /// Waits for the end, and returns how it ended.
    public var value: Completion {
        get async {
            switch await task.value {
            case .success(let completion): completion
            }
        }
    }
}

extension ReachableTask.Completion: Equatable where Value: Equatable {}
extension ReachableTask.Completion: Hashable where Value: Hashable {}
