import LibC
import Monitoring
import NIOCore
import NIOPosix
import Testing

@testable import Probing

/// Asked of a scripted server on loopback.
@Suite(.timeLimit(.minutes(1)))
struct DNSTests {
    /// The first outcome of a target that asks such a server.
    private func outcome(
        of name: String = "www.example.com",
        type: DNSQuestion.RecordType = .a,
        expecting answer: String? = nil,
        code: DNSQuestion.ResponseCode = .noerror,
        _ words: @escaping @Sendable (NameServer.Question) -> [NameServer.Word]
    ) async throws -> Outcome {
        let server = try await NameServer.on(words)
        let tower = Watchtower()
        let question = DNSQuestion(
            server: .host("127.0.0.1", port: server.port),
            name: name,
            type: type,
            answer: answer,
            responseCode: code
        )
        tower.watch([.dns(question)], interval: .milliseconds(500), timeout: .milliseconds(500))
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.address == "127.0.0.1")
        await tower.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func detail(of outcome: Outcome) throws -> String? {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply.detail
    }

    @Test func `an answer is a reply, with its round trip and what it says`() async throws {
        let outcome = try await outcome { question in
            let records: [DNSMessage.Record] = [.a(192, 0, 2, 1), .a(192, 0, 2, 2), .a(192, 0, 2, 3)]
            return [.say(DNSMessage.answer(to: question.query, records: records))]
        }
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.detail == "A 192.0.2.1 and 2 more")
        #expect(reply.phases.map(\.phase) == [.resolve, .processing])
        #expect(try #require(reply.roundTrip) > .zero)
        #expect(reply.phases.last?.duration == reply.roundTrip)
    }

    @Test func `one of the records has to be the expected one`() async throws {
        let words = { @Sendable (question: NameServer.Question) -> [NameServer.Word] in
            [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1), .a(192, 0, 2, 2)]))]
        }
        #expect(try detail(of: await outcome(expecting: "192.0.2.2", words)) == "A 192.0.2.2 and 1 more")
        let failure = Failure(.answerMismatch, detail: "A 192.0.2.1 and 1 more")
        #expect(try await outcome(expecting: "192.0.2.9", words) == .failure(failure))
    }

    @Test func `a name that does not exist is not found, unless that is expected`() async throws {
        let words = { @Sendable (question: NameServer.Question) -> [NameServer.Word] in
            [.say(DNSMessage.answer(to: question.query, code: 3))]
        }
        #expect(try await outcome(words) == .failure(Failure(.nameNotFound, detail: "NXDOMAIN")))
        #expect(try detail(of: await outcome(code: .nxdomain, words)) == "NXDOMAIN")
    }

    @Test func `a server that fails is a resolver that failed`() async throws {
        let outcome = try await outcome { [.say(DNSMessage.answer(to: $0.query, code: 2))] }
        #expect(outcome == .failure(Failure(.resolverFailed, detail: "SERVFAIL")))
    }

    @Test func `an answer too long for a datagram is asked for again by TCP`() async throws {
        let outcome = try await outcome(of: "long.example", type: .txt) { question in
            guard question.isStream else { return [.say(DNSMessage.answer(to: question.query, isTruncated: true))] }
            let string = [255] + [UInt8](repeating: UInt8(ascii: "x"), count: 255)
            let record = DNSMessage.Record(type: 16, value: Array(repeating: string, count: 20).flatMap(\.self))
            return [.say(DNSMessage.answer(to: question.query, records: [record]))]
        }
        #expect(try detail(of: outcome) == "TXT \"" + String(repeating: "x", count: 38) + "…")
    }

    @Test func `a server that hangs up on TCP has closed`() async throws {
        let outcome = try await outcome { question in
            question.isStream ? [.hangUp] : [.say(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(outcome == .failure(Failure(.closed, detail: "TCP: connection closed")))
    }

    @Test func `a server that says nothing by TCP is a timeout`() async throws {
        let outcome = try await outcome { question in
            question.isStream ? [] : [.say(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `silence is a timeout`() async throws {
        #expect(try await outcome { _ in [] } == .timeout)
    }

    @Test func `a port where nobody listens refuses`() async throws {
        let server = try await NameServer.on { _ in [] }
        let port = server.port
        try await server.close()
        let tower = Watchtower()
        tower.watch([.dns(DNSQuestion(server: .host("127.0.0.1", port: port), name: "example.com"))])
        #expect(await tower.observations(2).allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await tower.engine.shutdown()
    }

    @Test func `what answers no question of ours is noise, and the answer behind it counts`() async throws {
        let outcome = try await outcome { question in
            let lie: [DNSMessage.Record] = [.a(203, 0, 113, 9)]
            return [
                .say([]),
                .say([1, 2, 3]),
                .say(Array(repeating: 0xFF, count: 2_000)),
                .say(question.query),
                .say(DNSMessage.answer(to: question.query, records: lie, flaw: .anotherIdentifier)),
                .say(DNSMessage.answer(to: question.query, records: lie, flaw: .anotherQuestion)),
                .say(DNSMessage.answer(to: question.query, records: lie, flaw: .isQuery)),
                .sayElsewhere(DNSMessage.answer(to: question.query, records: lie)),
                .say([]),
                .say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)])),
            ]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test(arguments: [DNSMessage.Flaw.anotherIdentifier, .anotherQuestion, .isQuery])
    func `an answer to another question is none`(flaw: DNSMessage.Flaw) async throws {
        let outcome = try await outcome { question in
            [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)], flaw: flaw))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `an answer from a port that was not asked is none`() async throws {
        let outcome = try await outcome { question in
            [.sayElsewhere(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `a malformed answer breaks the protocol`() async throws {
        let outcome = try await outcome { question in
            let record = DNSMessage.Record(type: 1, value: [192, 0, 2], length: 4)
            return [.say(DNSMessage.answer(to: question.query, records: [record]))]
        }
        #expect(outcome == .failure(Failure(.protocolError)))
    }

    @Test func `a server that does not know extensions is asked without`() async throws {
        let outcome = try await outcome { question in
            guard question.query[11] == 0 else { return [.say(DNSMessage.answer(to: question.query, code: 1))] }
            return [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test(arguments: [(0, 1), (1, 0)] as [(UInt16, UInt8)], [true, false])
    func `a server that rejects the extensions is asked without`(codes: (UInt16, UInt8), hasQuestion: Bool) async throws
    {
        let outcome = try await outcome { question in
            guard question.query[11] == 0 else {
                return [.say(DNSMessage.rejection(of: question.query, code: codes.0, upper: codes.1, hasQuestion))]
            }
            return [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test func `a server that rejects queries without extensions, too, has answered`() async throws {
        let outcome = try await outcome { [.say(DNSMessage.rejection(of: $0.query, code: 0, upper: 1, true))] }
        #expect(outcome == .failure(Failure(.answerMismatch, detail: "BADVERS")))
    }

    @Test func `the round trip ends when the answer arrives, and not when it is read`() async throws {
        let server = try await NameServer.on { question in
            [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let tower = Watchtower(group: loop)
        let question = DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "example.com")
        tower.watch([.dns(question)], interval: .milliseconds(100), timeout: .milliseconds(100))
        // The first readings of the clocks have nothing to be held against.
        _ = await tower.observations(5)
        let jam = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(2)) { _ in usleep(30_000) }
        let observations = await tower.observations(15).suffix(10)
        jam.cancel()
        await tower.engine.shutdown()
        try await server.close()
        let roundTrips = observations.compactMap { observation -> Duration? in
            guard case .reply(let reply) = observation.outcome else { return nil }
            return reply.roundTrip
        }
        let median = roundTrips.sorted()[roundTrips.count / 2]
        #if os(Linux)
            #expect(median < .milliseconds(15), "\(roundTrips)")
        #endif
    }

    @Test func `the answer behind a flood of empty datagrams counts`() async throws {
        let outcome = try await outcome { question in
            Array(repeating: .say([]), count: 100)
                + [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #if os(Linux)
            #expect(try detail(of: outcome) == "A 192.0.2.1")
        #else
            #expect(outcome == .failure(Failure(.protocolError)))
        #endif
    }

    @Test func `a name that cannot be asked for is our fault`() async throws {
        let label = String(repeating: "x", count: 64)
        guard case .fault(let fault) = try await outcome(of: "\(label).example", { _ in [] }) else {
            Issue.record("no fault")
            return
        }
        #expect(fault.problem == .internal)
    }

    @Test func `every query has an identifier of its own`() async throws {
        let (questions, asked) = AsyncStream.makeStream(of: NameServer.Question.self)
        let server = try await NameServer.on { question in
            asked.yield(question)
            return [.say(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let tower = Watchtower()
        let question = DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "example.com")
        tower.watch([.dns(question)], interval: .milliseconds(20), timeout: .milliseconds(20))
        var identifiers: Set<[UInt8]> = []
        var arrivals = questions.makeAsyncIterator()
        for _ in 0..<20 {
            let question = try #require(await arrivals.next())
            identifiers.insert(Array(question.query.prefix(2)))
        }
        // Twenty numbers out of sixty-five thousand may agree now and then.
        #expect(identifiers.count >= 18)
        await tower.engine.shutdown()
        try await server.close()
    }
}
