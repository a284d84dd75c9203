import Monitoring

/// The queries of one probe, as a state machine without sockets or clock.
///
/// When a server times out, cannot be reached or fails, the next one is queried. After the last one, the outcome is the
/// last failure other than a timeout.
struct DNSConversation: Sendable {
    /// The transport of a query.
    enum Transport: Sendable, Hashable {
        /// UDP.
        case datagram
        /// TCP, if the target says so, and for answers that do not fit into a datagram (RFC 7766).
        case stream
    }

    /// A query to one server.
    struct Request: Sendable, Hashable {
        let server: DNSServer
        let transport: Transport
        let query: DNSQuery
        /// When the query times out.
        let deadline: Duration
    }

    /// The next action.
    enum Action: Sendable, Hashable {
        /// Wait for further messages.
        case wait
        /// Close the socket of the last request, and send this one.
        case send(Request)
        /// Close the socket, and end the probe.
        case end(Outcome)
    }

    let probe: Probe
    private let question: DNSQuestion
    private let name: DNSName
    private let start: Duration
    private let serverCount: Int
    private var remaining: ArraySlice<DNSServer>
    /// The last request.
    private(set) var request: Request
    /// The last failure other than a timeout.
    private var lastFailure: Outcome?

    /// Creates a conversation that begins with the first of these servers; nil if there is none.
    init?(_ probe: Probe, _ question: DNSQuestion, under name: DNSName, with servers: [DNSServer], at time: Duration) {
        guard let first = servers.first else { return nil }
        self.probe = probe
        self.question = question
        self.name = name
        start = time
        serverCount = servers.count
        remaining = servers.dropFirst()
        request = Request(
            server: first,
            transport: question.firstTransport,
            query: DNSQuery(id: .random(in: .min ... .max), name: name, type: question.type),
            deadline: time + (probe.deadline - time) / servers.count
        )
    }

    /// Handles a message from the server of the current request.
    mutating func receive(_ message: [UInt8], at time: Duration) -> Action {
        switch (request.query.parse(message), request.transport) {
        case (.unrelated, .datagram):
            .wait
        case (.truncated, .datagram):
            sendQuery(to: request.server, by: .stream, hasOptions: request.query.hasOptions)
        case (.unrelated, .stream), (.truncated, .stream), (.malformed, _):
            tryNextServer(after: .failure(Failure(.protocolError)), at: time)
        case (.answer(let answer), _):
            judge(answer, at: time)
        }
    }

    /// Handles a failure to send the query or to receive its answer.
    mutating func fail(_ outcome: Outcome, at time: Duration) -> Action {
        // Only a change from UDP to TCP is worth mentioning.
        guard case .failure(let failure) = outcome, request.transport != question.firstTransport else {
            return tryNextServer(after: outcome, at: time)
        }
        return tryNextServer(after: .failure(Failure(failure.reason, detail: "TCP: \(failure.detail)")), at: time)
    }

    /// Handles the timeout of the current request.
    mutating func expire(at time: Duration) -> Action {
        tryNextServer(after: .timeout, at: time)
    }

    private mutating func judge(_ answer: DNSAnswer, at time: Duration) -> Action {
        let code = answer.responseCode
        if answer.rejectsOptions, request.query.hasOptions, code == nil || code != question.responseCode {
            return sendQuery(to: request.server, by: request.transport, hasOptions: false)
        }
        switch DNSVerdict(on: answer, to: question, under: name) {
        case .expected(let detail):
            return .end(.reply(reply(detail, at: time)))
        case .failure(let failure):
            // The system's resolver also tries the next server after these codes.
            let triesNext = code == .servfail || code == .notimp || code == .refused
            return triesNext ? tryNextServer(after: .failure(failure), at: time) : .end(.failure(failure))
        }
    }

    private func reply(_ detail: String, at time: Duration) -> Reply {
        let roundTrip = time - start
        let processing = Reply.PhaseTime(.processing, roundTrip)
        let isNamed = question.server != .system
        let phases = isNamed ? [Reply.PhaseTime(.resolve, start - probe.made), processing] : [processing]
        return Reply(roundTrip: roundTrip, phases: phases, detail: detail)
    }

    /// Returns the query to the next server, or the end of the probe if no server or no time is left.
    private mutating func tryNextServer(after outcome: Outcome, at time: Duration) -> Action {
        if outcome != .timeout { lastFailure = outcome }
        let end = probe.deadline
        guard time < end, let next = remaining.popFirst() else {
            if let lastFailure { return .end(lastFailure) }
            guard serverCount > 1 else { return .end(.timeout) }
            return .end(.failure(Failure(.resolverFailed, detail: "none of \(serverCount) resolvers replied")))
        }
        return sendQuery(to: next, by: question.firstTransport, deadline: time + (end - time) / (remaining.count + 1))
    }

    private mutating func sendQuery(
        to server: DNSServer,
        by transport: Transport,
        hasOptions: Bool = true,
        deadline: Duration? = nil
    ) -> Action {
        request = Request(
            server: server,
            transport: transport,
            query: DNSQuery(id: .random(in: .min ... .max), name: name, type: question.type, hasOptions: hasOptions),
            // A server that has answered gets the rest of the time.
            deadline: deadline ?? probe.deadline
        )
        return .send(request)
    }
}

extension DNSQuestion {
    /// The transport of the first query to each server.
    fileprivate var firstTransport: DNSConversation.Transport {
        switch transport {
        case .udp: .datagram
        case .tcp: .stream
        }
    }
}
