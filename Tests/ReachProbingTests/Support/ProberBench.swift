import NIOCore
import NIOEmbedded
import NIOPosix
import ReachMonitoring

@testable import ReachProbing

/// A prober on an event loop without a schedule, for the outcome of one probe.
enum ProberBench {
    /// The dependencies of a prober.
    struct Parts {
        let loop: any EventLoop
        let environment: ProberEnvironment
    }

    static func end(
        of probe: Probe,
        by make: @escaping @Sendable (Parts) -> any MethodProber
    ) async throws -> (probe: Probe, outcome: Outcome) {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        let ended = loop.makePromise(of: (probe: Probe, outcome: Outcome).self)
        let start = ContinuousClock.now
        loop.execute {
            let environment = ProberEnvironment(
                gate: LoopGate(loop),
                time: { ContinuousClock.now - start },
                report: { event in
                    guard case .ended(let probe, let outcome) = event else { return }
                    ended.succeed((probe, outcome))
                }
            )
            let prober = NIOLoopBound(make(Parts(loop: loop, environment: environment)), eventLoop: loop)
            let ticks = loop.scheduleRepeatedTask(initialDelay: .zero, delay: .milliseconds(2)) { _ in
                prober.value.expire(at: ContinuousClock.now - start)
            }
            ended.futureResult.whenComplete { _ in ticks.cancel() }
            prober.value.send(probe)
        }
        return try await ended.futureResult.get()
    }
}

extension LinkProber {
    /// A prober that no probe is sent by.
    static var idle: LinkProber {
        LinkProber(ProberEnvironment(gate: LoopGate(EmbeddedEventLoop()), time: { .zero }, report: { _ in }))
    }
}

extension EchoPacket {
    /// Reads the packet in a buffer.
    init?(reading buffer: ByteBuffer, family: IPAddress.Family) {
        guard let packet = buffer.withUnsafeReadableBytes({ EchoPacket(reading: $0, family: family) }) else {
            return nil
        }
        self = packet
    }
}

extension Probe {
    /// A probe of `host` with default arguments.
    static func icmp(
        _ host: String = "192.0.2.1",
        target: Int = 0,
        sequence: Int = 1,
        timeout: Duration = .seconds(1)
    ) -> Probe {
        Probe(
            target: Target.ID(target),
            watch: 1,
            sequence: sequence,
            question: .icmp(host: host),
            timeout: timeout,
            made: .zero,
            address: IPAddress(literal: host)
        )
    }
}
