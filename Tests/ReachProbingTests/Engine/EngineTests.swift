import NIOCore
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct EngineTests {
    @Test func `a forgotten target is no longer probed`() async throws {
        let connections = Mutex(0)
        let listener = try await Listener.on(says: "hello") { connections.withLock { $0 += 1 } }
        let other = try await Listener.on()
        let harness = EngineHarness()
        let questions: [Question] = [
            .tcp(host: "127.0.0.1", port: listener.port), .tcp(host: "127.0.0.1", port: other.port),
        ]
        harness.watch(questions, interval: .milliseconds(20), timeout: .milliseconds(20))
        _ = await harness.observations { observations in observations.contains { $0.target == Target.ID(0) } }
        harness.engine.perform(.forget([Target.ID(0)]))
        // Findings from before the request may still arrive. Requests are performed in order: once the
        // target added after it has replied, the request is complete.
        let last = harness.watch(one: .tcp(host: "127.0.0.1", port: other.port))
        _ = await harness.observations { observations in observations.contains { $0.target == last } }
        // A connection from before may be counted late. The loops of the listener take turns: once each has answered
        // another client, all earlier connections are counted.
        for _ in 0..<System.coreCount {
            let client = EngineHarness()
            let question = Question.tcp(host: "127.0.0.1", port: listener.port, TCPOptions(expect: "hello"))
            client.watch([question], interval: .seconds(1_000), timeout: .seconds(10))
            _ = await client.observations(1)
            await client.engine.shutdown()
        }
        let before = connections.withLock { $0 }
        let later = await harness.observations(40).map(\.target)
        #expect(!later.contains(Target.ID(0)))
        #expect(connections.withLock { $0 } == before)
        await harness.engine.shutdown()
        try await listener.close()
        try await other.close()
    }

    @Test func `new settings keep the numbering of probes`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        let question = Question.tcp(host: "127.0.0.1", port: listener.port)
        harness.watch([question], interval: .milliseconds(50), timeout: .milliseconds(50))
        let before = await harness.observations(2)
        harness.watch([question], interval: .milliseconds(60), timeout: .milliseconds(60))
        let after = await harness.observations(2)
        #expect((before + after).map(\.sequence) == [1, 2, 3, 4])
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `a target is probed at once on request`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        harness.watch(
            [.tcp(host: "127.0.0.1", port: listener.port)],
            interval: .seconds(1_000),
            timeout: .seconds(1)
        )
        _ = await harness.observations(1)
        harness.engine.perform(.now([Target.ID(0)]))
        #expect(await harness.observations(1).map(\.sequence) == [2])
        harness.engine.perform(.pace(Target.ID(0), interval: .milliseconds(100)))
        #expect(await harness.observations(2).map(\.sequence) == [3, 4])
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `probes in flight during a stall are discarded`() async throws {
        let (connections, connected) = AsyncStream.makeStream(of: Void.self)
        let silent = try await Listener.on(says: "", closes: false) { connected.yield() }
        let slept = Mutex(Duration.zero)
        let harness = EngineHarness(clockOffset: { slept.withLock { $0 } })
        harness.watch(
            [.tcp(host: "127.0.0.1", port: silent.port, TCPOptions(expect: "never"))],
            interval: .milliseconds(300),
            timeout: .milliseconds(300)
        )
        #expect(await harness.observations(1).map(\.sequence) == [1])
        var arrivals = connections.makeAsyncIterator()
        for _ in 1...2 { await arrivals.next() }
        slept.withLock { $0 = .seconds(3_600) }
        // On a busy machine a probe may end before the clock jumps; the probe in flight at the jump has no end.
        let observations = await harness.observations { $0.contains { $0.time > .seconds(3_600) } }
        let last = try #require(observations.last)
        #expect(last.sequence == 1 + observations.count + 1, "the first, those before the jump, the discarded one")
        #expect(last.outcome == .timeout)
        await harness.engine.shutdown()
        try await silent.close()
    }

    @Test func `after a sleep without probes in flight it is reported and all targets are probed at once`()
        async throws
    {
        let listener = try await Listener.on()
        let slept = Mutex(Duration.zero)
        let harness = EngineHarness(clockOffset: { slept.withLock { $0 } })
        let question = Question.tcp(host: "127.0.0.1", port: listener.port)
        harness.watch([question], interval: .seconds(1_000_000), timeout: .seconds(1))
        #expect(await harness.observations(1).map(\.sequence) == [1])
        slept.withLock { $0 = .seconds(3_600) }
        var findings: [Finding] = []
        while findings.count < 2 {
            let batch = await harness.batch()
            guard !batch.isEmpty else { break }
            findings += batch.filter { finding in
                if case .link = finding { false } else { true }
            }
        }
        guard case .stalled(let gap, let time)? = findings.first, case .observation(let next)? = findings.last else {
            Issue.record("\(findings)")
            return
        }
        #expect(gap > .seconds(3_590) && gap < .seconds(3_602))
        #expect(time > .seconds(3_600) && next.time >= time)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `requests after the shutdown are ignored, and findings end`() async {
        let harness = EngineHarness()
        await harness.engine.shutdown()
        harness.watch([.icmp(host: "127.0.0.1")])
        #expect(await harness.batch().isEmpty)
        await harness.engine.shutdown()
    }

    @Test func `an unreachable network is a failure of its own target only`() async throws {
        let listener = try await Listener.on()
        let harness = EngineHarness()
        // The discard prefix of RFC 6666: either there is no route, or no reply.
        harness.watch([
            .tcp(host: "100::1", port: 1), .tcp(host: "127.0.0.1", port: listener.port), .icmp(host: "100::1"),
        ])
        let observations = await harness.observations { Set($0.map(\.target)).count == 3 }
        for observation in observations {
            if case .reply = observation.outcome {
                #expect(observation.target == Target.ID(1))
            } else {
                #expect(observation.target != Target.ID(1))
            }
        }
        await harness.engine.shutdown()
        try await listener.close()
    }
}

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct FindingsTests {
    private func findings(_ range: Range<Int>) -> [Finding] {
        range.map { .late(Target.ID($0), roundTrip: .seconds(2), sent: .zero) }
    }

    @Test func `all pending findings are delivered in one batch`() async {
        let buffer = FindingBuffer()
        #expect(buffer.append(findings(0..<3)) == 0)
        #expect(buffer.append(findings(3..<5)) == 0)
        var iterator = Findings(buffer: buffer).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<5))
        buffer.finish()
        #expect(await iterator.next() == nil)
    }

    @Test func `findings from before the end are still delivered`() async {
        let buffer = FindingBuffer()
        _ = buffer.append(findings(0..<1))
        buffer.finish()
        var iterator = Findings(buffer: buffer).makeAsyncIterator()
        #expect(await iterator.next() == findings(0..<1))
        #expect(await iterator.next() == nil)
    }

    @Test func `a slow consumer loses the oldest findings`() {
        let buffer = FindingBuffer(capacity: 100)
        #expect(buffer.append(findings(0..<100)) == 0)
        #expect(buffer.append(findings(100..<101)) == 11)
        #expect(buffer.removeAll() == findings(11..<101))
        #expect(buffer.append(findings(0..<1_000)) == 910)
        #expect(buffer.removeAll() == findings(910..<1_000))
    }
}

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SendTimeTests {
    @Test func `a probe is sent when its name is resolved`() async throws {
        let listener = try await Listener.on()
        let hang = Hang()
        let isLookedUp = Mutex(false)
        let harness = EngineHarness(resolve: { _ in
            isLookedUp.withLock { $0 = true }
            hang.wait()
            return Resolution.system("127.0.0.1")
        })
        harness.watch([.tcp(host: "nas", port: listener.port)], interval: .seconds(5), timeout: .seconds(5))
        let other = harness.watch(one: .tcp(host: "127.0.0.1", port: listener.port))
        _ = await harness.observations { !$0.isEmpty && isLookedUp.withLock { $0 } }
        // Most of these are sent after the first lookup of the name.
        let early = await harness.observations(60)
        #expect(early.allSatisfy { $0.target == other })
        hang.end()
        let late = await harness.observations { $0.contains { $0.target != other } }
        let named = try #require(late.last)
        let before = try #require(early.last)
        guard case .reply(let reply) = named.outcome, let roundTrip = reply.roundTrip else {
            Issue.record("\(named)")
            return
        }
        #expect(named.sent > before.sent)
        #expect(named.sent <= named.time - roundTrip)
        await harness.engine.shutdown()
        try await listener.close()
    }

    @Test func `an outcome without an address has the time of its lookup`() async throws {
        let harness = EngineHarness(resolve: { _ in .failure(Failure(.nameNotFound)) })
        harness.watch([.icmp(host: "nas")], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observations = await harness.observations(3)
        #expect(observations.allSatisfy { $0.sent <= $0.time })
        #expect(zip(observations, observations.dropFirst()).allSatisfy { $0.sent < $1.sent })
        await harness.engine.shutdown()
    }
}

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
        let watch = WatchedTarget(number: 1, of: .init(id: Self.id, target: target), prober: LinkProber.idle)
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
        let watch = WatchedTarget(number: 1, of: .init(id: Self.id, target: target), prober: LinkProber.idle)
        watch.isUrgent = true
        #expect(!watch.mayOverlap)
    }
}
