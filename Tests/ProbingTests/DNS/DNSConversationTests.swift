import Monitoring
import Testing

@testable import Probing

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
