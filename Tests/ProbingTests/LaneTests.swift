import Monitoring
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Probing

/// Several event loops that ask, and each its own targets.
@Suite(.timeLimit(.minutes(1)))
struct LaneTests {
    private static let echo = Question.icmp(host: "127.0.0.1")
    private static let connection = Question.tcp(host: "127.0.0.1", port: 1)

    private func lanes(
        of question: Question,
        _ ids: Range<Int>,
        cores: Int,
        descriptors: DescriptorLimit = DescriptorLimit(soft: 100_000, hard: 100_000)
    ) -> Set<Int> {
        let division = Division(cores: cores, descriptors: descriptors)
        return Set(
            ids.map { id in
                let target = Target(name: "\(id)", question: question)
                return division.lane(of: ProbeRequest.Assignment(id: Target.ID(id), target: target))
            }
        )
    }

    @Test func `echo requests have the first event loop to themselves`() {
        #expect(lanes(of: Self.echo, 0..<10_000, cores: 4) == [0])
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 4) == [1, 2, 3])
    }

    @Test func `a few connections share one event loop, wherever their numbers begin`() {
        #expect(lanes(of: Self.connection, 0..<Division.block, cores: 8).count == 1)
        let beginnings = (0..<100).map { $0 << 32 }
        let starts = beginnings.flatMap { lanes(of: Self.connection, $0..<$0 + 1, cores: 8) }
        #expect(Set(starts).count == 3, "who asks with numbers of their own does not wait for everybody else")
    }

    @Test func `one core has one event loop for all, and many have no more than are of use`() {
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 1) == [0])
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 0) == [0])
        #expect(lanes(of: Self.connection, 0..<100_000, cores: 128).max() == Division.most - 1)
    }

    @Test func `where descriptors may be short, connections stand in one line for them`() {
        let few = DescriptorLimit(soft: 1_024, hard: 1_024)
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 8, descriptors: few) == [1])
    }

    @Test func `a stall that several event loops notice is told once`() {
        let log = StallLog()
        #expect(log.isNews(.seconds(10), until: .seconds(20), to: 0))
        #expect(!log.isNews(.seconds(9.2), until: .seconds(20.001), to: 1))
        #expect(!log.isNews(.seconds(10.5), until: .seconds(19.999), to: 2))
        #expect(log.isNews(.seconds(3), until: .seconds(23.1), to: 2), "it is another one")
    }

    @Test func `one event loop that is held up is no stall of the program`() {
        let log = StallLog()
        log.ran(0, at: .seconds(9))
        log.ran(1, at: .seconds(12))
        #expect(!log.isNews(.seconds(3), until: .seconds(13), to: 0))
        log.ran(0, at: .seconds(13))
        #expect(log.isNews(.seconds(3), until: .seconds(17), to: 0))
    }

    /// Whoever is asked by another method may be asked by another event loop: by that one alone from then on.
    @Test func `a target that changes its method goes from one event loop to another`() async throws {
        let connections = Mutex(0)
        let listener = try await Listener.on { connections.withLock { $0 += 1 } }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let tower = Watchtower(group: group)
        let loopback = try #require(try LocalNetwork.read().interfaces.first { $0.isLoopback }).name
        let local = Question.link(interface: loopback)
        let remote = Question.tcp(host: "127.0.0.1", port: listener.port)
        for _ in 1...3 {
            tower.watch([remote], interval: .milliseconds(20), timeout: .milliseconds(20))
            _ = await tower.observations { $0.suffix(5).filter(\.outcome.hasRoundTrip).count == 5 }
            tower.watch([local], interval: .milliseconds(20), timeout: .milliseconds(20))
            _ = await tower.observations { !$0.suffix(5).contains(where: \.outcome.hasRoundTrip) && $0.count >= 5 }
            let before = connections.withLock { $0 }
            let later = await tower.observations(10)
            #expect(later.allSatisfy { !$0.outcome.hasRoundTrip && !$0.outcome.isLoss })
            #expect(connections.withLock { $0 } == before)
        }
        tower.engine.perform(.forget([Target.ID(0)]))
        tower.engine.perform(.pace(Target.ID(0), interval: .milliseconds(1)))
        tower.engine.perform(.now([Target.ID(0)]))
        await tower.engine.shutdown()
        try await listener.close()
        try await group.shutdownGracefully()
    }

    @Test func `a sleep is told once, and all are asked after it, whoever asks them`() async throws {
        let listener = try await Listener.on()
        let slept = Mutex(Duration.zero)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let tower = Watchtower(clockOffset: { slept.withLock { $0 } }, group: group)
        let questions: [Question] = [.route(host: "127.0.0.1"), .tcp(host: "127.0.0.1", port: listener.port)]
        tower.watch(questions, interval: .seconds(1_000_000), timeout: .seconds(1))
        var asked: [Target.ID: Int] = [:]
        var stalls = 0
        func count(_ batch: [Finding]) {
            for finding in batch {
                switch finding {
                case .observation(let observation): asked[observation.target, default: 0] += 1
                case .stalled: stalls += 1
                default: break
                }
            }
        }
        // The second is due half its interval later.
        tower.engine.perform(.now([Target.ID(1)]))
        while asked.count < 2 { count(await tower.batch()) }
        asked = [:]
        slept.withLock { $0 = .seconds(3_600) }
        while asked.count < 2 { count(await tower.batch()) }
        tower.engine.perform(.now([Target.ID(0), Target.ID(1)]))
        while asked.values.contains(1) { count(await tower.batch()) }
        #expect(stalls == 1)
        await tower.engine.shutdown()
        try await listener.close()
        try await group.shutdownGracefully()
    }

    #if os(Linux)
        /// Whoever asks may find out before the kernel's news of it reach the event loop that listens for them.
        @Test(.enabled("no private network can be made here") { await PrivateNetwork.isAllowed() })
        func `that nothing leads out is told before the losses that come of it`() async throws {
            let (tunnel, group) = try await PrivateNetwork.enter {
                (try Tunnel(raisedAt: (192, 0, 2, 1)), MultiThreadedEventLoopGroup(numberOfThreads: 2))
            }
            let tower = Watchtower(group: group)
            var target = Target(
                name: "far",
                question: .tcp(host: "192.0.2.2", port: 1),
                interval: .milliseconds(2),
                timeout: .milliseconds(2)
            )
            target.dependsOn = [.link]
            tower.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: target)]))
            _ = await tower.observations(5)
            var begin = Duration.zero
            for _ in 1...5 {
                try await group.next().submit { try tunnel.set(isUp: false) }.get()
                var first: Finding?
                while first == nil { first = await tower.batch().first { $0.isOfAWayOut(since: begin) } }
                guard case .link(isUp: false, _) = first else {
                    Issue.record("\(String(describing: first))")
                    break
                }
                try await group.next().submit { try tunnel.set(isUp: true) }.get()
                var isBack = false
                while !isBack {
                    for case .link(let isUp, let time) in await tower.batch() { (isBack, begin) = (isUp, time) }
                }
                // A network that comes and goes all the time is not looked at all the time.
                _ = await tower.observations { [begin] in $0.last.map { $0.time > begin + .milliseconds(150) } ?? false
                }
            }
            await tower.engine.shutdown()
            try await group.shutdownGracefully()
            tunnel.close()
        }
    #endif

    /// Waking costs more than a probe. While the probes of a tick are sent, the next are often due already.
    @Test func `who is due while a tick lasts waits for the next one`() async throws {
        let tower = Watchtower()
        let questions = [Question](repeating: .route(host: "127.0.0.1"), count: 1_000)
        tower.watch(questions, interval: .seconds(1), timeout: .seconds(1))
        let times = await tower.observations(2_000).suffix(1_000).map(\.time)
        let ticks = 1 + zip(times, times.dropFirst()).count { $1 - $0 > .milliseconds(5) }
        #expect(ticks <= 40, "a thousand probes a second make a tick of thirty-five milliseconds")
        await tower.engine.shutdown()
    }
}

extension Outcome {
    fileprivate var hasRoundTrip: Bool {
        if case .reply(let reply) = self { reply.roundTrip != nil } else { false }
    }
}

extension Finding {
    /// Whether it says that nothing leads out, or comes of it.
    fileprivate func isOfAWayOut(since begin: Duration) -> Bool {
        switch self {
        case .link(let isUp, _): return !isUp
        case .observation(let observation):
            if case .failure = observation.outcome { return observation.time > begin }
            return false
        default: return false
        }
    }
}
