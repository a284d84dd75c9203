import Monitoring
import TestSupport
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct ConnectTests {
    @Test func `a port that listens replies, again and again, counted from one`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port)])
        let observations = await tower.observations(3)
        #expect(observations.map(\.sequence) == [1, 2, 3])
        for observation in observations {
            guard case .reply(let reply) = observation.outcome, let roundTrip = reply.roundTrip else {
                Issue.record("\(observation.outcome)")
                continue
            }
            #expect(roundTrip > .zero && roundTrip < .milliseconds(200))
            #expect(observation.address == "127.0.0.1")
        }
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a port where nobody listens refuses`() async throws {
        let listener = try await Listener.on()
        let port = listener.port
        try await listener.close()
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: port)])
        let observations = await tower.observations(2)
        #expect(observations.allSatisfy { $0.outcome == .failure(Failure(.refused)) })
        await tower.engine.shutdown()
    }

    @Test func `an expected answer replies`() async throws {
        let listener = try await Listener.on(says: "220 mail.example ESMTP\r\n")
        let tower = Watchtower()
        let options = TCPOptions(send: "HELO\r\n", expect: "^220 .*ESMTP")
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port, options)])
        let observation = try #require(await tower.observations(1).first)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `another answer is a mismatch and is quoted`() async throws {
        let listener = try await Listener.on(says: "421 \u{1B}[31mbusy\r\n")
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observation = try #require(await tower.observations(1).first)
        let failure = Failure(.answerMismatch, detail: #"unexpected answer "421 [31mbusy  ""#)
        #expect(observation.outcome == .failure(failure))
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a connection closed without a word is closed`() async throws {
        let listener = try await Listener.on(says: "")
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.closed, detail: "closed without an answer")))
        await tower.engine.shutdown()
        try await listener.close()
    }

    /// The longer text is more than the kernel takes at once, so that the peer breaks off while we write.
    @Test(arguments: [5, 20_000_000])
    func `a peer that breaks off when it is spoken to is a reset`(length: Int) async throws {
        let peer = try await SessionPeer.on()
        let tower = Watchtower()
        let options = TCPOptions(send: Payload(String(repeating: "x", count: length)), expect: "^220")
        tower.watch([.tcp(host: "127.0.0.1", port: peer.port, options)], timeout: .seconds(20))
        let connection = try #require(await peer.next())
        var words = connection.words.makeAsyncIterator()
        _ = await words.next()
        try await connection.reset()
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.outcome == .failure(Failure(.reset)))
        await tower.engine.shutdown()
        try await peer.close()
    }

    @Test func `a peer that says too little and waits is a mismatch in the end, and one probe is in flight at a time`()
        async throws
    {
        let listener = try await Listener.on(says: "2", closes: false)
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        let observations = await tower.observations(3)
        let failure = Outcome.failure(Failure(.answerMismatch, detail: #"unexpected answer "2""#))
        #expect(observations.map(\.outcome) == [failure, failure, failure])
        #expect(observations.map(\.sequence) == [1, 2, 3])
        await tower.engine.shutdown()
        try await listener.close()
    }
    @Test func `a peer that says nothing is a timeout`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        tower.watch([.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "^220"))])
        #expect(await tower.observations(1).map(\.outcome) == [.timeout])
        await tower.engine.shutdown()
        try await listener.close()
    }
}

struct Unexpected: Error {
    let outcome: Outcome
}
