import Monitoring
import Testing

@testable import ReachKit

/// Who listens to a session, for how long it is asked.
@Suite(.timeLimit(.minutes(1)))
struct SessionListeningTests {
    private let network = ScriptedNetwork()

    private func session() -> Session {
        Session(to: "nas.example", port: 445, by: network.prober)
    }

    private func ready(_ id: Target.ID) -> Finding {
        .session(id, .ready, address: "192.0.2.1", at: .zero)
    }

    @Test func `nothing is asked before somebody listens`() async throws {
        let session = session()
        #expect(session.state == .setup)
        #expect(!session.isOnline)
        #expect(network.made.isEmpty)
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .setup)
        #expect(await states.next() == .preparing)
        #expect(network.made.count == 1)
    }

    @Test func `what is asked is a held connection`() async throws {
        let session = Session(to: "[2001:db8::1]", port: 445, options: .init(send: nil), by: network.prober)
        var states = session.states.makeAsyncIterator()
        _ = await states.next()
        let target = try #require(await network.made[0].firstTarget)
        #expect(target.question == .session(host: "2001:db8::1", port: 445))
    }

    @Test func `all who listen are told, and who comes later where it stands`() async throws {
        let session = session()
        var first = session.states.makeAsyncIterator()
        var second = session.states.makeAsyncIterator()
        let id = try #require(await network.made[0].firstID)
        network.made[0].find([ready(id)])
        let expected: [Session.State] = [.setup, .preparing, .ready(address: "192.0.2.1")]
        for state in expected { #expect(await first.next() == state) }
        for state in expected.dropFirst() { #expect(await second.next() == state) }
        #expect(session.isOnline)
        var third = session.states.makeAsyncIterator()
        #expect(await third.next() == expected.last)
    }

    @Test func `when the last listener is cancelled it is let go, and the next one begins anew`() async throws {
        let session = session()
        let tasks = [session.states, session.states].map { states in Task { for await _ in states {} } }
        let asker = await network.asker(0)
        let id = try #require(await asker.firstID)
        asker.find([ready(id)])
        for await state in session.states where state == .ready(address: "192.0.2.1") { break }
        tasks[0].cancel()
        await tasks[0].value
        #expect(session.isOnline)
        tasks[1].cancel()
        // It ends when nobody asks by it any more.
        for await _ in asker.requests {}
        #expect(session.state == .setup)
        var states = session.states.makeAsyncIterator()
        #expect(await states.next() == .setup)
        #expect(await states.next() == .preparing)
        #expect(network.made.count == 2)
    }

    @Test func `one that is cancelled tells so, and nothing more`() async throws {
        let session = session()
        var states = session.states.makeAsyncIterator()
        _ = await states.next()
        let asker = network.made[0]
        let id = try #require(await asker.firstID)
        session.cancel()
        session.cancel()
        #expect(await states.next() == .preparing)
        #expect(await states.next() == .cancelled)
        #expect(await states.next() == nil)
        for await _ in asker.requests {}
        asker.find([ready(id)])
        #expect(!session.isOnline)
        var later = session.states.makeAsyncIterator()
        #expect(await later.next() == .cancelled)
        #expect(await later.next() == nil)
        #expect(network.made.count == 1)
    }

    @Test func `many are asked at a time, and each is told of its own`() async throws {
        let sessions = (0..<100).map { _ in session() }
        var iterators = sessions.map { $0.states.makeAsyncIterator() }
        var ids: [Target.ID] = []
        for await request in network.made[0].requests {
            if case .watch(let assignments) = request { ids += assignments.map(\.id) }
            if ids.count == sessions.count { break }
        }
        #expect(Set(ids).count == sessions.count)
        network.made[0].find([ready(ids[42])])
        while await iterators[42].next()?.isReady != true {}
        #expect(sessions.indices.filter { sessions[$0].isOnline } == [42])
        iterators = []
        for await _ in network.made[0].requests {}
    }

    @Test func `a name that leads nowhere is looked up every second, and a connection left alone`() async throws {
        let session = session()
        var states = session.states.makeAsyncIterator()
        let asker = network.made[0]
        let id = try #require(await asker.firstID)
        let missing = Failure(.nameNotFound)
        let outcome = Outcome.failure(missing)
        asker.find([.observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))])
        while await states.next() != .failed(.failure(missing)) {}
        asker.find([.session(id, .preparing, at: .zero), ready(id)])
        while await states.next() != .ready(address: "192.0.2.1") {}
        let paces = asker.asked.compactMap { request -> Duration? in
            if case .pace(id, let interval, _) = request { interval } else { nil }
        }
        #expect(paces == [.seconds(1), .seconds(5)])
    }

    @Test func `a session that nobody follows is gone`() async throws {
        weak var gone: Session?
        do {
            let session = session()
            gone = session
            var states = session.states.makeAsyncIterator()
            _ = await states.next()
        }
        for await _ in network.made[0].requests {}
        // Whoever was told of the end lets go in its own time.
        while gone != nil { await Task.yield() }
        #expect(gone == nil)
    }
}

extension Session.State {
    fileprivate var isReady: Bool {
        if case .ready = self { true } else { false }
    }
}
