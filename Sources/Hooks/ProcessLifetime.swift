import Monitoring

/// The life of one child process, from its start to its end, as a state machine.
///
/// It sends no signal and reads no clock: each event comes with the present time, and the caller performs the returned
/// actions in their order. The request of a hook has the same life; it is cancelled where a process gets a signal.
struct ProcessLifetime: Sendable {
    /// The states of a child process.
    enum State: Sendable, Hashable {
        /// It is about to be started. Ending it takes effect as soon as there is a process.
        case starting
        /// It runs until it ends by itself or until its timeout.
        case running
        /// Its process group got TERM, and KILL follows after the grace period.
        case terminating
        /// Its process group got KILL.
        case killing
        /// It has ended, or could not be started. No event has an effect, and no signal is sent.
        case ended
    }

    /// What happened to the process, or what is wanted of it.
    enum Event: Sendable, Hashable {
        /// There is a process now.
        case started
        /// There will be no process.
        case notStarted
        /// The process has ended; other processes of its group may be running.
        case leaderEnded
        /// The answer to ``Action/lookForMembers``.
        case members(areRunning: Bool)
        /// The time of the last ``Action/wake(after:)`` is over.
        case woken
        /// The process is to end, by KILL if the grace period does not suffice.
        case cancel(grace: Duration)
        /// The process is to end at once.
        case kill
    }

    /// What the caller has to do.
    enum Action: Sendable, Hashable {
        /// Send TERM to the process group.
        case terminate
        /// Send KILL to the process group.
        case kill
        /// Look whether a process of the group is running, and report it.
        case lookForMembers
        /// Report ``Event/woken`` after this time, instead of any earlier request for it.
        case wake(after: Duration)
        /// Reap the process. Its group number may be another group's from now on.
        case reap
    }

    /// How long KILL may take to have its effect on the processes that the leader left behind.
    static let patience = Duration.seconds(1)
    /// How long to wait between two looks at the members of a group: at first, and at most.
    static let polls = (first: Duration.milliseconds(10), longest: Duration.milliseconds(100))

    private(set) var state = State.starting
    /// Why the process was ended by us: `timedOut` or `cancelled`. It is nil where the process ended by itself.
    private(set) var cause: HookResult.Status?
    private let timeout: Duration?
    private let grace: Duration
    /// Whether KILL was due before there was a process.
    private var isKillOverdue = false
    private var hasLeaderEnded = false
    /// What ends the present state: the timeout, the grace period, or the patience after KILL.
    private var countdown: Countdown?
    private var poll = Self.polls.first

    /// A process that is about to be started.
    ///
    /// - Parameters:
    ///   - timeout: how long it may run; nil where only the caller ends it.
    ///   - grace: how long it has from TERM to KILL after its timeout.
    init(timeout: Duration?, grace: Duration) {
        self.timeout = timeout
        self.grace = grace
    }

    /// Takes an event into account, and returns what to do. An event that makes no sense in the present state is ignored.
    mutating func handle(_ event: Event, at now: Duration) -> [Action] {
        switch (state, event) {
        case (.ended, _): []
        case (.starting, .started): start(at: now)
        case (.starting, .notStarted): end(because: nil)
        case (.running, .leaderEnded): end(because: nil)
        case (.terminating, .leaderEnded), (.killing, .leaderEnded): noteEndOfLeader()
        case (.terminating, .members(let areRunning)), (.killing, .members(let areRunning)):
            noteMembers(areRunning: areRunning, at: now)
        case (_, .woken): wake(at: now)
        case (_, .cancel(let grace)): cancel(grace: grace, at: now)
        case (_, .kill): kill()
        case (_, .started), (_, .notStarted), (_, .leaderEnded), (_, .members): []
        }
    }

    private mutating func start(at now: Duration) -> [Action] {
        if isKillOverdue { return beginKilling() }
        guard cause == nil else {
            // The grace period began when the end was wanted.
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
        // Of several grace periods, the one that is over first counts.
        countdown?.advance(to: now)
        if isFirst || grace < countdown?.left ?? grace { countdown = Countdown(grace) }
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
        countdown = hasLeaderEnded ? Countdown(Self.patience) : nil
        return [.kill] + (hasLeaderEnded ? [.lookForMembers] : [])
    }

    private mutating func wake(at now: Duration) -> [Action] {
        countdown?.advance(to: now)
        guard let left = countdown?.left else { return [] }
        guard left <= .zero else { return hasLeaderEnded ? [.lookForMembers] : nextWake(at: now) }
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

    private mutating func noteEndOfLeader() -> [Action] {
        guard !hasLeaderEnded else { return [] }
        hasLeaderEnded = true
        if state == .killing { countdown = Countdown(Self.patience) }
        return [.lookForMembers]
    }

    private mutating func noteMembers(areRunning: Bool, at now: Duration) -> [Action] {
        guard hasLeaderEnded else { return [] }
        guard areRunning else { return end(because: cause) }
        countdown?.advance(to: now)
        defer { poll = min(poll * 2, Self.polls.longest) }
        return nextWake(at: now)
    }

    private mutating func nextWake(at now: Duration) -> [Action] {
        let slice = countdown?.nextSlice(at: now, atMost: hasLeaderEnded ? poll : Countdown.slice)
        return slice.map { [.wake(after: $0)] } ?? []
    }

    /// Ends the life. A group that was ended by us gets a last KILL, for a member that was just being forked.
    private mutating func end(because cause: HookResult.Status?) -> [Action] {
        state = .ended
        self.cause = cause
        countdown = nil
        return cause == nil ? [.reap] : [.kill, .reap]
    }
}
