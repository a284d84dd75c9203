import Foundation
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ProberTests {
    /// A prober with scripted backends, and those that it has created.
    private func prober() -> (Prober, @Sendable () -> [ScriptedBackend]) {
        let created = Box(Mutex<[ScriptedBackend]>([]))
        let prober = Prober(clock: ContinuousClock()) { _ in
            let backend = ScriptedBackend()
            created.value.withLock { $0.append(backend) }
            return backend
        }
        return (prober, { created.value.withLock { $0 } })
    }

    private final class Box<Value: ~Copyable & Sendable>: Sendable {
        let value: Value
        init(_ value: consuming Value) { self.value = value }
    }

    private static func timeout(of client: ProberClient, number: Int = 0) -> Finding {
        let target = Target.ID(client.firstID + number)
        return .observation(Observation(target: target, sequence: 1, time: .zero, outcome: .timeout))
    }

    @Test func `nothing is probed before the first client`() {
        let (prober, backends) = prober()
        #expect(backends().isEmpty)
        let client = prober.startClient { _ in }
        #expect(backends().count == 1)
        client.stop(forgetting: [])
    }

    @Test func `a client receives findings about its own targets, and all receive those about the link`() async throws {
        let (prober, backends) = prober()
        let (batchesOfFirst, batchOfFirst) = AsyncStream.makeStream(of: [Finding].self)
        let (batchesOfSecond, batchOfSecond) = AsyncStream.makeStream(of: [Finding].self)
        let first = prober.startClient { batchOfFirst.yield($0) }
        let second = prober.startClient { batchOfSecond.yield($0) }
        let link = Finding.link(isUp: true, at: .zero)
        backends()[0].report([Self.timeout(of: second), link, Self.timeout(of: first, number: 7)])
        var batches = batchesOfFirst.makeAsyncIterator()
        #expect(await batches.next() == [link, Self.timeout(of: first, number: 7)])
        batches = batchesOfSecond.makeAsyncIterator()
        #expect(await batches.next() == [Self.timeout(of: second), link])
        first.stop(forgetting: [])
        second.stop(forgetting: [])
    }

    @Test func `a later client receives the last finding about the link at once`() async throws {
        let (prober, backends) = prober()
        let (batchesOfFirst, batchOfFirst) = AsyncStream.makeStream(of: [Finding].self)
        let first = prober.startClient { batchOfFirst.yield($0) }
        let link = Finding.link(isUp: false, at: .seconds(1))
        backends()[0].report([link])
        var batches = batchesOfFirst.makeAsyncIterator()
        _ = await batches.next()
        let received = Box(Mutex<[Finding]>([]))
        let second = prober.startClient { findings in received.value.withLock { $0 += findings } }
        #expect(received.value.withLock { $0 } == [link])
        first.stop(forgetting: [])
        second.stop(forgetting: [])
    }

    @Test func `the last client to stop shuts the backend down, and the next one starts another`() async throws {
        let (prober, backends) = prober()
        let first = prober.startClient { _ in }
        let second = prober.startClient { _ in }
        let ids = [Target.ID(first.firstID)]
        first.stop(forgetting: ids)
        #expect(backends()[0].performed == [.forget(ids)])
        second.stop(forgetting: [])
        for await _ in backends()[0].requests {}
        let third = prober.startClient { _ in }
        #expect(backends().count == 2)
        third.stop(forgetting: [])
    }

    @Test func `findings from before the shutdown do not reach the next run of a client`() async throws {
        let (prober, backends) = prober()
        let (batches, batch) = AsyncStream.makeStream(of: [Finding].self)
        let client = prober.makeClient()
        _ = prober.start(client) { _ in }
        client.stop(forgetting: [])
        _ = prober.start(client) { batch.yield($0) }
        backends()[0].report([Self.timeout(of: client, number: 1)])
        backends()[1].report([Self.timeout(of: client, number: 2)])
        var iterator = batches.makeAsyncIterator()
        #expect(await iterator.next() == [Self.timeout(of: client, number: 2)])
        client.stop(forgetting: [])
    }

    @Test func `an unused prober is released`() async throws {
        weak var released: Prober?
        var backend: ScriptedBackend?
        do {
            let (prober, backends) = prober()
            let client = prober.startClient { _ in }
            backend = backends()[0]
            client.stop(forgetting: [])
            released = prober
        }
        for await _ in try #require(backend).requests {}
        for await _ in try #require(backend).batches {}
        // The task that delivers findings ends asynchronously.
        while released != nil { await Task.yield() }
        #expect(released == nil)
    }
}

@Suite struct NetworkPathTests {
    @Test(arguments: [
        ("nameserver 192.0.2.53\n", true), ("search example.com\nnameserver\t2001:db8::53", true),
        ("# nameserver 192.0.2.53", false), ("nameserver", false), ("", false),
    ])
    func `DNS is available where a server is configured`(_ text: String, _ expected: Bool) {
        #expect(NetworkPath.namesServer(text) == expected)
    }

    #if os(Linux)
    @Test func `Linux reports what netlink and resolv.conf have`() async {
        let path = await Prober.shared.networkPath()
        #expect(path.isExpensive == nil && path.isConstrained == nil)
        #expect((path.supportsDNS != nil) == FileManager.default.isReadableFile(atPath: "/etc/resolv.conf"))
        #expect(path.supportsIPv4 != nil && path.supportsIPv6 != nil)
        #expect(path.interfaces.allSatisfy { $0.link != .loopback && !$0.name.isEmpty })
        if path.supportsIPv4 == true { #expect(!path.interfaces.isEmpty) }
    }

    @Test func `the paths begin with the present one, and end with their task`() async {
        let prober = Prober()
        var paths = prober.networkPaths.makeAsyncIterator()
        #expect(await paths.next() == (await prober.networkPath()))
        let task = Task { for await _ in prober.networkPaths {} }
        task.cancel()
        await task.value
    }
    #endif
}
