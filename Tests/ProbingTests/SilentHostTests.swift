import Monitoring
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import Probing

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
