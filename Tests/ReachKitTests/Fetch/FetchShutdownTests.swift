import Foundation
import NIOCore
import NIOPosix
import ReachKit
import TestSupport
import Testing

/// The end of a client whose event loops belong to the caller.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchShutdownTests {
    private static let rounds = 300

    @Test func `the event loops can be shut down after the client`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        for _ in 0..<Self.rounds {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            let fetch = Fetch(
                prober: Prober(clock: RecordingClock()),
                waiting: .never,
                environment: [:],
                eventLoopGroup: group
            )
            _ = try await fetch.data(from: Fetch.Request(server.url))
            await fetch.shutdown()
            try await group.shutdownGracefully()
        }
        #expect(server.requests.count == Self.rounds)
        try await server.stop()
    }

    @Test func `the event loops can be shut down after the last copy is released`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        for _ in 0..<Self.rounds {
            let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
            do {
                let prober = Prober(clock: RecordingClock())
                let fetch = Fetch(prober: prober, waiting: .never, environment: [:], eventLoopGroup: group)
                _ = try await fetch.data(from: Fetch.Request(server.url))
            }
            try await group.shutdownGracefully()
        }
        #expect(server.requests.count == Self.rounds)
        try await server.stop()
    }

    @Test func `a fetch after the shutdown is cancelled`() async {
        let fetch = Fetch(waiting: .never, environment: [:])
        await fetch.shutdown()
        await fetch.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await fetch.data(from: "http://127.0.0.1:1/") }
    }
}
