#if os(Linux)
import NIOCore
import NIOPosix
import ReachKit
import ReachMonitoring
import TestSupport
import Testing

/// The states of a session whose network drops packets, or goes down.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SessionLinkTests {
    private typealias State = Session.State

    private static let far = "192.0.2.2"

    /// A network with one route out of it, and event loops in it: one watches links, the other holds the session.
    /// They are not shut down, because the prober closes its sockets asynchronously.
    private func network(at address: (UInt8, UInt8, UInt8, UInt8)) async throws -> (
        Tunnel, MultiThreadedEventLoopGroup
    ) {
        try await PrivateNetwork.enter {
            (try Tunnel(raisedAt: address), MultiThreadedEventLoopGroup(numberOfThreads: 2))
        }
    }

    @Test(.enabled("no private network can be made here") { await PrivateNetwork.isAllowed() })
    func `black hole: it fails after the timeout, and prepares again`() async throws {
        let (tunnel, group) = try await network(at: (192, 0, 2, 1))
        let session = try Session(
            to: Self.far,
            port: 443,
            timeout: .milliseconds(200),
            prober: Prober(eventLoopGroup: group)
        )
        var states: Session.States.AsyncIterator? = session.states.makeAsyncIterator()
        let expected = [State.setup, .preparing, .failed(.timeout), .preparing, .failed(.timeout)]
        for state in expected { #expect(await states?.next() == state) }
        states = nil
        tunnel.close()
    }

    @Test(.enabled("no private network can be made here") { await PrivateNetwork.isAllowed() })
    func `link lost and back: it waits with the cause, and reconnects`() async throws {
        let (tunnel, group) = try await network(at: (192, 0, 2, 1))
        let (farTunnel, farGroup) = try await network(at: (192, 0, 2, 2))
        let path = DelayedLink(.zero, between: (tunnel, farTunnel))
        let peer = try await SessionPeer.on(host: Self.far, group: farGroup)
        let session = try Session(
            to: Self.far,
            port: peer.port,
            timeout: .seconds(20),
            prober: Prober(eventLoopGroup: group)
        )
        var states: Session.States.AsyncIterator? = session.states.makeAsyncIterator()
        let ready = State.ready(address: Self.far)
        for state in [State.setup, .preparing, ready] {
            let next = await states?.next()
            #expect(next == state)
        }

        try await group.next().submit { try tunnel.set(isUp: false) }.get()
        guard case .waiting(let failure)? = await states?.next() else {
            Issue.record("\(session.state)")
            return
        }
        #expect(failure.reason == .noRoute || failure.reason == .networkUnreachable)
        print("link lost: \(failure.detail)")
        #expect(!session.isOnline)

        try await group.next().submit { try tunnel.set(isUp: true) }.get()
        for state in [State.preparing, ready] { #expect(await states?.next() == state) }
        states = nil
        try await peer.close()
        withExtendedLifetime(path) {}
    }
}
#endif
