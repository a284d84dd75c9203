import Monitoring

/// One held connection: what is true of it, and what follows from what happens to it. It has no socket and no clock;
/// every input returns the acts that are to be done, in order, of which ``Act/connect`` is always the last.
///
/// ```
///   setup ──▶ preparing ──▶ ready        waiting: no way out       failed: every other cause
///                ▲   │        │
///                │   ▼        ▼
///             waiting, failed ◀┘         after a pause, tried again
/// ```
///
/// A connection is ready when it stands and its peer has shown that it is there: by an answer to the first heartbeat
/// where one is sent (a hung server still accepts), by its greeting where one is expected. An unanswered heartbeat
/// ends the connection, since nothing tells its late answer from the answer to the next one.
struct SessionMachine {
    /// How long a connection must have held for the pauses after its end to begin anew, unless they are shorter still.
    static let steady = Duration.seconds(5)

    let options: SessionOptions
    /// The expectation before anything was heard.
    let expectation: Expectation?
    private var talkCount = 0
    private(set) var generator: any RandomNumberGenerator
    private(set) var backoff = Backoff()
    private(set) var phase = Phase.setup
    private(set) var talk: Talk?
    /// The probe that waits for an answer.
    private(set) var probe: Probe?
    /// How long an attempt may take: the newest probe's timeout.
    private var timeout = Duration.zero
    /// The longest pause before the next attempt: the time between two probes, which is shorter while the target is down.
    private var longestPause = Duration.seconds(5)
    /// Whether the last probe that was told something was told that all is well.
    private var isBelieved = false
    /// An end that no probe has been told yet; it stays to be told when the connection is soon made again.
    private var untold: SessionState.Cause?

    /// A connection that nobody has asked for yet.
    init(_ options: SessionOptions, generator: any RandomNumberGenerator) {
        self.options = options
        self.generator = generator
        expectation = options.expect.map { Expectation($0) }
    }

    /// When ``expire(at:)`` has something to do; nil while nothing is awaited.
    var deadline: Duration? {
        switch phase {
        case .setup: nil
        case .preparing(let attempt): attempt.deadline
        case .ready: talk?.deadline
        case .apart(_, _, let retry): retry
        }
    }

    /// How often an attempt without an answer connects again beside the connections under way; nil where it never does.
    /// While the target is down, the time between two probes is shorter than the timeout, and the kernel repeats its
    /// requests more and more rarely.
    var repetition: Duration? {
        longestPause < timeout ? max(longestPause, timeout / Target.mostOverlapping) : nil
    }

    /// Whether there is no way out to the peer.
    var isWaiting: Bool {
        if case .apart(let cause, _, _) = phase { cause.isNoWayOut } else { false }
    }

    /// Whether the next probe is about the connection that was made, wherever the peer's name leads now.
    var knowsPeer: Bool {
        if case .ready = phase { true } else { untold != nil }
    }

    // MARK: Inputs

    /// A probe asks.
    ///
    /// - Parameters:
    ///   - roundTrip: what the kernel has measured on the connection, where it stands and the kernel tells.
    ///   - lack: why no packet could leave for the peer; nil where one could.
    mutating func ask(
        _ probe: Probe,
        at now: Duration,
        roundTrip: Duration?,
        lackOfWayOut lack: @autoclosure () -> Failure?
    ) -> [Act] {
        timeout = probe.timeout
        limitPause(to: probe.interval, at: now)
        if let untold {
            self.untold = nil
            let end = end(probe, untold.outcome)
            if case .ready = phase { return [end, .hasten] }
            return [end]
        }
        switch phase {
        case .setup, .apart(_, isFine: true, _):
            self.probe = probe
            return connect(at: now)
        case .apart(let cause, _, _) where cause.isNoWayOut:
            // The way may be back, and looking for it costs nothing.
            if let lack = lack() { return [end(probe, .failure(lack))] }
            self.probe = probe
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil && !attempt.isRepeated && repetition != nil:
            // The target went down while the attempt was under way.
            self.probe = probe
            return [.close] + connect(at: now)
        case .preparing(var attempt):
            self.probe = probe
            attempt.deadline = min(attempt.deadline, now + probe.timeout)
            phase = .preparing(attempt)
            return []
        case .apart(let cause, _, _):
            return [end(probe, cause.outcome)]
        case .ready(let since):
            guard let send = options.send else { return [end(probe, reply(roundTrip, since: since, at: now))] }
            self.probe = probe
            beginTalk(at: now, until: now + timeout)
            return [.send(send)]
        }
    }

    /// The connection stands.
    mutating func connected(in roundTrip: Duration, at now: Duration) -> [Act] {
        guard case .preparing(var attempt) = phase, attempt.roundTrip == nil else { return [] }
        attempt.roundTrip = roundTrip
        phase = .preparing(attempt)
        guard options.send != nil || expectation != nil else { return becomeReady(roundTrip, at: now) }
        beginTalk(at: now, until: attempt.deadline)
        return options.send.map { [.send($0)] } ?? []
    }

    /// The peer said something. What nobody waits for is not looked at.
    mutating func hear(_ bytes: some Collection<UInt8>, at now: Duration) -> [Act] {
        guard talk != nil, !bytes.isEmpty else { return [] }
        talk?.hear(bytes, at: now)
        return talk?.expectation == nil ? answered(at: now) : talk?.nextSearch() ?? []
    }

    /// A search has ended; that of an earlier talk is nobody's.
    mutating func searched(_ result: Result<Search.Match, Fault>, talk number: Int, at now: Duration) -> [Act] {
        guard talk?.number == number, var expectation = talk?.expectation else { return [] }
        let match: Search.Match
        switch result {
        case .success(let found): match = found
        case .failure(let fault): return fall(.fault(fault), at: now)
        }
        let (matches, isClosed) = (expectation.conclude(match), talk?.isClosed == true)
        talk?.expectation = expectation
        switch matches {
        case true?:
            let acts = answered(at: now)
            return isClosed ? acts + closed(at: now) : acts
        case false?:
            return fall(.failure(expectation.failure), at: now)
        case nil:
            let acts = talk?.nextSearch() ?? []
            return acts.isEmpty && isClosed ? closed(at: now) : acts
        }
    }

    /// The peer closed the connection in order. What it said before may still be what was expected.
    mutating func closed(at now: Duration) -> [Act] {
        if talk?.expectation?.isSearching == true {
            talk?.isClosed = true
            return []
        }
        if talk?.expectation?.matchesAtEnd == true {
            let acts = answered(at: now)
            return acts + closed(at: now)
        }
        let failure = talk?.expectation?.failure ?? Failure(.closed)
        if case .ready = phase, talk == nil, options.idleClose == .ok {
            return fall(.failure(failure), isFine: true, at: now)
        }
        return fall(.failure(failure), at: now)
    }

    /// The connection broke, or could not be made.
    mutating func broke(_ cause: SessionState.Cause, at now: Duration) -> [Act] {
        fall(cause, at: now)
    }

    /// Time has passed.
    ///
    /// - Parameter lack: why no packet could leave for the peer; nil where one could.
    mutating func expire(at now: Duration, lackOfWayOut lack: @autoclosure () -> Failure?) -> [Act] {
        guard let deadline, deadline <= now else { return [] }
        switch phase {
        case .setup:
            return []
        case .apart(let cause, _, _) where cause.isNoWayOut:
            guard let lack = lack() else { return connect(at: now) }
            stayApart(.failure(lack), from: now, at: now)
            return []
        case .apart:
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil:
            // The kernel looks for the host for longer than the probe may take.
            return fall(lack().map { .failure($0) } ?? .timeout, at: now)
        case .preparing, .ready:
            if talk?.expectation?.matchesAtEnd == true { return answered(at: now) }
            // Who has said something else than was expected is there.
            return fall(talk?.expectation?.failureOfSilence.map { .failure($0) } ?? .timeout, at: now)
        }
    }

    /// The links, addresses or routes of this machine have changed. A connection that nothing can leave for is dead,
    /// though the kernel would hold it for as long as its peer may be silent; and what waits for a way out waits no
    /// longer than it takes.
    ///
    /// - Parameter lack: why no packet could leave for the peer; nil where one could.
    mutating func networkChanged(at now: Duration, lackOfWayOut lack: @autoclosure () -> Failure?) -> [Act] {
        switch phase {
        case .preparing, .ready:
            return lack().map { fall(.failure($0), at: now) } ?? []
        case .apart(let cause, _, _) where cause.isNoWayOut:
            guard lack() == nil else { return [] }
            backoff.reset()
            return connect(at: now)
        case .setup, .apart:
            return []
        }
    }

    /// The peer's host was heard, or its route has changed: the next attempt begins now, and one that has no answer yet begins
    /// anew.
    mutating func retry(at now: Duration) -> [Act] {
        switch phase {
        case .apart(_, isFine: false, _):
            backoff.reset()
            return connect(at: now)
        case .preparing(let attempt) where attempt.roundTrip == nil:
            return [.close] + connect(at: now)
        case .setup, .ready, .preparing, .apart:
            return []
        }
    }

    /// This process did not run: what was under way cannot be timed, and what is held stays held.
    mutating func void(at now: Duration) {
        probe = nil
        switch phase {
        case .setup:
            break
        case .ready:
            talk = nil
        case .preparing(var attempt):
            attempt.deadline = now + timeout
            phase = .preparing(attempt)
        case .apart(let cause, let isFine, let retry):
            phase = .apart(cause, isFine: isFine, retry: max(retry, now))
        }
    }

    // MARK: Changes

    private mutating func beginTalk(at now: Duration, until deadline: Duration) {
        talkCount += 1
        talk = Talk(number: talkCount, expectation: expectation, start: now, deadline: deadline)
    }

    /// The peer has said what was expected.
    private mutating func answered(at now: Duration) -> [Act] {
        guard let talk else { return [] }
        let roundTrip = talk.answer - talk.start
        switch phase {
        case .ready(let since):
            self.talk = nil
            guard let probe = take() else { return [] }
            return [end(probe, reply(roundTrip, since: since, at: now))]
        case .preparing(let attempt):
            return becomeReady(options.send == nil ? attempt.roundTrip : roundTrip, at: now)
        case .setup, .apart:
            return []
        }
    }

    private mutating func connect(at now: Duration) -> [Act] {
        var followsWaiting = false
        if case .apart(let cause, _, _) = phase { followsWaiting = cause.isNoWayOut }
        phase = .preparing(
            Attempt(
                start: now,
                deadline: now + timeout,
                followsWaiting: followsWaiting,
                isRepeated: repetition != nil
            )
        )
        return [.announce(.preparing), .connect]
    }

    private mutating func becomeReady(_ roundTrip: Duration?, at now: Duration) -> [Act] {
        phase = .ready(since: now)
        talk = nil
        guard let probe = take() else { return [.announce(.ready)] + (isBelieved ? [] : [.hasten]) }
        return [.announce(.ready), end(probe, reply(roundTrip, since: now, at: now))]
    }

    private mutating func fall(_ cause: SessionState.Cause, isFine: Bool = false, at now: Duration) -> [Act] {
        var pauseStart = now
        switch phase {
        case .setup, .apart: return []
        // Who accepts and hangs up over and over is not asked again the faster for it.
        case .ready(let since): if now - since >= min(backoff.limit, Self.steady) { backoff.reset() }
        // The way is back; while it was not, nobody was asked who would have to be spared.
        case .preparing(let attempt):
            if attempt.followsWaiting, !cause.isNoWayOut { backoff.reset() }
            // A silent peer has been spared for as long as the attempt lasted.
            if attempt.roundTrip == nil, case .timeout = cause { pauseStart = attempt.start }
        }
        stayApart(cause, isFine: isFine, from: pauseStart, at: now)
        talk = nil
        let state = cause.lackOfWayOut.map { SessionState.waiting($0) } ?? .failed(cause)
        if let probe = take() { return [.close, .announce(state), end(probe, cause.outcome)] }
        guard isBelieved, !isFine else { return [.close, .announce(state)] }
        untold = cause
        return [.close, .announce(state), .hasten]
    }

    private mutating func stayApart(
        _ cause: SessionState.Cause,
        isFine: Bool = false,
        from start: Duration,
        at now: Duration
    ) {
        let pause = backoff.pause(atMost: longestPause, using: &generator)
        phase = .apart(cause, isFine: isFine, retry: max(now, start + pause))
    }

    /// Limits the pauses, the present one too.
    private mutating func limitPause(to interval: Duration, at now: Duration) {
        guard interval < longestPause, case .apart(let cause, let isFine, let retry) = phase else {
            longestPause = interval
            return
        }
        longestPause = interval
        phase = .apart(cause, isFine: isFine, retry: min(retry, now + interval))
    }

    private mutating func take() -> Probe? {
        defer { probe = nil }
        return probe
    }

    private mutating func end(_ probe: Probe, _ outcome: Outcome) -> Act {
        if case .reply = outcome { isBelieved = true } else { isBelieved = false }
        return .end(probe, outcome)
    }

    private func reply(_ roundTrip: Duration?, since: Duration, at now: Duration) -> Outcome {
        .reply(Reply(roundTrip: roundTrip, detail: "ready \((now - since).spanText)"))
    }
}
