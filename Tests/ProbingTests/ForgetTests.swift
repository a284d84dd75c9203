import Logging
import Monitoring
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import Probing

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

private func makeLoop(on loop: any EventLoop, now: @escaping @Sendable () -> Duration) -> ProbeLoop {
    ProbeLoop(
        lane: LaneContext(number: 0, assignment: LaneAssignment(cores: 1), stalls: StallLog()) { _ in },
        gate: LoopGate(loop),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        findingBuffer: FindingBuffer(),
        commands: CommandPool(run: nil),
        searchPool: PatternSearchPool(),
        resolve: { Resolution.system($0) },
        now: now,
        seed: 1
    )
}

/// A prober that counts calls and sends nothing.
private final class CountingProber: Prober {
    /// The number of questions in each call of ``closeUnneeded(for:)``.
    private(set) var keeps: [Int] = []
    private(set) var forgotten = 0
    let nextDeadline: Duration? = nil

    func send(_ probe: Probe) {}
    func expire(at time: Duration) {}
    func void(at time: Duration) {}
    func closeUnneeded(for questions: [Question]) { keeps.append(questions.count) }
    func forget(_ target: Target.ID) { forgotten += 1 }
}
