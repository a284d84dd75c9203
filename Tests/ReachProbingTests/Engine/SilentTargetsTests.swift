import NIOCore
import NIOPosix
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachProbing

struct SilentTargetsTests {
    private let one = IPAddress(ipv4: 0xC000_0201)
    private let other = IPAddress(ipv4: 0xC000_0202)

    @Test func `only the silent targets of a host are due when it is heard from`() {
        var silent = SilentTargets()
        silent.add(Target.ID(2), at: one)
        silent.add(Target.ID(1), at: one)
        silent.add(Target.ID(3), at: other)
        #expect(silent.due(at: one, .zero) == [Target.ID(1), Target.ID(2)])
        #expect(silent.due(at: IPAddress(ipv4: 0xC000_0203), .zero) == [])
        #expect(silent.due(at: other, .zero) == [Target.ID(3)])
    }

    @Test func `a target is due at most once a second`() {
        var silent = SilentTargets()
        silent.add(Target.ID(1), at: one)
        let times = (0..<3_000).filter { !silent.due(at: one, .milliseconds($0)).isEmpty }
        #expect(times == [0, 1_000, 2_000])
        silent.add(Target.ID(1), at: one)
        #expect(silent.due(at: one, .milliseconds(2_999)) == [], "another loss does not reset the pause")
    }

    @Test func `a target that replies is removed, and one with a new address is moved`() {
        var silent = SilentTargets()
        silent.add(Target.ID(1), at: one)
        silent.add(Target.ID(1), at: other)
        #expect(silent.due(at: one, .zero) == [])
        #expect(silent.due(at: other, .zero) == [Target.ID(1)])
        silent.remove(Target.ID(1))
        #expect(silent.isEmpty)
        #expect(silent.due(at: other, .seconds(5)) == [])
    }

    @Test func `a target whose host is unreachable right after a route's return is due once more`() {
        var silent = SilentTargets()
        func isDue(_ id: Int, at seconds: Double, after reason: Reason = .hostUnreachable) -> Bool {
            silent.isDue(Target.ID(id), after: Failure(reason), at: .seconds(seconds))
        }
        #expect(!isDue(1, at: 1), "no route has returned")
        silent.routeReturned(at: .seconds(5))
        #expect(!isDue(1, at: 5.5, after: .refused), "the host has answered")
        #expect(isDue(1, at: 5.9))
        #expect(!isDue(1, at: 6), "once")
        #expect(isDue(2, at: 6))
        #expect(!isDue(3, at: 8), "a resolution that started after the return")
        silent.routeReturned(at: .seconds(20))
        #expect(isDue(1, at: 21))
    }

    @Test func `at most a thousand targets are due when routes change`() {
        var silent = SilentTargets()
        silent.add(Target.ID(7), at: one)
        #expect(silent.due(.zero) == [Target.ID(7)])
        #expect(silent.due(.milliseconds(20)) == [])
        for id in 0..<3_000 { silent.add(Target.ID(id), at: other) }
        #expect(silent.due(.seconds(5)).count == 1_000)
    }
}

/// Targets on a silent host, of which one replies again.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SilentHostTests {
    @Test(arguments: [1, 640]) func `when one target of a host replies again, its others are probed at once`(
        distance: Int
    ) async throws {
        let count = Mutex(0)
        let server = try await NameServer.on(host: "127.0.0.1") { question in
            let number = count.withLock { count in
                count += 1
                return count
            }
            return number > 2 ? [.send(question.query)] : []
        }
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 3)
        let harness = EngineHarness(group: group)
        let closed = Target(
            name: "closed",
            question: .tcp(host: "127.0.0.1", port: Listener.closedPort),
            interval: .seconds(1_000),
            timeout: .seconds(1)
        )
        let other = Target(
            name: "other",
            question: .udp(host: "127.0.0.1", port: server.port, UDPOptions(send: "hello")),
            interval: .milliseconds(500),
            timeout: .milliseconds(500)
        )
        let (first, second) = (Target.ID(0), Target.ID(distance))
        harness.engine.perform(.watch([.init(id: first, target: closed)]))
        _ = await harness.observations(1)
        harness.engine.perform(.watch([.init(id: second, target: other)]))
        let observations = await harness.observations { $0.contains { $0.target == first } }
        #expect(observations.last?.sequence == 2, "its next slot is in a thousand seconds")
        await harness.engine.shutdown()
        try await server.close()
        try await group.shutdownGracefully()
    }
}
