import Logging
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit
@testable import ReachProbing

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
        let missing = ReachMonitoring.Failure(.nameNotFound, detail: "nas.example does not exist")
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

/// The subscribers of a session, and the lifetime of its connection.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct SessionListeningTests {
    private let network = ScriptedNetwork()

    private func session() throws -> Session {
        try Session(to: "nas.example", port: 445, prober: network.prober)
    }

    private func ready(_ id: Target.ID) -> Finding {
        .session(id, .ready, address: "192.0.2.1", at: .zero)
    }

    @Test func `nothing is probed before the first subscriber`() async throws {
        let session = try session()
        #expect(session.state == .setup)
        #expect(!session.isOnline)
        #expect(network.backends.isEmpty)
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .setup)
        #expect(await states.next() == .preparing)
        #expect(network.backends.count == 1)
    }

    @Test func `the target is a session`() async throws {
        let session = try Session(to: "[2001:db8::1]", port: 445, options: .init(send: nil), prober: network.prober)
        var states = session.states.makeAsyncIterator()
        _ = await states.next()
        let target = try #require(await network.backends[0].firstTarget)
        #expect(target.question == .session(host: "2001:db8::1", port: 445))
    }

    @Test func `all subscribers receive states, and a later one the present state first`() async throws {
        let session = try session()
        var first = session.states.makeAsyncIterator()
        var second = session.states.makeAsyncIterator()
        let id = try #require(await network.backends[0].firstID)
        network.backends[0].report([ready(id)])
        let expected: [Session.State] = [.setup, .preparing, .ready(address: "192.0.2.1")]
        for state in expected { #expect(await first.next() == state) }
        for state in expected.dropFirst() { #expect(await second.next() == state) }
        #expect(session.isOnline)
        var third = session.states.makeAsyncIterator()
        #expect(await third.next() == expected.last)
    }

    @Test func `cancelling the last subscriber ends the run, and the next one starts another`() async throws {
        let session = try session()
        let signals = (0..<2).map { _ in AsyncStream.makeStream(of: Void.self) }
        let tasks = signals.map { signal in
            Task { for await _ in session.states { signal.continuation.yield() } }
        }
        for signal in signals { for await _ in signal.stream { break } }
        let backend = await network.backend(0)
        let id = try #require(await backend.firstID)
        backend.report([ready(id)])
        for await state in session.states where state == .ready(address: "192.0.2.1") { break }
        tasks[0].cancel()
        await tasks[0].value
        #expect(session.isOnline)
        tasks[1].cancel()
        // The requests end when probing stops.
        for await _ in backend.requests {}
        #expect(session.state == .setup)
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .setup)
        #expect(await states.next() == .preparing)
        #expect(network.backends.count == 2)
    }

    @Test func `a cancelled session reports it, and nothing more`() async throws {
        let session = try session()
        var states = session.states.makeAsyncIterator()
        _ = await states.next()
        let backend = network.backends[0]
        let id = try #require(await backend.firstID)
        session.cancel()
        session.cancel()
        #expect(await states.next() == .preparing)
        #expect(await states.next() == .cancelled)
        #expect(await states.next() == nil)
        for await _ in backend.requests {}
        backend.report([ready(id)])
        #expect(!session.isOnline)
        var later = session.states.makeAsyncIterator()
        #expect(await later.next() == .cancelled)
        #expect(await later.next() == nil)
        #expect(network.backends.count == 1)
    }

    @Test func `many sessions at a time receive their own states`() async throws {
        let sessions = try (0..<100).map { _ in try session() }
        var iterators = sessions.map { $0.states.makeAsyncIterator() }
        var ids: [Target.ID] = []
        for await request in network.backends[0].requests {
            if case .watch(let assignments) = request { ids += assignments.map(\.id) }
            if ids.count == sessions.count { break }
        }
        #expect(Set(ids).count == sessions.count)
        network.backends[0].report([ready(ids[42])])
        while await iterators[42].next()?.isReady != true {}
        #expect(sessions.indices.filter { sessions[$0].isOnline } == [42])
        iterators = []
        for await _ in network.backends[0].requests {}
    }

    @Test func `a missing name is looked up every second, a connection has its interval`() async throws {
        let session = try session()
        var states = session.states.makeAsyncIterator()
        let backend = network.backends[0]
        let id = try #require(await backend.firstID)
        let missing = Failure(.nameNotFound)
        let outcome = Outcome.failure(missing)
        backend.report([.observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))])
        while await states.next() != .failed(.failure(missing)) {}
        backend.report([.session(id, .preparing, at: .zero), ready(id)])
        while await states.next() != .ready(address: "192.0.2.1") {}
        let paces = backend.performed.compactMap { request -> Duration? in
            if case .pace(id, let interval, _) = request { interval } else { nil }
        }
        #expect(paces == [.seconds(1), .seconds(5)])
    }

    @Test func `an unused session is released`() async throws {
        weak var released: Session?
        do {
            let session = try session()
            released = session
            var states = session.states.makeAsyncIterator()
            _ = await states.next()
        }
        for await _ in network.backends[0].requests {}
        // The end of the subscription is handled asynchronously.
        while released != nil { await Task.yield() }
        #expect(released == nil)
    }
}

extension Session.State {
    fileprivate var isReady: Bool {
        if case .ready = self { true } else { false }
    }
}
