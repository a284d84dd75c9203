import Monitoring
import Synchronization
import Testing

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct CommandTests {
    /// A command that goes on until it is ended.
    @Sendable private static func goOn() async {
        let (ends, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in ends {}
    }

    @Test func `a command is told its target, and its duration is the round trip`() async throws {
        let told = Mutex<[String]>([])
        let tower = Watchtower(runCommand: { command, environment in
            told.withLock { $0 = environment.map { "\($0.name)=\($0.value)" } + ["\(command)"] }
            return HookResult(status: .exited(0), duration: .milliseconds(3), output: "fine\n")
        })
        tower.watch([.exec(.shell("probe"))], interval: .seconds(10), timeout: .seconds(10))
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.outcome == .reply(Reply(roundTrip: .milliseconds(3), detail: "fine")))
        #expect(told.withLock { $0 } == ["REACH_TARGET=0", "REACH_URL=exec:", "probe"])
        await tower.engine.shutdown()
    }

    @Test func `a command that takes too long is a timeout, and is ended`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let tower = Watchtower(runCommand: { _, _ in
            await Self.goOn()
            end.yield(Task.isCancelled)
            return HookResult(status: .cancelled, duration: .zero)
        })
        tower.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        #expect(await tower.observations(2).map(\.outcome) == [.timeout, .timeout])
        #expect(await ends.first { _ in true } == true)
        await tower.engine.shutdown()
    }

    @Test func `a command that ended in time is no timeout, however late that is noticed`() async throws {
        let tower = Watchtower(runCommand: { _, _ in
            // Its end is seen only when the deadline has passed.
            await Self.goOn()
            return HookResult(status: .exited(0), duration: .milliseconds(3))
        })
        tower.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observation = try #require(await tower.observations(1).first)
        #expect(observation.outcome == .reply(Reply(roundTrip: .milliseconds(3))))
        await tower.engine.shutdown()
    }

    @Test func `a command that cannot be ended is a timeout`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let tower = Watchtower(runCommand: { _, _ in
            // What is cancelled goes on.
            await Task { for await _ in gate {} }.value
            return HookResult(status: .exited(0), duration: .milliseconds(3))
        })
        tower.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        #expect(await tower.observations(1).first?.outcome == .timeout)
        open.finish()
        await tower.engine.shutdown()
    }

    @Test func `sixteen commands run at a time, and whoever's turn does not come was not asked`() async throws {
        let counts = Mutex((now: 0, most: 0))
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let tower = Watchtower(runCommand: { _, _ in
            counts.withLock { $0 = (now: $0.now + 1, most: max($0.most, $0.now + 1)) }
            started.yield()
            await Self.goOn()
            counts.withLock { $0.now -= 1 }
            return HookResult(status: .cancelled, duration: .zero)
        })
        tower.watch(
            Array(repeating: .exec(.shell("probe")), count: 16),
            interval: .seconds(100),
            timeout: .seconds(100)
        )
        tower.engine.perform(.now((0..<16).map { Target.ID($0) }))
        var running = starts.makeAsyncIterator()
        for _ in 1...16 { await running.next() }

        let late = tower.watch(one: .exec(.shell("probe")))
        let observations = await tower.observations(3)
        let fault = Outcome.fault(Fault(.internal, detail: "16 commands are running already"))
        #expect(observations.map(\.outcome) == [fault, fault, fault])
        #expect(observations.allSatisfy { $0.target == late })
        #expect(counts.withLock { $0.most } == 16)
        await tower.engine.shutdown()
        #expect(counts.withLock { $0.now } == 0, "the end waits for the commands")
    }

    @Test func `without anything that runs commands, there is a fault`() async throws {
        let tower = Watchtower()
        tower.watch([.exec(.shell("probe"))])
        let fault = Fault(.internal, detail: "commands are not run here")
        #expect(await tower.observations(1).first?.outcome == .fault(fault))
        await tower.engine.shutdown()
    }
}
