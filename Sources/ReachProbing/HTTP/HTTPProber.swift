import NIOCore
import ReachMonitoring

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
        let attempt = HTTPAttempt(probe, by: chain(of: question, at: addresses, for: probe, stopwatch))
        start(attempt, attempts.add(attempt, deadline: probe.deadline))
    }

    private func chain(
        of question: HTTPQuestion,
        at addresses: [IPAddress],
        for probe: Probe,
        _ stopwatch: Stopwatch
    ) -> HTTPRequestChain {
        let redirects = environment.redirects
        return HTTPRequestChain(
            of: question,
            at: addresses,
            for: probe,
            stopwatch: stopwatch,
            in: environment,
            resolve: { host, completion in
                redirects.lookUp(NameQuery(host, family: probe.family), until: probe.deadline, completion: completion)
            }
        )
    }

    /// Sends the request of an attempt, unless the attempt has ended.
    private func start(_ attempt: HTTPAttempt, _ ticket: Ticket) {
        guard attempts[ticket] != nil else { return }
        attempt.chain.start { [weak self] event in
            guard let self else { return }
            switch event {
            case .response(let response): judge(response, attempt, ticket)
            case .failed(let outcome, _): finish(outcome, of: attempt, ticket)
            }
        }
    }

    private func judge(_ response: HTTPResponse, _ attempt: HTTPAttempt, _ ticket: Ticket) {
        attempt.response = response
        let (question, status) = (attempt.chain.question, response.status)
        guard question.options.expects(status) else {
            let limit = response.location == nil ? nil : attempt.chain.first.limitMessage(at: status)
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

    /// Decodes and checks the body, and runs the searches in header fields and the body.
    private func check(
        _ response: HTTPResponse,
        after searches: [HTTPSearch],
        on attempt: HTTPAttempt,
        _ ticket: Ticket
    ) {
        let options = attempt.chain.question.options
        let outcome = reply(to: response, on: attempt)
        guard !options.json.isEmpty || options.readsBody && response.isEncoded else {
            return run(searches + response.searches(for: options), then: outcome, on: attempt, ticket)
        }
        let gate = environment.gate
        let bound = NIOLoopBound((prober: self, attempt: attempt), eventLoop: gate.loop)
        // Off the loop: decoding a long body would delay the other probes.
        Task.detached {
            let result = Result { () throws(Failure) in
                let response = try response.decoded()
                return (try response.checkJSON(options.json), response)
            }
            gate.enter {
                let (prober, attempt) = bound.value
                guard prober.attempts[ticket] != nil else { return }
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
        attempt.searchedPattern = next.search.pattern
        environment.searches.run(next.search) { [weak self] result in
            guard let self, attempts[ticket] != nil else { return }
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
        var reply = Reply(
            attempt.chain.certificate,
            at: environment.contexts.now,
            attempt.chain.first.tls,
            attempt.chain.stopwatch
        )
        reply.detail = "HTTP \(response.status)"
        reply.httpStatus = response.status
        return .reply(reply)
    }

    /// Retries the request if that may help, or ends the probe.
    private func finish(_ outcome: Outcome, of attempt: HTTPAttempt, _ ticket: Ticket) {
        guard attempts[ticket] != nil else { return }
        if case .failure(let failure) = outcome, failure.isRetryable, attempt.retries > 0,
            environment.time() + Self.retryDelay < attempt.probe.deadline
        {
            attempt.retries -= 1
            environment.gate.schedule(in: Self.retryDelay) { [self] in
                let (last, stopwatch) = (attempt.chain, Stopwatch(at: environment.time()))
                attempt.response = nil
                attempt.chain = chain(of: last.first, at: last.addresses, for: attempt.probe, stopwatch)
                start(attempt, ticket)
            }
            return
        }
        let complete = outcome.showing(attempt.response)
        attempt.chain.explain(complete) { [weak self] in self?.end(ticket, $0) }
    }
}

extension Outcome {
    /// The outcome, if it is a failure, with the response.
    fileprivate func showing(_ response: HTTPResponse?) -> Outcome {
        guard case .failure(var failure) = self, let response else { return self }
        failure.response = response.excerpt
        return .failure(failure)
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

/// The state of one HTTP probe across retries. Confined to its event loop.
final class HTTPAttempt: ProbeAttempt {
    private let sent: Probe
    /// The requests of the last try.
    var chain: HTTPRequestChain
    /// The number of retries left.
    var retries: Int
    /// The response to the last request of this try; nil until then.
    var response: HTTPResponse?
    /// The pattern of the search in the response that is running.
    var searchedPattern: String?

    init(_ probe: Probe, by chain: HTTPRequestChain) {
        sent = probe
        self.chain = chain
        retries = chain.first.options.retries
    }

    /// The probe, with the address of its own host that was connected to last.
    var probe: Probe {
        var probe = sent
        probe.address = chain.addresses.first
        return probe
    }

    var outcomeAtTimeout: Outcome { chain.outcomeAtTimeout }

    func close() {
        chain.close()
    }
}
