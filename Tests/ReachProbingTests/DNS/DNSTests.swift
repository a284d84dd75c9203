import NIOCore
import NIOEmbedded
import NIOPosix
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// Probes of a scripted server on loopback.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct DNSTests {
    /// Returns the first outcome of a probe of a scripted server.
    private func outcome(
        of name: String = "www.example.com",
        type: DNSQuestion.RecordType = .a,
        expecting expected: String? = nil,
        code: DNSQuestion.ResponseCode = .noerror,
        transport: DNSQuestion.Transport = .udp,
        _ answer: @escaping @Sendable (NameServer.Question) -> [NameServer.Action]
    ) async throws -> Outcome {
        let server = try await NameServer.on(answer)
        let harness = EngineHarness()
        let question = DNSQuestion(
            server: .host("127.0.0.1", port: server.port),
            name: name,
            type: type,
            answer: expected,
            responseCode: code,
            transport: transport
        )
        harness.watch([.dns(question)], interval: .milliseconds(500), timeout: .milliseconds(500))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.address == "127.0.0.1")
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func detail(of outcome: Outcome) throws -> String? {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return reply.detail
    }

    @Test func `an answer is a reply with its round trip and a summary`() async throws {
        let outcome = try await outcome { question in
            let records: [DNSMessage.Record] = [.a(192, 0, 2, 1), .a(192, 0, 2, 2), .a(192, 0, 2, 3)]
            return [.send(DNSMessage.answer(to: question.query, records: records))]
        }
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(reply.detail == "A 192.0.2.1 and 2 more")
        #expect(reply.phases.map(\.phase) == [.resolve, .processing])
        #expect(try #require(reply.roundTrip) > .zero)
        #expect(reply.phases.last?.duration == reply.roundTrip)
    }

    @Test func `one of the records must be the expected one`() async throws {
        let answer = { @Sendable (question: NameServer.Question) -> [NameServer.Action] in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1), .a(192, 0, 2, 2)]))]
        }
        #expect(try detail(of: await outcome(expecting: "192.0.2.2", answer)) == "A 192.0.2.2 and 1 more")
        let failure = Failure(.answerMismatch, detail: "A is 192.0.2.1 and 1 more, not 192.0.2.9")
        #expect(try await outcome(expecting: "192.0.2.9", answer) == .failure(failure))
    }

    @Test func `NXDOMAIN is a failure unless it is expected`() async throws {
        let answer = { @Sendable (question: NameServer.Question) -> [NameServer.Action] in
            [.send(DNSMessage.answer(to: question.query, code: 3))]
        }
        #expect(try await outcome(answer) == .failure(Failure(.nameNotFound, detail: "NXDOMAIN")))
        #expect(try detail(of: await outcome(code: .nxdomain, answer)) == "NXDOMAIN")
    }

    @Test func `SERVFAIL is a failed resolver`() async throws {
        let outcome = try await outcome { [.send(DNSMessage.answer(to: $0.query, code: 2))] }
        #expect(outcome == .failure(Failure(.resolverFailed, detail: "SERVFAIL")))
    }

    @Test func `a truncated answer is followed by a TCP query`() async throws {
        let outcome = try await outcome(of: "long.example", type: .txt) { question in
            guard question.isStream else { return [.send(DNSMessage.answer(to: question.query, isTruncated: true))] }
            let string = [255] + [UInt8](repeating: UInt8(ascii: "x"), count: 255)
            let record = DNSMessage.Record(type: 16, value: Array(repeating: string, count: 20).flatMap(\.self))
            return [.send(DNSMessage.answer(to: question.query, records: [record]))]
        }
        #expect(try detail(of: outcome) == "TXT \"" + String(repeating: "x", count: 38) + "…")
    }

    @Test func `with transport TCP, no datagram is sent`() async throws {
        let outcome = try await outcome(transport: .tcp) { question in
            guard question.isStream else { return [.send(DNSMessage.answer(to: question.query, code: 5))] }
            return [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test func `with transport TCP, FORMERR is followed by a query without EDNS`() async throws {
        let outcome = try await outcome(transport: .tcp) { question in
            guard question.query[11] == 0 else { return [.send(DNSMessage.answer(to: question.query, code: 1))] }
            return [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test func `failures of transport TCP have the usual words`() async throws {
        #expect(try await outcome(transport: .tcp) { _ in [.close] } == .failure(Failure(.closed)))
        #expect(try await outcome(transport: .tcp) { _ in [] } == .timeout)
        let truncated = try await outcome(transport: .tcp) { question in
            [.send(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(truncated == .failure(Failure(.protocolError)))
        let forged = try await outcome(transport: .tcp) { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)], flaw: .anotherIdentifier))]
        }
        #expect(forged == .failure(Failure(.protocolError)))
    }

    @Test func `a server that closes the TCP connection is closed`() async throws {
        let outcome = try await outcome { question in
            question.isStream ? [.close] : [.send(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(outcome == .failure(Failure(.closed, detail: "TCP: closed")))
    }

    @Test func `no answer by TCP is a timeout`() async throws {
        let outcome = try await outcome { question in
            question.isStream ? [] : [.send(DNSMessage.answer(to: question.query, isTruncated: true))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `no answer by UDP is a timeout`() async throws {
        #expect(try await outcome { _ in [] } == .timeout)
    }

    @Test func `a closed port is refused`() async throws {
        let harness = EngineHarness()
        let question = DNSQuestion(server: .host("127.0.0.1", port: Listener.closedPort), name: "example.com")
        harness.watch([.dns(question)], timeout: .seconds(5))
        #expect(await harness.observations(2).allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await harness.engine.shutdown()
    }

    @Test func `unrelated messages before the answer are ignored`() async throws {
        let outcome = try await outcome { question in
            let forged: [DNSMessage.Record] = [.a(203, 0, 113, 9)]
            return [
                .send([]),
                .send([1, 2, 3]),
                .send(Array(repeating: 0xFF, count: 2_000)),
                .send(question.query),
                .send(DNSMessage.answer(to: question.query, records: forged, flaw: .anotherIdentifier)),
                .send(DNSMessage.answer(to: question.query, records: forged, flaw: .anotherQuestion)),
                .send(DNSMessage.answer(to: question.query, records: forged, flaw: .isQuery)),
                .sendFromOtherPort(DNSMessage.answer(to: question.query, records: forged)),
                .send([]),
                .send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)])),
            ]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test(arguments: [DNSMessage.Flaw.anotherIdentifier, .anotherQuestion, .isQuery])
    func `an answer to another query is ignored`(flaw: DNSMessage.Flaw) async throws {
        let outcome = try await outcome { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)], flaw: flaw))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `an answer from another port is ignored`() async throws {
        let outcome = try await outcome { question in
            [.sendFromOtherPort(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(outcome == .timeout)
    }

    @Test func `a malformed answer is a protocol error`() async throws {
        let outcome = try await outcome { question in
            let record = DNSMessage.Record(type: 1, value: [192, 0, 2], length: 4)
            return [.send(DNSMessage.answer(to: question.query, records: [record]))]
        }
        #expect(outcome == .failure(Failure(.protocolError)))
    }

    @Test func `FORMERR is followed by a query without EDNS`() async throws {
        let outcome = try await outcome { question in
            guard question.query[11] == 0 else { return [.send(DNSMessage.answer(to: question.query, code: 1))] }
            return [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test(arguments: [(0, 1), (1, 0)] as [(UInt16, UInt8)], [true, false])
    func `a rejection of EDNS is followed by a query without it`(codes: (UInt16, UInt8), hasQuestion: Bool) async throws
    {
        let outcome = try await outcome { question in
            guard question.query[11] == 0 else {
                return [.send(DNSMessage.rejection(of: question.query, code: codes.0, upper: codes.1, hasQuestion))]
            }
            return [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #expect(try detail(of: outcome) == "A 192.0.2.1")
    }

    @Test func `a rejection of a query without EDNS is a failure`() async throws {
        let outcome = try await outcome { [.send(DNSMessage.rejection(of: $0.query, code: 0, upper: 1, true))] }
        #expect(outcome == .failure(Failure(.answerMismatch, detail: "BADVERS")))
    }

    @Test func `the round trip ends when the answer arrives, not when it is read`() async throws {
        let server = try await NameServer.on { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        // The server answers on another loop.
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let loop = group.next()
        let harness = EngineHarness(group: loop)
        let question = DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "example.com")
        harness.watch([.dns(question)], interval: .milliseconds(100), timeout: .milliseconds(100))
        // The first clock readings cannot be compared with earlier ones.
        _ = await harness.observations(5)
        let jam = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(2)) { _ in usleep(30_000) }
        let observations = await harness.observations(15).suffix(10)
        jam.cancel()
        await harness.engine.shutdown()
        try await group.shutdownGracefully()
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

    @Test func `an answer after a flood of empty datagrams counts`() async throws {
        let outcome = try await outcome { question in
            Array(repeating: .send([]), count: 100)
                + [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        #if os(Linux)
        #expect(try detail(of: outcome) == "A 192.0.2.1")
        #else
        #expect(outcome == .failure(Failure(.protocolError)))
        #endif
    }

    @Test func `an invalid name is a fault`() async throws {
        let label = String(repeating: "x", count: 64)
        guard case .fault(let fault) = try await outcome(of: "\(label).example", { _ in [] }) else {
            Issue.record("no fault")
            return
        }
        #expect(fault.problem == .internal)
    }

    @Test func `every query has its own identifier`() async throws {
        let (questions, received) = AsyncStream.makeStream(of: NameServer.Question.self)
        let server = try await NameServer.on { question in
            received.yield(question)
            return [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let harness = EngineHarness()
        let question = DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "example.com")
        harness.watch([.dns(question)], interval: .milliseconds(20), timeout: .milliseconds(20))
        var identifiers: Set<[UInt8]> = []
        var arrivals = questions.makeAsyncIterator()
        for _ in 0..<20 {
            let question = try #require(await arrivals.next())
            identifiers.insert(Array(question.query.prefix(2)))
        }
        // Twenty of 65,536 random numbers may occasionally collide.
        #expect(identifiers.count >= 18)
        await harness.engine.shutdown()
        try await server.close()
    }
}

/// Concurrent queries share a socket, and each is answered.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SharedSocketTests {
    @Test func `concurrent queries on a shared socket are all answered`() async throws {
        let server = try await NameServer.on { question in
            [.send(DNSMessage.answer(to: question.query, records: [.a(192, 0, 2, 1)]))]
        }
        let harness = EngineHarness()
        let questions = (0..<100).map { number in
            Question.dns(DNSQuestion(server: .host("127.0.0.1", port: server.port), name: "n\(number).example"))
        }
        harness.watch(questions, interval: .seconds(1), timeout: .seconds(1))
        let outcomes = await harness.observations(200).map(\.outcome)
        await harness.engine.shutdown()
        try await server.close()
        let unanswered = outcomes.filter(\.isLoss)
        // A reader that drops datagrams loses one of each batch.
        #expect(unanswered.count < 10, "\(unanswered.count) of \(outcomes.count)")
    }
}

/// Answers by TCP in every division, and servers whose length prefix is wrong.
struct DNSStreamTests {
    /// The messages after a server has sent these pieces, and the bytes of the query.
    private func result(of pieces: [[UInt8]]) throws -> (messages: [[UInt8]], query: [UInt8]) {
        var messages: [[UInt8]] = []
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(ipAddress: "192.0.2.1", port: 53)).wait()
        let handler = DNSStreamHandler(query: [1, 2, 3]) { messages.append($0) }
        try channel.pipeline.syncOperations.addHandler(handler)
        let query = try channel.readOutbound(as: ByteBuffer.self).map { Array(buffer: $0) } ?? []
        for piece in pieces where messages.isEmpty { try channel.writeInbound(ByteBuffer(bytes: piece)) }
        _ = try channel.finish(acceptAlreadyClosed: true)
        return (messages, query)
    }

    @Test func `the query has its length in front`() throws {
        #expect(try result(of: []).query == [0, 3, 1, 2, 3])
    }

    @Test(arguments: [
        [[0, 3, 7, 8, 9]], [[0], [3], [7], [8], [9]], [[0, 3], [7, 8, 9]], [[0, 3, 7], [8, 9]],
        [[0, 3, 7, 8, 9, 0, 1]],
    ])
    func `an answer may come in any pieces`(pieces: [[UInt8]]) throws {
        #expect(try result(of: pieces).messages == [[7, 8, 9]])
    }

    @Test func `a length that is too large is an answer that does not end`() throws {
        #expect(try result(of: [[0xFF, 0xFF, 7, 8, 9]]).messages.isEmpty)
    }

    @Test func `a length that is too small cuts the answer off`() throws {
        #expect(try result(of: [[0, 1, 7, 8, 9]]).messages == [[7]])
        #expect(try result(of: [[0, 0, 7, 8, 9]]).messages == [[]])
    }
}
