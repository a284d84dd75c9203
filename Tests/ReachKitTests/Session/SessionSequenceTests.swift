import Logging
import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import Probing
@testable import ReachKit

/// The sequence of states of a session with a real peer.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SessionSequenceTests {
    typealias State = Session.State

    private static let ready = State.ready(address: "127.0.0.1")
    private static let refused = State.failed(.failure(Failure(.refused)))

    private func session(
        _ port: UInt16,
        host: String = "127.0.0.1",
        prober: ReachKit.Prober = .shared
    ) throws -> Session {
        // Long enough for a busy machine; no test waits for it.
        try Session(to: host, port: port, timeout: .seconds(20), prober: prober)
    }

    @Test func `refused: it fails and prepares again until the port is open`() async throws {
        let port = ClosedPorts.next()
        let session = try session(port)
        var states = session.states.makeAsyncIterator()
        for state in [State.setup, .preparing, Self.refused, .preparing, Self.refused] {
            #expect(await states.next() == state)
        }
        let peer = try await SessionPeer.on(port: port)
        while let state = await states.next(), state != Self.ready {
            #expect(state == .preparing || state == Self.refused)
        }
        #expect(session.isOnline)
        try await peer.close()
    }

    @Test func `accept then close: it is ready, fails, and reconnects`() async throws {
        let peer = try await SessionPeer.on()
        let session = try session(peer.port)
        var states = session.states.makeAsyncIterator()
        let first = try #require(await peer.next())
        for state in [State.setup, .preparing, Self.ready] { #expect(await states.next() == state) }
        first.close()
        for state in [State.failed(.failure(Failure(.closed))), .preparing, Self.ready] {
            #expect(await states.next() == state)
        }
        #expect(await peer.next() != nil)
        try await peer.close()
    }

    @Test func `accept then RST: it is ready, fails, and reconnects`() async throws {
        let peer = try await SessionPeer.on()
        let session = try session(peer.port)
        var states = session.states.makeAsyncIterator()
        let first = try #require(await peer.next())
        for state in [State.setup, .preparing, Self.ready] { #expect(await states.next() == state) }
        try await first.reset()
        for state in [State.failed(.failure(Failure(.reset))), .preparing, Self.ready] {
            #expect(await states.next() == state)
        }
        #expect(await peer.next() != nil)
        try await peer.close()
    }

    @Test func `a name that appears later: it fails until then`() async throws {
        let peer = try await SessionPeer.on()
        let missing = Monitoring.Failure(.nameNotFound, detail: "nas.example does not exist")
        let resolver = ScriptedResolver(.failure(missing))
        let prober = ReachKit.Prober(clock: ContinuousClock()) { now in
            ProbeEngine(
                now: now,
                logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() },
                resolve: { _ in resolver.resolution.withLock { $0 } }
            )
        }
        let session = try session(peer.port, host: "nas.example", prober: prober)
        var states = session.states.makeAsyncIterator()
        for state in [State.setup, .preparing, .failed(.failure(missing))] { #expect(await states.next() == state) }
        resolver.resolution.withLock { $0 = Resolution.system(NameQuery("127.0.0.1", family: .any)) }
        for state in [State.preparing, Self.ready] { #expect(await states.next() == state) }
        #expect(await peer.next() != nil)
        try await peer.close()
    }

    /// A resolver with a result that a test can change.
    private final class ScriptedResolver: Sendable {
        let resolution: Mutex<Resolution>

        init(_ resolution: Resolution) {
            self.resolution = Mutex(resolution)
        }
    }

    @Test func `cancelling the only subscriber closes the connection at once`() async throws {
        let peer = try await SessionPeer.on()
        let session = try session(peer.port)
        let task = Task { for await _ in session.states {} }
        let connection = try #require(await peer.next())
        task.cancel()
        await connection.end()
        #expect(!session.isOnline)
        try await peer.close()
    }

    @Test func `the connection stays when one of two subscribers leaves`() async throws {
        let peer = try await SessionPeer.on()
        let session = try session(peer.port)
        let task = Task { for await _ in session.states {} }
        var states = session.states.makeAsyncIterator()
        while await states.next() != Self.ready {}
        task.cancel()
        await task.value
        #expect(session.isOnline)
        let connection = try #require(await peer.next())
        session.cancel()
        await connection.end()
        #expect(await states.next() == .cancelled)
        try await peer.close()
    }

    @Test func `many sessions are held at a time`() async throws {
        let peer = try await SessionPeer.on()
        let sessions = try (0..<50).map { _ in try session(peer.port) }
        var connections: [SessionPeer.Connection] = []
        await withTaskGroup(of: Void.self) { group in
            for session in sessions {
                group.addTask { for await state in session.states where state == Self.ready { break } }
            }
        }
        for _ in sessions { connections.append(try #require(await peer.next())) }
        for connection in connections { await connection.end() }
        #expect(sessions.allSatisfy { $0.state == .setup })
        try await peer.close()
    }
}
