import Monitoring
import NIOCore
import NIOPosix

/// Asks by connections that are held between the probes, and made again when they end. Confined to its event loop.
final class SessionProber: Prober {
    private struct Appointment {
        let target: Target.ID
        let time: Duration
    }

    private let loop: any EventLoop
    private let desk: SearchDesk
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var holds: [Target.ID: SessionHold] = [:]
    private var appointments = Agenda<Appointment>()
    private var attempts = 0

    init(
        loop: any EventLoop,
        desk: SearchDesk,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.loop = loop
        self.desk = desk
        self.shortage = shortage
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? { appointments.next }

    func peer(of target: Target.ID) -> IPAddress? {
        guard let hold = holds[target], hold.machine.knowsPeer else { return nil }
        return hold.address
    }

    func ask(_ probe: Probe) {
        guard let address = probe.address else { return }
        ask(probe, trying: [address])
    }

    func ask(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .session(_, let port, let options) = probe.question else { return }
        let now = time()
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return tell(.ended(probe, .fault(error)))
        }
        if holds[probe.target] == nil {
            let machine = SessionMachine(options, generator: SystemRandomNumberGenerator())
            holds[probe.target] = SessionHold(port: port, machine: machine, addresses: addresses)
        }
        // Only a new attempt goes to another address, or leaves from another.
        if holds[probe.target]?.machine.knowsPeer == false { holds[probe.target]?.use(addresses) }
        holds[probe.target]?.source = probe.source
        holds[probe.target]?.origin = origin
        let hold = holds[probe.target]
        let roundTrip = hold?.channel?.smoothedRoundTrip
        step(probe.target) {
            $0.ask(probe, at: now, roundTrip: roundTrip, lackOfWayOut: hold?.lackOfWayOut())
        }
    }

    func expire(at time: Duration) {
        while let appointment = appointments.take(at: time) {
            guard isKept(appointment), let hold = holds[appointment.target] else { continue }
            if let (fault, talk) = slowSearch(of: hold.machine) {
                step(appointment.target) { $0.searched(.failure(fault), talk: talk, at: time) }
                continue
            }
            let last = hold.connector?.outcome
            if let last { holds[appointment.target]?.address = last.address }
            step(appointment.target) { $0.expire(at: time, lackOfWayOut: hold.lackOfWayOut() ?? last?.outcome.failure) }
        }
    }

    /// The fault of a pattern that is still searched for, though not since a moment ago.
    private func slowSearch(of machine: SessionMachine) -> (Fault, talk: Int)? {
        guard let talk = machine.talk, let expectation = talk.expectation, expectation.isSearching else { return nil }
        return desk.fault(of: expectation.pattern).map { ($0, talk.number) }
    }

    func void(at time: Duration) {
        for target in holds.keys {
            step(target) {
                $0.void(at: time)
                return []
            }
        }
    }

    func keep(for questions: [Question]) {}

    func adapt(to network: LocalNetwork, at time: Duration) {
        for (target, hold) in holds {
            step(target) { $0.networkChanged(at: time, lackOfWayOut: hold.lackOfWayOut(in: network)) }
        }
    }

    func retry(_ target: Target.ID, at time: Duration) {
        step(target) { $0.retry(at: time) }
    }

    func forget(_ target: Target.ID) {
        guard var hold = holds.removeValue(forKey: target) else { return }
        for channel in [hold.leave(), hold.release()] { channel?.close(promise: nil) }
        tell(.session(target, .cancelled))
        appointments.discard { !isKept($0) }
    }

    /// Hands something to a target's machine, and does what follows.
    private func step(_ target: Target.ID, _ input: (inout SessionMachine) -> [SessionMachine.Act]) {
        guard var machine = holds[target]?.machine else { return }
        let before = machine.deadline
        let acts = input(&machine)
        holds[target]?.machine = machine
        if let deadline = machine.deadline, deadline != before {
            appointments.add(Appointment(target: target, time: deadline), at: deadline)
        }
        appointments.discard { !isKept($0) }
        for act in acts { perform(act, for: target) }
    }

    private func isKept(_ appointment: Appointment) -> Bool {
        holds[appointment.target]?.machine.deadline == appointment.time
    }

    private func perform(_ act: SessionMachine.Act, for target: Target.ID) {
        switch act {
        case .connect: connect(target)
        case .close: holds[target]?.leave()?.close(promise: nil)
        case .send(let payload): send(payload, for: target)
        case .search(let search, let talk): run(search, of: talk, for: target)
        case .end(var probe, let outcome):
            if let hold = holds[target] { probe.address = hold.address }
            tell(.ended(probe, outcome))
        case .announce(let state): tell(.session(target, state, state == .ready ? holds[target]?.peer : nil))
        case .hasten: tell(.hasten(target))
        }
    }

    // MARK: The connection

    private func connect(_ target: Target.ID) {
        guard let hold = holds[target] else { return }
        attempts += 1
        let attempt = attempts
        holds[target]?.release()?.close(promise: nil)
        holds[target]?.attempt = attempt
        let now = time()
        guard holds[target]?.attempt == attempt else { return }
        let source = hold.source
        let connector = Connector(
            to: Connector.Destination(
                addresses: hold.addresses,
                port: hold.port,
                deadline: hold.machine.deadline ?? now,
                origin: { address throws(Fault) in
                    try source.map { source throws(Fault) in try Origin(source, toward: address) }
                }
            ),
            on: loop,
            from: now,
            repetition: hold.machine.repetition,
            options: KeepAlive(idle: hold.machine.options.keepalive).options,
            shortage: shortage,
            time: time,
            report: { [weak self] in self?.take($0, of: target, attempt) }
        )
        holds[target]?.connector = connector
        connector.start()
    }

    private func take(_ event: Connector.Event, of target: Target.ID, _ attempt: Int) {
        // Read before the connection is looked for: its probe is void if this process was stopped meanwhile.
        let now = time()
        guard holds[target]?.attempt == attempt else {
            if case .open(let channel, _, _) = event { channel.close(promise: nil) }
            return
        }
        holds[target]?.connector = nil
        switch event {
        case .open(let channel, let address, let roundTrip):
            holds[target]?.opened(channel, to: address)
            let handler = SessionHandler(roundTrip: roundTrip) { [weak self] in self?.hear($0, from: target, attempt) }
            do {
                try channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                hear(.broke(error), from: target, attempt)
            }
        case .reset(let address, _):
            fail(.failure(Failure(.reset)), at: address, target, at: now)
        case .failed(let outcome, let address):
            fail(outcome, at: address, target, at: now)
        }
    }

    private func fail(_ outcome: Outcome, at address: IPAddress, _ target: Target.ID, at now: Duration) {
        holds[target]?.address = address
        guard let cause = holds[target]?.cause(of: outcome) else { return }
        step(target) { $0.broke(cause, at: now) }
    }

    private func send(_ payload: Payload, for target: Target.ID) {
        guard let hold = holds[target], let channel = hold.channel, let attempt = hold.attempt else { return }
        channel.writeAndFlush(ByteBuffer(bytes: payload.bytes))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.hear(.broke($0), from: target, attempt) }
    }

    private func run(_ search: Search, of talk: Int, for target: Target.ID) {
        let attempt = holds[target]?.attempt
        desk.run(search) { [weak self] result in
            guard let self else { return }
            // Read before the connection is looked for: its probe is void if this process was stopped meanwhile.
            let now = time()
            guard holds[target]?.attempt == attempt else { return }
            step(target) { $0.searched(result, talk: talk, at: now) }
        }
    }

    private func hear(_ news: SessionHandler.News, from target: Target.ID, _ attempt: Int) {
        // Read before the connection is looked for: its probe is void if this process was stopped meanwhile.
        let now = time()
        guard let hold = holds[target], hold.attempt == attempt else { return }
        switch news {
        case .connected(let roundTrip): step(target) { $0.connected(in: roundTrip, at: now) }
        case .heard(let buffer): step(target) { $0.hear(buffer.readableBytesView, at: now) }
        case .closed: step(target) { $0.closed(at: now) }
        case .broke(let error):
            guard let cause = hold.cause(of: Outcome(error, to: hold.address)) else { return }
            step(target) { $0.broke(cause, at: now) }
        }
    }
}

extension Outcome {
    /// The failure, where it is one.
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }
}
