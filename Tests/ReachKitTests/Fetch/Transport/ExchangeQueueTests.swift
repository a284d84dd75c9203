import Foundation
import TestSupport
import Testing

@testable import ReachKit

/// The maximum number of connections to one host.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct ExchangeQueueTests {
    private let server = ExchangeQueue.Server(host: "a.example", port: 80)

    /// Waits until this many exchanges wait.
    private func wait(for count: Int, in queue: ExchangeQueue) async {
        while queue.waitingCount != count { await Task.yield() }
    }

    /// An exchange that lasts until its continuation is finished.
    private func hold(
        _ queue: ExchangeQueue,
        _ server: ExchangeQueue.Server
    ) async -> (end: AsyncStream<Void>.Continuation, task: Task<Void, any Error>) {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let (starts, start) = AsyncStream<Void>.makeStream()
        let task = Task {
            try await queue.run(with: server) { () async throws(Fetch.Error) in
                start.yield()
                for await _ in ends {}
            }
        }
        for await _ in starts { break }
        return (end, task)
    }

    @Test func `exchanges with one server run in order of arrival, those with another one at once`() async throws {
        let queue = ExchangeQueue(limit: 1)
        let first = await hold(queue, server)
        let (order, turn) = AsyncStream<Int>.makeStream()
        for number in 1...100 {
            Task { [server] in
                _ = try? await queue.run(with: server) { () async throws(Fetch.Error) in _ = turn.yield(number) }
            }
            await wait(for: number, in: queue)
        }
        let other = await hold(queue, ExchangeQueue.Server(host: "a.example", port: 81))
        #expect(queue.waitingCount == 100)
        first.end.finish()
        var turns: [Int] = []
        for await number in order.prefix(100) { turns.append(number) }
        #expect(turns == Array(1...100))
        other.end.finish()
        try await other.task.value
        #expect(queue.waitingCount == 0)
    }

    @Test func `a cancelled exchange leaves the queue`() async throws {
        let queue = ExchangeQueue(limit: 0)
        let first = await hold(queue, server)
        let tasks = (0..<3).map { _ in
            Task { [server] in try await queue.run(with: server) { () async throws(Fetch.Error) in } }
        }
        await wait(for: 3, in: queue)
        tasks[0].cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await tasks[0].value }
        #expect(queue.waitingCount == 2)
        first.end.finish()
        for task in tasks.dropFirst() { try await task.value }
        let last = await hold(queue, server)
        last.end.finish()
        try await last.task.value
    }

    @Test func `a fetch has as many connections to a host as are allowed`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() })
        let fetch = Fetch(
            prober: Prober(clock: RecordingClock()),
            waiting: .never,
            maximumConnectionsPerHost: 2,
            environment: [:]
        )
        let request = Fetch.Request(server.url, timeout: .seconds(600))
        let fetching = (0..<10).map { _ in Task { try await fetch.data(from: request, maximumRetries: 0) } }
        var iterator = arrivals.makeAsyncIterator()
        for _ in 0..<2 { await iterator.next() }
        while fetch.transport.waitingCount < 8 { await Task.yield() }
        #expect(server.connectionCount == 2)
        for task in fetching { task.cancel() }
        for task in fetching { _ = await task.result }
        await fetch.shutdown()
        try await server.stop()
    }

    @Test func `the time in the queue is not the server's silence`() async throws {
        // The first fetch is silent for longer than the second one permits.
        let server = try await ScriptedServer.on(.hold(""), .hold(.answer("200 OK", body: "fine")))
        let fetch = Fetch(
            prober: Prober(clock: RecordingClock()),
            waiting: .never,
            maximumConnectionsPerHost: 1,
            environment: [:]
        )
        let silent = Task {
            try await fetch.data(from: Fetch.Request(server.url, timeout: .seconds(2)), maximumRetries: 0)
        }
        while server.requests.isEmpty { await Task.yield() }
        let request = Fetch.Request(server.url, timeout: .seconds(1))
        #expect(try await fetch.data(from: request, maximumRetries: 0) == Data("fine".utf8))
        await #expect(throws: Fetch.Error.self) { try await silent.value }
        await fetch.shutdown()
        try await server.stop()
    }
}
