import NIOCore
import NIOHTTP1
import NIOPosix
import ReachKit
import Synchronization
import TestSupport
import Testing

@testable import reach

@Suite(.live, .timeLimit(.minutes(1))) struct LongResponseTests {
    @Test func `a response whose parts take long to make does not delay other connections`() async throws {
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let state = State(begin: begin)
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let server = try await ServerBootstrap(group: group)
            .childChannelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    let handler = HTTPRequestHandler(isLoopback: true, connections: nil) { state.response(to: $0) }
                    try handler.add(to: channel.pipeline.syncOperations)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let url = "http://127.0.0.1:\(server.localAddress?.port ?? 0)"
        let fetch = Fetch(prober: Prober(), waiting: .never, environment: [:])
        async let long = fetch.data(from: url + "/long")
        _ = await begun.first { true }
        _ = try await fetch.data(from: url + "/short")
        _ = try await long
        #expect(state.count < State.limit, "the other connection was served when the response was complete")
        await fetch.shutdown()
        try await server.close()
        try await group.shutdownGracefully()
    }
}

/// A body without text, which ends when another request is answered, or by its number of parts.
private final class State: Sendable {
    static let limit = 200_000

    private struct Body: IteratorProtocol {
        let state: State

        func next() -> String? {
            state.parts.withLock { parts in
                parts.count += 1
                if parts.count == 1 { state.begin.yield() }
                return parts.isDone || parts.count >= State.limit ? nil : ""
            }
        }
    }

    private let begin: AsyncStream<Void>.Continuation
    private let parts = Mutex((count: 0, isDone: false))

    init(begin: AsyncStream<Void>.Continuation) {
        self.begin = begin
    }

    var count: Int { parts.withLock(\.count) }

    func response(to request: HTTPRequestHead) -> HTTPResponse {
        var response = HTTPResponse(text: "")
        if request.path == "/long" {
            response.headers.remove(name: "Content-Length")
            response.body = .parts(Body(state: self))
        } else {
            parts.withLock { $0.isDone = true }
        }
        return response
    }
}
