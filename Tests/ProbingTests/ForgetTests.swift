import Logging
import Monitoring
import NIOCore
import NIOPosix
import Testing

@testable import Probing

/// Targets that are removed one by one: what looks at all others is done once for many of them.
@Suite(.timeLimit(.minutes(1)))
struct ForgetTests {
    @Test func `a thousand targets that are removed one by one have the others looked at once`() async throws {
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
        share: Share(number: 0, division: Division(cores: 1), stalls: StallLog()) { _ in },
        gate: LoopGate(loop),
        logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
        basket: FindingBasket(),
        commands: CommandPool(run: nil),
        searchPool: SearchPool(),
        resolve: { Resolution.system($0) },
        now: now,
        seed: 1
    )
}

/// A prober that counts what it is told, and answers nothing.
private final class CountingProber: Prober {
    /// How many questions there were, each time that it was to close what none of them needs.
    private(set) var keeps: [Int] = []
    private(set) var forgotten = 0
    let nextDeadline: Duration? = nil

    func ask(_ probe: Probe) {}
    func expire(at time: Duration) {}
    func void(at time: Duration) {}
    func keep(for questions: [Question]) { keeps.append(questions.count) }
    func forget(_ target: Target.ID) { forgotten += 1 }
}
