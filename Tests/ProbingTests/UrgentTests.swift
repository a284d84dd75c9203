import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// Probes of targets that are down: an unresponsive peer must not delay its recovery by a whole timeout.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct UrgentTests {
    private static let id = Target.ID(0)

    @Test(arguments: ["tcp", "tls", "http", "https"])
    func `an urgent target has further connections before the first times out`(
        scheme: String
    ) async throws {
        let (connections, connected) = AsyncStream.makeStream(of: Void.self)
        let silent = try await Listener.on(says: "", closes: false) { connected.yield() }
        let harness = EngineHarness()
        var question = try Question("\(scheme)://127.0.0.1:\(silent.port)")
        if case .tcp(let host, let port, _) = question {
            question = .tcp(host: host, port: port, TCPOptions(expect: "never"))
        }
        harness.watch([question], interval: .seconds(1_000), timeout: .seconds(1_000))
        harness.engine.perform(.pace(Self.id, interval: .milliseconds(20), isUrgent: true))
        var arrivals = connections.makeAsyncIterator()
        for _ in 1...3 { await arrivals.next() }
        await harness.engine.shutdown()
        try await silent.close()
    }

    @Test func `the first reply counts although earlier datagrams have none`() async throws {
        let count = Mutex(0)
        let server = try await NameServer.on(host: "127.0.0.1") { question in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number == 3 ? [.send(question.query)] : []
        }
        let harness = EngineHarness()
        let question = Question.udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "hello"))
        harness.watch([question], interval: .seconds(1_000), timeout: .seconds(1_000))
        harness.engine.perform(.pace(Self.id, interval: .milliseconds(20), isUrgent: true))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.sequence == 3)
        guard case .reply = observation.outcome else { throw Unexpected(outcome: observation.outcome) }
        await harness.engine.shutdown()
        try await server.close()
    }

    @Test func `an urgent target has up to eight probes in flight, others one`() {
        let target = Target(name: "NAS", question: .tcp(host: "192.0.2.5", port: 22))
        let watch = WatchedTarget(number: 1, of: .init(id: Self.id, target: target), prober: LinkProber { _ in })
        #expect(!watch.mayOverlap)
        watch.isUrgent = true
        watch.inFlight = 7
        #expect(watch.mayOverlap)
        watch.inFlight = 8
        #expect(!watch.mayOverlap)
    }

    @Test(arguments: [Question.exec(.shell("true")), .session(host: "192.0.2.5", port: 22)])
    func `commands and sessions never overlap`(question: Question) {
        let target = Target(name: "NAS", question: question)
        let watch = WatchedTarget(number: 1, of: .init(id: Self.id, target: target), prober: LinkProber { _ in })
        watch.isUrgent = true
        #expect(!watch.mayOverlap)
    }
}
