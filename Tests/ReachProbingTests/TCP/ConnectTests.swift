import NIOCore
import NIOEmbedded
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ConnectTests {
    @Test func `an open port replies, with sequence numbers from one`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port)])
        let observations = await harness.observations(3)
        #expect(observations.map(\.sequence) == [1, 2, 3])
        for observation in observations {
            guard case .reply(let reply) = observation.outcome, let roundTrip = reply.roundTrip else {
                Issue.record("\(observation.outcome)")
                continue
            }
            #expect(roundTrip > .zero && roundTrip < .milliseconds(200))
            #expect(observation.address == "127.0.0.1")
        }
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a closed port is refused`() async throws {
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: Listener.closedPort)], timeout: .seconds(5))
        let observations = await harness.observations(2)
        #expect(observations.allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await harness.engine.shutdown()
    }

    @Test func `an expected answer is a reply`() async throws {
        let listener = try await Listener.on(says: "220 mail.example ESMTP\r\n")
        let harness = EngineHarness()
        let options = TCPOptions(send: "HELO\r\n", expect: "^220 .*ESMTP")
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port, options)])
        let observation = try #require(await harness.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `an unexpected answer is quoted`() async throws {
        let listener = try await Listener.on(says: "421 \u{1B}[31mbusy\r\n")
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observation = try #require(await harness.observations(1).first)
        let failure = Failure(.answerMismatch, detail: #"unexpected answer "421 [31mbusy  ""#)
        #expect(observation.outcome == .failure(failure))
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a connection closed without data is closed`() async throws {
        let listener = try await Listener.on(says: "")
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.closed, detail: "closed without an answer")))
        await harness.engine.shutdown()
        try await listener.close()
    }

    /// The longer text exceeds the kernel's buffers, so that the reset arrives during the write.
    @Test(arguments: [5, 20_000_000])
    func `a reset after data is sent is reported as reset`(length: Int) async throws {
        let peer = try await SessionPeer.on()
        let harness = EngineHarness()
        let options = TCPOptions(send: Payload(String(repeating: "x", count: length)), expect: "^220")
        harness.watch([.tcp(host: "127.0.0.1", port: peer.port, options)], timeout: .seconds(20))
        let connection = try #require(await peer.next())
        var words = connection.words.makeAsyncIterator()
        _ = await words.next()
        try await connection.reset()
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.reset)))
        await harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `an incomplete answer is a mismatch at the timeout, with one probe in flight at a time`()
        async throws
    {
        let listener = try await Listener.on(says: "2", closes: false)
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observations = await harness.observations(3)
        let failure = Outcome.failure(Failure(.answerMismatch, detail: #"unexpected answer "2""#))
        #expect(observations.map(\.outcome) == [failure, failure, failure])
        #expect(observations.map(\.sequence) == [1, 2, 3])
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a peer without an answer is a timeout`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        harness.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        #expect(await harness.observations(1).map(\.outcome) == [.timeout])
        await harness.engine.shutdown()
        try await listener.close()
    }
}

struct Unexpected: Error {
    let outcome: Outcome
}

/// The round trips of connections with an expected answer.
struct ConnectHandlerTests {
    @Test func `with an expected answer, the round trip includes the time until it`() throws {
        var now = Duration.seconds(1)
        var outcomes: [Outcome] = []
        let handler = ConnectHandler(options: TCPOptions(expect: "^220 .*ready"), time: { now }) { search, completion in
            completion(search.run())
        }
        handler.ended = { outcomes.append($0) }
        handler.opened(to: try #require(IPAddress(literal: "127.0.0.1")), in: .milliseconds(2))
        let channel = EmbeddedChannel(handler: handler)
        channel.pipeline.fireChannelActive()
        now += .milliseconds(300)
        try channel.writeInbound(ByteBuffer(string: "220 mail"))
        #expect(outcomes.isEmpty)
        now += .milliseconds(50)
        try channel.writeInbound(ByteBuffer(string: " ready\r\n"))
        let reply = Reply(
            roundTrip: .milliseconds(352),
            phases: [.init(.connect, .milliseconds(2)), .init(.processing, .milliseconds(350))]
        )
        #expect(outcomes == [.reply(reply)])
    }
}
