#if canImport(Glibc)
    import Foundation
    import Monitoring
    import NIOPosix
    import ReachKit
    import TestSupport
    import Testing

    /// What is left of watches that are over, in a process of their own.
    @Suite(.timeLimit(.minutes(5)))
    struct LeakTests {
        @Test func `after a thousand watches, descriptors, threads and memory are as after ten`() async {
            await #expect(processExitsWith: .success) {
                Heap.noteNoErrors()
                let watches = Watches()
                for _ in 1...10 { try await watches.round() }
                var before = try await watches.settle()
                var grown = 0
                // A cache grows once, and the more threads there are, the larger; a leak grows with every thousand.
                for _ in 1...3 {
                    for _ in 1...1_000 { try await watches.round() }
                    let after = try await watches.settle(to: before)
                    grown = after.memory - before.memory
                    if grown < Figures.tolerance { return }
                    before.memory = after.memory
                }
                Issue.record("\(grown) bytes more with every thousand watches")
            }
        }

        /// What a process holds.
        struct Figures: Sendable {
            let descriptors: Int
            let threads: Int
            /// In bytes, as the allocator has it: of what is free it keeps pages, so that what is resident says little.
            var memory: Int

            /// 128 bytes a watch of a thousand, less than any task or timer takes: of what it frees, a thread keeps some for
            /// itself, which counts as in use, and that of an event loop has kept next to nothing after ten.
            static let tolerance = 128_000

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

        private final class Watches {
            private struct Weak {
                weak let instance: AnyObject?
            }

            private var instances: [Weak] = []

            private func note(_ instance: AnyObject) { instances.append(Weak(instance: instance)) }

            /// Watches, and breaks off at every stage: with a verdict, without one, in the middle of an operation.
            func round() async throws {
                let prober = Prober(eventLoopGroup: MultiThreadedEventLoopGroup.singleton)
                let door = try Doorway()
                try door.open()
                // A name, so that it is looked up.
                let target = Target(name: "", question: .tcp(host: "localhost", port: door.port), family: .v4)
                let host = Reachability(of: .init(target), by: prober)
                let hosts = [
                    host,
                    Reachability(of: "127.0.0.1", by: prober),
                    Reachability(of: try .init("session://127.0.0.1:\(door.port)"), by: prober),
                    Reachability(of: try .init("https://127.0.0.1:\(door.port)"), by: prober),
                    Reachability(of: "dns://127.0.0.1/example.com", by: prober),
                    Reachability(of: .internet, by: prober),
                ]
                let session = Session(to: "127.0.0.1", port: door.port, by: prober)
                let monitor = Monitor([target], by: prober)
                for host in hosts { note(host) }
                for instance in [prober, session, monitor] as [AnyObject] { note(instance) }
                let tasks = hosts.map { $0.whenReachable(within: .seconds(100)) { 7 } }
                var listeners = hosts.map { host in Task { for await _ in host.changes {} } }
                listeners.append(Task { for await _ in session.states {} })
                listeners.append(Task { for await _ in monitor.events {} })
                // It is connected, and never answered.
                let url = "http://127.0.0.1:\(door.port)/"
                listeners.append(Task { _ = try? await Fetch(by: prober).data(from: .init(url)) })
                #expect(await host.status == .reachable(via: .loopback))
                for task in tasks { task.cancel() }
                for listener in listeners { listener.cancel() }
                for task in tasks { _ = await task.value }
                for listener in listeners { await listener.value }
            }

            /// Waits until no instance is left, and nothing is held but what was held before. What leaks never comes down: of
            /// descriptors, threads and instances until the time limit; of memory, what there is after a while is returned.
            func settle(to before: Figures? = nil) async throws -> Figures {
                var waits = 0
                while true {
                    waits += 1
                    // As long as a sleep that was broken off is held by the runtime, or a thread with nothing to do lives, with
                    // what it keeps of the memory that it has freed.
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
