#if os(Linux)
import NIOCore
import ReachMonitoring

import ReachSystem

/// A prober that opens TCP connections without exchanging data. Confined to its event loop.
///
/// It uses plain sockets, unlike ``Connector``. A SwiftNIO channel would double the cost of a connection with buffers, a
/// pipeline, a timer and address lookups that are not needed.
final class HandshakeProber: MethodProber {
    fileprivate struct Attempt {
        let probe: Probe
        let descriptor: CInt
        let start: Duration
        let address: IPAddress
        let port: UInt16
        /// The race of the attempt; nil if the target has one address.
        let race: HandshakeRace?
    }

    /// The interval in which completed handshakes are coalesced into one check. The kernel measures the round
    /// trips, and a wakeup for each handshake would cost more than polling.
    private static let coalescingInterval = Duration.milliseconds(10)

    fileprivate let environment: ProberEnvironment
    private var attempts = InFlight<Attempt>()
    /// Nil until the first attempt.
    private var watch: ConnectWatch?
    private var isPolled = false
    /// Whether a check follows at the end of this turn of the event loop.
    private var isCheckScheduled = false
    /// Whether a check follows after the coalescing interval.
    private var isDelayedCheckScheduled = false
    /// When a check last found completed handshakes after a wakeup.
    private var lastWake: Duration?
    /// Until when checks replace wakeups.
    private var coalescingEnd = Duration.zero

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    var nextDeadline: Duration? { attempts.nextDeadline }

    func send(_ probe: Probe) {
        guard let address = probe.address else { return }
        do {
            _ = try begin(probe, at: address)
        } catch {
            environment.report(.ended(probe, Outcome(error, to: address)))
        }
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        let race = ConnectionRace(addresses, from: environment.time(), until: probe.deadline)
        HandshakeRace(probe, race, of: self).start()
    }

    /// Starts a probe of one address.
    ///
    /// - Returns: The number by which ``cancel(_:)`` ends it.
    func begin(_ probe: Probe, at address: IPAddress) throws -> Int {
        try begin(probe, at: address, of: nil)
    }

    /// Ends a probe without an outcome.
    func cancel(_ number: Int) {
        if let attempt = attempts.remove(number) { closeDescriptor(attempt.descriptor) }
    }

    /// Starts an attempt of a probe, which may be one of a race.
    fileprivate func begin(_ probe: Probe, at address: IPAddress, of race: HandshakeRace?)
        throws -> InFlight<Attempt>.Ticket
    {
        guard case .tcp(_, let port, _) = probe.question else { throw Fault(.internal, detail: "not a TCP target") }
        let origin = try probe.origin(toward: address)
        let start = environment.time()
        let watch = try openWatch()
        let descriptor = openSocket(address.family, SocketType.stream)
        guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
        DatagramQueue.enableErrors(of: descriptor, address.family)
        var code = origin?.apply(to: descriptor, address.family) ?? 0
        if code == 0, address.withSocketAddress(port: port, { connect(descriptor, $0, $1) }) != 0 { code = errno }
        guard code == 0 || code == EINPROGRESS else {
            closeDescriptor(descriptor)
            throw IOError(errnoCode: code, reason: "connect")
        }
        let attempt = Attempt(
            probe: probe,
            descriptor: descriptor,
            start: start,
            address: address,
            port: port,
            race: race
        )
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        do {
            try watch.add(descriptor, as: ticket)
        } catch {
            cancel(ticket)
            throw error
        }
        scheduleCheck()
        return ticket
    }

    func listen(isPolled: Bool) {
        self.isPolled = isPolled
        check()
    }

    func expire(at time: Duration) {
        for (_, attempt) in attempts.expire(at: time) {
            let timeout = Handshake.timeout(of: attempt.descriptor)
            closeDescriptor(attempt.descriptor)
            guard let race = attempt.race else {
                environment.report(.ended(attempt.probe, timeout))
                continue
            }
            let (outcome, address) = race.race.outcome
            race.end(outcome == .timeout && address == attempt.address ? timeout : outcome, at: address)
        }
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() {
            closeDescriptor(attempt.descriptor)
            attempt.race?.cancel()
        }
        watch?.close()
        watch = nil
    }

    func closeUnneeded(for questions: [Question]) {
        let isNeeded = questions.contains { if case .tcp = $0 { true } else { false } }
        if !isNeeded { discardInFlight(at: environment.time()) }
    }

    private func openWatch() throws -> ConnectWatch {
        if let watch { return watch }
        let opened = try ConnectWatch(on: environment.loop) { [weak self] in
            self?.environment.gate.pass()
            self?.check(isWoken: true)
        }
        watch = opened
        return opened
    }

    /// Schedules one check for all attempts of this turn of the event loop. On loopback they have completed by
    /// then, and no wakeup is needed.
    private func scheduleCheck() {
        guard !isCheckScheduled else { return }
        isCheckScheduled = true
        let bound = NIOLoopBound(self, eventLoop: environment.loop)
        environment.loop.execute {
            bound.value.isCheckScheduled = false
            bound.value.check()
        }
    }

    /// Ends the attempts whose handshake has completed or failed.
    ///
    /// - Parameter isWoken: whether the loop was woken only for this check.
    private func check(isWoken: Bool = false) {
        guard attempts.nextDeadline != nil, let watch else { return }
        var isFull = true
        while isFull {
            let tickets = watch.readyTickets()
            let now = environment.time()
            for ticket in tickets { end(ticket, at: now) }
            if isWoken, !tickets.isEmpty { recordWake(at: now) }
            isFull = tickets.count == ConnectWatch.batch
        }
        guard attempts.nextDeadline != nil else { return }
        if isPolled || environment.time() < coalescingEnd { scheduleDelayedCheck() } else { watch.arm() }
    }

    private func recordWake(at now: Duration) {
        if let lastWake, now - lastWake < Self.coalescingInterval * 2 {
            coalescingEnd = now + Self.coalescingInterval
        }
        lastWake = now
    }

    private func scheduleDelayedCheck() {
        guard !isDelayedCheckScheduled else { return }
        isDelayedCheckScheduled = true
        environment.gate.schedule(in: Self.coalescingInterval) { [self] in
            isDelayedCheckScheduled = false
            check(isWoken: true)
        }
    }

    private func end(_ ticket: InFlight<Attempt>.Ticket, at now: Duration) {
        guard let attempt = attempts.remove(ticket) else { return }
        let handshake = Handshake(of: attempt.descriptor)
        let outcome: Outcome =
            if handshake.isConnectedToItself(at: attempt.address, port: attempt.port) {
                .failure(Failure(.refused))
            } else if handshake.isCompleted {
                .reply(roundTrip: handshake.roundTrip(within: now - attempt.start))
            } else {
                handshake.failure(at: attempt.address)
            }
        closeDescriptor(attempt.descriptor)
        guard let race = attempt.race else { return environment.report(.ended(attempt.probe, outcome)) }
        if case .reply = outcome {
            race.end(outcome, at: attempt.address)
        } else {
            race.fail(attempt.address, with: outcome)
        }
    }
}

/// The attempts of one probe to several addresses, each by a plain socket. The first that succeeds wins.
private final class HandshakeRace: RacingAttempts {
    let environment: ProberEnvironment
    var race: ConnectionRace
    var timer: Scheduled<Void>?
    var isStarting = false
    var isOver = false
    private let probe: Probe
    private let prober: HandshakeProber
    private var tickets: [InFlight<HandshakeProber.Attempt>.Ticket] = []

    init(_ probe: Probe, _ race: ConnectionRace, of prober: HandshakeProber) {
        environment = prober.environment
        self.probe = probe
        self.race = race
        self.prober = prober
    }

    func connect(to address: IPAddress) throws {
        tickets.append(try prober.begin(probe, at: address, of: self))
    }

    func closeAttempts(to address: IPAddress?) {
        // An attempt that has failed is closed, and an address is tried once.
        guard address == nil else { return }
        for ticket in tickets { prober.cancel(ticket) }
        tickets = []
    }

    func failed(_ outcome: Outcome, at address: IPAddress) {
        var probe = probe
        probe.address = address
        environment.report(.ended(probe, outcome))
    }

    /// Ends the race with an outcome, and closes its other attempts.
    func end(_ outcome: Outcome, at address: IPAddress) {
        guard !isOver else { return }
        cancel()
        failed(outcome, at: address)
    }
}
#endif
