import Synchronization

/// A clock that advances only when a test calls ``advance(by:)``, so that no test waits.
public final class ManualClock: Clock, Sendable {
    /// A time since the clock was made.
    public struct Instant: InstantProtocol {
        let offset: Duration

        /// Returns the instant after a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this instant to another.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Whether one instant is before another.
        public static func < (one: Instant, other: Instant) -> Bool {
            one.offset < other.offset
        }
    }

    private struct Sleeper {
        let deadline: Instant
        let waking: CheckedContinuation<Void, any Error>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        var count = 0
        /// The sleepers that were cancelled before they slept.
        var cancelled: Set<Int> = []
        /// The continuations that wait for a number of sleepers.
        var watchers: [(count: Int, waking: CheckedContinuation<Void, Never>)] = []

        mutating func remove(_ wakesUp: (Sleeper) -> Bool) -> [Sleeper] {
            let awake = sleepers.filter { wakesUp($0.value) }
            for number in awake.keys { sleepers[number] = nil }
            return awake.sorted { ($0.value.deadline, $0.key) < ($1.value.deadline, $1.key) }.map(\.value)
        }

        mutating func removeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
            let satisfied = watchers.filter { $0.count <= sleepers.count }.map(\.waking)
            watchers.removeAll { $0.count <= sleepers.count }
            return satisfied
        }
    }

    private let state = Mutex(State())

    /// Creates a clock at time zero.
    public init() {}

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }
    /// The resolution is not limited.
    public var minimumResolution: Duration { .zero }
    /// The number of sleepers.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances the time, and wakes the sleepers that are due, the earliest first.
    public func advance(by duration: Duration) {
        let awake = state.withLock { state in
            let now = state.now.advanced(by: duration)
            state.now = now
            return state.remove { $0.deadline <= now }
        }
        for sleeper in awake { sleeper.waking.resume() }
    }

    /// Waits until at least `count` sleepers wait.
    public func untilAsleep(_ count: Int = 1) async {
        await withCheckedContinuation { waking in
            let isEnough = state.withLock { state in
                if state.sleepers.count < count { state.watchers.append((count, waking)) }
                return state.sleepers.count >= count
            }
            if isEnough { waking.resume() }
        }
    }

    /// Sleeps until the clock reaches the deadline.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let number = state.withLock { state in
            state.count += 1
            return state.count
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waking in
                fallAsleep(number, until: deadline, waking)
            }
        } onCancel: {
            let sleeper = state.withLock { state in
                let sleeper = state.sleepers.removeValue(forKey: number)
                if sleeper == nil { state.cancelled.insert(number) }
                return sleeper
            }
            sleeper?.waking.resume(throwing: CancellationError())
        }
    }

    private func fallAsleep(_ number: Int, until deadline: Instant, _ waking: CheckedContinuation<Void, any Error>) {
        var watchers: [CheckedContinuation<Void, Never>] = []
        let end = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(number) != nil { return .failure(CancellationError()) }
            if deadline <= state.now { return .success(()) }
            state.sleepers[number] = Sleeper(deadline: deadline, waking: waking)
            watchers = state.removeSatisfiedWatchers()
            return nil
        }
        for watcher in watchers { watcher.resume() }
        if let end { waking.resume(with: end) }
    }
}
