import ReachKit
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

/// The six requirements of `PerformingTests`, with the real network.
@Suite(.serialized, .alone, .timeLimit(.minutes(1)))
struct LivePerformingTests {
    private let listener: LoopbackListener
    private let host: Reachability

    init() throws {
        listener = try LoopbackListener()
        let target = Target(
            name: "door",
            question: .tcp(host: "127.0.0.1", port: listener.port),
            interval: .milliseconds(20),
            timeout: .milliseconds(20)
        )
        host = Reachability(of: .init(target))
    }

    /// An operation that must not be performed.
    private static func unexpected() -> Int {
        Issue.record("performed")
        return 0
    }

    @Test func `reachable at the start: it is performed at once`() async throws {
        try listener.open()
        #expect(await host.whenReachable { 7 }.value == .performed(7))
        #expect(host.currentStatus == .reachable(via: .loopback))
    }

    @Test func `reachable again within the limit: it is performed once`() async throws {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        let task = host.whenReachable(within: .seconds(50)) { 7 }
        try listener.open()
        #expect(await task.value == .performed(7))
    }

    @Test func `reachable again after the limit: it is never performed`() async throws {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        let task = host.whenReachable(within: .milliseconds(50)) { Self.unexpected() }
        #expect(await task.value == .expired)
        try listener.open()
        #expect(await changes.next() == .reachable(via: .loopback))
    }

    @Test func `cancelled before it is reachable: it is never performed`() async throws {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let task = host.whenReachable(within: .seconds(50)) { Self.unexpected() }
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        task.cancel()
        #expect(await task.value == .cancelled)
        try listener.open()
        #expect(await changes.next() == .reachable(via: .loopback))
    }

    @Test func `cancelled after it began: the operation is not undone`() async throws {
        try listener.open()
        let (begins, begun) = AsyncStream.makeStream(of: Void.self)
        let (ends, end) = AsyncStream.makeStream(of: Void.self)
        let task = host.whenReachable {
            begun.yield()
            await Task { for await _ in ends {} }.value
            return 7
        }
        for await _ in begins { break }
        task.cancel()
        end.finish()
        #expect(await task.value == .performed(7))
    }

    @Test func `many tasks at a time are independent`() async throws {
        let kept = (0..<100).map { number in host.whenReachable(within: .seconds(50)) { number } }
        let cancelled = (0..<10).map { _ in host.whenReachable { Self.unexpected() } }
        let late = (0..<10).map { _ in host.whenReachable(within: .milliseconds(30)) { Self.unexpected() } }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .cancelled) }
        for task in late { #expect(await task.value == .expired) }
        try listener.open()
        for (number, task) in kept.enumerated() { #expect(await task.value == .performed(number)) }
    }

    @Test func `each change of reachability is reported once`() async throws {
        var changes = host.changes.dropFirst().makeAsyncIterator()
        for _ in 1...3 {
            #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
            try listener.open()
            #expect(await changes.next() == .reachable(via: .loopback))
            try listener.close()
        }
    }
}
