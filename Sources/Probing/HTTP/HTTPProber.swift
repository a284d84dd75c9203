import Monitoring
import NIOCore

/// Asks by HTTP requests, each on a fresh connection. Confined to its event loop.
final class HTTPProber: Prober {
    /// How long a probe that failed waits before it asks again.
    static let pause = Duration.milliseconds(100)

    private typealias Ticket = InFlight<Journey>.Ticket

    private let gate: LoopGate
    private let contexts: TLSContexts
    private let searches: SearchDesk
    private let names: WaysideNames
    private let shortage: () -> Fault?
    private let time: () -> Duration
    private let tell: (Notice) -> Void
    private var journeys = InFlight<Journey>()

    init(
        gate: LoopGate,
        contexts: TLSContexts,
        searches: SearchDesk,
        names: WaysideNames,
        shortage: @escaping () -> Fault? = { nil },
        time: @escaping () -> Duration,
        tell: @escaping (Notice) -> Void
    ) {
        self.gate = gate
        self.contexts = contexts
        self.searches = searches
        self.names = names
        self.shortage = shortage
        self.time = time
        self.tell = tell
    }

    var nextDeadline: Duration? { journeys.nextDeadline }

    func ask(_ probe: Probe) {
        guard let address = probe.address else { return }
        ask(probe, trying: [address])
    }

    func ask(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .http(let question) = probe.question else { return }
        let journey = Journey(probe, asking: question, at: addresses)
        if IPAddress(literal: question.host) == nil { journey.stopwatch.end(.resolve, at: time()) }
        let ticket = journeys.add(journey, deadline: probe.deadline)
        call(addresses, on: journey, ticket)
    }

    func expire(at time: Duration) {
        for (_, journey) in journeys.expire(at: time) {
            let outcome = Self.outcome(journey.connection?.outcomeOfSilence ?? .timeout, of: journey)
            // A pattern that takes so long is at fault, and not the target.
            let fault = journey.isSearching ? journey.question.options.body.flatMap(searches.fault) : nil
            journey.noteAddress()
            journey.leave()
            tell(.ended(journey.probe, fault.map { .fault($0) } ?? outcome))
        }
    }

    func void(at time: Duration) {
        for journey in journeys.removeAll() { journey.leave() }
    }

    func keep(for questions: [Question]) {}

    private func call(_ addresses: [IPAddress], on journey: Journey, _ ticket: Ticket) {
        journey.leave()
        let question = journey.question
        let identity = question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil
        let connection = Connection(
            Connection.Course(
                // A redirect leads elsewhere, and another address may need another way out.
                destination: Connector.Destination(addresses, port: question.port, for: journey.probe),
                identity: identity,
                options: question.tls
            ),
            contexts: contexts,
            stopwatch: journey.stopwatch,
            shortage: shortage,
            time: time
        )
        journey.connection = connection
        let step = journey.step
        connection.dial(on: gate.loop) { [weak self, weak connection] event in
            guard let self, let connection, journey.step == step else { return }
            switch event {
            case .open(let channel):
                journey.noteAddress()
                journey.expiry = [journey.expiry, connection.certificateExpiry].compactMap { $0 }.min()
                request(channel, on: journey, ticket)
            case .over(let outcome):
                conclude(Self.outcome(outcome, of: journey), of: journey, ticket)
            }
        }
    }

    /// What a connection comes to that could not be made. Where a redirect leads is the server's choice: an address that this
    /// machine cannot connect to, such as a link-local one without its interface, is a wrong answer and no fault.
    private static func outcome(_ outcome: Outcome, of journey: Journey) -> Outcome {
        guard journey.isElsewhere, case .fault(let fault) = outcome, [.internal, .noSource].contains(fault.problem)
        else { return outcome }
        let detail = "redirects to \(String(quotingHost: journey.question.host)): \(fault.detail)"
        return .failure(Failure(.noRoute, detail: detail))
    }

    private func request(_ channel: any Channel, on journey: Journey, _ ticket: Ticket) {
        let step = journey.step
        let exchange = Exchange(journey.question, stopwatch: journey.stopwatch, time: time) { [weak self] word in
            guard let self, journey.step == step else { return }
            switch word {
            case .answer(let answer): take(answer, on: journey, ticket)
            case .over(let outcome): conclude(outcome, of: journey, ticket)
            }
        }
        do {
            try exchange.begin(on: channel)
        } catch {
            conclude(.failure(Failure(.closed)), of: journey, ticket)
        }
    }

    private func take(_ answer: HTTPAnswer, on journey: Journey, _ ticket: Ticket) {
        let (question, status) = (journey.question, answer.status)
        // A server that is not through with its answer may never be.
        journey.leave(inOrder: answer.isWhole)
        if question.isFollowed(status), let location = answer.location {
            guard let next = question.redirected(by: status, to: location) else {
                let detail = RedirectReference(location).words
                return conclude(.failure(Failure(.protocolError, detail: detail)), of: journey, ticket)
            }
            return follow(next, on: journey, ticket)
        }
        guard question.options.expects(status) else {
            let limit = answer.location == nil ? nil : journey.first.wordsOnLimit(at: status)
            let detail = [answer.statusText, limit].compactMap(\.self).joined(separator: " – ")
            let failure = Failure(.httpStatus, detail: detail, httpStatus: status)
            return conclude(.failure(failure), of: journey, ticket)
        }
        guard let pattern = question.options.body else {
            return conclude(reply(to: answer, on: journey), of: journey, ticket)
        }
        search(answer, for: pattern, on: journey, ticket)
    }

    private func follow(_ next: HTTPQuestion, on journey: Journey, _ ticket: Ticket) {
        journey.question = next
        if next.host == journey.first.host { return call(journey.addresses, on: journey, ticket) }
        let step = journey.step
        let name = NameQuery(next.host, family: journey.probe.family)
        names.find(name, until: journey.probe.deadline) { [weak self] resolution in
            guard let self, journey.step == step else { return }
            journey.stopwatch.end(.resolve, at: time())
            switch resolution {
            case .addresses(let addresses): call(addresses, on: journey, ticket)
            case .failure(let failure): conclude(.failure(failure), of: journey, ticket)
            case .fault(let fault): conclude(.fault(fault), of: journey, ticket)
            }
        }
    }

    private func search(_ answer: HTTPAnswer, for pattern: String, on journey: Journey, _ ticket: Ticket) {
        let (reply, step) = (reply(to: answer, on: journey), journey.step)
        let search = Search(pattern: pattern, text: Array(buffer: answer.body), isWhole: true)
        journey.isSearching = true
        searches.run(search) { [weak self] result in
            guard let self, journey.step == step else { return }
            switch result {
            case .success(.found), .success(.atEnd): conclude(reply, of: journey, ticket)
            case .success(.none):
                let failure = HTTPOptions.failure(of: answer)
                conclude(.failure(failure), of: journey, ticket)
            case .failure(let fault): conclude(.fault(fault), of: journey, ticket)
            }
        }
    }

    private func reply(to answer: HTTPAnswer, on journey: Journey) -> Outcome {
        var reply = Reply(expiry: journey.expiry, at: contexts.now, journey.first.tls, journey.stopwatch)
        reply.detail = "HTTP \(answer.status)"
        reply.httpStatus = answer.status
        return .reply(reply)
    }

    /// Ends a probe, unless it may ask once more.
    private func conclude(_ outcome: Outcome, of journey: Journey, _ ticket: Ticket) {
        // Read before the journey is looked for: it is void if this process was stopped meanwhile.
        let now = time()
        journey.noteAddress()
        journey.leave()
        if case .failure(let failure) = outcome, failure.mayPass, journey.retries > 0,
            now + Self.pause < journey.probe.deadline
        {
            let step = journey.step
            let bound = NIOLoopBound((prober: self, journey: journey), eventLoop: gate.loop)
            gate.loop.scheduleTask(in: .nanoseconds(Self.pause.nanoseconds)) {
                let (prober, journey) = bound.value
                guard journey.step == step else { return }
                journey.beginAnew(at: prober.time())
                prober.call(journey.addresses, on: journey, ticket)
            }
            return
        }
        guard journeys.remove(ticket) != nil else { return }
        tell(.ended(journey.probe, outcome))
    }
}

extension Failure {
    /// Whether asking again may help at once. A certificate stays what it is.
    fileprivate var mayPass: Bool {
        switch reason {
        case .certificateExpired, .certificateName, .certificateUntrusted: false
        default: true
        }
    }
}
