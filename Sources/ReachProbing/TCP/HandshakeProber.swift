#if os(Linux)
import NIOCore
import ReachMonitoring

import ReachSystem

/// A prober that opens TCP connections without exchanging data. Confined to its event loop.
///
/// It uses plain sockets. A SwiftNIO channel would double the cost of a connection with buffers, a pipeline, a
/// timer and address lookups that are not needed.
final class HandshakeProber: MethodProber {
    private struct Attempt {
        let probe: Probe
        let descriptor: CInt
        let start: Duration
        let address: IPAddress
        let port: UInt16
        /// The race of the attempt; nil if the target has one address.
        let race: Race?
    }

    /// The concurrent attempts of one probe to several addresses.
    private final class Race {
        let probe: Probe
        var order: ConnectionRace
        var tickets: [InFlight<Attempt>.Ticket] = []
        var timer: Scheduled<Void>?
        var isOver = false
        var isStarting = false

        init(_ probe: Probe, _ order: ConnectionRace) {
            self.probe = probe
            self.order = order
        }
    }

    /// The interval in which completed handshakes are coalesced into one check. The kernel measures the round
    /// trips, and a wakeup for each handshake would cost more than polling.
    private static let coalescingInterval = Duration.milliseconds(10)

    private let environment: ProberEnvironment
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
        guard case .tcp(_, let port, _) = probe.question, let address = probe.address else { return }
        do {
            _ = try begin(probe, on: address, port: port, leaving: probe.origin())
        } catch {
            environment.report(.ended(probe, Outcome(error, to: address)))
        }
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        let now = environment.time()
        start(Race(probe, ConnectionRace(addresses, from: now, until: probe.deadline)))
    }

    /// Starts the attempts of a race that are due.
    private func start(_ race: Race) {
        guard case .tcp(_, let port, _) = race.probe.question, !race.isStarting else { return }
        race.isStarting = true
        defer { race.isStarting = false }
        race.timer?.cancel()
        race.timer = nil
        while let address = race.order.next(at: environment.time()), !race.isOver {
            if race.order.hasOtherAttempts, environment.shortage() != nil {
                race.order.postpone(address, at: environment.time())
                continue
            }
            do {
                let ticket = try begin(
                    race.probe,
                    on: address,
                    port: port,
                    leaving: race.probe.origin(toward: address),
                    of: race
                )
                race.tickets.append(ticket)
            } catch {
                fail(race, address, Outcome(error, to: address))
            }
        }
        guard !race.isOver, let next = race.order.nextAttempt else { return }
        race.timer = environment.gate.schedule(in: max(.zero, next - environment.time())) { [self] in start(race) }
    }

    private func fail(_ race: Race, _ address: IPAddress, _ outcome: Outcome) {
        if case .fault(let fault) = outcome, fault.isShortage, race.order.hasOtherAttempts {
            race.order.postpone(address, at: environment.time())
        } else {
            race.order.fail(address, with: outcome, at: environment.time())
        }
        guard !race.isOver else { return }
        guard race.order.isOver else { return start(race) }
        let (outcome, address) = race.order.outcome
        end(race, outcome, at: address)
    }

    /// Ends a race, and closes its other attempts.
    private func end(_ race: Race, _ outcome: Outcome, at address: IPAddress) {
        guard !race.isOver else { return }
        drop(race)
        var probe = race.probe
        probe.address = address
        environment.report(.ended(probe, outcome))
    }

    private func drop(_ race: Race) {
        race.isOver = true
        race.timer?.cancel()
        race.timer = nil
        for ticket in race.tickets {
            if let attempt = attempts.remove(ticket) { closeDescriptor(attempt.descriptor) }
        }
        race.tickets = []
    }

    /// Starts a probe of one address, from a source.
    ///
    /// - Returns: The number by which ``cancel(_:)`` ends it.
    func begin(_ probe: Probe, on address: IPAddress, port: UInt16, leaving origin: Origin?) throws -> Int {
        try begin(probe, on: address, port: port, leaving: origin, of: nil)
    }

    /// Ends a probe without an outcome.
    func cancel(_ number: Int) {
        if let attempt = attempts.remove(number) { closeDescriptor(attempt.descriptor) }
    }

    private func begin(
        _ probe: Probe,
        on address: IPAddress,
        port: UInt16,
        leaving origin: Origin?,
        of race: Race?
    ) throws -> InFlight<Attempt>.Ticket {
        let start = environment.time()
        let watch = try openWatch()
        let descriptor = socket(address.family == .ipv4 ? AF_INET : AF_INET6, SocketType.connecting, 0)
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
            _ = attempts.remove(ticket)
            closeDescriptor(descriptor)
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
            let (outcome, address) = race.order.outcome
            end(race, outcome == .timeout && address == attempt.address ? timeout : outcome, at: address)
        }
    }

    func discardInFlight(at time: Duration) {
        for attempt in attempts.removeAll() {
            closeDescriptor(attempt.descriptor)
            if let race = attempt.race { drop(race) }
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
            end(race, outcome, at: attempt.address)
        } else {
            fail(race, attempt.address, outcome)
        }
    }
}
#endif
