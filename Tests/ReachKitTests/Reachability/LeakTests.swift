#if canImport(Glibc)
import Foundation
import NIOPosix
import ReachKit
import ReachMonitoring
import TestSupport
import Testing

/// Resources after the end of all subscriptions, in a separate process.
@Suite(.timeLimit(.minutes(5)))
struct LeakTests {
    @Test func `hundreds of rounds leave no descriptors, threads or memory`() async {
        await #expect(processExitsWith: .success) {
            Heap.stopRecordingErrors()
            let rounds = Rounds()
            for _ in 1...10 { try await rounds.run() }
            var before = try await rounds.settle()
            var grown = 0
            // A cache grows once, with the number of threads; a leak grows with every four hundred rounds.
            for _ in 1...4 {
                for _ in 1...400 { try await rounds.run() }
                let after = try await rounds.settle(to: before)
                grown = after.memory - before.memory
                if grown < Figures.tolerance { return }
                before.memory = after.memory
            }
            Issue.record("\(grown) bytes more with every four hundred rounds")
        }
    }

    /// The resources of the process.
    struct Figures: Sendable {
        let descriptors: Int
        let threads: Int
        /// In bytes, as counted by the allocator. It keeps free pages, so the resident size is not significant.
        var memory: Int

        /// 128 bytes for each of four hundred rounds, less than any task or timer needs. It is not zero because
        /// threads cache some freed memory, which counts as in use, and an event loop's thread has almost none
        /// after ten rounds.
        static let tolerance = 51_200

        static var now: Figures? {
            Heap.used.map { memory in
                Figures(
                    descriptors: count("/proc/self/fd"),
                    threads: count("/proc/self/task"),
                    memory: memory
                )
            }
        }

        private static func count(_ folder: String) -> Int {
            (try? FileManager.default.contentsOfDirectory(atPath: folder).count) ?? 0
        }
    }

    private final class Rounds {
        private struct Weak {
            weak let instance: AnyObject?
        }

        private var instances: [Weak] = []

        private func track(_ instance: AnyObject) { instances.append(Weak(instance: instance)) }

        /// Subscribes, and cancels at every stage: with a verdict, without one, during an operation.
        func run() async throws {
            let prober = Prober(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
            let listener = try LoopbackListener()
            try listener.open()
            // A name, so that there is a lookup.
            let target = Target(name: "", question: .tcp(host: "localhost", port: listener.port), family: .v4)
            let host = Reachability(of: .init(target), prober: prober)
            let hosts = [
                host,
                Reachability(of: "127.0.0.1", prober: prober),
                Reachability(of: try .init("session://127.0.0.1:\(listener.port)"), prober: prober),
                Reachability(of: try .init("https://127.0.0.1:\(listener.port)"), prober: prober),
                Reachability(of: "dns://127.0.0.1/example.com", prober: prober),
                Reachability(of: .internet, prober: prober),
            ]
            let session = try Session(to: "127.0.0.1", port: listener.port, prober: prober)
            let monitor = try Monitor([target], prober: prober)
            for host in hosts { track(host) }
            for instance in [prober, session, monitor] as [AnyObject] { track(instance) }
            let tasks = hosts.map { $0.whenReachable(within: .seconds(100)) { 7 } }
            var subscribers = hosts.map { host in Task { for await _ in host.changes {} } }
            subscribers.append(Task { for await _ in session.states {} })
            subscribers.append(Task { for await _ in monitor.events {} })
            // The connection is accepted, and the request never answered.
            let url = "http://127.0.0.1:\(listener.port)/"
            subscribers.append(Task { _ = try? await Fetch(prober: prober).data(from: url) })
            #expect(await host.check() == .reachable(via: .loopback))
            for task in tasks { task.cancel() }
            for subscriber in subscribers { subscriber.cancel() }
            for task in tasks { _ = await task.value }
            for subscriber in subscribers { await subscriber.value }
        }

        /// Waits until no instance is left, and the resources are down to those before. Leaked descriptors, threads
        /// and instances never go away, so the time limit fails the test; leaked memory is returned after four
        /// waits.
        func settle(to before: Figures? = nil) async throws -> Figures {
            var waits = 0
            while true {
                waits += 1
                // The runtime keeps the timer of a cancelled sleep for this long, and idle threads live as long,
                // with their caches of freed memory.
                try await Task.sleep(for: .milliseconds(5_500))
                instances.removeAll { $0.instance == nil }
                let now = try #require(Figures.now)
                guard instances.isEmpty else { continue }
                guard let before else { return now }
                if now.descriptors <= before.descriptors, now.threads <= before.threads,
                    now.memory < before.memory + Figures.tolerance || waits >= 4
                {
                    return now
                }
            }
        }
    }
}
#endif
