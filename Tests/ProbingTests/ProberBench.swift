import Monitoring
import NIOCore
import NIOPosix

@testable import Probing

/// A prober on an event loop, without a schedule: one probe, and how it ends.
enum ProberBench {
    /// What a prober is made of.
    struct Parts {
        let loop: any EventLoop
        let searches: SearchDesk
        let time: () -> Duration
        let tell: (Notice) -> Void
    }

    static func end(
        of probe: Probe,
        by make: @escaping @Sendable (Parts) -> any Prober
    ) async throws -> (probe: Probe, outcome: Outcome) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = loop.makePromise(of: (probe: Probe, outcome: Outcome).self)
        let start = ContinuousClock.now
        loop.execute {
            let time = { ContinuousClock.now - start }
            let searches = SearchDesk(gate: LoopGate(loop), pool: SearchPool())
            let parts = Parts(loop: loop, searches: searches, time: time) { notice in
                guard case .ended(let probe, let outcome) = notice else { return }
                ended.succeed((probe, outcome))
            }
            let prober = NIOLoopBound(make(parts), eventLoop: loop)
            let ticks = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(2)) { _ in
                prober.value.expire(at: ContinuousClock.now - start)
            }
            ended.futureResult.whenComplete { _ in ticks.cancel() }
            prober.value.ask(probe)
        }
        return try await ended.futureResult.get()
    }
}
