/// An operation that begins once somebody is reachable, as ``Reachability/whenReachable(within:allowCellular:perform:)``
/// has it.
///
/// It goes on whether or not anybody keeps this; nothing of it is kept once it has ended.
public struct ReachableTask<Value: Sendable, Failure: Error>: Sendable {
    /// What came of it.
    public enum Ending: Sendable {
        /// The operation was performed, once, and had this result.
        case performed(Value)
        /// Nobody was reachable in time, and the operation never began.
        case expired
        /// It was cancelled before the operation began, which it never will.
        case cancelled
    }

    private let task: Task<Result<Ending, Failure>, Never>

    init(_ body: @escaping @Sendable () async -> Result<Ending, Failure>) {
        task = Task { await body() }
    }

    /// What came of it, as soon as it has ended.
    ///
    /// - Throws: what the operation throws.
    public var value: Ending {
        get async throws(Failure) { try await task.value.get() }
    }

    /// Cancels it. An operation that has begun is not undone: it finds its task cancelled, as by Swift's own
    /// `Task.cancel()`, and what it comes to is its own affair.
    public func cancel() {
        task.cancel()
    }
}

// Swift 6.3 traps while it compiles a use of the other `value` by which nothing is thrown.
extension ReachableTask where Failure == Never {
    /// What came of it, as soon as it has ended.
    public var value: Ending {
        get async {
            switch await task.value {
            case .success(let ending): ending
            }
        }
    }
}

extension ReachableTask.Ending: Equatable where Value: Equatable {}
extension ReachableTask.Ending: Hashable where Value: Hashable {}
