import NIOCore
import NIOPosix
import TestSupport
import Testing

@testable import reach

@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct HTTPListenerTests {
    @Test func `the listener binds again when its socket is closed, until the task is cancelled`() async throws {
        let listener = try await HTTPListener(at: ListenAddress("0"), router: HTTPRouter(scrapes: ScrapeQueue()))
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
        let router = HTTPRouter(scrapes: ScrapeQueue())
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
