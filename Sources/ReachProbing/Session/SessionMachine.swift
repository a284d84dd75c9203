import ReachMonitoring

/// The state machine of one session. It has no socket and no clock: every input returns the actions to perform, in
/// order. ``Action/connect`` is always the last one.
///
/// ```
///   setup ──▶ preparing ──▶ ready        waiting: no route         failed: any other cause
///                ▲   │        │
///                │   ▼        ▼
///             waiting, failed ◀┘         retried after a pause
/// ```
///
/// A session is ready when its connection is open and its peer has proved to be alive: by an answer to the first
/// heartbeat if one is configured (a hung server still accepts connections), or by the expected greeting. An unanswered
/// heartbeat ends the connection, because a late answer could not be distinguished from the answer to the next one.
struct SessionMachine {
    /// The duration of a connection after which the backoff is reset, unless the limit of the backoff is shorter.
    static let stableDuration = Duration.seconds(5)

    /// The minimum of ``longestPause``, so that a peer that refuses connections is not flooded.
    static let shortestPauseLimit = Duration.milliseconds(100)

    let options: SessionOptions
    /// The expectation before any byte was received.
    let expectation: Expectation?
    private var conversationCount = 0
    private(set) var generator: any RandomNumberGenerator
    private(set) var backoff = Backoff()
    private(set) var state = State.setup
    private(set) var conversation: Conversation?
    /// The probe that waits for an answer.
    private(set) var probe: Probe?
    /// The timeout of an attempt: that of the newest probe.
    private var timeout = Duration.zero
    /// The maximum pause before the next attempt: the interval of probes, which is shorter while the target is down.
    private var longestPause = Duration.seconds(5)
    /// Whether the last probe ended with a reply.
    private var isReportedUp = false
    /// The end of a connection that no probe has reported yet. It is reported even after a quick reconnect.
    private var unreportedEnd: Outcome?

    /// Creates a session without a connection.
    init(_ options: SessionOptions, generator: any RandomNumberGenerator) {
        self.options = options
        self.generator = generator
        expectation = options.expect.map { Expectation($0) }
    }

    /// When to call ``expire(at:routeFailure:)``; nil while there is no deadline.
    var deadline: Duration? {
        switch state {
        case .setup: nil
        case .preparing(let attempt): attempt.deadline
        case .ready: conversation?.deadline
        case .disconnected(_, _, let retry): retry
        }
    }

    /// The interval at which an unanswered attempt opens a further connection beside the pending ones; nil for never.
    ///
    /// While the target is down, the interval of probes may be shorter than the timeout, and the kernel retransmits SYN
    /// packets with growing pauses.
    var repetition: Duration? {
        longestPause < timeout ? max(longestPause, timeout / Target.maxOverlapping) : nil
    }

    /// Whether the session waits for a route to the peer.
    var isWaiting: Bool {
        if case .disconnected(let cause, _, _) = state { cause.isMissingRoute } else { false }
    }

    /// Whether the next probe reports on the existing connection, regardless of what the name resolves to now.
    var knowsPeer: Bool {
        if case .ready = state { true } else { unreportedEnd != nil }
    }

    // MARK: Inputs

    /// Starts a probe.
    ///
    /// - Parameters:
    ///   - roundTrip: the kernel's round trip of the connection; nil if it is not known.
    ///   - routeFailure: why this machine has no route to the peer; nil if it has one.
    mutating func startProbe(
        _ probe: Probe,
        at now: Duration,
        roundTrip: Duration?,
        routeFailure: @autoclosure () -> Failure?
    ) -> [Action] {
        timeout = probe.timeout
        limitPause(to: probe.interval, at: now)
        if let unreportedEnd {
            self.unreportedEnd = nil
            let end = end(probe, unreportedEnd)
            if case .ready = state { return [end, .probeNow] }
            return [end]
        }
        switch state {
        case .setup, .disconnected(_, isExpected: true, _):
            self.probe = probe
            return connect(at: now)
        case .disconnected(let cause, _, _) where cause.isMissingRoute:
            // The route may be back, and the check is cheap.
            if let failure = routeFailure() { return [end(probe, .failure(failure))] }
            self.probe = probe
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil && !attempt.isRepeated && repetition != nil:
            // The target went down during the attempt.
            self.probe = probe
            return [.close] + connect(at: now, routeReturn: attempt.routeReturn)
        case .preparing(var attempt):
            self.probe = probe
            attempt.deadline = min(attempt.deadline, now + probe.timeout)
            state = .preparing(attempt)
            return []
        case .disconnected(let cause, _, _):
            return [end(probe, cause)]
        case .ready(let since):
            guard let send = options.send else { return [end(probe, reply(roundTrip, since: since, at: now))] }
            self.probe = probe
            beginConversation(at: now, until: now + timeout)
            return [.send(send)]
        }
    }

    /// Handles the open connection.
    mutating func connected(in roundTrip: Duration, at now: Duration) -> [Action] {
        guard case .preparing(var attempt) = state, attempt.roundTrip == nil else { return [] }
        attempt.roundTrip = roundTrip
        state = .preparing(attempt)
        guard options.send != nil || expectation != nil else { return becomeReady(roundTrip, at: now) }
        beginConversation(at: now, until: attempt.deadline)
        return options.send.map { [.send($0)] } ?? []
    }

    /// Handles received data. Without a conversation it is ignored.
    mutating func receive(_ bytes: some Collection<UInt8>, at now: Duration) -> [Action] {
        guard conversation != nil, !bytes.isEmpty else { return [] }
        conversation?.receive(bytes, at: now)
        return conversation?.expectation == nil ? answered(at: now) : conversation?.nextSearch() ?? []
    }

    /// Handles the result of a search. Results of earlier conversations are ignored.
    mutating func searched(_ result: Result<PatternSearch.Match, Fault>, conversation number: Int, at now: Duration)
        -> [Action]
    {
        guard conversation?.number == number, var expectation = conversation?.expectation else { return [] }
        let match: PatternSearch.Match
        switch result {
        case .success(let found): match = found
        case .failure(let fault): return disconnect(.fault(fault), at: now)
        }
        let (matches, isClosed) = (expectation.finishSearch(match), conversation?.isClosed == true)
        conversation?.expectation = expectation
        switch matches {
        case true?:
            let actions = answered(at: now)
            return isClosed ? actions + closed(at: now) : actions
        case false?:
            return disconnect(.failure(expectation.failure), at: now)
        case nil:
            let actions = conversation?.nextSearch() ?? []
            return actions.isEmpty && isClosed ? closed(at: now) : actions
        }
    }

    /// Handles an orderly close by the peer. The data before it may still match.
    mutating func closed(at now: Duration) -> [Action] {
        if conversation?.expectation?.isSearching == true {
            conversation?.isClosed = true
            return []
        }
        if conversation?.expectation?.matchesAtEnd == true {
            let actions = answered(at: now)
            return actions + closed(at: now)
        }
        let failure = conversation?.expectation?.failure ?? Failure(.closed)
        if case .ready = state, conversation == nil, options.idleClose == .ok {
            return disconnect(.failure(failure), isExpected: true, at: now)
        }
        return disconnect(.failure(failure), at: now)
    }

    /// Handles a failed connection or attempt.
    mutating func failed(_ cause: Outcome, at now: Duration) -> [Action] {
        disconnect(cause, at: now)
    }

    /// Handles an expired deadline.
    ///
    /// - Parameter routeFailure: why this machine has no route to the peer; nil if it has one.
    mutating func expire(
        at now: Duration,
        fault: Fault? = nil,
        routeFailure: @autoclosure () -> Failure?
    ) -> [Action] {
        guard let deadline, deadline <= now else { return [] }
        switch state {
        case .setup:
            return []
        case .disconnected(let cause, _, _) where cause.isMissingRoute:
            guard let failure = routeFailure() else { return connect(at: now) }
            scheduleRetry(.failure(failure), from: now, at: now)
            return []
        case .disconnected:
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil:
            // The neighbour resolution of the kernel outlasts the timeout.
            let cause = routeFailure().map { .failure($0) } ?? fault.map { .fault($0) } ?? Outcome.timeout
            return disconnect(cause, at: now)
        case .preparing, .ready:
            if conversation?.expectation?.matchesAtEnd == true { return answered(at: now) }
            // A peer with an unexpected answer has not timed out.
            return disconnect(conversation?.expectation?.failureAtTimeout.map { .failure($0) } ?? .timeout, at: now)
        }
    }

    /// Handles a change of the links, addresses or routes of this machine.
    ///
    /// A connection without a route is dead, although the kernel would keep it until its keep-alive time has passed. A
    /// session that waits for a route connects as soon as there is one.
    ///
    /// - Parameter routeFailure: why this machine has no route to the peer; nil if it has one.
    mutating func networkChanged(at now: Duration, routeFailure: @autoclosure () -> Failure?) -> [Action] {
        switch state {
        case .preparing, .ready:
            return routeFailure().map { disconnect(.failure($0), at: now) } ?? []
        case .disconnected(let cause, _, _) where cause.isMissingRoute:
            guard routeFailure() == nil else { return [] }
            backoff.reset()
            return connect(at: now)
        case .setup, .disconnected:
            return []
        }
    }

    /// Starts the next attempt at once, or restarts an unanswered one. Called after a packet from the host arrived or
    /// the route changed.
    ///
    /// A session that waits for a route does not connect: the change may not have brought it back. The probe that
    /// follows looks it up.
    mutating func retry(at now: Duration) -> [Action] {
        switch state {
        case .disconnected(let cause, isExpected: false, _) where !cause.isMissingRoute:
            backoff.reset()
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil:
            return [.close] + connect(at: now, routeReturn: attempt.routeReturn)
        case .setup, .ready, .preparing, .disconnected:
            return []
        }
    }

    /// Discards what is in flight after this process was stopped, because it cannot be timed. An open connection stays
    /// open.
    mutating func discardInFlight(at now: Duration) {
        probe = nil
        switch state {
        case .setup:
            break
        case .ready:
            conversation = nil
        case .preparing(var attempt):
            attempt.deadline = now + timeout
            state = .preparing(attempt)
        case .disconnected(let cause, let isExpected, let retry):
            state = .disconnected(cause, isExpected: isExpected, retry: max(retry, now))
        }
    }

    // MARK: Transitions

    private mutating func beginConversation(at now: Duration, until deadline: Duration) {
        conversationCount += 1
        conversation = Conversation(number: conversationCount, expectation: expectation, start: now, deadline: deadline)
    }

    /// Handles the expected answer.
    private mutating func answered(at now: Duration) -> [Action] {
        guard let conversation else { return [] }
        let roundTrip = conversation.answer - conversation.start
        switch state {
        case .ready(let since):
            self.conversation = nil
            guard let probe = takeProbe() else { return [] }
            return [end(probe, reply(roundTrip, since: since, at: now))]
        case .preparing(let attempt):
            return becomeReady(options.send == nil ? attempt.roundTrip : roundTrip, at: now)
        case .setup, .disconnected:
            return []
        }
    }

    /// - Parameter routeReturn: that of the attempt that this one replaces.
    private mutating func connect(at now: Duration, routeReturn: Duration? = nil) -> [Action] {
        var routeReturn = routeReturn
        if case .disconnected(let cause, _, _) = state, cause.isMissingRoute { routeReturn = now }
        state = .preparing(
            Attempt(
                start: now,
                deadline: now + timeout,
                routeReturn: routeReturn,
                isRepeated: repetition != nil
            )
        )
        return [.announce(.preparing), .connect]
    }

    private mutating func becomeReady(_ roundTrip: Duration?, at now: Duration) -> [Action] {
        state = .ready(since: now)
        conversation = nil
        guard let probe = takeProbe() else { return [.announce(.ready)] + (isReportedUp ? [] : [.probeNow]) }
        return [.announce(.ready), end(probe, reply(roundTrip, since: now, at: now))]
    }

    private mutating func disconnect(_ cause: Outcome, isExpected: Bool = false, at now: Duration)
        -> [Action]
    {
        var pauseStart = now
        switch state {
        case .setup, .disconnected: return []
        // A peer that repeatedly accepts and closes must not reset the backoff.
        case .ready(let since): if now - since >= min(backoff.limit, Self.stableDuration) { backoff.reset() }
        // The route is back. Earlier failures say nothing about the peer, so the backoff starts again.
        case .preparing(let attempt):
            if attempt.routeReturn != nil, !cause.isMissingRoute { backoff.reset() }
            if attempt.isStale(cause, at: now) { return [.close] + connect(at: now) }
            // The duration of an unanswered attempt counts as part of the pause.
            if attempt.roundTrip == nil, case .timeout = cause { pauseStart = attempt.start }
        }
        scheduleRetry(cause, isExpected: isExpected, from: pauseStart, at: now)
        conversation = nil
        // An expected end is no failure; the next attempt may be one.
        let failed = cause.routeFailure.map { SessionState.waiting($0) } ?? .failed(cause)
        let actions = [Action.close, .announce(isExpected ? .preparing : failed)]
        if let probe = takeProbe() { return actions + [end(probe, cause)] }
        guard isReportedUp, !isExpected else { return actions }
        unreportedEnd = cause
        return actions + [.probeNow]
    }

    private mutating func scheduleRetry(
        _ cause: Outcome,
        isExpected: Bool = false,
        from start: Duration,
        at now: Duration
    ) {
        let pause = backoff.pause(atMost: longestPause, using: &generator)
        state = .disconnected(cause, isExpected: isExpected, retry: max(now, start + pause))
    }

    /// Limits the pauses, including the current one.
    private mutating func limitPause(to interval: Duration, at now: Duration) {
        let interval = max(interval, Self.shortestPauseLimit)
        let isShorter = interval < longestPause
        longestPause = interval
        guard isShorter, case .disconnected(let cause, let isExpected, let retry) = state else { return }
        state = .disconnected(cause, isExpected: isExpected, retry: min(retry, now + interval))
    }

    private mutating func takeProbe() -> Probe? {
        defer { probe = nil }
        return probe
    }

    private mutating func end(_ probe: Probe, _ outcome: Outcome) -> Action {
        if case .reply = outcome { isReportedUp = true } else { isReportedUp = false }
        return .end(probe, outcome)
    }

    private func reply(_ roundTrip: Duration?, since: Duration, at now: Duration) -> Outcome {
        .reply(Reply(roundTrip: roundTrip, detail: "ready \((now - since).spanText)"))
    }
}
