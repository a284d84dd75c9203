import Foundation
import ReachKit
import ReachKitTesting
import TestSupport
import Testing

/// What the documentation of Ola, KSReachability and NetworkConnectivity promises, with the public interface alone. The
/// promises of Lotus are in `PerformingTests`, those of Alley in the tests of `Fetch`.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct LibraryClaimsTests {
    private let clock = ManualClock()
    private let network: FakeNetwork

    init() {
        network = FakeNetwork(clock: clock)
    }

    private func host(_ text: String = "nas.local") -> Reachability {
        Reachability(of: text, prober: network.prober)
    }

    // MARK: Ola

    @Test func `Ola: a request that waits for its host succeeds in the end`() async throws {
        network.set("nas.local", to: .failure(.hostUnreachable))
        network.set("nas.local", to: .reply(), after: .seconds(40))
        let host = host()
        let request = Task {
            // The loop of Ola's example: request if reachable, otherwise wait for a change.
            while true {
                if await host.check().isReachable { return "response" }
                try await host.waitUntilReachable()
            }
        }
        while network.probeCount < 1 { await Task.yield() }
        await clock.advance(by: .seconds(60))
        #expect(try await request.value == "response")
    }

    @Test func `Ola: a mobile network is recognized, and the program decides`() async {
        network.set("nas.local", to: .reply())
        network.setLink(.cellular)
        #expect(await host().check() == .reachable(via: .cellular))
        #expect(await host().whenReachable(allowCellular: true) { 7 }.value == .performed(7))
    }

    @Test func `Ola: the callback gets each change until it is removed`() async {
        let host = host()
        let (statuses, status) = AsyncStream.makeStream(of: Reachability.Status.self)
        let callback = Task { for await change in host.changes.dropFirst() { status.yield(change) } }
        var seen = statuses.makeAsyncIterator()
        while network.probeCount < 1 { await Task.yield() }
        await clock.advance(by: .seconds(10))
        #expect(await seen.next() == .unreachable(.timeout))
        network.set("nas.local", to: .reply())
        await clock.advance(by: .seconds(2))
        #expect(await seen.next() == .reachable(via: .wired))
        callback.cancel()
        await callback.value
        while !network.probedURLs.isEmpty { await Task.yield() }
        #expect(host.currentStatus == .reachable(via: .wired))
    }

    // MARK: KSReachability

    @Test(arguments: ["nas.local", "192.0.2.1", "2001:db8::1"])
    func `KSReachability: a name or an address of either family`(_ text: String) async {
        network.set(text, to: .reply())
        #expect(await host(text).check() == .reachable(via: .wired))
    }

    @Test func `KSReachability: the network in general, and the local one`() async {
        for subject in [Reachability.Subject.internet, .localNetwork] {
            let reachability = Reachability(of: subject, prober: network.prober)
            network.setLink(.wifi)
            #expect(await reachability.check() == .reachable(via: .wifi))
            network.setLink(nil)
            #expect(await reachability.check().isReachable == false)
        }
    }

    @Test func `KSReachability: before the first result, the status is unknown and not unreachable`() async {
        network.set("nas.local", to: .reply(after: .milliseconds(500)))
        let host = host()
        var changes = host.changes.makeAsyncIterator()
        #expect(host.currentStatus == .unknown)
        #expect(await changes.next() == .unknown)
        await clock.advance(by: .seconds(1))
        #expect(await changes.next() == .reachable(via: .wired))
    }

    @Test func `KSReachability: a one-shot operation runs once on the main actor, not by a mobile network`() async {
        network.setLink(.cellular)
        network.set("nas.local", to: .reply())
        let host = host()
        // The subject's other subscribers are not disturbed by the operation. This one is first, and sees the first answer.
        var changes = host.changes.dropFirst().makeAsyncIterator()
        let operation = host.whenReachable(allowCellular: false) { @MainActor in
            MainActor.assertIsolated()
            return 7
        }
        await clock.advance(by: .seconds(5))
        #expect(await changes.next() == .reachable(via: .cellular))
        network.setLink(.wifi)
        await clock.advance(by: .seconds(5))
        #expect(await operation.value == .performed(7))
        #expect(await changes.next() == .reachable(via: .wifi))
    }

    @Test func `KSReachability: of a URL, the host can be taken`() async throws {
        network.set("nas.local", to: .reply())
        network.set("http://nas.local/health", to: .failure(.httpStatus))
        let url = try #require(URL(string: "http://nas.local/health"))
        let alone = Reachability(of: try Reachability.Subject(hostOf: url), prober: network.prober)
        #expect(await alone.check() == .reachable(via: .wired))
    }

    // MARK: NetworkConnectivity

    private static let ready = Session.State.ready(address: "192.0.2.1")

    /// The states up to a number, while a script runs.
    private func states(_ count: Int, of session: Session, script: (Int) -> Void) async -> [Session.State] {
        var states = session.states.makeAsyncIterator()
        var seen: [Session.State] = []
        while seen.count < count, let state = await states.next() {
            seen.append(state)
            script(seen.count)
        }
        return seen
    }

    @Test func `NetworkConnectivity: a connection is set up, prepares and is ready`() async throws {
        network.set("nas.local", to: .reply())
        let session = try Session(to: "nas.local", port: 445, prober: network.prober)
        #expect(await states(3, of: session) { _ in } == [.setup, .preparing, Self.ready])
    }

    @Test func `NetworkConnectivity: without a network it waits with the reason, and then connects`() async throws {
        network.set("nas.local", to: .reply())
        network.setLink(nil)
        let session = try Session(to: "nas.local", port: 445, prober: network.prober)
        let seen = await states(5, of: session) { if $0 == 3 { network.setLink(.wired) } }
        let waiting = Session.State.waiting(Failure(.networkUnreachable))
        #expect(seen == [.setup, .preparing, waiting, .preparing, Self.ready])
        #expect(session.state == .setup, "after the last subscriber")
    }

    @Test func `NetworkConnectivity: a refused connection fails with the reason, and is made again`() async throws {
        network.set("nas.local", to: .failure(.refused))
        let session = try Session(to: "nas.local", port: 445, prober: network.prober)
        let seen = await states(5, of: session) { if $0 == 3 { network.set("nas.local", to: .reply()) } }
        let refused = Session.State.failed(.failure(Failure(.refused)))
        #expect(seen == [.setup, .preparing, refused, .preparing, Self.ready])
    }

    @Test func `NetworkConnectivity: a cancelled connection ends for good`() async throws {
        network.set("nas.local", to: .reply())
        let session = try Session(to: "nas.local", port: 445, prober: network.prober)
        let seen = await states(9, of: session) { if $0 == 3 { session.cancel() } }
        #expect(seen == [.setup, .preparing, Self.ready, .cancelled])
        #expect(await states(9, of: session) { _ in } == [.cancelled])
        #expect(!session.isOnline)
    }
}
