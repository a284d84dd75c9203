import Foundation
import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import ReachKit

/// Fetches that end while their connection is being opened.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchConnectingTests {
    private func fetch(on group: (any EventLoopGroup)? = nil) -> Fetch {
        Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:], eventLoopGroup: group)
    }

    /// A server that never answers the TLS handshake.
    private struct SilentServer {
        let server: ScriptedServer
        let arrivals: AsyncStream<Void>
        let closures: AsyncStream<Void>

        init() async throws {
            let (arrivals, arrival) = AsyncStream<Void>.makeStream()
            let (closures, closure) = AsyncStream<Void>.makeStream()
            server = try await ScriptedServer.on(
                .hold(""),
                waitsForWholeRequest: false,
                onRequest: { arrival.yield() },
                onClose: { closure.yield() }
            )
            (self.arrivals, self.closures) = (arrivals, closures)
        }

        var url: String { server.url.replacing("http://", with: "https://") }
    }

    @Test(
        arguments: [
            (Duration.zero, 1), (.milliseconds(300), 1), (.seconds(1), 1), (.milliseconds(1_001), 2), (.seconds(3), 4),
            (.seconds(9), 10), (.seconds(30), 10), (.seconds(Int64.max), 10),
        ]
    )
    func `opening a connection may take as long as the server may be silent, up to ten seconds`(
        _ silence: Duration,
        _ seconds: Int
    ) {
        #expect(HTTPTransport.connectTimeout(within: silence) == .seconds(seconds))
    }

    @Test func `a fetch that is cancelled in the TLS handshake ends at once, and its connection soon`() async throws {
        let silent = try await SilentServer()
        let request = Fetch.Request(silent.url, timeout: .seconds(1))
        let fetching = Task { try await fetch().data(from: request, maximumRetries: 0) }
        for await _ in silent.arrivals { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        for await _ in silent.closures { break }
        try await silent.server.stop()
    }

    @Test func `a server that is silent in the TLS handshake is a timeout`() async throws {
        let silent = try await SilentServer()
        let request = Fetch.Request(silent.url, timeout: .milliseconds(300))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch().data(from: request, maximumRetries: 0)
        }
        #expect(error == .retriesExhausted(last: .timeout, tries: 1))
        for await _ in silent.closures { break }
        try await silent.server.stop()
    }

    @Test func `a fetch that is shut down in the TLS handshake ends, and so can its event loops`() async throws {
        let silent = try await SilentServer()
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let fetch = fetch(on: group)
        let fetching = Task { try await fetch.data(from: silent.url, maximumRetries: 0) }
        for await _ in silent.arrivals { break }
        await fetch.shutdown()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        try await group.shutdownGracefully()
        for await _ in silent.closures { break }
        try await silent.server.stop()
    }

    @Test func `a shutdown knows that a connection is being opened, or was left`() {
        let deadlines = RunningDeadlines()
        let now = SuspendingClock.now
        let names = (0..<3).map { _ in deadlines.add(Deadline(of: "https://example.com/", at: now)) }
        #expect(deadlines.isConnecting(at: now))
        #expect(deadlines.connected(names[0]) != nil)
        deadlines.remove(names[0], leaving: .seconds(10), at: now)
        deadlines.remove(names[1], leaving: nil, at: now)
        #expect(deadlines.isConnecting(at: now))
        deadlines.remove(names[2], leaving: .seconds(10), at: now)
        #expect(deadlines.isConnecting(at: now + .seconds(9)))
        #expect(!deadlines.isConnecting(at: now + .seconds(10)))
    }

    #if os(Linux)
    @Test func `a connection that the server does not accept is left for its timeout at most`() async throws {
        let listener = try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .serverChannelOption(.backlog, value: 0)
            .serverChannelOption(.autoRead, value: false)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = try #require(listener.localAddress?.port)
        // It fills the queue of the listener. Further SYNs are dropped.
        let first = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
            .connect(host: "127.0.0.1", port: port)
            .get()
        let request = Fetch.Request("http://127.0.0.1:\(port)/", timeout: .seconds(1))
        let fetching = Task { try await fetch().data(from: request, maximumRetries: 0) }
        while try connectionCount(to: port) == 1 { await Task.yield() }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        while try connectionCount(to: port) > 1 { await Task.yield() }
        try await first.close()
        try await listener.close()
    }

    /// The number of sockets that are connected to a port of this machine, or being connected.
    private func connectionCount(to port: Int) throws -> Int {
        let address = "0100007F:" + String(port + 0x1_0000, radix: 16, uppercase: true).suffix(4)
        let table = try String(contentsOfFile: "/proc/self/net/tcp", encoding: .utf8)
        return table.split(separator: "\n").count { line in
            let columns = line.split(separator: " ")
            return columns.count > 3 && columns[2] == address && ["01", "02"].contains(columns[3])
        }
    }
    #endif
}
