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
        let number: Int
        let task: Int
        let deadline: Instant
        /// Whether it is a simulated network. At a deadline, the network comes first: a reply at the end of a limit is in
        /// time.
        let isNetwork: Bool
        let waking: CheckedContinuation<Void, any Error>

        /// Whether it wakes before another one.
        func isBefore(_ other: Sleeper) -> Bool {
            (deadline, isNetwork ? 0 : 1, number) < (other.deadline, other.isNetwork ? 0 : 1, other.number)
        }
    }

    private struct Watcher {
        let count: Int
        let waking: CheckedContinuation<Void, Never>
    }

    private struct State {
        var now = Instant(offset: .zero)
        var sleepers: [Int: Sleeper] = [:]
        /// The number of sleepers and watchers so far.
        var count = 0
        /// The sleepers that were cancelled before they slept.
        var cancelled: Set<Int> = []
        /// The sleepers that were woken and have not run yet.
        var woken: Set<Int> = []
        /// The tasks that have run since, and may sleep again.
        var running: Set<Int> = []
        /// The tasks that wait for a number of sleepers.
        var watchers: [Int: Watcher] = [:]
        /// The scripts of the networks that have this clock.
        var scripts: [Script] = []
        var isAdvancing = false
        /// The calls of ``advance(by:)`` that wait for their turn.
        var turns: [CheckedContinuation<Void, Never>] = []
        /// How long ``advance(by:)`` waits for a first subscriber, in real time.
        var patience = ManualClock.maximumPatience

        /// Advances to the next deadline, and removes its sleeper.
        ///
        /// - Returns: The sleeper; nil if there is none until the given time, and then the time is that.
        mutating func advance(to end: Instant) -> Sleeper? {
            let next = sleepers.values.min { $0.isBefore($1) }
            guard let next, next.deadline <= end else {
                now = max(now, end)
                return nil
            }
            now = max(now, next.deadline)
            sleepers[next.number] = nil
            if !next.isNetwork { woken.insert(next.number) }
            return next
        }

        mutating func removeSatisfiedWatchers() -> [CheckedContinuation<Void, Never>] {
            let satisfied = watchers.filter { $0.value.count <= sleepers.count }
            for number in satisfied.keys { watchers[number] = nil }
            return satisfied.values.map(\.waking)
        }
    }

    private let state = Mutex(State())
    /// The tasks of the simulated networks that have this clock.
    package let tasks = SimulationTasks()

    /// Creates a clock at time zero.
    public init() {}

    /// The current time.
    public var now: Instant { state.withLock { $0.now } }
    /// The resolution is not limited.
    public var minimumResolution: Duration { .zero }
    /// The number of sleepers.
    public var sleeperCount: Int { state.withLock { $0.sleepers.count } }

    /// Advances the time from one deadline to the next, and returns when everything that happens on the way has
    /// settled.
    ///
    /// Sleepers wake one at a time, in the order of their deadlines. Before the next one, a simulated network and all
    /// that it causes settle: the operations of `whenReachable`, and the tasks that iterate over the sequences of the
    /// library, until they wait for the next element. So the result of one large step is that of many small ones.
    ///
    /// Swift does not tell when other tasks have settled. A task that sleeps by this clock has run before the next
    /// deadline, and has the time to sleep again, some milliseconds at most. Others get several turns of the thread pool.
    /// For a task that does more, wait for its result or with ``untilAsleep(_:)``.
    ///
    /// A task that was just started gets a real millisecond, or up to a tenth of a second while no network of this clock has
    /// a subscriber. On a loaded machine, that may be too short: wait with ``FakeNetwork/untilProbed(_:)``.
    ///
    /// Calls at a time are performed one after the other, so their durations add up. A call by a task that handles an
    /// element is performed after the present one.
    ///
    /// - Precondition: The duration is not negative.
    public func advance(by duration: Duration) async {
        precondition(duration >= .zero, "a clock cannot go back by \(.zero - duration)")
        await takeTurn()
        defer { endTurn() }
        await untilSubscribed()
        let end = now.advanced(by: duration)
        // The test has just started tasks.
        await settle(resumesTest: true)
        while let sleeper = state.withLock({ $0.advance(to: end) }) {
            sleeper.waking.resume()
            await settle(resumesTest: !sleeper.isNetwork)
        }
    }

    /// Waits until no other call advances the clock.
    private func takeTurn() async {
        await withCheckedContinuation { turn in
            let isFree = state.withLock { state in
                if state.isAdvancing { state.turns.append(turn) }
                defer { state.isAdvancing = true }
                return !state.isAdvancing
            }
            if isFree { turn.resume() }
        }
    }

    private func endTurn() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            state.isAdvancing = !state.turns.isEmpty
            return state.turns.isEmpty ? nil : state.turns.removeFirst()
        }
        next?.resume()
    }

    /// How long a first subscriber is waited for.
    private static let maximumPatience = Duration.milliseconds(100)

    /// Gives the tasks that were just started the time to subscribe to a network: until there is a subscriber and no
    /// further one follows. Each wait in vain halves the next one, so that a test without subscribers hardly waits.
    private func untilSubscribed() async {
        _ = await tasks.untilIdle()
        let (scripts, patience) = state.withLock { ($0.scripts, $0.patience) }
        let (start, first) = (ContinuousClock.now, Self.subscriptionCount(of: scripts))
        var (last, pauses) = (first, 0)
        while true {
            await Self.pause()
            pauses += 1
            let count = Self.subscriptionCount(of: scripts)
            let isSettled = count == last && (count > first || scripts.contains(where: \.hasSubscriber))
            last = count
            // On a loaded machine, a pause takes longer.
            let isOver = start.duration(to: .now) >= patience && .milliseconds(5) * pauses >= patience
            if isSettled || isOver || scripts.isEmpty { break }
        }
        let isInVain = last == first && !scripts.isEmpty && !scripts.contains(where: \.hasSubscriber)
        state.withLock { state in
            if isInVain { state.patience /= 2 }
            if last > first { state.patience = Self.maximumPatience }
        }
    }

    private static func subscriptionCount(of scripts: [Script]) -> Int {
        scripts.reduce(0) { $0 + $1.subscriptionCount }
    }

    /// Waits for a real millisecond, also in a task that was cancelled.
    private static func pause() async {
        await Task { try? await Task.sleep(for: .milliseconds(1)) }.value
    }

    /// Adds the script of a network that has this clock.
    func add(_ script: Script) {
        state.withLock { $0.scripts.append(script) }
    }

    /// How often other tasks get a turn before the time goes on.
    private static let turns = 20
    /// How often a task that has an event, or that slept, gets a turn at once, and then once a millisecond, until it waits
    /// again. It may do something else.
    private static let waitingTurns = (atOnce: 100, pauses: 20)
    /// How often tasks may cause others before the time goes on in any case.
    private static let maximumRounds = 100

    /// Waits until the simulated networks and what they have resumed have settled.
    ///
    /// - Parameter resumesTest: Whether other tasks were resumed, too.
    private func settle(resumesTest: Bool) async {
        guard await tasks.untilIdle(), tasks.takeResumption() || resumesTest else { return }
        for _ in 0..<Self.maximumRounds {
            let before = activity
            for _ in 0..<Self.turns { await Task.yield() }
            while state.withLock({ !$0.woken.isEmpty }) { await Task.yield() }
            await untilWaiting()
            guard await tasks.untilIdle(), activity != before else { break }
        }
        _ = tasks.takeResumption()
    }

    /// Waits until the subscribers that have an event, and the tasks that slept, wait again; not for long.
    private func untilWaiting() async {
        var turns = 0
        while tasks.hasResumedSubscribers || state.withLock({ !$0.running.isEmpty }) {
            guard turns < Self.waitingTurns.atOnce + Self.waitingTurns.pauses else { break }
            if turns < Self.waitingTurns.atOnce {
                await Task.yield()
            } else {
                try? await Task.sleep(for: .milliseconds(1))
            }
            turns += 1
        }
        tasks.ignoreResumedSubscribers()
        state.withLock { $0.running = [] }
    }

    private var activity: Int { tasks.activity + state.withLock { $0.count } }

    /// Waits until at least `count` sleepers wait, or the task is cancelled.
    public func untilAsleep(_ count: Int = 1) async {
        let number = makeNumber()
        await withTaskCancellationHandler {
            await withCheckedContinuation { waking in
                let isDone = state.withLock { state in
                    if Task.isCancelled || state.sleepers.count >= count { return true }
                    state.watchers[number] = Watcher(count: count, waking: waking)
                    return false
                }
                if isDone { waking.resume() }
            }
        } onCancel: {
            let watcher = state.withLock { $0.watchers.removeValue(forKey: number) }
            watcher?.waking.resume()
        }
    }

    /// Returns a number for a sleeper or a watcher.
    private func makeNumber() -> Int {
        state.withLock { state in
            state.count += 1
            return state.count
        }
    }

    /// Sleeps until the clock reaches the deadline.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try await sleep(until: deadline, isNetwork: false)
    }

    /// Sleeps until the deadline of a simulated network, or another sleeper.
    func sleep(until deadline: Instant, isNetwork: Bool) async throws {
        let task = withUnsafeCurrentTask { $0?.hashValue } ?? 0
        let number = makeNumber()
        defer {
            state.withLock { state in
                if state.woken.remove(number) != nil { state.running.insert(task) }
            }
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waking in
                fallAsleep(
                    Sleeper(number: number, task: task, deadline: deadline, isNetwork: isNetwork, waking: waking)
                )
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

    private func fallAsleep(_ sleeper: Sleeper) {
        var watchers: [CheckedContinuation<Void, Never>] = []
        let end = state.withLock { state -> Result<Void, any Error>? in
            if state.cancelled.remove(sleeper.number) != nil { return .failure(CancellationError()) }
            if sleeper.deadline <= state.now { return .success(()) }
            state.sleepers[sleeper.number] = sleeper
            state.running.remove(sleeper.task)
            watchers = state.removeSatisfiedWatchers()
            return nil
        }
        for watcher in watchers { watcher.resume() }
        if let end { sleeper.waking.resume(with: end) }
    }
}
