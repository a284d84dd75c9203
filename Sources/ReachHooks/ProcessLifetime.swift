import ReachMonitoring

/// The state machine of a child process, from its start to its end.
///
/// It is pure: each event comes with the current time, and the caller performs the returned actions in order. The
/// request of a hook uses the same states; it is cancelled where a process gets a signal.
struct ProcessLifetime: Sendable {
    /// The states of a child process.
    enum State: Sendable, Hashable {
        /// The process is being started. Ending it takes effect after the start.
        case starting
        /// The process runs until it ends by itself or times out.
        case running
        /// The process group got SIGTERM. SIGKILL follows after the grace period.
        case terminating
        /// The process group got SIGKILL.
        case killing
        /// The process has ended or could not be started. Events are ignored, and no signals are sent.
        case ended
    }

    /// An event of the process, or a request to end it.
    enum Event: Sendable, Hashable {
        /// The process was started.
        case started
        /// The process could not be started.
        case notStarted
        /// The process has ended. Other processes of its group may be running.
        case leaderEnded
        /// The result of ``Action/checkMembers``.
        case members(areRunning: Bool)
        /// The timer of the last ``Action/wake(after:)`` has fired.
        case woken
        /// The process must end: by SIGTERM, or by SIGKILL after the grace period.
        case cancel(grace: Duration)
        /// The process must end at once.
        case kill
    }

    /// An action that the caller performs.
    enum Action: Sendable, Hashable {
        /// Send SIGTERM to the process group.
        case terminate
        /// Send SIGKILL to the process group.
        case kill
        /// Check whether a process of the group is running, and report ``Event/members(areRunning:)``.
        case checkMembers
        /// Set a timer, which replaces any earlier one, and report ``Event/woken`` when it fires.
        case wake(after: Duration)
        /// Reap the process. After that, its group identifier may be reused.
        case reap
    }

    /// The time that SIGKILL may take to end the remaining processes of the group.
    static let killTimeout = Duration.seconds(1)
    /// The delay between two checks of the members of a group: the first and the longest one.
    static let pollDelays = (first: Duration.milliseconds(10), longest: Duration.milliseconds(100))

    private(set) var state = State.starting
    /// Why the program ended the process: `timedOut` or `cancelled`; nil if the process ended by itself.
    private(set) var cause: HookResult.Status?
    private let timeout: Duration?
    private let grace: Duration
    /// Whether the other processes of the group are ended after its leader.
    private let endsGroup: Bool
    /// Whether SIGKILL was due before the process was started.
    private var isKillOverdue = false
    private var hasLeaderEnded = false
    /// The time until the current state ends: the timeout, the grace period, or ``killTimeout``.
    private var countdown: Countdown?
    private var pollDelay = Self.pollDelays.first

    /// Creates the state of a process that is being started.
    ///
    /// - Parameters:
    ///   - timeout: The maximum duration; nil if only the caller ends the process.
    ///   - grace: The time between SIGTERM and SIGKILL after the timeout.
    ///   - endsGroup: Whether the other processes of the group are ended after its leader. Otherwise, they run on after a
    ///     process that ends by itself.
    init(timeout: Duration?, grace: Duration, endsGroup: Bool = false) {
        self.timeout = timeout
        self.endsGroup = endsGroup
        self.grace = grace
    }

    /// Handles an event and returns the actions to perform. Events that do not apply in the current state are ignored.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        switch (state, event) {
        case (.ended, _): []
        case (.starting, .started): start(at: now)
        case (.starting, .notStarted): end(because: nil)
        case (.running, .leaderEnded): endsGroup ? endGroup() : end(because: nil)
        case (.terminating, .leaderEnded), (.killing, .leaderEnded): leaderDidEnd()
        case (.terminating, .members(let areRunning)), (.killing, .members(let areRunning)):
            membersChecked(areRunning: areRunning, at: now)
        case (_, .woken): wake(at: now)
        case (_, .cancel(let grace)): cancel(grace: grace, at: now)
        case (_, .kill): kill()
        case (_, .started), (_, .notStarted), (_, .leaderEnded), (_, .members): []
        }
    }

    private mutating func start(at now: Duration) -> [Action] {
        if isKillOverdue { return beginKilling() }
        guard cause == nil else {
            // The grace period began with the request to end the process.
            state = .terminating
            return [.terminate]
        }
        state = .running
        countdown = timeout.map { Countdown($0) }
        return nextWake(at: now)
    }

    private mutating func cancel(grace: Duration, at now: Duration) -> [Action] {
        guard state != .killing else { return [] }
        let isFirst = cause == nil
        if isFirst { cause = .cancelled }
        // Of several grace periods, the one that ends first counts.
        countdown?.advance(to: now)
        if isFirst || grace < countdown?.remaining ?? grace { countdown = Countdown(grace) }
        guard state == .running else { return nextWake(at: now) }
        state = .terminating
        return [.terminate] + nextWake(at: now)
    }

    private mutating func kill() -> [Action] {
        cause = cause ?? .cancelled
        guard state != .starting else {
            isKillOverdue = true
            countdown = nil
            return []
        }
        return state == .killing ? [.kill] : beginKilling()
    }

    private mutating func beginKilling() -> [Action] {
        state = .killing
        countdown = hasLeaderEnded ? Countdown(Self.killTimeout) : nil
        return [.kill] + (hasLeaderEnded ? [.checkMembers] : [])
    }

    private mutating func wake(at now: Duration) -> [Action] {
        countdown?.advance(to: now)
        guard let remaining = countdown?.remaining else { return [] }
        guard remaining <= .zero else { return hasLeaderEnded ? [.checkMembers] : nextWake(at: now) }
        switch state {
        case .starting:
            isKillOverdue = true
            countdown = nil
            return []
        case .running:
            cause = .timedOut
            state = .terminating
            countdown = Countdown(grace)
            return [.terminate] + nextWake(at: now)
        case .terminating: return beginKilling()
        case .killing, .ended: return end(because: cause)
        }
    }

    /// Ends the processes that the leader has left behind. It has ended by itself, so there is no cause.
    private mutating func endGroup() -> [Action] {
        state = .terminating
        countdown = Countdown(grace)
        return [.terminate] + leaderDidEnd()
    }

    private mutating func leaderDidEnd() -> [Action] {
        guard !hasLeaderEnded else { return [] }
        hasLeaderEnded = true
        if state == .killing { countdown = Countdown(Self.killTimeout) }
        return [.checkMembers]
    }

    private mutating func membersChecked(areRunning: Bool, at now: Duration) -> [Action] {
        guard hasLeaderEnded else { return [] }
        guard areRunning else { return end(because: cause) }
        countdown?.advance(to: now)
        defer { pollDelay = min(pollDelay * 2, Self.pollDelays.longest) }
        return nextWake(at: now)
    }

    private mutating func nextWake(at now: Duration) -> [Action] {
        let slice = countdown?.nextSlice(at: now, atMost: hasLeaderEnded ? pollDelay : Countdown.slice)
        return slice.map { [.wake(after: $0)] } ?? []
    }

    /// Enters the final state. A group that the program ended gets a last SIGKILL, for members forked meanwhile.
    private mutating func end(because cause: HookResult.Status?) -> [Action] {
        state = .ended
        self.cause = cause
        countdown = nil
        return cause == nil && !endsGroup ? [.reap] : [.kill, .reap]
    }
}

/// A delay that counts only time in which this process was running.
///
/// The delay is split into slices. A slice that takes much longer than planned does not count: this process was stopped
/// or frozen meanwhile, perhaps together with its child. If all slices take too long, as on a machine under heavy load,
/// all but the first count.
struct Countdown: Sendable {
    /// The maximum length of a slice.
    static let slice = Duration.seconds(1)
    /// The delay of a timer that is normal on a busy machine.
    static let tolerance = Duration.milliseconds(500)

    /// The remaining time.
    private(set) var remaining: Duration
    private var planned = Duration.zero
    private var plannedAt = Duration.zero
    private var wasLate = false

    /// Creates a countdown from a delay.
    init(_ delay: Duration) {
        remaining = delay
    }

    /// Begins the next slice, and returns its length.
    mutating func nextSlice(at now: Duration, atMost longest: Duration = Self.slice) -> Duration {
        plannedAt = now
        planned = max(.zero, min(remaining, longest, Self.slice))
        return planned
    }

    /// Ends the slice, and subtracts its time if it counts.
    mutating func advance(to now: Duration) {
        guard planned > .zero else { return }
        let elapsed = now - plannedAt
        let isLate = elapsed > planned + Self.tolerance
        if !isLate || wasLate { remaining = max(.zero, remaining - (isLate ? planned : elapsed)) }
        wasLate = isLate
        planned = .zero
    }
}
