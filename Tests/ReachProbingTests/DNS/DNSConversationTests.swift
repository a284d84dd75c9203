import ReachMonitoring
import Testing

@testable import ReachProbing

struct DNSConversationTests {
    private let servers = (1...3).compactMap { IPAddress(bytes: [192, 0, 2, $0]).map { DNSServer(address: $0) } }

    /// Creates a conversation that starts at ten seconds and has a timeout of three.
    private func conversation(
        with count: Int,
        code: DNSQuestion.ResponseCode = .noerror,
        by transport: DNSQuestion.Transport = .udp
    ) throws -> DNSConversation {
        let question = DNSQuestion(server: .system, name: "a.example", responseCode: code, transport: transport)
        let probe = Probe(
            target: Target.ID(0),
            watch: 1,
            sequence: 1,
            question: .dns(question),
            timeout: .seconds(3),
            made: .seconds(10)
        )
        let name = DNSName(wire: wire("a.example"))
        let servers = Array(servers.prefix(count))
        return try #require(DNSConversation(probe, question, under: name, with: servers, at: .seconds(10)))
    }

    /// Returns the request of an action.
    private func request(_ action: DNSConversation.Action) throws -> DNSConversation.Request {
        guard case .send(let request) = action else { throw NoRequest(action: action) }
        return request
    }

    private struct NoRequest: Error {
        let action: DNSConversation.Action
    }

    private func answer(_ conversation: DNSConversation, code: UInt16) -> [UInt8] {
        let records: [DNSMessage.Record] = code == 0 ? [.a(192, 0, 2, 9)] : []
        return DNSMessage.answer(to: conversation.request.query.message, code: code, records: records)
    }

    @Test func `silent servers share the time, and each query has its own identifier`() throws {
        var conversation = try conversation(with: 3)
        let first = conversation.request
        #expect(first.server == servers[0])
        #expect(first.deadline == .seconds(11))
        let second = try request(conversation.expire(at: .seconds(11)))
        #expect(second.server == servers[1])
        #expect(second.deadline == .seconds(12))
        // A late answer to the first query does not answer the second.
        let late = DNSMessage.answer(to: first.query.message, records: [.a(192, 0, 2, 9)])
        if first.query.id != second.query.id { #expect(conversation.receive(late, at: .seconds(11)) == .wait) }
        let third = try request(conversation.expire(at: .seconds(12)))
        #expect(third.server == servers[2])
        #expect(third.deadline == .seconds(13))
        let failure = Failure(.resolverFailed, detail: "none of 3 resolvers replied")
        #expect(conversation.expire(at: .seconds(13)) == .end(.failure(failure)))
    }

    @Test func `a single silent server is a timeout`() throws {
        var conversation = try conversation(with: 1)
        #expect(conversation.request.deadline == .seconds(13))
        #expect(conversation.expire(at: .seconds(13)) == .end(.timeout))
    }

    @Test func `the round trip begins with the first query`() throws {
        var conversation = try conversation(with: 2)
        _ = conversation.expire(at: .milliseconds(11_500))
        let action = conversation.receive(answer(conversation, code: 0), at: .milliseconds(11_520))
        guard case .end(.reply(let reply)) = action else { throw NoRequest(action: action) }
        #expect(reply.roundTrip == .milliseconds(1_520))
        #expect(reply.phases == [.init(.processing, .milliseconds(1_520))])
    }

    @Test func `a server that cannot be reached leaves its time to the others`() throws {
        var conversation = try conversation(with: 2)
        let second = try request(conversation.fail(.failure(Failure(.refused)), at: .seconds(10)))
        #expect(second.server == servers[1])
        #expect(second.deadline == .seconds(13))
        // The last failure other than a timeout counts.
        #expect(conversation.expire(at: .seconds(13)) == .end(.failure(Failure(.refused))))
    }

    @Test(arguments: [2, 4, 5] as [UInt16])
    func `a failing server is followed by the next`(code: UInt16) throws {
        var conversation = try conversation(with: 2)
        if code != 5 {
            let plain = try request(conversation.receive(answer(conversation, code: code), at: .seconds(10)))
            #expect(plain.server == servers[0] && !plain.query.hasOptions)
        }
        let second = try request(conversation.receive(answer(conversation, code: code), at: .seconds(10)))
        #expect(second.server == servers[1] && second.query.hasOptions)
        let action = conversation.receive(answer(conversation, code: 0), at: .seconds(10))
        guard case .end(.reply) = action else { throw NoRequest(action: action) }
    }

    @Test func `NXDOMAIN ends the conversation`() throws {
        var conversation = try conversation(with: 3)
        let failure = Failure(.nameNotFound, detail: "NXDOMAIN")
        #expect(conversation.receive(answer(conversation, code: 3), at: .seconds(10)) == .end(.failure(failure)))
    }

    @Test func `an expected REFUSED is a reply`() throws {
        var conversation = try conversation(with: 3, code: .refused)
        let action = conversation.receive(answer(conversation, code: 5), at: .seconds(10))
        guard case .end(.reply(let reply)) = action else { throw NoRequest(action: action) }
        #expect(reply.detail == "REFUSED")
    }

    @Test func `a truncated answer is followed by a TCP query with the rest of the time`() throws {
        var conversation = try conversation(with: 3)
        let message = DNSMessage.answer(to: conversation.request.query.message, isTruncated: true)
        let again = try request(conversation.receive(message, at: .milliseconds(10_100)))
        #expect(again.server == servers[0])
        #expect(again.transport == .stream)
        #expect(again.deadline == .seconds(13))
        let next = try request(conversation.fail(.failure(Failure(.refused)), at: .milliseconds(10_200)))
        #expect(next.server == servers[1])
        #expect(next.transport == .datagram)
    }

    @Test func `with transport TCP, every server is queried by TCP`() throws {
        var conversation = try conversation(with: 3, by: .tcp)
        #expect(conversation.request.transport == .stream)
        #expect(try request(conversation.fail(.failure(Failure(.refused)), at: .seconds(10))).transport == .stream)
        #expect(try request(conversation.expire(at: .seconds(11))).transport == .stream)
        // The detail of a failure need not name the transport that the settings name.
        let end = conversation.fail(.failure(Failure(.reset)), at: .seconds(11))
        #expect(end == .end(.failure(Failure(.reset))))
    }

    @Test func `an unrelated or truncated message by TCP is a protocol error`() throws {
        for flaw in [DNSMessage.Flaw?.none, .anotherIdentifier, .anotherQuestion] {
            var conversation = try conversation(with: 1)
            let query = conversation.request.query.message
            _ = conversation.receive(DNSMessage.answer(to: query, isTruncated: true), at: .seconds(10))
            let again = conversation.request.query.message
            let message = DNSMessage.answer(to: again, isTruncated: flaw == nil, flaw: flaw)
            #expect(conversation.receive(message, at: .seconds(10)) == .end(.failure(Failure(.protocolError))))
        }
    }

    @Test func `EDNS is left out once, and a second rejection counts`() throws {
        var conversation = try conversation(with: 1)
        let plain = try request(conversation.receive(answer(conversation, code: 1), at: .seconds(10)))
        #expect(!plain.query.hasOptions)
        let failure = Failure(.answerMismatch, detail: "FORMERR")
        #expect(conversation.receive(answer(conversation, code: 1), at: .seconds(10)) == .end(.failure(failure)))
    }

    /// FORMERR, SERVFAIL and NOTIMP, each with and without an EDNS record, and BADVERS, which needs one.
    @Test(
        arguments: [(1, 0, false), (1, 0, true), (2, 0, false), (4, 0, false), (4, 0, true), (0, 1, true)]
            as [(UInt16, UInt8, Bool)]
    )
    func `a code that may reject EDNS is followed by one query without it`(
        code: UInt16,
        upper: UInt8,
        hasOptions: Bool
    ) throws {
        for hasQuestion in [true, false] {
            var conversation = try conversation(with: 1)
            let query = conversation.request.query.message
            var message = DNSMessage.rejection(of: query, code: code, upper: upper, hasQuestion)
            if !hasOptions {
                message.removeLast(11)
                message[11] = 0
            }
            let plain = try request(conversation.receive(message, at: .seconds(11)))
            #expect(!plain.query.hasOptions && plain.server == servers[0] && plain.deadline == .seconds(13))
            let action = conversation.receive(answer(conversation, code: 0), at: .seconds(12))
            guard case .end(.reply) = action else { throw NoRequest(action: action) }
        }
    }

    @Test func `SERVFAIL of a server that supports EDNS, and an expected code, count at once`() throws {
        var failing = try conversation(with: 1)
        let message = DNSMessage.rejection(of: failing.request.query.message, code: 2, upper: 0, true)
        let failure = Failure(.resolverFailed, detail: "SERVFAIL")
        #expect(failing.receive(message, at: .seconds(11)) == .end(.failure(failure)))
        var expected = try conversation(with: 1, code: .notimp)
        guard case .end(.reply) = expected.receive(answer(expected, code: 4), at: .seconds(11)) else {
            Issue.record("no reply")
            return
        }
    }

    @Test func `a conversation needs a server`() {
        let question = DNSQuestion(server: .system, name: "a.example")
        let name = DNSName(wire: wire("a.example"))
        #expect(DNSConversation(.icmp(), question, under: name, with: [], at: .zero) == nil)
    }
}

struct DNSVerdictTests {
    private func name(_ text: String) -> DNSName {
        DNSName(wire: wire(text))
    }

    private func verdict(
        _ records: [DNSRecord],
        code: UInt8 = 0,
        type: DNSQuestion.RecordType = .a,
        expecting answer: String? = nil,
        _ expected: DNSQuestion.ResponseCode = .noerror
    ) -> DNSVerdict {
        let question = DNSQuestion(
            server: .system,
            name: "www.example",
            type: type,
            answer: answer,
            responseCode: expected
        )
        return DNSVerdict(on: DNSAnswer(code: UInt16(code), records: records), to: question, under: name("www.example"))
    }

    private func address(_ text: String, of host: String = "www.example") -> DNSRecord {
        let address = IPAddress(literal: text)
        return DNSRecord(
            name: name(host),
            type: address?.family == .ipv6 ? .aaaa : .a,
            value: address.map { .address($0) } ?? .other
        )
    }

    private func alias(_ host: String, _ other: String) -> DNSRecord {
        DNSRecord(name: name(host), type: .cname, value: .name(name(other)))
    }

    @Test func `aliases are followed to the record in any order`() {
        let chain = [
            address("192.0.2.1", of: "c.example"), alias("b.example", "c.example"), alias("www.example", "B.example"),
        ]
        #expect(verdict(chain) == .expected(detail: "A 192.0.2.1"))
        #expect(verdict(chain, type: .cname) == .expected(detail: "CNAME B.example"))
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no AAAA record"))
        #expect(verdict(chain, type: .aaaa) == missing)
    }

    @Test func `alias loops and records of other names are no match`() {
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no A record"))
        #expect(verdict([alias("www.example", "b.example"), alias("b.example", "www.example")]) == missing)
        #expect(verdict([alias("www.example", "www.example")]) == missing)
        #expect(verdict([address("192.0.2.1", of: "elsewhere.example")]) == missing)
        #expect(verdict([]) == missing)
    }

    @Test(arguments: [2, 3, 4, 254, 255] as [UInt16])
    func `a record of another class than IN is no match`(recordClass: UInt16) throws {
        let query = DNSQuery(id: 1, name: name("www.example"), type: .a)
        func judge(_ records: DNSMessage.Record...) throws -> DNSVerdict {
            let message = DNSMessage.answer(to: query.message, records: records)
            guard case .answer(let answer) = query.parse(message) else { throw Failure(.protocolError) }
            let question = DNSQuestion(server: .system, name: "www.example", type: .a)
            return DNSVerdict(on: answer, to: question, under: query.name)
        }
        let other = DNSMessage.Record(type: 1, recordClass: recordClass, value: [192, 0, 2, 1])
        let missing = DNSVerdict.failure(Failure(.answerMismatch, detail: "no A record"))
        #expect(try judge(other) == missing)
        #expect(try judge(other, .a(192, 0, 2, 2)) == .expected(detail: "A 192.0.2.2"))
        // The alias is of the class IN, but not its record.
        let far = DNSMessage.Record(owner: wire("b.example"), type: 1, recordClass: recordClass, value: [192, 0, 2, 1])
        #expect(try judge(.alias(to: "b.example"), far) == missing)
    }

    @Test(
        arguments: [
            (2, .noerror, .resolverFailed, "SERVFAIL"),
            (3, .noerror, .nameNotFound, "NXDOMAIN"),
            (5, .noerror, .answerMismatch, "REFUSED"),
            (9, .noerror, .answerMismatch, "response code 9"),
            (3, .refused, .answerMismatch, "NXDOMAIN"),
            (0, .nxdomain, .answerMismatch, "NOERROR"),
            (2, .nxdomain, .resolverFailed, "SERVFAIL"),
        ] as [(UInt8, DNSQuestion.ResponseCode, Reason, String)]
    )
    func `another response code is a failure`(
        code: UInt8,
        expected: DNSQuestion.ResponseCode,
        reason: Reason,
        detail: String
    ) {
        #expect(verdict([], code: code, expected) == .failure(Failure(reason, detail: detail)))
    }

    @Test func `an expected response code needs no records`() {
        #expect(verdict([], code: 3, .nxdomain) == .expected(detail: "NXDOMAIN"))
        #expect(verdict([], code: 2, .servfail) == .expected(detail: "SERVFAIL"))
    }

    @Test func `an unexpected record is quoted`() {
        let failure = Failure(.answerMismatch, detail: "NOERROR, A 192.0.2.1")
        #expect(verdict([address("192.0.2.1")], .nxdomain) == .failure(failure))
    }

    @Test(
        arguments: [
            (.a, .address(.v4), "192.0.2.1", "192.0.2.10"),
            (.aaaa, .address(.v6), "2001:DB8:0:0::1", "2001:db8::2"),
            (.ns, .name("NS1.example"), "ns1.Example.", "ns2.example"),
            (.mx, .host([10], "mail.example"), "10  MAIL.example.", "20 mail.example"),
            (.srv, .host([1, 2, 443], "h.example"), "1 2 443 h.example", "2 443 h.example"),
            (.txt, .text(["v=spf1 -all"]), "v=spf1 -all", "V=spf1 -all"),
            (.txt, .text(["v=spf1", " -all"]), "v=spf1 -all", "v=spf1-all"),
            (.txt, .text(["a b"]), "\"a b\"", "\"a\" \"b\""),
            (.txt, .text(["ü"]), "ü", "u"),
        ] as [(DNSQuestion.RecordType, Sample, String, String)]
    )
    func `an expected answer has several notations`(
        type: DNSQuestion.RecordType,
        sample: Sample,
        right: String,
        wrong: String
    ) {
        let record = DNSRecord(name: name("www.example"), type: type, value: sample.value)
        #expect(record.matches(right))
        #expect(!record.matches(wrong))
        #expect(!record.matches(""))
        let failure = Failure(.answerMismatch, detail: "\(type.name) is \(record.text), not \(wrong)")
        #expect(verdict([record], type: type, expecting: wrong) == .failure(failure))
    }

    @Test func `a long record is shortened`() {
        let record = DNSRecord(
            name: name("www.example"),
            type: .txt,
            value: .text([Array(repeating: UInt8(ascii: "x"), count: 255)])
        )
        let detail = "TXT \"" + String(repeating: "x", count: 38) + "… and 1 more"
        #expect(verdict([record, record], type: .txt) == .expected(detail: detail))
    }
}

/// A short notation for the value of a record.
enum Sample: Sendable {
    enum Version { case v4, v6 }

    case address(Version)
    case name(String)
    case host([UInt16], String)
    case text([String])

    var value: DNSRecord.Value {
        switch self {
        case .address(.v4): IPAddress(bytes: [192, 0, 2, 1]).map { .address($0) } ?? .other
        case .address(.v6): IPAddress(literal: "2001:db8::1").map { .address($0) } ?? .other
        case .name(let name): .name(DNSName(wire: wire(name)))
        case .host(let numbers, let name): .host(numbers, DNSName(wire: wire(name)))
        case .text(let strings): .text(strings.map { Array($0.utf8) })
        }
    }
}
