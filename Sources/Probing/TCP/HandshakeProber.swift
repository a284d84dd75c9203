#if os(Linux)
    import Monitoring
    import NIOCore

    import LibC

    /// Asks whether a connection can be made, and says nothing on it. Confined to its event loop.
    ///
    /// A channel of SwiftNIO would cost as much again as the kernel takes to connect: nobody needs its buffers, its pipeline, its
    /// timer and the addresses that it looks up.
    final class HandshakeProber: Prober {
        private struct Attempt {
            let probe: Probe
            let descriptor: CInt
            let start: Duration
            let address: IPAddress
            let port: UInt16
            /// What it belongs to; nil where the target has one address.
            let race: Race?
        }

        /// The attempts of one probe to several addresses.
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

        /// How long those who let us in one shortly after the other are waited for together: their round trips are the
        /// kernel's, and to be woken for each would cost more than to ask it.
        private static let patience = Duration.milliseconds(10)

        private let loop: any EventLoop
        private let shortage: () -> Fault?
        private let time: () -> Duration
        private let tell: (Notice) -> Void
        private var attempts = InFlight<Attempt>()
        /// Nil while nobody is asked.
        private var watch: ConnectWatch?
        private var isPolled = false
        /// Whether this turn of the event loop ends with a look at what has become of its attempts.
        private var willListen = false
        /// Whether there will be such a look after a while.
        private var willLook = false
        /// When the loop was woken last by somebody, or for him.
        private var lastHeard: Duration?
        /// Until when nobody need wake the loop for those who are waited for.
        private var patienceEnd = Duration.zero

        /// - Parameter shortage: why no further attempt of a probe may take a descriptor; nil where one may.
        init(
            loop: any EventLoop,
            shortage: @escaping () -> Fault? = { nil },
            time: @escaping () -> Duration,
            tell: @escaping (Notice) -> Void
        ) {
            self.loop = loop
            self.shortage = shortage
            self.time = time
            self.tell = tell
        }

        var nextDeadline: Duration? { attempts.nextDeadline }

        func ask(_ probe: Probe) {
            guard case .tcp(_, let port, _) = probe.question, let address = probe.address else { return }
            do {
                try begin(probe, on: address, port: port, leaving: probe.origin())
            } catch {
                tell(.ended(probe, Outcome(error, to: address)))
            }
        }

        func ask(_ probe: Probe, trying addresses: [IPAddress]) {
            let now = time()
            start(Race(probe, ConnectionRace(addresses, from: now, until: probe.deadline)))
        }

        /// Starts the attempts of a race that are due.
        private func start(_ race: Race) {
            guard case .tcp(_, let port, _) = race.probe.question, !race.isStarting else { return }
            race.isStarting = true
            defer { race.isStarting = false }
            race.timer?.cancel()
            race.timer = nil
            while !race.isOver, let address = race.order.next(at: time()) {
                if race.order.hasCompany, shortage() != nil {
                    race.order.postpone(address, at: time())
                    continue
                }
                do {
                    try begin(
                        race.probe,
                        on: address,
                        port: port,
                        leaving: race.probe.origin(toward: address),
                        of: race
                    )
                } catch {
                    fail(race, address, Outcome(error, to: address))
                }
            }
            guard !race.isOver, let next = race.order.nextAttempt else { return }
            let pause = max(.zero, next - time())
            guard !race.isOver else { return }
            let bound = NIOLoopBound((prober: self, race: race), eventLoop: loop)
            race.timer = loop.scheduleTask(in: .nanoseconds(pause.nanoseconds)) {
                bound.value.prober.start(bound.value.race)
            }
        }

        private func fail(_ race: Race, _ address: IPAddress, _ outcome: Outcome) {
            if case .fault(let fault) = outcome, fault.isShortage, race.order.hasCompany {
                race.order.postpone(address, at: time())
            } else {
                race.order.fail(address, with: outcome, at: time())
            }
            guard !race.isOver else { return }
            guard race.order.isOver else { return start(race) }
            let (outcome, address) = race.order.outcome
            end(race, outcome, at: address)
        }

        /// Ends a race, and closes what is left of it.
        private func end(_ race: Race, _ outcome: Outcome, at address: IPAddress) {
            guard !race.isOver else { return }
            drop(race)
            var probe = race.probe
            probe.address = address
            tell(.ended(probe, outcome))
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

        private func begin(
            _ probe: Probe,
            on address: IPAddress,
            port: UInt16,
            leaving origin: Origin?,
            of race: Race? = nil
        ) throws {
            // Before the watch is opened: if this process was stopped meanwhile, everything is void.
            let start = time()
            let watch = try openWatch()
            let descriptor = socket(address.family == .ipv4 ? AF_INET : AF_INET6, SocketType.connecting, 0)
            guard descriptor >= 0 else { throw IOError(errnoCode: errno, reason: "socket") }
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
            race?.tickets.append(ticket)
            listenSoon()
        }

        func listen(isPolled: Bool) {
            self.isPolled = isPolled
            listen()
        }

        func expire(at time: Duration) {
            for (_, attempt) in attempts.expire(at: time) {
                closeDescriptor(attempt.descriptor)
                guard let race = attempt.race else {
                    tell(.ended(attempt.probe, .timeout))
                    continue
                }
                let (outcome, address) = race.order.outcome
                end(race, outcome, at: address)
            }
        }

        func void(at time: Duration) {
            for attempt in attempts.removeAll() {
                closeDescriptor(attempt.descriptor)
                if let race = attempt.race { drop(race) }
            }
            watch?.close()
            watch = nil
        }

        func keep(for questions: [Question]) {
            let isNeeded = questions.contains { if case .tcp = $0 { true } else { false } }
            if !isNeeded { void(at: time()) }
        }

        private func openWatch() throws -> ConnectWatch {
            if let watch { return watch }
            let opened = try ConnectWatch(on: loop) { [weak self] in self?.listen(isWoken: true) }
            watch = opened
            return opened
        }

        /// Looks what has become of the attempts of this turn, all at once: on a network as near as this machine they have
        /// ended by then, and nobody has to be woken.
        private func listenSoon() {
            guard !willListen else { return }
            willListen = true
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.execute {
                bound.value.willListen = false
                bound.value.listen()
            }
        }

        /// - Parameter isWoken: whether the loop was woken for this alone.
        private func listen(isWoken: Bool = false) {
            guard attempts.nextDeadline != nil, let watch else { return }
            var isFull = true
            while isFull {
                let tickets = watch.take()
                // The process may have been stopped meanwhile, and then the attempts are void.
                let now = time()
                for ticket in tickets { end(ticket, at: now) }
                if isWoken, !tickets.isEmpty { heard(at: now) }
                isFull = tickets.count == ConnectWatch.batch
            }
            guard attempts.nextDeadline != nil else { return }
            if isPolled || time() < patienceEnd { lookLater() } else { watch.listen() }
        }

        private func heard(at now: Duration) {
            if let lastHeard, now - lastHeard < Self.patience * 2 { patienceEnd = now + Self.patience }
            lastHeard = now
        }

        private func lookLater() {
            guard !willLook else { return }
            willLook = true
            let bound = NIOLoopBound(self, eventLoop: loop)
            loop.scheduleTask(in: .nanoseconds(Self.patience.nanoseconds)) {
                bound.value.willLook = false
                bound.value.listen(isWoken: true)
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
                    Outcome(errno: handshake.code, to: attempt.address)
                }
            closeDescriptor(attempt.descriptor)
            guard let race = attempt.race else { return tell(.ended(attempt.probe, outcome)) }
            if case .reply = outcome {
                end(race, outcome, at: attempt.address)
            } else {
                fail(race, attempt.address, outcome)
            }
        }
    }
#endif
