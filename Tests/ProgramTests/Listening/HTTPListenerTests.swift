import ArgumentParser
import NIOCore
import NIOHTTP1
import NIOPosix
import ReachKit
import Synchronization
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HTTPListenerTests {
    @Test func `the listener binds again when its socket is closed, until the task is cancelled`() async throws {
        let listener = try await HTTPListener(at: ListenAddress("0"), router: HTTPRouter(requests: HTTPRequestQueue()))
        let address = try listener.address.socketAddress
        #expect(listener.address.port != 0 && listener.address.isLoopback)
        let task = Task { await listener.run() }
        #expect(await canConnect(to: address))
        try await listener.channel.close()
        while await !canConnect(to: address) { try await Task.sleep(for: .milliseconds(50)) }
        task.cancel()
        await task.value
        // A process that another test is starting has the socket for a moment, too.
        while await canConnect(to: address) { try await Task.sleep(for: .milliseconds(50)) }
    }

    @Test func `a second listener on the port is refused`() async throws {
        let router = HTTPRouter(requests: HTTPRequestQueue())
        let listener = try await HTTPListener(at: ListenAddress("0"), router: router)
        let problems = await #expect(throws: StartupError.self) {
            _ = try await HTTPListener(at: listener.address, router: router)
        }
        #expect(problems?.lines.first?.contains("another program listens there") == true)
        try await listener.channel.close()
    }

    private func canConnect(to address: SocketAddress) async -> Bool {
        let bootstrap = ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton)
        let channel = try? await bootstrap.connect(to: address).get()
        try? await channel?.close()
        return channel != nil
    }
}

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

    func response(to request: HTTPRequestHead) -> HTTPServerResponse {
        var response = HTTPServerResponse(text: "")
        if request.path == "/long" {
            response.headers.remove(name: "Content-Length")
            response.body = .parts(Body(state: self))
        } else {
            parts.withLock { $0.isDone = true }
        }
        return response
    }
}

@Suite struct ListenAddressTests {
    @Test(
        arguments: [
            ("9720", "127.0.0.1:9720"), ("0", "127.0.0.1:0"), ("65535", "127.0.0.1:65535"),
            ("0.0.0.0:80", "0.0.0.0:80"), ("localhost:80", "127.0.0.1:80"), ("[::1]:9720", "[::1]:9720"),
            ("[::]:9720", "[::]:9720"), ("127.5.6.7:1", "127.5.6.7:1"), ("[0:0:0:0:0:0:0:1]:9720", "[::1]:9720"),
            ("[::0001]:1", "[::1]:1"), ("[::FFFF:127.0.0.1]:1", "[::ffff:127.0.0.1]:1"),
            ("[::ffff:7f00:1]:1", "[::ffff:127.0.0.1]:1"), ("[::ffff:192.0.2.1]:1", "[::ffff:192.0.2.1]:1"),
            ("[::127.0.0.1]:1", "[::127.0.0.1]:1"), ("[2001:DB8::1]:1", "[2001:db8::1]:1"),
        ]
    )
    func `a port is valid with or without an address`(_ argument: String, _ text: String) throws {
        let address = try ListenAddress(argument)
        #expect(address.text == text)
        let loopback = ["127.0.0.1", "127.5.6.7", "::1", "::ffff:127.0.0.1"]
        #expect(address.isLoopback == loopback.contains(address.host))
    }

    @Test(
        arguments: [
            ("", #"invalid port """#), ("x", #"invalid port "x""#), ("-1", #"invalid port "-1""#),
            ("١", "invalid port"),
            ("127.0.0.1", #"invalid port "127.0.0.1""#), ("127.0.0.1:", #"invalid port """#),
            ("[::1]", #"invalid port """#),
            ("65536", "port out of range"), ("9999999999999999999", "port out of range"),
            (":9720", "0.0.0.0:9720 listens on all interfaces"), ("::1:9720", "needs brackets"),
            ("example.com:80", #""example.com" is not a numeric address"#), ("1.2.3:80", "is not a numeric address"),
            ("[127.0.0.1]x:80", "invalid port"), ("[:1]:80", "is not a numeric address"),
        ]
    )
    func `an invalid address has a problem and a fix`(_ argument: String, _ problem: String) throws {
        let error = #expect(throws: ValidationError.self) { try ListenAddress(argument) }
        let message = try #require(error).message
        #expect(message.contains(problem), "\(message)")
        #expect(!message.contains("\n"))
    }
}
