import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct CommandTests {
    /// A command that runs until it is cancelled.
    @Sendable private static func runUntilCancelled() async {
        let (ends, _) = AsyncStream.makeStream(of: Void.self)
        for await _ in ends {}
    }

    @Test func `a command gets its target in the environment, and its duration is the round trip`() async throws {
        let received = Mutex<[String]>([])
        let harness = EngineHarness(runCommand: { command, environment in
            received.withLock { $0 = environment.map { "\($0.name)=\($0.value)" } + ["\(command)"] }
            return HookResult(status: .exited(0), duration: .milliseconds(3), output: "fine\n")
        })
        harness.watch([.exec(.shell("probe"))], interval: .seconds(10), timeout: .seconds(10))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .reply(Reply(roundTrip: .milliseconds(3), detail: "fine")))
        #expect(received.withLock { $0 } == ["REACH_TARGET=0", "REACH_URL=exec:", "probe"])
        await harness.engine.shutdown()
    }

    @Test func `a command that takes too long is a timeout and is cancelled`() async throws {
        let (ends, end) = AsyncStream.makeStream(of: Bool.self)
        let harness = EngineHarness(runCommand: { _, _ in
            await Self.runUntilCancelled()
            end.yield(Task.isCancelled)
            return HookResult(status: .cancelled, duration: .zero)
        })
        harness.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        #expect(await harness.observations(2).map(\.outcome) == [.timeout, .timeout])
        #expect(await ends.first { _ in true } == true)
        await harness.engine.shutdown()
    }

    @Test func `a command that ended in time is not a timeout, however late that is noticed`() async throws {
        let harness = EngineHarness(runCommand: { _, _ in
            // Its end is noticed only after the deadline.
            await Self.runUntilCancelled()
            return HookResult(status: .exited(0), duration: .milliseconds(3))
        })
        harness.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        let observation = try #require(await harness.observations(1).first)
        #expect(observation.outcome == .reply(Reply(roundTrip: .milliseconds(3))))
        await harness.engine.shutdown()
    }

    @Test func `a command that cannot be ended is a timeout`() async throws {
        let (gate, open) = AsyncStream.makeStream(of: Void.self)
        let harness = EngineHarness(runCommand: { _, _ in
            // It continues after cancellation.
            await Task { for await _ in gate {} }.value
            return HookResult(status: .exited(0), duration: .milliseconds(3))
        })
        harness.watch([.exec(.shell("probe"))], interval: .milliseconds(50), timeout: .milliseconds(50))
        #expect(await harness.observations(1).first?.outcome == .timeout)
        open.finish()
        await harness.engine.shutdown()
    }

    @Test func `sixteen commands run at a time, and a queued one is a fault at its deadline`() async throws {
        let counts = Mutex((now: 0, most: 0))
        let (starts, started) = AsyncStream.makeStream(of: Void.self)
        let harness = EngineHarness(runCommand: { _, _ in
            counts.withLock { $0 = (now: $0.now + 1, most: max($0.most, $0.now + 1)) }
            started.yield()
            await Self.runUntilCancelled()
            counts.withLock { $0.now -= 1 }
            return HookResult(status: .cancelled, duration: .zero)
        })
        harness.watch(
            Array(repeating: .exec(.shell("probe")), count: 16),
            interval: .seconds(100),
            timeout: .seconds(100)
        )
        harness.engine.perform(.now((0..<16).map { Target.ID($0) }))
        var running = starts.makeAsyncIterator()
        for _ in 1...16 { await running.next() }

        let late = harness.watch(one: .exec(.shell("probe")))
        let observations = await harness.observations(3)
        let fault = Outcome.fault(
            Fault(.internal, detail: "no turn for the command: 16 others run – lengthen the intervals of exec: targets")
        )
        #expect(observations.map(\.outcome) == [fault, fault, fault])
        #expect(observations.allSatisfy { $0.target == late })
        #expect(counts.withLock { $0.most } == 16)
        await harness.engine.shutdown()
        #expect(counts.withLock { $0.now } == 0, "the shutdown waits for the commands")
    }

    @Test func `a command without a runner is a fault`() async throws {
        let harness = EngineHarness()
        harness.watch([.exec(.shell("probe"))])
        let fault = Fault(.internal, detail: "commands cannot be run: there is no runner for them – pass runCommand")
        #expect(await harness.observations(1).first?.outcome == .fault(fault))
        await harness.engine.shutdown()
    }
}

struct CommandOutcomeTests {
    private func outcome(
        _ status: HookResult.Status,
        printing output: String = "",
        of command: HookCommand = .program("probe", arguments: [])
    ) -> Outcome {
        Outcome(of: HookResult(status: status, duration: .milliseconds(7), output: output), from: .exec(command))
    }

    private func reply(detail: String? = nil, concern: String? = nil) -> Outcome {
        .reply(Reply(roundTrip: .milliseconds(7), detail: detail, concern: concern))
    }

    private func failure(_ detail: String) -> Outcome {
        .failure(Failure(.exitStatus, detail: detail))
    }

    @Test func `the exit status means up, down or degraded, and the first line is the detail`() {
        #expect(outcome(.exited(0)) == reply())
        #expect(outcome(.exited(0), printing: "3 workers\nmore\n") == reply(detail: "3 workers"))
        #expect(outcome(.exited(1)) == failure("exit status 1"))
        #expect(outcome(.exited(1), printing: "no workers") == failure("no workers"))
        #expect(outcome(.exited(2)) == reply(concern: "exit status 2"))
        #expect(outcome(.exited(2), printing: "1 worker") == reply(detail: "1 worker", concern: "1 worker"))
        #expect(outcome(.exited(3)) == failure("exit status 3"))
        #expect(outcome(.exited(3), printing: "oh") == failure("exit status 3: oh"))
        #expect(outcome(.signalled(11)) == failure("killed by signal 11"))
    }

    @Test func `a command that cannot be run is a fault`() {
        let fault = Outcome.fault(Fault(.internal, detail: "probe: not found in PATH"))
        #expect(outcome(.notStarted("probe: not found in PATH")) == fault)
        let line = "sh: 1: prob: not found"
        #expect(
            outcome(.exited(127), printing: line, of: .shell("prob")) == .fault(Fault(.internal, detail: line))
        )
        #expect(outcome(.exited(127)) == failure("exit status 127"))
    }

    @Test func `the first line is shortened, without control characters`() {
        #expect(outcome(.exited(0), printing: "\n \r\n\t a\u{1B}[31m\tb \r\nc") == reply(detail: "a[31m b"))
        let long = String(repeating: "x", count: 61)
        #expect(outcome(.exited(0), printing: long) == reply(detail: String(repeating: "x", count: 59) + "…"))
    }
}
