import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// A pattern with catastrophic backtracking: each character nearly triples its time, and these take seconds. It cannot
/// be cancelled.
@Suite(.serialized, .alone, .timeLimit(.minutes(1)))
struct SlowSearchTests {
    private let pattern = "^(a+)+$"
    private let answer = String(repeating: "a", count: 17) + "!"

    /// Watches a target with the pattern and a short timeout beside another one. Expects faults that name the pattern,
    /// and an undisturbed schedule of the other.
    private func watch(_ question: Question, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        harness.watch([question, .tcp(host: "127.0.0.1", port: listener.port)])
        let observations = await harness.observations { found in
            found.count { $0.target == Target.ID(0) } >= 3
        }
        await harness.engine.shutdown()
        try await listener.close()

        let slow = observations.filter { $0.target == Target.ID(0) }.map(\.outcome)
        let fault = Fault(.internal, detail: "the pattern \(pattern) takes too long – simplify it")
        #expect(slow == [.fault(fault), .fault(fault), .fault(fault)], sourceLocation: sourceLocation)
        let others = observations.filter { $0.target == Target.ID(1) }
        #expect(others.count >= 2, sourceLocation: sourceLocation)
        for observation in others {
            guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        }
        // No probe was discarded or skipped.
        #expect(others.map(\.sequence) == Array(1...others.count), sourceLocation: sourceLocation)
    }

    @Test func `an endless search disables only its TCP target`() async throws {
        let peer = try await Listener.on(says: answer)
        try await watch(.tcp(host: "127.0.0.1", port: peer.port, TCPOptions(expect: pattern)))
        try await peer.close()
    }

    @Test func `an endless search disables only its UDP target`() async throws {
        let server = try await NameServer.on { [answer] _ in [.send(Array(answer.utf8))] }
        try await watch(.udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "x", expect: pattern)))
        try await server.close()
    }

    @Test func `an endless search disables only its HTTP target`() async throws {
        let peer = try await Listener.on(says: "HTTP/1.1 200 OK\r\nContent-Length: 18\r\n\r\n\(answer)", closes: false)
        let options = HTTPOptions(body: pattern)
        let question = HTTPQuestion(isSecure: false, host: "127.0.0.1", port: peer.port, options: options)
        try await watch(.http(question))
        try await peer.close()
    }

    @Test func `an endless search disables only its session`() async throws {
        let peer = try await Listener.on(says: answer, closes: false)
        try await watch(.session(host: "127.0.0.1", port: peer.port, SessionOptions(expect: pattern)))
        try await peer.close()
    }

    #if os(Linux)
    /// The priority of the thread of a search, when the search ends.
    private func priority(of search: PatternSearch, in pool: PatternSearchPool) async -> Int32 {
        await withCheckedContinuation { continuation in
            pool.run(search) { _ in continuation.resume(returning: getpriority(0, 0)) }
        }
    }

    @Test func `a search that goes on after the end gets the lowest priority`() async throws {
        let pool = PatternSearchPool()
        let short = await priority(of: PatternSearch(pattern: "a", text: [97]), in: pool)
        #expect(short == WorkerThread.background, "the event loops come first")
        async let long = priority(of: PatternSearch(pattern: pattern, text: Array(answer.utf8)), in: pool)
        while !pool.isBusy { await Task.yield() }
        pool.close()
        #expect(await long == 19)
    }
    #endif

    @Test func `twelve endless searches do not disturb another target`() async throws {
        let slow = try await Listener.on(says: answer, closes: false)
        let good = try await Listener.on(says: "SSH-2.0\r\n", closes: false)
        let harness = EngineHarness()
        let questions = (1...12).map { number in
            // The patterns differ.
            Question.tcp(
                host: "127.0.0.1",
                port: slow.port,
                TCPOptions(expect: "^(a+)+\(String(repeating: "$", count: number))")
            )
        }
        let last = Question.tcp(host: "127.0.0.1", port: good.port, TCPOptions(expect: "^SSH"))
        harness.watch(questions + [last], interval: .milliseconds(500), timeout: .milliseconds(500))
        let observations = await harness.observations { found in found.count { $0.target == Target.ID(12) } >= 4 }
        await harness.engine.shutdown()
        for listener in [slow, good] { try await listener.close() }
        for observation in observations {
            switch (observation.target.rawValue, observation.outcome) {
            case (12, .reply), (0..<12, .fault): break
            default: Issue.record("\(observation)")
            }
        }
    }
}
