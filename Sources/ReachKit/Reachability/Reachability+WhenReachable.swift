#if canImport(FoundationEssentials)
public import FoundationEssentials
#else
public import Foundation
#endif

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
    ///   - allowExpensive: whether this machine's path to the network may be expensive
    ///     (``NetworkPath/isExpensive``). A path of which the system does not report it, as on Linux, does not count as
    ///     such.
    ///   - allowConstrained: the same for ``NetworkPath/isConstrained``.
    ///   - operation: the operation. It is not isolated to an actor unless it says so: `{ @MainActor in … }`.
    /// - Returns: A task that can be awaited and cancelled.
    @discardableResult
    public func whenReachable<Value: Sendable, Failure: Error>(
        within limit: Duration? = nil,
        allowCellular: Bool = true,
        allowExpensive: Bool = true,
        allowConstrained: Bool = true,
        perform operation: @escaping @Sendable () async throws(Failure) -> Value
    ) -> ReachableTask<Value, Failure> {
        let allowed = AllowedNetwork(
            allowsCellular: allowCellular,
            allowsExpensive: allowExpensive,
            allowsConstrained: allowConstrained
        )
        let wait = ReachabilityWait(for: self, within: limit, by: allowed)
        return ReachableTask(on: prober.tracker) {
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
    ///   - allowExpensive: whether this machine's path to the network may be expensive
    ///     (``NetworkPath/isExpensive``). A path of which the system does not report it, as on Linux, does not count as
    ///     such.
    ///   - allowConstrained: the same for ``NetworkPath/isConstrained``.
    /// - Throws: ``WaitError``, after the limit or when the task is cancelled.
    public func waitUntilReachable(
        within limit: Duration? = nil,
        allowCellular: Bool = true,
        allowExpensive: Bool = true,
        allowConstrained: Bool = true
    ) async throws(WaitError) {
        let allowed = AllowedNetwork(
            allowsCellular: allowCellular,
            allowsExpensive: allowExpensive,
            allowsConstrained: allowConstrained
        )
        let isReachable = await ReachabilityWait(for: self, within: limit, by: allowed).run()
        if Task.isCancelled { throw .cancelled }
        guard isReachable else { throw .expired(subscription.read { $0.lastKnown }) }
    }

    /// Why a wait for a subject ended without it.
    public enum WaitError: Error, Sendable, Hashable {
        /// The subject was not reachable in time, or is invalid. The status is what was known at the end; before a
        /// verdict, ``Status/unreachable(_:)`` with the cause of the last loss.
        case expired(Status)
        /// The task was cancelled.
        case cancelled
    }
}

extension Reachability.WaitError: CustomStringConvertible {
    /// The error as text: `not reachable in time: refused`.
    public var description: String {
        switch self {
        case .expired(.unreachable(.invalidSubject(let problem))): "invalid subject: \(problem)"
        case .expired(.unreachable(let cause)): "not reachable in time: \(cause)"
        case .expired: "not reachable in time"
        case .cancelled: "cancelled"
        }
    }
}

extension Reachability.WaitError: LocalizedError {
    /// The same text as ``description``.
    public var errorDescription: String? { description }
}

/// The networks by which a subject may be reached.
struct AllowedNetwork: Sendable {
    let allowsCellular: Bool
    let allowsExpensive: Bool
    let allowsConstrained: Bool

    /// Whether the path does not matter.
    var allowsAnyPath: Bool { allowsExpensive && allowsConstrained }

    /// Whether a subject with this status is reachable by an allowed link.
    func contains(_ status: Reachability.Status) -> Bool {
        if case .reachable(let link) = status { allowsCellular || link != .cellular } else { false }
    }

    /// Whether this path may be used.
    func contains(_ path: NetworkPath) -> Bool {
        (allowsExpensive || path.isExpensive != true) && (allowsConstrained || path.isConstrained != true)
    }
}

/// A wait for a subject. It subscribes when it is made.
struct ReachabilityWait: Sendable {
    private let reports: EventBuffer<ReachabilityModel.Report>.Reader
    private let prober: Prober
    private let deadline: Duration?
    private let allowed: AllowedNetwork
    /// Whether the subject was known to be reachable when the wait was made, so that no limit applies.
    private let isMet: Bool

    init(for host: Reachability, within limit: Duration?, by allowed: AllowedNetwork) {
        prober = host.prober
        deadline = limit.map { host.prober.time + $0 }
        self.allowed = allowed
        var known = Reachability.Status.unknown
        reports = host.subscription.subscribe { model in
            // There is no time to probe with a limit of zero: the last verdict decides, however old it is.
            known = limit.map { $0 <= .zero } ?? false ? model.lastStatus : model.status
            return [model.report]
        }
        isMet = allowed.contains(known)
    }

    /// Waits until the subject is reachable, the limit passes, or the task is cancelled, and ends the subscription.
    ///
    /// - Returns: Whether the subject is reachable.
    func run() async -> Bool {
        defer { reports.cancel() }
        return await withTaskExecutorPreference(prober.tracker) {
            if isMet {
                if allowed.allowsAnyPath { return true }
                if allowed.contains(await prober.networkPath()) { return true }
            }
            return await prober.wait(until: deadline) {
                allowed.allowsAnyPath ? await untilReachable() : await untilReachableByAllowedPath()
            }
        }
    }

    private func untilReachable() async -> Bool {
        while let status = await reports.next(isolation: nil)?.status {
            if allowed.contains(status) { return true }
            if status.isInvalid { return false }
        }
        return false
    }

    private func untilReachableByAllowedPath() async -> Bool {
        await withTaskGroup(of: Void.self) { group in
            let (changes, change) = AsyncStream.makeStream(of: Change.self)
            group.addTask { [reports] in
                while let report = await reports.next(isolation: nil) { change.yield(.status(report.status)) }
                change.finish()
            }
            group.addTask { [prober] in
                for await path in prober.networkPaths { change.yield(.path(path)) }
            }
            defer { group.cancelAll() }
            var (isReachable, isAllowed) = (false, false)
            for await change in changes {
                switch change {
                case .status(let status):
                    if status.isInvalid { return false }
                    isReachable = allowed.contains(status)
                case .path(let path):
                    isAllowed = allowed.contains(path)
                }
                if isReachable, isAllowed { return true }
            }
            return false
        }
    }

    private enum Change: Sendable {
        case status(Reachability.Status)
        case path(NetworkPath)
    }
}

extension Reachability.Status {
    /// Whether the subject is never reachable, however long the limit is.
    fileprivate var isInvalid: Bool {
        if case .unreachable(.invalidSubject) = self { true } else { false }
    }
}

/// An operation that starts once a subject is reachable, from
/// ``Reachability/whenReachable(within:allowCellular:allowExpensive:allowConstrained:perform:)``.
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

    init(on executor: (any TaskExecutor)?, _ body: @escaping @Sendable () async -> Result<Completion, Failure>) {
        task = Task(executorPreference: executor) { await body() }
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
