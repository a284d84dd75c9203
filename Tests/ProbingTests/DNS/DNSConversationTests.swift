import Monitoring
import Testing

@testable import Probing

struct DNSConversationTests {
    private let servers = (1...3).compactMap { IPAddress(bytes: [192, 0, 2, $0]).map { DNSServer(address: $0) } }

    /// A conversation that begins at second ten and may last three seconds.
    private func conversation(with count: Int, code: DNSQuestion.ResponseCode = .noerror) throws -> DNSConversation {
        let question = DNSQuestion(server: .system, name: "a.example", responseCode: code)
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

    /// The request of a step that asks.
    private func request(_ step: DNSConversation.Step) throws -> DNSConversation.Request {
        guard case .ask(let request) = step else { throw NoRequest(step: step) }
        return request
    }

    private struct NoRequest: Error {
        let step: DNSConversation.Step
    }

    private func answer(_ conversation: DNSConversation, code: UInt16) -> [UInt8] {
        let records: [DNSMessage.Record] = code == 0 ? [.a(192, 0, 2, 9)] : []
        return DNSMessage.answer(to: conversation.request.query.message, code: code, records: records)
    }

    @Test func `silent servers share the time, and the next one is asked by another identifier`() throws {
        var conversation = try conversation(with: 3)
        let first = conversation.request
        #expect(first.server == servers[0])
        #expect(first.deadline == .seconds(11))
        let second = try request(conversation.expire(at: .seconds(11)))
        #expect(second.server == servers[1])
        #expect(second.deadline == .seconds(12))
        // What the first one's answer is known by is not what the second's is.
        let late = DNSMessage.answer(to: first.query.message, records: [.a(192, 0, 2, 9)])
        if first.query.id != second.query.id { #expect(conversation.hear(late, at: .seconds(11)) == .wait) }
        let third = try request(conversation.expire(at: .seconds(12)))
        #expect(third.server == servers[2])
        #expect(third.deadline == .seconds(13))
        let failure = Failure(.resolverFailed, detail: "none of 3 resolvers answers")
        #expect(conversation.expire(at: .seconds(13)) == .end(.failure(failure)))
    }

    @Test func `the only server that is silent is a timeout`() throws {
        var conversation = try conversation(with: 1)
        #expect(conversation.request.deadline == .seconds(13))
        #expect(conversation.expire(at: .seconds(13)) == .end(.timeout))
    }

    @Test func `the round trip begins with the first query, whoever answers`() throws {
        var conversation = try conversation(with: 2)
        _ = conversation.expire(at: .milliseconds(11_500))
        let step = conversation.hear(answer(conversation, code: 0), at: .milliseconds(11_520))
        guard case .end(.reply(let reply)) = step else { throw NoRequest(step: step) }
        #expect(reply.roundTrip == .milliseconds(1_520))
        #expect(reply.phases == [.init(.processing, .milliseconds(1_520))])
    }

    @Test func `a server that is out of reach leaves its time to the others`() throws {
        var conversation = try conversation(with: 2)
        let second = try request(conversation.fail(.failure(Failure(.refused)), at: .seconds(10)))
        #expect(second.server == servers[1])
        #expect(second.deadline == .seconds(13))
        // The last word that said anything counts.
        #expect(conversation.expire(at: .seconds(13)) == .end(.failure(Failure(.refused))))
    }

    @Test(arguments: [2, 4, 5] as [UInt16])
    func `a server that is of no help leaves its place to the next`(code: UInt16) throws {
        var conversation = try conversation(with: 2)
        let second = try request(conversation.hear(answer(conversation, code: code), at: .seconds(10)))
        #expect(second.server == servers[1])
        let step = conversation.hear(answer(conversation, code: 0), at: .seconds(10))
        guard case .end(.reply) = step else { throw NoRequest(step: step) }
    }

    @Test func `a name that does not exist is asked for once`() throws {
        var conversation = try conversation(with: 3)
        let failure = Failure(.nameNotFound, detail: "NXDOMAIN")
        #expect(conversation.hear(answer(conversation, code: 3), at: .seconds(10)) == .end(.failure(failure)))
    }

    @Test func `an answer that is expected to be a refusal is one`() throws {
        var conversation = try conversation(with: 3, code: .refused)
        let step = conversation.hear(answer(conversation, code: 5), at: .seconds(10))
        guard case .end(.reply(let reply)) = step else { throw NoRequest(step: step) }
        #expect(reply.detail == "REFUSED")
    }

    @Test func `a truncated answer is asked for again by TCP, in what time is left`() throws {
        var conversation = try conversation(with: 3)
        let message = DNSMessage.answer(to: conversation.request.query.message, isTruncated: true)
        let again = try request(conversation.hear(message, at: .milliseconds(10_100)))
        #expect(again.server == servers[0])
        #expect(again.transport == .stream)
        #expect(again.deadline == .seconds(13))
        let next = try request(conversation.fail(.failure(Failure(.refused)), at: .milliseconds(10_200)))
        #expect(next.server == servers[1])
        #expect(next.transport == .datagram)
    }

    @Test func `what is wrong on a connection breaks the protocol`() throws {
        for flaw in [DNSMessage.Flaw?.none, .anotherIdentifier, .anotherQuestion] {
            var conversation = try conversation(with: 1)
            let query = conversation.request.query.message
            _ = conversation.hear(DNSMessage.answer(to: query, isTruncated: true), at: .seconds(10))
            let again = conversation.request.query.message
            let message = DNSMessage.answer(to: again, isTruncated: flaw == nil, flaw: flaw)
            #expect(conversation.hear(message, at: .seconds(10)) == .end(.failure(Failure(.protocolError))))
        }
    }

    @Test func `extensions are left out once, and a second complaint counts`() throws {
        var conversation = try conversation(with: 1)
        let plain = try request(conversation.hear(answer(conversation, code: 1), at: .seconds(10)))
        #expect(!plain.query.hasOptions)
        let failure = Failure(.answerMismatch, detail: "FORMERR")
        #expect(conversation.hear(answer(conversation, code: 1), at: .seconds(10)) == .end(.failure(failure)))
    }

    @Test func `without a server there is no conversation`() {
        let question = DNSQuestion(server: .system, name: "a.example")
        let name = DNSName(wire: wire("a.example"))
        #expect(DNSConversation(.icmp(), question, under: name, with: [], at: .zero) == nil)
    }
}
