import Monitoring
import ReachKit
import Synchronization
import Testing

/// The six directives once more, with the network itself.
@Suite(.timeLimit(.minutes(1)))
struct LivePerformingTests {
    private let door: Doorway
    private let host: Reachability

    init() throws {
        door = try Doorway()
        let target = Target(
            name: "door",
            question: .tcp(host: "127.0.0.1", port: door.port),
            interval: .milliseconds(20),
            timeout: .milliseconds(20)
        )
        host = Reachability(of: .init(target))
    }

    /// What nobody must perform.
    private static func trespass() -> Int {
        Issue.record("performed")
        return 0
    }

    @Test func `reachable at the start: it is performed at once`() async throws {
        try door.open()
        #expect(await host.whenReachable { 7 }.value == .performed(7))
        #expect(host.lastStatus == .reachable(via: .loopback))
    }

    @Test func `back within the limit: it is performed once`() async throws {
        var changes = host.changes.makeAsyncIterator()
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        let task = host.whenReachable(within: .seconds(50)) { 7 }
        try door.open()
        #expect(await task.value == .performed(7))
    }

    @Test func `back only after the limit: it is never performed`() async throws {
        var changes = host.changes.makeAsyncIterator()
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        let task = host.whenReachable(within: .milliseconds(50)) { Self.trespass() }
        #expect(await task.value == .expired)
        try door.open()
        #expect(await changes.next() == .reachable(via: .loopback))
    }

    @Test func `cancelled before it is reachable: it is never performed`() async throws {
        var changes = host.changes.makeAsyncIterator()
        let task = host.whenReachable(within: .seconds(50)) { Self.trespass() }
        #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
        task.cancel()
        #expect(await task.value == .cancelled)
        try door.open()
        #expect(await changes.next() == .reachable(via: .loopback))
    }

    @Test func `cancelled after it began: the operation is not undone`() async throws {
        try door.open()
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

    @Test func `many at a time never disturb each other`() async throws {
        let kept = (0..<100).map { number in host.whenReachable(within: .seconds(50)) { number } }
        let cancelled = (0..<10).map { _ in host.whenReachable { Self.trespass() } }
        let late = (0..<10).map { _ in host.whenReachable(within: .milliseconds(30)) { Self.trespass() } }
        for task in cancelled { task.cancel() }
        for task in cancelled { #expect(await task.value == .cancelled) }
        for task in late { #expect(await task.value == .expired) }
        try door.open()
        for (number, task) in kept.enumerated() { #expect(await task.value == .performed(number)) }
    }

    @Test func `it comes and goes, and each change is told once`() async throws {
        var changes = host.changes.makeAsyncIterator()
        for _ in 1...3 {
            #expect(await changes.next() == .unreachable(.failure(Failure(.refused))))
            try door.open()
            #expect(await changes.next() == .reachable(via: .loopback))
            try door.close()
        }
    }
}
