import Monitoring
import Synchronization
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct EngineTests {
    @Test func `a forgotten target is asked no more`() async throws {
        let connections = Mutex(0)
        let listener = try await Listener.on { connections.withLock { $0 += 1 } }
        let other = try await Listener.on()
        let tower = Watchtower()
        let questions: [Question] = [
            .tcp(host: "127.0.0.1", port: listener.port), .tcp(host: "127.0.0.1", port: other.port),
        ]
        tower.watch(questions, interval: .milliseconds(20), timeout: .milliseconds(20))
        _ = await tower.observations { observations in observations.contains { $0.target == Target.ID(0) } }
        tower.engine.perform(.forget([Target.ID(0)]))
        // What was found before the request was performed may still come. Requests are performed in order: once the
        // target that is asked for after it has answered, it is over.
        let last = tower.watch(one: .tcp(host: "127.0.0.1", port: other.port))
        _ = await tower.observations { observations in observations.contains { $0.target == last } }
        let before = connections.withLock { $0 }
        let later = await tower.observations(20).map(\.target)
        #expect(!later.contains(Target.ID(0)))
        #expect(connections.withLock { $0 } == before)
        await tower.engine.shutdown()
        try await listener.close()
        try await other.close()
    }

    @Test func `new settings keep the count of probes`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        let question = Question.tcp(host: "127.0.0.1", port: listener.port)
        tower.watch([question], interval: .milliseconds(50), timeout: .milliseconds(50))
        let before = await tower.observations(2)
        tower.watch([question], interval: .milliseconds(60), timeout: .milliseconds(60))
        let after = await tower.observations(2)
        #expect((before + after).map(\.sequence) == [1, 2, 3, 4])
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `a target is asked at once when somebody wants to know now`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        tower.watch(
            [.tcp(host: "127.0.0.1", port: listener.port)],
            interval: .seconds(1_000),
            timeout: .seconds(1)
        )
        _ = await tower.observations(1)
        tower.engine.perform(.now([Target.ID(0)]))
        #expect(await tower.observations(1).map(\.sequence) == [2])
        tower.engine.perform(.pace(Target.ID(0), interval: .milliseconds(100)))
        #expect(await tower.observations(2).map(\.sequence) == [3, 4])
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `probes under way while the process did not run are void`() async throws {
        let (connections, connected) = AsyncStream.makeStream(of: Void.self)
        let silent = try await Listener.on(says: "", closes: false) { connected.yield() }
        let slept = Mutex(Duration.zero)
        let tower = Watchtower(clockOffset: { slept.withLock { $0 } })
        tower.watch(
            [.tcp(host: "127.0.0.1", port: silent.port, TCPOptions(expect: "never"))],
            interval: .milliseconds(300),
            timeout: .milliseconds(300)
        )
        #expect(await tower.observations(1).map(\.sequence) == [1])
        var arrivals = connections.makeAsyncIterator()
        for _ in 1...2 { await arrivals.next() }
        slept.withLock { $0 = .seconds(3_600) }
        // A busy machine may have let a probe end before the clock jumped; the one that was under way then has no end.
        let observations = await tower.observations { $0.contains { $0.time > .seconds(3_600) } }
        let last = try #require(observations.last)
        #expect(last.sequence == 1 + observations.count + 1, "the first, those before the jump, the void one")
        #expect(last.outcome == .timeout)
        await tower.engine.shutdown()
        try await silent.close()
    }

    @Test func `a sleep is told of, and everything is asked at once after it, though nothing was under way`()
        async throws
    {
        let listener = try await Listener.on()
        let slept = Mutex(Duration.zero)
        let tower = Watchtower(clockOffset: { slept.withLock { $0 } })
        let question = Question.tcp(host: "127.0.0.1", port: listener.port)
        tower.watch([question], interval: .seconds(1_000_000), timeout: .seconds(1))
        #expect(await tower.observations(1).map(\.sequence) == [1])
        slept.withLock { $0 = .seconds(3_600) }
        var findings: [Finding] = []
        while findings.count < 2 {
            let batch = await tower.batch()
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
        await tower.engine.shutdown()
        try await listener.close()
    }

    @Test func `requests after the shutdown are ignored, and findings end`() async {
        let tower = Watchtower()
        await tower.engine.shutdown()
        tower.watch([.icmp(host: "127.0.0.1")])
        #expect(await tower.batch().isEmpty)
        await tower.engine.shutdown()
    }

    @Test func `a network that no way leads to is a failure of its target alone`() async throws {
        let listener = try await Listener.on()
        let tower = Watchtower()
        // The discard prefix of RFC 6666: either no way leads there, or nobody answers.
        tower.watch([
            .tcp(host: "100::1", port: 1), .tcp(host: "127.0.0.1", port: listener.port), .icmp(host: "100::1"),
        ])
        let observations = await tower.observations { Set($0.map(\.target)).count == 3 }
        for observation in observations {
            if case .reply = observation.outcome {
                #expect(observation.target == Target.ID(1))
            } else {
                #expect(observation.target != Target.ID(1))
            }
        }
        await tower.engine.shutdown()
        try await listener.close()
    }
}
