import Logging
import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

/// Targets that are removed one at a time: the scan of all others is made once for many.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ForgetTests {
    @Test func `removing a thousand targets one at a time scans the others once`() async throws {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let start = ContinuousClock.now
        let done = loop.makePromise(of: (keeps: [Int], forgotten: Int).self)
        loop.execute {
            let probes = makeLoop(on: loop) { ContinuousClock.now - start }
            let prober = CountingProber()
            probes.probers[.icmp] = prober
            let assignments = (0..<1_500).map { number in
                ProbeRequest.Assignment(
                    id: Target.ID(number),
                    target: Target(name: "\(number)", question: .icmp(host: "192.0.2.1"), interval: .seconds(1_000))
                )
            }
            probes.perform(.watch(assignments))
            for number in 0..<1_000 { probes.perform(.forget([Target.ID(number)])) }
            let bound = NIOLoopBound((probes, prober), eventLoop: loop)
            loop.scheduleTask(in: .nanoseconds(2 * ProbeLoop.tidyPause.nanoseconds)) {
                let (probes, prober) = bound.value
                let (keeps, forgotten) = (prober.keeps, prober.forgotten)
                probes.close()
                done.succeed((keeps, forgotten))
            }
        }
        let (keeps, forgotten) = try await done.futureResult.get()
        #expect(forgotten == 1_000)
        #expect(keeps == [500])
    }
}

/// When routine findings are handed over.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct HandOverTests {
    /// The findings that are handed over in the turn in which they are reported, at each of the times in milliseconds.
    private func handedOver(deadline: Duration?, at times: [Int]) async throws -> [Int] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let clock = Mutex(Duration.zero)
        let buffer = FindingBuffer()
        buffer.setRoutineDelay(.milliseconds(40))
        let gate = LoopGate(loop)
        let probes = try await loop.submit {
            let probes = makeLoop(on: gate, buffer) { clock.withLock(\.self) }
            probes.probers[.icmp] = CountingProber(nextDeadline: deadline)
            return NIOLoopBound(probes, eventLoop: loop)
        }.get()
        var counts: [Int] = []
        for time in times {
            clock.withLock { $0 = .milliseconds(time) }
            try await loop.submit {
                probes.value.report(.late(Target.ID(0), roundTrip: .seconds(2), sent: .zero), isRoutine: true)
            }.get()
            // The end of the turn has come before.
            counts.append(try await loop.submit { buffer.removeAll().count }.get())
        }
        try await loop.submit { probes.value.close() }.get()
        return counts
    }

    @Test func `replies are handed over at once if no probe is in flight and the last batch is old enough`()
        async throws
    {
        #expect(try await handedOver(deadline: nil, at: [100, 120, 130]) == [1, 0, 0])
        #expect(try await handedOver(deadline: nil, at: [100, 140]) == [1, 1])
    }

    @Test func `while probes are in flight, replies wait for theirs`() async throws {
        #expect(try await handedOver(deadline: .seconds(1), at: [100, 139]) == [0, 0])
    }
}

/// A stall: the process did not run, so the probes in flight cannot be timed.
@Suite(.serialized, .timeLimit(.minutes(1)))
struct StallTests {
    /// The findings after a reply that comes ten seconds after its probe was sent, in which the process did not run.
    private func findings(_ enter: @escaping @Sendable (ProbeLoop, LoopGate) -> Void) async throws -> [Finding] {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let clock = Mutex(Duration.zero)
        let buffer = FindingBuffer()
        let gate = LoopGate(loop)
        return try await loop.submit {
            let probes = makeLoop(on: gate, buffer) { clock.withLock(\.self) }
            let prober = CountingProber()
            probes.probers[.icmp] = prober
            let target = Target(name: "a", question: .icmp(host: "192.0.2.1"))
            probes.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: target)]))
            probes.perform(.now([Target.ID(0)]))
            clock.withLock { $0 = .milliseconds(10) }
            probes.tick()
            let probe = try #require(prober.sent.first)
            clock.withLock { $0 = .seconds(10) }
            enter(probes, gate)
            #expect(prober.discards == 1)
            probes.receive(ProberEvent.ended(probe, .reply(roundTrip: .milliseconds(1))))
            probes.handOver()
            defer { probes.close() }
            return buffer.removeAll()
        }.get()
    }

    @Test func `reading the clock discards nothing, entering the loop does`() async throws {
        let findings = try await findings { probes, gate in
            _ = probes.environment.time()
            gate.pass()
        }
        #expect(findings.contains { if case .stalled = $0 { true } else { false } })
        #expect(!findings.contains { if case .observation = $0 { true } else { false } })
    }

    @Test func `a reply after a stall does not count, even if the loop was not entered through the gate`() async throws
    {
        let findings = try await findings { probes, _ in probes.receive(.probeNow(Target.ID(0))) }
        #expect(!findings.contains { if case .observation = $0 { true } else { false } })
    }
}

private func makeLoop(on loop: any EventLoop, now: @escaping @Sendable () -> Duration) -> ProbeLoop {
    makeLoop(on: LoopGate(loop), FindingBuffer(), now: now)
}

func makeLoop(
    on gate: LoopGate,
    _ buffer: FindingBuffer,
    now: @escaping @Sendable () -> Duration
) -> ProbeLoop {
    ProbeLoop(
        lane: LaneContext(number: 0, assignment: LaneAssignment(cores: 1), stalls: StallLog()) { _ in },
        gate: gate,
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        findingBuffer: buffer,
        commands: CommandPool(run: nil),
        searchPool: PatternSearchPool(),
        resolve: { Resolution.system($0) },
        now: now,
        seed: 1
    )
}

/// A prober that counts calls and sends nothing.
private final class CountingProber: MethodProber {
    /// The number of questions in each call of ``closeUnneeded(for:)``.
    private(set) var keeps: [Int] = []
    private(set) var forgotten = 0
    private(set) var sent: [Probe] = []
    private(set) var discards = 0
    let nextDeadline: Duration?

    init(nextDeadline: Duration? = nil) { self.nextDeadline = nextDeadline }

    func send(_ probe: Probe) { sent.append(probe) }
    func expire(at time: Duration) {}
    func discardInFlight(at time: Duration) { discards += 1 }
    func closeUnneeded(for questions: [Question]) { keeps.append(questions.count) }
    func forget(_ target: Target.ID) { forgotten += 1 }
}
