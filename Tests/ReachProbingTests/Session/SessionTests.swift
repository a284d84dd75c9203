import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SessionTests {
    static let ready = SessionFinding.session(.ready)
    static let preparing = SessionFinding.session(.preparing)

    @Test func `a connection is opened once and held`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port)
        let first = try #require(await peer.next())
        let found = await harness.until { $0.count == 5 }
        #expect(found.prefix(3) == [Self.preparing, Self.ready, .reply])
        #expect(found.dropFirst(3).allSatisfy { $0 == .reply })
        let reply = try #require(harness.lastReply)
        #expect(reply.detail == "ready 0s")
        #if os(Linux)
        let roundTrip = try #require(reply.roundTrip)
        #expect(roundTrip > .zero && roundTrip < .milliseconds(200))
        #endif
        await harness.harness.engine.shutdown()
        await first.end()
        try await peer.close()
    }

    @Test func `a reset is reported at once and the connection reopened`() async throws {
        let peer = try await SessionPeer.on()
        // The next scheduled probe would be in an hour.
        var harness = SessionHarness(peer.port, interval: .seconds(3_600))
        let first = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        try await first.reset()
        let found = await harness.until { $0.last == .reply }
        let failure = Failure(.reset)
        #expect(found.filter(\.isSession) == [.session(.failed(.failure(failure))), Self.preparing, Self.ready])
        #expect(found.filter { !$0.isSession } == [.loss(.failure(failure)), .reply])
        #expect(await peer.next() != nil)
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `an orderly close is reported at once`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port, interval: .seconds(3_600))
        let first = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        first.close()
        let found = await harness.until { $0.last == .reply }
        #expect(found.contains(.loss(.failure(Failure(.closed)))))
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `an expected idle close is not a loss`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port, SessionOptions(idleClose: .ok))
        var found: [SessionFinding] = []
        for _ in 0..<3 {
            let connection = try #require(await peer.next())
            found += await harness.until { $0.last == .reply }
            connection.close()
        }
        #expect(await peer.next() != nil)
        found += await harness.until { $0.contains(Self.ready) }
        #expect(found.allSatisfy { [Self.preparing, Self.ready, .reply].contains($0) })
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `a closed port is refused until it is opened`() async throws {
        let port = ClosedPorts.next()
        var harness = SessionHarness(port)
        let refused = SessionFinding.loss(.failure(Failure(.refused)))
        let found = await harness.until { $0.count { $0 == refused } == 3 }
        #expect(found.prefix(3) == [Self.preparing, .session(.failed(.failure(Failure(.refused)))), refused])
        let peer = try await SessionPeer.on(port: port)
        let later = await harness.until { $0.last == .reply }
        #expect(later.filter { $0 == Self.ready } == [Self.ready])
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `a heartbeat is answered as expected`() async throws {
        let peer = try await SessionPeer.on(answers: "+PONG\r\n")
        var harness = SessionHarness(peer.port, SessionOptions(send: "PING\r\n", expect: #"^\+PONG"#))
        let connection = try #require(await peer.next())
        let found = await harness.until { $0.count { $0 == .reply } == 3 }
        #expect(found.allSatisfy { [Self.preparing, Self.ready, .reply].contains($0) })
        var words = connection.words.makeAsyncIterator()
        for _ in 0..<3 { #expect(await words.next() == "PING\r\n") }
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `an unanswered heartbeat is a timeout and the next attempt a new connection`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port, SessionOptions(send: "PING\r\n"), timeout: .seconds(2))
        let first = try #require(await peer.next())
        first.say("hello\r\n")
        _ = await harness.until { $0.last == .reply }
        let found = await harness.until { $0.contains(.loss(.timeout)) }
        #expect(found.contains(.session(.failed(.timeout))))
        await first.end()
        #expect(await peer.next() != nil)
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `a greeting must be the expected one`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port, SessionOptions(expect: "^220 "))
        let first = try #require(await peer.next())
        first.say("421 busy\r\n")
        first.close()
        let failure = Failure(.answerMismatch, detail: #"unexpected answer "421 busy  ""#)
        let found = await harness.until { $0.contains(.loss(.failure(failure))) }
        #expect(!found.contains(Self.ready))
        let second = try #require(await peer.next())
        second.say("220 mail\r\n")
        #expect(await harness.until { $0.last == .reply }.contains(Self.ready))
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `a removed target closes its connection and gets a new one when watched again`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port)
        let first = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        harness.harness.engine.perform(.forget([Target.ID(0)]))
        await first.end()
        _ = await harness.until { $0.last == .session(.cancelled) }
        harness.watch()
        #expect(await peer.next() != nil)
        #expect(await harness.until { $0.last == .reply } == [Self.preparing, Self.ready, .reply])
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `changed options reopen the connection, a changed interval does not`() async throws {
        let peer = try await SessionPeer.on()
        var harness = SessionHarness(peer.port)
        let first = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        harness.interval = .milliseconds(50)
        harness.watch()
        #expect(await harness.until { $0.count == 3 } == [.reply, .reply, .reply])
        harness.options.idleClose = .ok
        harness.watch()
        await first.end()
        #expect(await peer.next() != nil)
        let found = await harness.until { $0.contains(Self.ready) }
        #expect(found.filter(\.isSession) == [.session(.cancelled), Self.preparing, Self.ready])
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `a connection survives a stop of this process`() async throws {
        let peer = try await SessionPeer.on()
        let slept = Mutex(Duration.zero)
        var harness = SessionHarness(peer.port, harness: EngineHarness(clockOffset: { slept.withLock { $0 } }))
        _ = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        slept.withLock { $0 = .seconds(3_600) }
        // Replies from before the stop may still come.
        for _ in 0..<100 where harness.lastReply?.detail != "ready 1h00m" {
            #expect(await harness.until { $0.count == 1 } == [.reply])
        }
        #expect(harness.lastReply?.detail == "ready 1h00m")
        await harness.harness.engine.shutdown()
        try await peer.close()
    }

    @Test func `an open connection needs no resolver`() async throws {
        let peer = try await SessionPeer.on()
        let isGone = Mutex(false)
        let slept = Mutex(Duration.zero)
        let probing = EngineHarness(
            clockOffset: { slept.withLock { $0 } },
            resolve: { _ in
                guard !isGone.withLock({ $0 }) else { return .failure(Failure(.nameNotFound)) }
                return Resolution.system("127.0.0.1")
            }
        )
        var harness = SessionHarness(peer.port, host: "nas", harness: probing)
        let first = try #require(await peer.next())
        _ = await harness.until { $0.last == .reply }
        isGone.withLock { $0 = true }
        slept.withLock { $0 = .seconds(3_600) }
        #expect(await harness.until { $0.count == 5 }.allSatisfy { $0 == .reply })
        try await first.reset()
        let found = await harness.until { $0.contains { if case .loss = $0 { true } else { false } } }
        #expect(found.last == .loss(.failure(Failure(.reset))), "the end is reported before the name lookup")
        await probing.engine.shutdown()
        try await peer.close()
    }
}

/// A finding about a session, without the values that differ between runs.
enum SessionFinding: Hashable {
    case session(SessionState)
    case reply
    case loss(Outcome)

    var isSession: Bool {
        if case .session = self { true } else { false }
    }
}

/// A session to a port of this machine, and its findings.
struct SessionHarness {
    let harness: EngineHarness
    let host: String
    let port: UInt16
    var options: SessionOptions
    var interval: Duration
    /// Long enough for a busy machine, unless a test waits for it.
    let timeout: Duration
    /// The newest reply.
    private(set) var lastReply: Reply?
    private var waiting: ArraySlice<SessionFinding> = []

    init(
        _ port: UInt16,
        _ options: SessionOptions = SessionOptions(),
        host: String = "127.0.0.1",
        interval: Duration = .milliseconds(100),
        timeout: Duration = .seconds(20),
        harness: EngineHarness = EngineHarness()
    ) {
        self.host = host
        self.port = port
        self.options = options
        self.interval = interval
        self.timeout = timeout
        self.harness = harness
        watch()
    }

    func watch() {
        let question = Question.session(host: host, port: port, options)
        harness.watch([question], interval: interval, timeout: timeout)
    }

    /// Collects findings until `isEnough` returns true. The rest of the last batch is kept for the next call.
    mutating func until(_ isEnough: ([SessionFinding]) -> Bool) async -> [SessionFinding] {
        var found: [SessionFinding] = []
        while !isEnough(found) {
            if let first = waiting.popFirst() {
                found.append(first)
                continue
            }
            let batch = await harness.batch()
            guard !batch.isEmpty else { break }
            waiting = []
            for finding in batch { append(finding) }
        }
        return found
    }

    private mutating func append(_ finding: Finding) {
        switch finding {
        case .session(_, let state, _, _):
            waiting.append(.session(state))
        case .observation(let observation):
            if case .reply(let reply) = observation.outcome {
                lastReply = reply
                waiting.append(.reply)
            } else {
                waiting.append(.loss(observation.outcome))
            }
        case .late, .duplicate, .addressChanged, .addresses, .link, .path, .schedule, .stalled, .vantageReports,
            .vantagePointsReporting:
            break
        }
    }
}
