import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

/// The assignment of targets to several lanes.
@Suite(.serialized, .alone, .timeLimit(.minutes(1)))
struct LaneTests {
    private static let echo = Question.icmp(host: "127.0.0.1")
    private static let connection = Question.tcp(host: "127.0.0.1", port: 1)

    private func lanes(
        of question: Question,
        _ ids: Range<Int>,
        cores: Int,
        descriptors: DescriptorLimit = DescriptorLimit(soft: 100_000, hard: 100_000)
    ) -> Set<Int> {
        let assignment = LaneAssignment(cores: cores, descriptors: descriptors)
        return Set(
            ids.map { id in
                let target = Target(name: "\(id)", question: question)
                return assignment.lane(of: ProbeRequest.Assignment(id: Target.ID(id), target: target))
            }
        )
    }

    @Test func `echo requests have the first lane to themselves`() {
        #expect(lanes(of: Self.echo, 0..<10_000, cores: 4) == [0])
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 4) == [1, 2, 3])
    }

    @Test func `a few connections share one lane, wherever their numbers begin`() {
        #expect(lanes(of: Self.connection, 0..<LaneAssignment.block, cores: 8).count == 1)
        let beginnings = (0..<100).map { $0 << 32 }
        let starts = beginnings.flatMap { lanes(of: Self.connection, $0..<$0 + 1, cores: 8) }
        #expect(Set(starts).count == 3, "callers with different ranges of numbers use different lanes")
    }

    @Test func `one core has one lane, and many cores have at most the maximum`() {
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 1) == [0])
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 0) == [0])
        #expect(lanes(of: Self.connection, 0..<100_000, cores: 128).max() == LaneAssignment.maxLanes - 1)
    }

    @Test func `with few descriptors all connections are on one lane`() {
        let few = DescriptorLimit(soft: 1_024, hard: 1_024)
        #expect(lanes(of: Self.connection, 0..<10_000, cores: 8, descriptors: few) == [1])
    }

    @Test func `a stall that several lanes notice is reported once`() {
        let log = StallLog()
        #expect(log.record(.seconds(10), until: .seconds(20), of: 0) == .new)
        #expect(log.record(.seconds(9.2), until: .seconds(20.001), of: 1) == .known)
        #expect(log.record(.seconds(10.5), until: .seconds(19.999), of: 2) == .known)
        #expect(log.record(.seconds(3), until: .seconds(23.1), of: 2) == .new, "a later stall")
    }

    @Test func `a stall of one lane is not a stall of the process`() {
        let log = StallLog()
        log.recordRun(0, at: .seconds(9))
        log.recordRun(1, at: .seconds(12))
        #expect(log.record(.seconds(3), until: .seconds(13), of: 0) == .ofLane)
        log.recordRun(0, at: .seconds(13))
        #expect(log.record(.seconds(3), until: .seconds(17), of: 0) == .new)
    }

    /// A target with another method may belong to another lane, which then probes it alone.
    @Test func `a target that changes its method moves to another lane`() async throws {
        let connections = Mutex(0)
        let listener = try await Listener.on { connections.withLock { $0 += 1 } }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let harness = EngineHarness(group: group)
        let loopback = try #require(try LocalNetwork.read().interfaces.first { $0.isLoopback }).name
        let local = Question.link(interface: loopback)
        let remote = Question.tcp(host: "127.0.0.1", port: listener.port)
        for _ in 1...3 {
            harness.watch([remote], interval: .milliseconds(20), timeout: .milliseconds(20))
            _ = await harness.observations { $0.suffix(5).filter(\.outcome.hasRoundTrip).count == 5 }
            harness.watch([local], interval: .milliseconds(20), timeout: .milliseconds(20))
            _ = await harness.observations { !$0.suffix(5).contains(where: \.outcome.hasRoundTrip) && $0.count >= 5 }
            let before = connections.withLock { $0 }
            let later = await harness.observations(10)
            #expect(later.allSatisfy { !$0.outcome.hasRoundTrip && !$0.outcome.isLoss })
            #expect(connections.withLock { $0 } == before)
        }
        harness.engine.perform(.forget([Target.ID(0)]))
        harness.engine.perform(.pace(Target.ID(0), interval: .milliseconds(1)))
        harness.engine.perform(.now([Target.ID(0)]))
        await harness.engine.shutdown()
        try await listener.close()
        try await group.shutdownGracefully()
    }

    @Test func `a sleep is reported once, and the targets of all lanes are probed after it`() async throws {
        let listener = try await Listener.on()
        let slept = Mutex(Duration.zero)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let harness = EngineHarness(clockOffset: { slept.withLock { $0 } }, group: group)
        let questions: [Question] = [.route(host: "127.0.0.1"), .tcp(host: "127.0.0.1", port: listener.port)]
        harness.watch(questions, interval: .seconds(1_000_000), timeout: .seconds(1))
        var probes: [Target.ID: Int] = [:]
        var stalls = 0
        func count(_ batch: [Finding]) {
            for finding in batch {
                switch finding {
                case .observation(let observation): probes[observation.target, default: 0] += 1
                case .stalled: stalls += 1
                default: break
                }
            }
        }
        // The second is due half its interval later.
        harness.engine.perform(.now([Target.ID(1)]))
        while probes.count < 2 { count(await harness.batch()) }
        probes = [:]
        slept.withLock { $0 = .seconds(3_600) }
        while probes.count < 2 { count(await harness.batch()) }
        harness.engine.perform(.now([Target.ID(0), Target.ID(1)]))
        while probes.values.contains(1) { count(await harness.batch()) }
        #expect(stalls == 1)
        await harness.engine.shutdown()
        try await listener.close()
        try await group.shutdownGracefully()
    }

    #if os(Linux)
    /// A lane may notice a lost route before the kernel's notification reaches the lane that listens.
    @Test(.enabled("no private network can be made here") { await PrivateNetwork.isAllowed() })
    func `a lost outbound route is reported before the losses that it causes`() async throws {
        let (tunnel, group) = try await PrivateNetwork.enter {
            (try Tunnel(raisedAt: (192, 0, 2, 1)), MultiThreadedEventLoopGroup(numberOfThreads: 2))
        }
        let harness = EngineHarness(group: group)
        var target = Target(
            name: "far",
            question: .tcp(host: "192.0.2.2", port: 1),
            interval: .milliseconds(2),
            timeout: .milliseconds(2)
        )
        target.dependsOn = [.link]
        harness.engine.perform(.watch([ProbeRequest.Assignment(id: Target.ID(0), target: target)]))
        _ = await harness.observations(5)
        var begin = Duration.zero
        for _ in 1...5 {
            try await group.next().submit { try tunnel.set(isUp: false) }.get()
            var first: Finding?
            while first == nil { first = await harness.batch().first { $0.isCausedByLostRoute(since: begin) } }
            guard case .link(isUp: false, _) = first else {
                Issue.record("\(String(describing: first))")
                break
            }
            try await group.next().submit { try tunnel.set(isUp: true) }.get()
            var isBack = false
            while !isBack {
                for case .link(let isUp, let time) in await harness.batch() { (isBack, begin) = (isUp, time) }
            }
            // Checks of a network that changes constantly are debounced.
            _ = await harness.observations { [begin] in
                $0.last.map { $0.time > begin + .milliseconds(150) } ?? false
            }
        }
        await harness.engine.shutdown()
        try await group.shutdownGracefully()
        tunnel.close()
    }
    #endif

    /// Waking costs more than a probe. While the probes of a tick are sent, the next ones are often already due.
    @Test func `a target that is due during a tick waits for the next one`() async throws {
        let harness = EngineHarness()
        let questions = [Question](repeating: .route(host: "127.0.0.1"), count: 1_000)
        harness.watch(questions, interval: .seconds(1), timeout: .seconds(1))
        let times = await harness.observations(2_000).suffix(1_000).map(\.time)
        let pauses = zip(times, times.dropFirst()).map { $1 - $0 }.filter { $0 > .milliseconds(5) }
        #expect(pauses.count < 35, "at a thousand probes a second, a tick takes thirty-five milliseconds: \(pauses)")
        await harness.engine.shutdown()
    }
}

extension Outcome {
    fileprivate var hasRoundTrip: Bool {
        if case .reply(let reply) = self { reply.roundTrip != nil } else { false }
    }
}

extension Finding {
    /// Whether the finding reports the lost outbound route, or a failure after it.
    fileprivate func isCausedByLostRoute(since begin: Duration) -> Bool {
        switch self {
        case .link(let isUp, _): return !isUp
        case .observation(let observation):
            if case .failure = observation.outcome { return observation.time > begin }
            return false
        default: return false
        }
    }
}
