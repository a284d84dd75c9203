import Monitoring
import ReachKit
import ReachKitTesting
import TestSupport
import Testing

/// The limits of waits, and waits that are part of the calling task.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct WaitingTests {
    private let network = ScriptedNetwork()
    private let host: Reachability

    init() {
        host = network.reachability()
    }

    @Test func `a limit of zero performs where the subject is known to be reachable`() async throws {
        // With the clock of the system, which advances meanwhile.
        let listener = try LoopbackListener()
        try listener.open()
        let host = Reachability(host: "127.0.0.1", port: listener.port)
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .expired)
        #expect(await host.check() == .reachable(via: .loopback))
        for _ in 1...20 {
            #expect(await host.whenReachable(within: .zero) { 7 }.value == .performed(7))
            try await host.waitUntilReachable(within: .zero)
        }
        var changes = host.changes(startingWithCurrent: true).makeAsyncIterator()
        while await changes.next() == .unknown {}
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .performed(7))
    }

    @Test func `a limit of zero expires where the subject is down`() async {
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        #expect(await host.whenReachable(within: .zero) { 7 }.value == .expired)
    }

    @Test func `with a clock of the caller, a limit is one sleep until its deadline`() async {
        let task = host.whenReachable(within: .seconds(30)) { 7 }
        await network.clock.untilAsleep()
        network.clock.advance(by: .seconds(29))
        #expect(network.clock.sleeperCount == 1)
        network.clock.advance(by: .seconds(1))
        #expect(network.clock.sleeperCount == 0)
        #expect(await task.value == .expired)
    }

    @Test func `it returns once the subject is reachable`() async throws {
        let wait = Task { [host] in try await host.waitUntilReachable(within: .seconds(30)) }
        await network.clock.untilAsleep()
        network.timeOut()
        network.clock.advance(by: .seconds(29))
        network.reply()
        try await wait.value
        #expect(network.clock.sleeperCount == 0)
        for await _ in await network.backend(0).requests {}
    }

    @Test func `it throws after the limit, with what is known`() async {
        let wait = Task { [host] in try await host.waitUntilReachable(within: .seconds(30)) }
        await network.clock.untilAsleep()
        var changes = host.changes.makeAsyncIterator()
        network.timeOut()
        #expect(await changes.next() == .unreachable(.timeout))
        network.clock.advance(by: .seconds(30))
        let error = await #expect(throws: Reachability.WaitError.self) { try await wait.value }
        #expect(error == .expired(.unreachable(.timeout)))
        #expect(error?.description == "not reachable in time: timeout")
    }

    @Test func `an invalid subject is not waited for`() async {
        let host = network.reachability(of: "-")
        #expect(await host.whenReachable { 7 }.value == .expired)
        let error = await #expect(throws: Reachability.WaitError.self) { try await host.waitUntilReachable() }
        #expect(error?.description == "not reachable in time: the host is missing")
    }

    @Test func `it ends with its task, and so does the probing`() async {
        let wait = Task { [host] in try await host.waitUntilReachable() }
        let backend = await network.backend(0)
        wait.cancel()
        await #expect(throws: Reachability.WaitError.cancelled) { try await wait.value }
        for await _ in backend.requests {}
    }
}
