#if os(Linux)
    import Foundation
    import Monitoring
    import NIOPosix
    import ReachKit
    import Testing

    /// What is left of watches that are over, in a process of their own.
    @Suite(.timeLimit(.minutes(5)))
    struct LeakTests {
        @Test func `after a thousand watches, descriptors and threads are as before, no instance is left`() async {
            await #expect(processExitsWith: .success) {
                let watches = Watches()
                for _ in 1...100 { try await watches.round() }
                let warm = Figures.now
                await watches.settle(to: warm)
                for _ in 1...1_000 { try await watches.round() }
                // Whatever is let go of in its own time is; what leaks never comes down, until the time limit.
                await watches.settle(to: warm)
                // A cancelled sleep is held by the runtime for seconds. Of what is not in use any more, the allocator keeps
                // pages: less than a MiB is in use when all has settled, but some four are resident.
                let (memory, limit) = (Figures.now.memory, warm.memory + 6_144)
                #expect(memory < limit, "KiB, from \(warm.memory)")
            }
        }

        /// What a process holds.
        struct Figures: Sendable {
            let descriptors: Int
            let threads: Int
            /// In KiB.
            let memory: Int

            static var now: Figures {
                let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
                let line = status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
                return Figures(
                    descriptors: count("/proc/self/fd"),
                    threads: count("/proc/self/task"),
                    memory: Int(line.filter(\.isNumber)) ?? 0
                )
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

            /// Waits until nothing is held but what was held before, and no instance is left.
            func settle(to before: Figures) async {
                while true {
                    instances.removeAll { $0.instance == nil }
                    let now = Figures.now
                    if instances.isEmpty, now.descriptors <= before.descriptors, now.threads <= before.threads {
                        return
                    }
                    await Task.yield()
                }
            }
        }
    }
#endif
