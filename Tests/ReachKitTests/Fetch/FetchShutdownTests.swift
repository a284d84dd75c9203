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

    @Test func `a wait for the host ends with the shutdown`() async throws {
        let (waits, wait) = AsyncStream<Void>.makeStream()
        let fetch = Fetch(waiting: .beforeEachTry(atMost: nil), environment: [:])
        let fetching = Task {
            try await fetch.data(from: ScriptedServer.closedURL) { event in
                if case .waiting = event { wait.yield() }
            }
        }
        for await _ in waits { break }
        await fetch.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
    }

    @Test(arguments: [nil, Duration.seconds(60)]) func `a pause ends with the shutdown`(_ limit: Duration?) async throws
    {
        let (pauses, pause) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.say(.answer("503 Busy", "Retry-After: 30")))
        let clock = RecordingClock(isStanding: true)
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let fetching = Task {
            try await fetch.data(from: server.url, within: limit) { event in
                if case .pausing = event { pause.yield() }
            }
        }
        for await _ in pauses { break }
        await fetch.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a stream that is read is cancelled by the shutdown`() async throws {
        let server = try await ScriptedServer.on(.hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf"))
        for _ in 0..<20 {
            let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
            let stream = try await fetch.stream(from: server.url)
            var pieces = stream.makeAsyncIterator()
            #expect(try await pieces.next() == Data("half".utf8))
            let reading = Task {
                var rest = stream.makeAsyncIterator()
                return try await rest.next()
            }
            await fetch.shutdown()
            await #expect(throws: Fetch.Error.cancelled) { try await reading.value }
        }
        try await server.stop()
    }
}
