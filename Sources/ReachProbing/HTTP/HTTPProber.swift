import ReachMonitoring
import NIOCore

/// A prober that sends HTTP requests, each on a new connection. Confined to its event loop.
final class HTTPProber: AttemptProber, RacingProber {
    /// The delay between a failed request and its retry.
    static let retryDelay = Duration.milliseconds(100)

    private typealias Ticket = InFlight<HTTPAttempt>.Ticket

    let environment: ProberEnvironment
    var attempts = InFlight<HTTPAttempt>()

    init(_ environment: ProberEnvironment) {
        self.environment = environment
    }

    func send(_ probe: Probe, trying addresses: [IPAddress]) {
        guard case .http(let question) = probe.question else { return }
        let stopwatch = Stopwatch(of: probe, to: question.peerHost, at: environment.time())
        let attempt = HTTPAttempt(probe, requesting: question, at: addresses, stopwatch)
        let ticket = attempts.add(attempt, deadline: probe.deadline)
        connect(addresses, on: attempt, ticket)
    }

    /// Connects for the next request, unless the attempt has ended.
    private func connect(_ addresses: [IPAddress], on attempt: HTTPAttempt, _ ticket: Ticket) {
        guard attempts[ticket] != nil else { return }
        attempt.disconnect()
        let question = attempt.question
        let proxy = question.proxy
        let identity = question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil
        let connection = Connection(
            Connection.Configuration(
                // The source is resolved for each address: a redirect may need another route.
                destination: Connector.Destination(addresses, port: proxy?.port ?? question.port, for: attempt.probe),
                identity: identity,
                options: question.tls,
                tunnel: question.isSecure ? proxy.map { ProxyTunnel(through: $0, to: question) } : nil
            ),
            stopwatch: attempt.stopwatch,
            in: environment
        )
        attempt.connection = connection
        let generation = attempt.generation
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, attempt.generation == generation else { return }
            switch event {
            case .open(let channel):
                attempt.expiry = [attempt.expiry, connection.certificateExpiry].compactMap { $0 }.min()
                request(channel, on: attempt, ticket)
            case .over(let outcome):
                finish(attempt.outcome(after: outcome), of: attempt, ticket)
            }
        }
    }

    private func request(_ channel: any Channel, on attempt: HTTPAttempt, _ ticket: Ticket) {
        let generation = attempt.generation
        let question = attempt.cookies.adding(to: attempt.question)
        let exchange = HTTPExchange(question, stopwatch: attempt.stopwatch, time: environment.time) {
            [weak self] event in
            guard let self, attempt.generation == generation else { return }
            switch event {
            case .response(let response): process(response, on: attempt, ticket)
            case .failed(let outcome): finish(outcome, of: attempt, ticket)
            }
        }
        attempt.exchange = exchange
        do {
            try exchange.start(on: channel)
        } catch {
            finish(.failure(Failure(.closed)), of: attempt, ticket)
        }
    }

    private func process(_ response: HTTPResponse, on attempt: HTTPAttempt, _ ticket: Ticket) {
        let (question, status) = (attempt.question, response.status)
        // An incomplete response may never end, so its connection is closed at once.
        attempt.disconnect(isOrderly: response.isComplete)
        if question.isFollowed(status), let location = response.location {
            guard let next = question.redirected(by: status, to: location) else {
                let detail = RedirectReference(location).message
                return finish(.failure(Failure(.protocolError, detail: detail)), of: attempt, ticket)
            }
            attempt.cookies.store(response.cookies, from: question, at: environment.contexts.now)
            return follow(next, on: attempt, ticket)
        }
        guard question.options.expects(status) else {
            let limit = response.location == nil ? nil : attempt.first.limitMessage(at: status)
            // This status is always the proxy's own (RFC 9110 §15.5.8).
            let origin = status == 407 && question.proxy != nil ? "proxy: " : ""
            let expected = question.options.expectedStatus.map { ", not \($0)" } ?? ""
            let detail = origin + [response.statusText + expected, limit].compactMap(\.self).joined(separator: " – ")
            let failure = Failure(.httpStatus, detail: detail, httpStatus: status)
            return finish(.failure(failure), of: attempt, ticket)
        }
        do throws(Failure) {
            let searches = try response.checkHeaders(question.options.responseHeaders)
            check(response, after: searches, on: attempt, ticket)
        } catch {
            finish(.failure(error), of: attempt, ticket)
        }
    }

    private func follow(_ next: HTTPQuestion, on attempt: HTTPAttempt, _ ticket: Ticket) {
        attempt.question = next
        // The name belongs to the target's own host, which another host may redirect back to.
        if next.host.lowercased() == attempt.first.host.lowercased() {
            attempt.question.tls.serverName = attempt.first.tls.serverName
        }
        if next.peerHost == attempt.first.peerHost { return connect(attempt.addresses, on: attempt, ticket) }
        let generation = attempt.generation
        let name = NameQuery(next.peerHost, family: attempt.probe.family)
        environment.redirects.lookUp(name, until: attempt.probe.deadline) { [weak self] resolution in
            guard let self, attempt.generation == generation else { return }
            attempt.stopwatch.end(.resolve, at: environment.time())
            switch resolution {
            case .addresses(let addresses): connect(addresses, on: attempt, ticket)
            case .failure(let failure): finish(.failure(failure), of: attempt, ticket)
            case .fault(let fault): finish(.fault(fault), of: attempt, ticket)
            }
        }
    }

    /// Decodes and checks the body, and runs the searches in header fields and the body.
    private func check(
        _ response: HTTPResponse,
        after searches: [HTTPSearch],
        on attempt: HTTPAttempt,
        _ ticket: Ticket
    ) {
        let options = attempt.question.options
        let outcome = reply(to: response, on: attempt)
        guard !options.json.isEmpty || options.readsBody && response.isEncoded else {
            return run(searches + response.searches(for: options), then: outcome, on: attempt, ticket)
        }
        let (gate, generation) = (environment.gate, attempt.generation)
        let bound = NIOLoopBound((prober: self, attempt: attempt), eventLoop: gate.loop)
        // Off the loop: decoding a long body would delay the other probes.
        Task.detached {
            let result = Result { () throws(Failure) in
                let response = try response.decoded()
                return (try response.checkJSON(options.json), response)
            }
            gate.enter {
                let (prober, attempt) = bound.value
                guard attempt.generation == generation else { return }
                switch result {
                case .success((let found, let response)):
                    let all = searches + found + response.searches(for: options)
                    prober.run(all, then: outcome, on: attempt, ticket)
                case .failure(let failure):
                    prober.finish(.failure(failure), of: attempt, ticket)
                }
            }
        }
    }

    /// Runs searches one after another, and ends the probe with the first failure, or else with `outcome`.
    private func run(_ all: [HTTPSearch], then outcome: Outcome, on attempt: HTTPAttempt, _ ticket: Ticket) {
        guard let next = all.first else { return finish(outcome, of: attempt, ticket) }
        let generation = attempt.generation
        attempt.searchedPattern = next.search.pattern
        environment.searches.run(next.search) { [weak self] result in
            guard let self, attempt.generation == generation else { return }
            attempt.searchedPattern = nil
            switch result {
            case .success(let match) where (match != .none) == next.mustMatch:
                run(Array(all.dropFirst()), then: outcome, on: attempt, ticket)
            case .success: finish(.failure(next.failure), of: attempt, ticket)
            case .failure(let fault): finish(.fault(fault), of: attempt, ticket)
            }
        }
    }

    private func reply(to response: HTTPResponse, on attempt: HTTPAttempt) -> Outcome {
        var reply = Reply(expiry: attempt.expiry, at: environment.contexts.now, attempt.first.tls, attempt.stopwatch)
        reply.detail = "HTTP \(response.status)"
        reply.httpStatus = response.status
        return .reply(reply)
    }

    /// Retries the request if that may help, or ends the probe.
    private func finish(_ outcome: Outcome, of attempt: HTTPAttempt, _ ticket: Ticket) {
        let inquiry = attempt.exchange?.isUnanswered == true ? attempt.connection?.http2Inquiry : nil
        attempt.disconnect()
        guard attempts[ticket] != nil else { return }
        if case .failure(let failure) = outcome, failure.isRetryable, attempt.retries > 0,
            environment.time() + Self.retryDelay < attempt.probe.deadline
        {
            let generation = attempt.generation
            environment.gate.schedule(in: Self.retryDelay) { [self] in
                guard attempt.generation == generation else { return }
                attempt.restart(at: environment.time())
                connect(attempt.addresses, on: attempt, ticket)
            }
            return
        }
        if let inquiry, case .failure(let failure) = outcome, [.closed, .reset].contains(failure.reason) {
            return explain(outcome, by: inquiry, of: attempt, ticket)
        }
        end(ticket, outcome)
    }

    /// Finds out whether a server that closes connections after their handshake speaks only HTTP/2, and ends the probe.
    private func explain(
        _ outcome: Outcome,
        by inquiry: Connection.Configuration,
        of attempt: HTTPAttempt,
        _ ticket: Ticket
    ) {
        let connection = Connection(inquiry, stopwatch: Stopwatch(at: environment.time()), in: environment)
        attempt.unexplained = outcome
        attempt.connection = connection
        let generation = attempt.generation
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, attempt.generation == generation else { return }
            let speaksHTTP2 = if case .open = event { connection.negotiatedProtocol == "h2" } else { false }
            attempt.disconnect()
            end(ticket, speaksHTTP2 ? .failure(.onlyHTTP2) : outcome)
        }
    }
}

extension Failure {
    /// Whether an immediate retry may succeed. A certificate does not change.
    fileprivate var isRetryable: Bool {
        switch reason {
        case .certificateExpired, .certificateName, .certificateUntrusted: false
        default: true
        }
    }
}

/// The state of one HTTP probe across redirects and retries, with one connection at a time. Confined to its event loop.
final class HTTPAttempt: ProbeAttempt {
    /// The probe, with the address of its own host that was connected to last.
    private(set) var probe: Probe
    let first: HTTPQuestion
    /// The addresses of the probe's own host; the one that was connected to last comes first.
    private(set) var addresses: [IPAddress]
    /// The current request.
    var question: HTTPQuestion
    /// The cookies of the redirects so far.
    var cookies = CookieJar()
    /// The number of retries left.
    var retries: Int
    var stopwatch: Stopwatch
    var connection: Connection?
    var exchange: HTTPExchange?
    /// The outcome if ``HTTPProber`` does not find its cause.
    var unexplained: Outcome?
    /// Counts connections and name lookups. A callback that was created under an earlier number is ignored.
    var generation = 0
    /// The earliest expiry of a certificate in the redirect chain, in seconds since 1970.
    var expiry: Int64?

    /// The pattern of the search in the response that is running.
    var searchedPattern: String?

    /// Whether a redirect has led to another host. The server has chosen that host, not the user.
    var isOnOtherHost: Bool { question.peerHost != first.peerHost }

    init(_ probe: Probe, requesting question: HTTPQuestion, at addresses: [IPAddress], _ stopwatch: Stopwatch) {
        self.probe = probe
        self.addresses = addresses
        self.question = question
        first = question
        retries = question.options.retries
        self.stopwatch = stopwatch
    }

    var outcomeAtTimeout: Outcome { unexplained ?? outcome(after: connection?.outcomeAtTimeout ?? .timeout) }

    /// Returns the outcome to report for a failed connection.
    ///
    /// The server chooses the target of a redirect. An address that this machine cannot connect to, such as a
    /// link-local one without its interface, is then the server's failure and not a fault. That this build has no TLS is
    /// not. A failure before the proxy has connected says nothing about the target, and names the proxy.
    func outcome(after end: Outcome) -> Outcome {
        if case .failure(let failure) = end, question.proxy != nil, connection?.isPastProxy != true {
            return .failure(Failure(failure.reason, detail: "proxy: \(failure.detail)"))
        }
        guard isOnOtherHost, case .fault(let fault) = end, [.internal, .noSource].contains(fault.problem),
            fault != .noTLS
        else { return end }
        let detail = "redirects to \(String(quotingHost: question.host)): \(fault.detail)"
        return .failure(Failure(.noRoute, detail: detail))
    }

    func close() {
        disconnect()
    }

    /// Closes the connection, and ignores its later events.
    ///
    /// - Parameter isOrderly: whether the connection waits for the peer's part of the closure.
    func disconnect(isOrderly: Bool = false) {
        generation += 1
        recordAddress()
        if isOrderly { connection?.close() } else { connection?.drop() }
        connection = nil
        exchange = nil
        searchedPattern = nil
    }

    /// Records the address of the current connection, if it leads to the probe's own host.
    private func recordAddress() {
        guard !isOnOtherHost, let address = connection?.address, address != probe.address else { return }
        probe.address = address
        addresses = [address] + addresses.filter { $0 != address }
    }

    /// Resets the attempt to the first request, for a retry.
    func restart(at time: Duration) {
        disconnect()
        retries -= 1
        question = first
        cookies = CookieJar()
        stopwatch = Stopwatch(at: time)
        expiry = nil
    }
}
