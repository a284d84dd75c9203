import NIOCore
import NIOPosix
import ReachMonitoring

/// A prober that holds a TCP connection to each target between probes, and reconnects when it ends. Confined to its
/// event loop.
final class SessionProber: RacingProber {
    private struct SessionDeadline {
        let target: Target.ID
        let time: Duration
    }

    private let environment: ProberEnvironment
    private var sessions: [Target.ID: TargetSession] = [:]
    private var deadlines = CalendarQueue<SessionDeadline>()
    private var attempts = 0

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    var nextDeadline: Duration? { deadlines.next }

    func peer(of target: Target.ID) -> IPAddress? {
        guard let session = sessions[target], session.machine.knowsPeer else { return nil }
        return session.address
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .session(_, let port, let options) = probe.question else { return }
        let now = environment.time()
        let origin: Origin?
        do {
            origin = try probe.origin()
        } catch {
            return environment.report(.ended(probe, .fault(error)))
        }
        if sessions[probe.target] == nil {
            let machine = SessionMachine(options, generator: SystemRandomNumberGenerator())
            sessions[probe.target] = TargetSession(port: port, machine: machine, addresses: addresses)
        }
        // Changed addresses apply to the next attempt only.
        if sessions[probe.target]?.machine.knowsPeer == false { sessions[probe.target]?.setAddresses(addresses) }
        sessions[probe.target]?.source = probe.source
        sessions[probe.target]?.origin = origin
        let session = sessions[probe.target]
        let roundTrip = session?.channel?.smoothedRoundTrip
        update(probe.target) {
            $0.startProbe(probe, at: now, roundTrip: roundTrip, routeFailure: session?.routeFailure())
        }
    }

    func expire(at time: Duration) {
        while let deadline = deadlines.take(at: time) {
            guard isCurrent(deadline), let session = sessions[deadline.target] else { continue }
            if let (fault, conversation) = slowSearch(of: session.machine) {
                update(deadline.target) { $0.searched(.failure(fault), conversation: conversation, at: time) }
                continue
            }
            let last = session.connector?.outcome
            if let last { sessions[deadline.target]?.address = last.address }
            update(deadline.target) {
                $0.expire(
                    at: time,
                    fault: last?.outcome.fault,
                    routeFailure: session.routeFailure() ?? last?.outcome.failure
                )
            }
        }
    }

    /// Returns the fault of the pattern if its running search is slow, and the number of the conversation.
    private func slowSearch(of machine: SessionMachine) -> (Fault, conversation: Int)? {
        guard let conversation = machine.conversation, let expectation = conversation.expectation,
            expectation.isSearching
        else { return nil }
        return environment.searches.fault(of: expectation.pattern).map { ($0, conversation.number) }
    }

    func discardInFlight(at time: Duration) {
        for target in sessions.keys {
            update(target) {
                $0.discardInFlight(at: time)
                return []
            }
        }
    }

    func adapt(to network: LocalNetwork, at time: Duration) {
        for (target, session) in sessions {
            update(target) { $0.networkChanged(at: time, routeFailure: session.routeFailure(in: network)) }
        }
    }

    func retry(_ target: Target.ID, at time: Duration) {
        update(target) { $0.retry(at: time) }
    }

    func forget(_ target: Target.ID) {
        guard var session = sessions.removeValue(forKey: target) else { return }
        for channel in [session.detach(), session.releaseStranded()] { channel?.close(promise: nil) }
        environment.report(.session(target, .cancelled))
        deadlines.discard { !isCurrent($0) }
    }

    /// Passes an input to a target's state machine, and performs the actions.
    private func update(_ target: Target.ID, _ input: (inout SessionMachine) -> [SessionMachine.Action]) {
        guard var machine = sessions[target]?.machine else { return }
        let before = machine.deadline
        let actions = input(&machine)
        sessions[target]?.machine = machine
        if let deadline = machine.deadline, deadline != before {
            deadlines.add(SessionDeadline(target: target, time: deadline), at: deadline)
        }
        deadlines.discard { !isCurrent($0) }
        for action in actions { perform(action, for: target) }
    }

    private func isCurrent(_ deadline: SessionDeadline) -> Bool {
        sessions[deadline.target]?.machine.deadline == deadline.time
    }

    private func perform(_ action: SessionMachine.Action, for target: Target.ID) {
        switch action {
        case .connect: connect(target)
        case .close: sessions[target]?.detach()?.close(promise: nil)
        case .send(let payload): send(payload, for: target)
        case .search(let search, let conversation): run(search, of: conversation, for: target)
        case .end(var probe, let outcome):
            if let session = sessions[target] { probe.address = session.address }
            environment.report(.ended(probe, outcome))
        case .announce(let state):
            environment.report(.session(target, state, state == .ready ? sessions[target]?.peer : nil))
        case .probeNow: environment.report(.probeNow(target))
        }
    }

    // MARK: Connection

    private func connect(_ target: Target.ID) {
        guard let session = sessions[target] else { return }
        attempts += 1
        let attempt = attempts
        sessions[target]?.releaseStranded()?.close(promise: nil)
        sessions[target]?.attempt = attempt
        let source = session.source
        let connector = Connector(
            to: Connector.Destination(
                addresses: session.addresses,
                port: session.port,
                deadline: session.machine.deadline ?? environment.time(),
                origin: { address throws(Fault) in
                    try source.map { source throws(Fault) in try Origin(source, toward: address) }
                }
            ),
            in: environment,
            repetition: session.machine.repetition,
            options: KeepAlive(idle: session.machine.options.keepalive).options,
            report: { [weak self] in self?.handle($0, of: target, attempt) }
        )
        sessions[target]?.connector = connector
        connector.start()
    }

    private func handle(_ event: Connector.Event, of target: Target.ID, _ attempt: Int) {
        let now = environment.time()
        guard sessions[target]?.attempt == attempt else {
            if case .open(let channel, _, _) = event { channel.close(promise: nil) }
            return
        }
        sessions[target]?.connector = nil
        switch event {
        case .open(let channel, let address, let roundTrip):
            sessions[target]?.opened(channel, to: address)
            let handler = SessionHandler(roundTrip: roundTrip) { [weak self] event in
                self?.handle(event, from: target, attempt)
            }
            do {
                try channel.pipeline.syncOperations.addHandler(handler)
            } catch {
                handle(.failed(error), from: target, attempt)
            }
        case .reset(let address, _):
            fail(.failure(Failure(.reset)), at: address, target, at: now)
        case .failed(let outcome, let address):
            fail(outcome, at: address, target, at: now)
        }
    }

    private func fail(_ outcome: Outcome, at address: IPAddress, _ target: Target.ID, at now: Duration) {
        sessions[target]?.address = address
        guard let cause = sessions[target]?.cause(of: outcome) else { return }
        update(target) { $0.failed(cause, at: now) }
    }

    private func send(_ payload: Payload, for target: Target.ID) {
        guard let session = sessions[target], let channel = session.channel, let attempt = session.attempt else {
            return
        }
        channel.writeAndFlush(ByteBuffer(bytes: payload.bytes))
            .assumeIsolated()
            .whenFailure { [weak self] in self?.handle(.failed($0), from: target, attempt) }
    }

    private func run(_ search: PatternSearch, of conversation: Int, for target: Target.ID) {
        let attempt = sessions[target]?.attempt
        environment.searches.run(search) { [weak self] result in
            guard let self else { return }
            let now = environment.time()
            guard sessions[target]?.attempt == attempt else { return }
            update(target) { $0.searched(result, conversation: conversation, at: now) }
        }
    }

    private func handle(_ event: SessionHandler.Event, from target: Target.ID, _ attempt: Int) {
        let now = environment.time()
        guard let session = sessions[target], session.attempt == attempt else { return }
        switch event {
        case .connected(let roundTrip): update(target) { $0.connected(in: roundTrip, at: now) }
        case .received(let buffer): update(target) { $0.receive(buffer.readableBytesView, at: now) }
        case .closed: update(target) { $0.closed(at: now) }
        case .failed(let error):
            guard let cause = session.cause(of: Outcome(error, to: session.address)) else { return }
            update(target) { $0.failed(cause, at: now) }
        }
    }
}

extension Outcome {
    /// The failure; nil for other outcomes.
    fileprivate var failure: Failure? {
        if case .failure(let failure) = self { failure } else { nil }
    }

    /// The fault; nil for other outcomes.
    fileprivate var fault: Fault? {
        if case .fault(let fault) = self { fault } else { nil }
    }
}
