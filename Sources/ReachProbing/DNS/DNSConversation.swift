import ReachMonitoring

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

extension DNSName {
    /// Creates the name to query. For `PTR`, an address is converted to its name in the reverse tree. Nil if the name
    /// is invalid.
    init?(queriedBy question: DNSQuestion) {
        if question.type == .ptr, let address = IPAddress(complete: question.name) {
            self.init(reverse: address)
        } else {
            self.init(question.name)
        }
    }

    /// Creates `1.2.0.192.in-addr.arpa` (RFC 1035 §3.5), or a name with one nibble per label under `ip6.arpa` (RFC 3596
    /// §2.5).
    private init?(reverse address: IPAddress) {
        switch address.family {
        case .ipv4:
            self.init(address.bytes.reversed().map { "\($0)" }.joined(separator: ".") + ".in-addr.arpa")
        case .ipv6:
            let nibbles = address.bytes.reversed().flatMap { [$0 & 0xF, $0 >> 4] }
            self.init(nibbles.map { String($0, radix: 16) }.joined(separator: ".") + ".ip6.arpa")
        }
    }
}

extension IPAddress {
    /// Parses a complete address. The system's parser also accepts `1` and `1.2`, which are names in a query.
    fileprivate init?(complete text: String) {
        guard text.contains(":") || text.split(separator: ".", omittingEmptySubsequences: false).count == 4 else {
            return nil
        }
        self.init(literal: text)
    }
}

/// The verdict whether an answer meets the expectations of a target.
enum DNSVerdict: Sendable, Hashable {
    /// The answer is as expected, with this summary.
    case expected(detail: String)
    /// The answer is not as expected.
    case failure(Failure)

    /// Judges an answer to `question`, which was queried as `name`.
    init(on answer: DNSAnswer, to question: DNSQuestion, under name: DNSName) {
        let found = answer.records(of: question.type, at: name)
        guard answer.responseCode == question.responseCode else {
            self = .failure(Self.failure(answer, question, found))
            return
        }
        guard question.responseCode == .noerror else {
            self = .expected(detail: answer.codeName)
            return
        }
        guard !found.isEmpty else {
            self = .failure(Failure(.answerMismatch, detail: "no \(question.type.name) record"))
            return
        }
        guard let expected = question.answer else {
            self = .expected(detail: Self.summary(found))
            return
        }
        if let match = found.firstIndex(where: { $0.matches(expected) }) {
            let others = found[..<match] + found[(match + 1)...]
            self = .expected(detail: Self.summary([found[match]] + others))
        } else {
            let detail = "\(Self.summary(found, verb: "is ")), not \(Self.shortened(expected))"
            self = .failure(Failure(.answerMismatch, detail: detail))
        }
    }

    private static func failure(_ answer: DNSAnswer, _ question: DNSQuestion, _ found: [DNSRecord]) -> Failure {
        switch answer.responseCode {
        case .servfail:
            Failure(.resolverFailed, detail: answer.codeName)
        case .nxdomain where question.responseCode == .noerror:
            Failure(.nameNotFound, detail: answer.codeName)
        case .noerror where !found.isEmpty:
            Failure(.answerMismatch, detail: "\(answer.codeName), \(summary(found))")
        default:
            Failure(.answerMismatch, detail: answer.codeName)
        }
    }

    /// Returns a summary on one line: `A 192.0.2.1 and 2 more`.
    private static func summary(_ records: [DNSRecord], verb: String = "") -> String {
        guard let first = records.first, let type = DNSQuestion.RecordType(rawValue: first.type) else { return "" }
        let rest = records.count > 1 ? " and \(records.count - 1) more" : ""
        return "\(type.name) \(verb)\(shortened(first.text))\(rest)"
    }

    private static func shortened(_ text: String) -> String {
        text.utf8.count > 40 ? "\(text.prefix(39))…" : text
    }
}

extension DNSRecord {
    /// The value in the format of zone files: printable ASCII, names without a trailing dot.
    var text: String {
        switch value {
        case .address(let address):
            "\(address)"
        case .name(let name):
            "\(name)"
        case .host(let numbers, let name):
            (numbers.map { "\($0)" } + ["\(name)"]).joined(separator: " ")
        case .text(let strings):
            strings.map(\.quotedInZoneFile).joined(separator: " ")
        case .authority(let server, let mailbox, let numbers):
            (["\(server)", "\(mailbox)"] + numbers.map { "\($0)" }).joined(separator: " ")
        case .other:
            "?"
        }
    }

    /// Returns whether the value is the expected one, in any of its notations: an address in any form, names in any
    /// case and with or without a trailing dot, `TXT` strings with or without quotation marks.
    func matches(_ expected: String) -> Bool {
        switch value {
        case .address(let address):
            return IPAddress(literal: expected) == address.unmapped
        case .name(let name):
            return DNSName(expected) == name
        case .text(let strings):
            return expected == text || strings.joined().elementsEqual(expected.utf8)
        case .host, .authority:
            let (parts, expected) = (text.split(separator: " "), expected.split(separator: " "))
            return parts.count == expected.count
                && zip(parts, expected).allSatisfy { $0 == $1 || DNSName(String($0)) == DNSName(String($1)) }
        case .other:
            return false
        }
    }
}
