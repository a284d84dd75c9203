import NIOCore
import ReachMonitoring

/// A request and those of the redirects that follow, each on a connection of its own. Confined to its event loop.
final class HTTPRequestChain {
    /// The end of a chain.
    enum Event {
        /// The response to the last request.
        case response(HTTPResponse)
        /// A request failed, with the response as far as it was read, or the address of its host was not found.
        case failed(Outcome, partial: HTTPResponse?)
    }

    /// A step of a chain.
    enum Step {
        /// A request to a host at this address begins.
        case connecting(HTTPQuestion, IPAddress)
        /// The connection is open. The client is nil without TLS.
        case connected(any Channel, TLSClient?)
        /// The response is a redirect that is followed.
        case redirected(to: String)
    }

    let first: HTTPQuestion
    /// The current request.
    private(set) var question: HTTPQuestion
    /// The addresses of the first request's host, or of its proxy; the one that was connected to last comes first.
    private(set) var addresses: [IPAddress]
    /// The phases of all requests.
    let stopwatch: Stopwatch
    /// The certificate of the first peer, with the earliest expiry of those of all peers; nil without one.
    private(set) var certificate: AcceptedCertificate?
    private let probe: Probe
    private let reading: HTTPExchange.Reading?
    private let environment: ProberEnvironment
    private let resolve: (_ host: String, _ completion: @escaping (Resolution) -> Void) -> Void
    private let record: ((Step) -> Void)?
    private var report: (Event) -> Void = { _ in }
    /// The cookies of the redirects so far.
    private var cookies = CookieJar()
    private var connection: Connection?
    private var exchange: HTTPExchange?
    /// The connection that can show whether the last peer speaks only HTTP/2; nil if it has answered.
    private var inquiry: Connection.Configuration?
    /// The outcome if the inquiry is not answered.
    private var unexplained: Outcome?
    /// Counts connections and name lookups. A callback that was created under an earlier number is ignored.
    private var generation = 0
    private var isClosed = false

    /// - Parameters:
    ///   - addresses: the addresses of the request's host, or of its proxy.
    ///   - probe: the source and the deadline of the connections.
    ///   - reading: the parts of each response that are read; nil for those that the options need.
    ///   - resolve: resolves the host of a redirect, or of the proxy for it.
    ///   - record: called with each step; nil for targets, whose steps are not recorded.
    init(
        of question: HTTPQuestion,
        at addresses: [IPAddress],
        for probe: Probe,
        reading: HTTPExchange.Reading? = nil,
        stopwatch: Stopwatch,
        in environment: ProberEnvironment,
        resolve: @escaping (_ host: String, _ completion: @escaping (Resolution) -> Void) -> Void,
        record: ((Step) -> Void)? = nil
    ) {
        first = question
        self.question = question
        self.addresses = addresses
        self.probe = probe
        self.reading = reading
        self.stopwatch = stopwatch
        self.environment = environment
        self.resolve = resolve
        self.record = record
    }

    /// Sends the first request.
    ///
    /// - Parameter report: called once, with the end of the chain; not after ``close()``.
    func start(report: @escaping (Event) -> Void) {
        self.report = report
        connect(addresses)
    }

    /// Ends the chain without an event.
    func close() {
        isClosed = true
        disconnect()
        // It may retain the owner of this chain.
        report = { _ in }
    }

    /// The response that is being read, once its head is complete.
    var partialResponse: HTTPResponse? { exchange?.response }

    /// The outcome if the deadline passes now.
    var outcomeAtTimeout: Outcome { unexplained ?? outcome(after: connection?.outcomeAtTimeout ?? .timeout) }

    /// Finds out whether a server that has closed a connection after its handshake speaks only HTTP/2.
    ///
    /// - Parameters:
    ///   - outcome: the outcome with which the chain has ended.
    ///   - completion: called at once or later with the cause, or else with `outcome`.
    func explain(_ outcome: Outcome, completion: @escaping (Outcome) -> Void) {
        guard let inquiry, case .failure(let failure) = outcome, [.closed, .reset].contains(failure.reason) else {
            return completion(outcome)
        }
        unexplained = outcome
        let connection = Connection(inquiry, stopwatch: Stopwatch(at: environment.time()), in: environment)
        self.connection = connection
        let generation = generation
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, self.generation == generation else { return }
            let speaksHTTP2 = if case .open = event { connection.negotiatedProtocol == "h2" } else { false }
            disconnect()
            completion(speaksHTTP2 ? .failure(.onlyHTTP2) : outcome)
        }
    }

    /// Connects for the current request, unless the chain is closed.
    private func connect(_ addresses: [IPAddress]) {
        guard !isClosed else { return }
        let (question, proxy) = (question, question.proxy)
        let configuration = Connection.Configuration(
            // The source is resolved for each address: a redirect may need another route.
            destination: Connector.Destination(addresses, port: proxy?.port ?? question.port, for: probe),
            identity: question.isSecure ? PeerIdentity(question.tls.serverName ?? question.host) : nil,
            options: question.tls,
            tunnel: question.isSecure ? proxy.map { ProxyTunnel(through: $0, to: question) } : nil
        )
        record?(.connecting(question, addresses[0]))
        let durations = stopwatch.durations
        let connection = Connection(configuration, stopwatch: stopwatch, in: environment)
        self.connection = connection
        let generation = generation
        connection.dial { [weak self, weak connection] event in
            guard let self, let connection, self.generation == generation else { return }
            switch event {
            case .open(let channel):
                if let new = connection.certificate {
                    let expiry = min(certificate?.expiry ?? new.expiry, new.expiry)
                    certificate = AcceptedCertificate(expiry: expiry, identity: certificate?.identity ?? new.identity)
                }
                record?(.connected(channel, connection.tls))
                send(on: channel)
            case .over(let outcome):
                if let response = exchange?.awaitedResponse { return process(response) }
                // The phases of a connection that was not open do not count.
                if exchange == nil { stopwatch.durations = durations }
                fail(self.outcome(after: outcome))
            }
        }
    }

    /// Returns the outcome to report for a failed connection.
    ///
    /// The server chooses the target of a redirect. An address that this machine cannot connect to, such as a
    /// link-local one without its interface, is then the server's failure and not a fault. That this build has no TLS is
    /// not. A failure before the proxy has connected says nothing about the target, and names the proxy.
    private func outcome(after end: Outcome) -> Outcome {
        if case .failure(let failure) = end, question.proxy != nil, connection?.isPastProxy != true {
            return .failure(Failure(failure.reason, detail: "proxy: \(failure.detail)"))
        }
        guard isOnOtherHost, case .fault(let fault) = end, [.internal, .noSource].contains(fault.problem),
            fault != .noTLS
        else { return end }
        let detail = "redirects to \(String(quotingHost: question.host)): \(fault.detail)"
        return .failure(Failure(.noRoute, detail: detail))
    }

    private func send(on channel: any Channel) {
        let generation = generation
        let exchange = HTTPExchange(
            cookies.adding(to: question),
            reading: reading,
            deadline: probe.deadline,
            stopwatch: stopwatch,
            time: environment.time
        ) { [weak self] event in
            guard let self, self.generation == generation else { return }
            switch event {
            case .response(let response): process(response)
            case .failed(let outcome): fail(outcome)
            }
        }
        self.exchange = exchange
        do {
            try exchange.start(on: channel)
        } catch {
            fail(.failure(Failure(.closed)))
        }
    }

    private func process(_ response: HTTPResponse) {
        // An incomplete response may never end, so its connection is closed at once.
        disconnect(isOrderly: response.isComplete)
        guard question.isFollowed(response.status), let location = response.location else {
            return report(.response(response))
        }
        record?(.redirected(to: location))
        guard let next = question.redirected(by: response.status, to: location) else {
            return fail(.failure(Failure(redirect: location)))
        }
        cookies.store(response.cookies, from: question, at: environment.contexts.now)
        follow(next)
    }

    private func follow(_ next: HTTPQuestion) {
        question = next
        // The name belongs to the first host, which another host may redirect back to.
        if next.host.lowercased() == first.host.lowercased() { question.tls.serverName = first.tls.serverName }
        if !isOnOtherHost { return connect(addresses) }
        let generation = generation
        resolve(next.peerHost) { [weak self] resolution in
            guard let self, self.generation == generation else { return }
            stopwatch.end(.resolve, at: environment.time())
            switch resolution {
            case .addresses(let addresses): connect(addresses)
            case .failure(let failure): fail(.failure(failure))
            case .fault(let fault): fail(.fault(fault))
            }
        }
    }

    private func fail(_ outcome: Outcome) {
        inquiry = exchange?.isUnanswered == true ? connection?.http2Inquiry : nil
        let partial = partialResponse
        disconnect()
        report(.failed(outcome, partial: partial))
    }

    /// Closes the connection, and ignores its later events.
    ///
    /// - Parameter isOrderly: whether the connection waits for the peer's part of the closure.
    private func disconnect(isOrderly: Bool = false) {
        generation += 1
        recordAddress()
        if isOrderly { connection?.close() } else { connection?.drop() }
        connection = nil
        exchange = nil
    }

    /// Records the address of the current connection, if it leads to the first request's host.
    private func recordAddress() {
        guard !isOnOtherHost, let address = connection?.address, address != addresses.first else { return }
        addresses = [address] + addresses.filter { $0 != address }
    }

    /// Whether a redirect has led to another host. The server has chosen that host, not the user.
    private var isOnOtherHost: Bool { question.peerHost != first.peerHost }
}
