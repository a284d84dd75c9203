import ReachKit
import ReachKitTesting
import Synchronization
import TestSupport
import Testing

extension AdvanceTests {
    /// Tasks that a test has just started, and waits and advances at a time. A part of the suite, since the load would disturb it.
    @Suite struct StartedTasksTests {
        private let clock = ManualClock()
        private let network: FakeNetwork

        init() {
            network = FakeNetwork(clock: clock)
        }

        private func host(_ text: String = "nas.local") -> Reachability {
            Reachability(of: text, prober: network.prober)
        }

        /// Performs an operation while tasks occupy all threads of the pool.
        private func underLoad<Result>(_ operation: () async throws -> Result) async rethrows -> Result {
            let load = (0..<4).map { _ in
                Task.detached {
                    var generator = SystemRandomNumberGenerator()
                    var sum: UInt64 = 0
                    while !Task.isCancelled {
                        for _ in 0..<1_000 { sum &+= generator.next() }
                        await Task.yield()
                    }
                    return sum
                }
            }
            defer { for task in load { task.cancel() } }
            return try await operation()
        }

        @Test func `a task that was just started is probed for the whole hour`() async {
            await underLoad {
                for _ in 1...5 {
                    let clock = ManualClock()
                    let network = FakeNetwork(clock: clock)
                    let host = Reachability(of: "tcp://nas.local:445", prober: network.prober)
                    let task = Task { for await _ in host.changes {} }
                    await clock.advance(by: .seconds(3_600))
                    #expect(network.probeCount >= 600)
                    #expect(host.currentStatus == .unreachable(.timeout))
                    task.cancel()
                    await task.value
                }
            }
        }

        @Test func `a check that was just started has its result in the next step, again and again`() async {
            network.set("nas.local", to: .failure(.refused))
            await underLoad {
                for _ in 1...5 {
                    async let status = host("nas.local:445").check()
                    await clock.advance(by: .seconds(5))
                    #expect(await status == .unreachable(.failure(Failure(.refused))))
                }
            }
        }

        @Test func `a monitor of many targets that was just started probes all of them`() async throws {
            network.set("nas.local", to: .reply())
            let targets = try (1...500).map { try Target("tcp://nas.local:\($0)", interval: .seconds(60)) }
            let monitor = try Monitor(targets, prober: network.prober)
            await underLoad {
                let task = Task { for await _ in monitor.events {} }
                await clock.advance(by: .seconds(60))
                #expect(network.probeCount >= 500)
                #expect(monitor.states.allSatisfy { $0.health == .up })
                task.cancel()
                await task.value
            }
        }

        @Test func `a test can wait until a target is probed`() async {
            for place in ["nas.local", "NAS.local:445", "tcp://nas.local:445", nil] {
                let host = host("nas.local:445")
                async let status = host.check()
                await network.untilProbed(place)
                #expect(network.probedURLs == ["tcp://nas.local:445"])
                // Another target is not that one.
                let other = Task { await network.untilProbed("other.local") }
                await clock.advance(by: .seconds(20))
                #expect(await status == .unreachable(.timeout))
                other.cancel()
                await other.value
            }
        }

        @Test func `a subscriber that has ended already is not waited for`() async {
            network.set("nas.local", to: .reply())
            #expect(await host().check().isReachable)
            while !network.probedURLs.isEmpty { await Task.yield() }
            await network.untilProbed("nas.local")
            await clock.advance(by: .seconds(1))
            // At another time, it is.
            let wait = Task { await network.untilProbed("nas.local") }
            async let status = host().check()
            await wait.value
            #expect(await status.isReachable)
        }

        @Test func `a new subscriber notices changes of the script after the end of the last one`() async {
            for _ in 1...200 {
                network.set("nas.local", to: .reply())
                #expect(await host().check().isReachable)
                // The end of the last one may be in progress.
                let internet = Reachability(of: .internet, prober: network.prober)
                var changes = internet.changes.dropFirst().makeAsyncIterator()
                #expect(await changes.next() == .reachable(via: .wired))
                network.setLink(nil)
                #expect(await changes.next() == .unreachable(.failure(Failure(.noRoute))))
                network.setLink(.wired)
                #expect(await changes.next() == .reachable(via: .wired))
                #expect(network.probedURLs.count == 2)
            }
        }

        // MARK: Waits and advances

        @Test func `a wait for sleepers and one for probes end with their tasks`() async {
            let clock = clock
            let network = network
            for isEarly in [true, false] {
                let waits = [Task { await clock.untilAsleep(3) }, Task { await network.untilProbed("nas.local") }]
                if !isEarly { for _ in 1...20 { await Task.yield() } }
                for wait in waits { wait.cancel() }
                for wait in waits { await wait.value }
            }
            let sleeper = Task { try await clock.sleep(for: .seconds(1)) }
            await clock.untilAsleep()
            await clock.advance(by: .seconds(1))
            try? await sleeper.value
        }

        @Test func `the durations of advances at a time add up`() async {
            let clock = ManualClock()
            let start = clock.now
            await withTaskGroup(of: Void.self) { group in
                for _ in 1...100 { group.addTask { await clock.advance(by: .seconds(1)) } }
            }
            #expect(start.duration(to: clock.now) == .seconds(100))
        }

        @Test func `a subscriber that advances the clock does so after the advance in progress`() async {
            network.set("nas.local", to: .reply(after: .milliseconds(2)), after: .seconds(3))
            let start = clock.now
            let (host, clock) = (host(), clock)
            let subscriber = Task {
                for await status in host.changes where status.isReachable {
                    await clock.advance(by: .seconds(10))
                    return start.duration(to: clock.now)
                }
                return .zero
            }
            await network.untilProbed()
            await clock.advance(by: .seconds(20))
            #expect(await subscriber.value == .seconds(30))
        }

        @Test func `an operation can advance the clock`() async {
            network.set("nas.local", to: .reply())
            let start = clock.now
            let task = host().whenReachable { [clock] in
                await clock.advance(by: .seconds(10))
                return 7
            }
            await clock.advance(by: .seconds(20))
            #expect(await task.value == .performed(7))
            #expect(start.duration(to: clock.now) == .seconds(30))
        }

        // MARK: Names

        @Test(arguments: [
            ("NAS.local", "nas.local"), ("nas.local", "NAS.Local"), ("nas.local.", "nas.local"),
            ("nas.local", "nas.local."), ("NAS.local:445", "nas.local:445"), ("tcp://NAS.local:445", "nas.local.:445"),
            ("http://NAS.local/Health", "http://nas.local./Health"),
        ])
        func `names match without regard to case and a final dot`(_ place: String, _ subject: String) async {
            network.set(place, to: .reply())
            #expect(await host(subject).check() == .reachable(via: .wired))
        }

        @Test func `paths match with regard to case`() async {
            network.set("http://nas.local/Health", to: .reply())
            network.set("nas.local", to: .fault(Fault(.tooManyFiles, detail: "too many open files")))
            #expect(await host("http://NAS.local/health").check().isReachable == false)
        }
    }
}
