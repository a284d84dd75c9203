import Monitoring

/// One probe's way from its first query to its end: who is asked, by what, and what is made of whatever comes.
///
/// A server that is silent, out of reach or of no help leaves its place to the next one; where none is left, what the
/// last one said that said anything is the outcome.
struct DNSConversation: Sendable {
    /// How a query travels.
    enum Transport: Sendable, Hashable {
        /// By UDP.
        case datagram
        /// By TCP: a longer answer fits (RFC 7766).
        case stream
    }

    /// A query that is to be sent, or was.
    struct Request: Sendable, Hashable {
        let server: DNSServer
        let transport: Transport
        let query: DNSQuery
        /// When the server counts as silent.
        let deadline: Duration
    }

    /// What to do next.
    enum Step: Sendable, Hashable {
        /// Go on listening.
        case wait
        /// Close what the last request needed, and send this one.
        case ask(Request)
        /// Close it, and end the probe.
        case end(Outcome)
    }

    let probe: Probe
    private let question: DNSQuestion
    private let name: DNSName
    private let start: Duration
    private let serverCount: Int
    private var others: ArraySlice<DNSServer>
    /// What was sent last.
    private(set) var request: Request
    /// What a server said that was of no help.
    private var trouble: Outcome?

    /// A conversation that begins with the first of these servers; nil if there is none.
    init?(_ probe: Probe, _ question: DNSQuestion, under name: DNSName, with servers: [DNSServer], at time: Duration) {
        guard let first = servers.first else { return nil }
        self.probe = probe
        self.question = question
        self.name = name
        start = time
        serverCount = servers.count
        others = servers.dropFirst()
        request = Request(
            server: first,
            transport: .datagram,
            query: DNSQuery(id: .random(in: .min ... .max), name: name, type: question.type),
            deadline: time + (probe.deadline - time) / servers.count
        )
    }

    /// Takes in a message that came from the server that was asked.
    mutating func hear(_ message: [UInt8], at time: Duration) -> Step {
        switch (request.query.read(message), request.transport) {
        case (.noise, .datagram):
            .wait
        case (.truncated, .datagram):
            ask(request.server, by: .stream, hasOptions: request.query.hasOptions)
        case (.noise, .stream), (.truncated, .stream), (.malformed, _):
            turn(from: .failure(Failure(.protocolError)), at: time)
        case (.answer(let answer), _):
            judge(answer, at: time)
        }
    }

    /// Takes in that the query could not be sent, or cannot be answered any more.
    mutating func fail(_ outcome: Outcome, at time: Duration) -> Step {
        guard case .failure(let failure) = outcome, request.transport == .stream else {
            return turn(from: outcome, at: time)
        }
        return turn(from: .failure(Failure(failure.reason, detail: "TCP: \(failure.detail)")), at: time)
    }

    /// Takes in that the server is silent.
    mutating func expire(at time: Duration) -> Step {
        turn(from: .timeout, at: time)
    }

    private mutating func judge(_ answer: DNSAnswer, at time: Duration) -> Step {
        let code = answer.responseCode
        let rejectsOptions = answer.code == DNSAnswer.badVersion || code == .formerr
        if rejectsOptions, request.query.hasOptions, code == nil || code != question.responseCode {
            // Servers without extensions, or with another version, say so, and are asked without (RFC 6891 §6.1.3, §7).
            return ask(request.server, by: request.transport, hasOptions: false)
        }
        switch DNSVerdict(on: answer, to: question, under: name) {
        case .expected(let detail):
            return .end(.reply(reply(detail, at: time)))
        case .failure(let failure):
            // What the system's resolver takes for no answer either.
            let isOfNoHelp = code == .servfail || code == .notimp || code == .refused
            return isOfNoHelp ? turn(from: .failure(failure), at: time) : .end(.failure(failure))
        }
    }

    private func reply(_ detail: String, at time: Duration) -> Reply {
        let roundTrip = time - start
        let processing = Reply.PhaseTime(.processing, roundTrip)
        let isNamed = question.server != .system
        let phases = isNamed ? [Reply.PhaseTime(.resolve, start - probe.made), processing] : [processing]
        return Reply(roundTrip: roundTrip, phases: phases, detail: detail)
    }

    /// Turns to the next server, if there is one and time is left.
    private mutating func turn(from outcome: Outcome, at time: Duration) -> Step {
        if outcome != .timeout { trouble = outcome }
        let end = probe.deadline
        guard time < end, let next = others.popFirst() else {
            if let trouble { return .end(trouble) }
            guard serverCount > 1 else { return .end(.timeout) }
            return .end(.failure(Failure(.resolverFailed, detail: "none of \(serverCount) resolvers answers")))
        }
        return ask(next, by: .datagram, deadline: time + (end - time) / (others.count + 1))
    }

    private mutating func ask(
        _ server: DNSServer,
        by transport: Transport,
        hasOptions: Bool = true,
        deadline: Duration? = nil
    ) -> Step {
        request = Request(
            server: server,
            transport: transport,
            query: DNSQuery(id: .random(in: .min ... .max), name: name, type: question.type, hasOptions: hasOptions),
            // A server that has answered is not silent: the rest of the time is its own.
            deadline: deadline ?? probe.deadline
        )
        return .ask(request)
    }
}
