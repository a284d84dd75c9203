#if Fetch
package import Monitoring
import NIOCore
import NIOPosix
import Synchronization

/// Probes targets by modules, at the request of clients.
package final class ModuleProber: Sendable {
    /// The maximum number of probes in flight.
    package let limit: Int
    private let lanes: [(loop: any EventLoop, lane: NIOLoopBoundBox<ModuleLane>)]
    private let state = Mutex((running: 0, number: 0))

    /// - Parameter limit: The maximum number of probes in flight.
    package init(limit: Int) {
        self.limit = limit
        let searchPool = PatternSearchPool()
        lanes = MultiThreadedEventLoopGroup.singleton.makeIterator().map { loop in
            let lane = ModuleLane(
                gate: LoopGate(loop),
                searchPool: searchPool,
                resolve: Self.resolve,
                time: { .nanoseconds(Int64(NIODeadline.now().uptimeNanoseconds)) }
            )
            return (loop, NIOLoopBoundBox.makeBoxSendingValue(lane, eventLoop: loop))
        }
    }

    /// The number of probes in flight.
    package var count: Int { state.withLock(\.running) }

    /// Looks a name up with the system's resolver, without regard to the addresses of this machine: a target that it cannot
    /// reach fails.
    private static let resolve: @Sendable (NameQuery) -> Resolution = { name in
        guard name.family == .any else { return .system(name) }
        return Resolution(usable: Resolution.addresses(of: name.host, flags: 0), of: name) ?? .system(name)
    }

    /// Probes a target, and returns the result; nil if ``limit`` probes are in flight, or if the task is cancelled. A task on
    /// one of the event loops probes on that one.
    ///
    /// - Parameters:
    ///   - hostname: The name of the server, which the client can set for a target that is an address.
    ///   - hasLog: Whether the report has a log.
    package func report(
        on target: String,
        by module: ProbeModule,
        hostname: String? = nil,
        timeout: Duration,
        hasLog: Bool = false
    ) async -> ModuleReport? {
        let limit = limit
        let number: Int? = state.withLock { state in
            guard state.running < limit else { return nil }
            state.running += 1
            state.number += 1
            return state.number
        }
        guard let number else { return nil }
        defer { state.withLock { $0.running -= 1 } }
        let (loop, lane) = lanes.first { $0.loop.inEventLoop } ?? lanes[number % lanes.count]
        let reply = ModuleReply()
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                reply.await(continuation)
                let begin: @Sendable () -> Void = {
                    guard !reply.isOver else { return }
                    let probe = ModuleProbe(of: target, by: module, timeout: timeout, hasLog: hasLog, on: lane.value) {
                        lane.value.probes[number] = nil
                        reply.send($0)
                    }
                    lane.value.probes[number] = probe
                    probe.begin(hostname: hostname)
                }
                if loop.inEventLoop { begin() } else { loop.execute(begin) }
            }
        } onCancel: {
            reply.send(nil)
            loop.execute { lane.value.probes.removeValue(forKey: number)?.cancel() }
        }
    }
}
#endif
