import Foundation
import Monitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

/// Waiting until somebody is there to be asked.
@Suite(.timeLimit(.minutes(1))) struct FetchWaitTests {
    /// A prober by a script, its asker, and a fetch that waits by them.
    private func scripted(
        _ waiting: Fetch.Waiting,
        clock: RecordingClock,
        environment: [String: String] = [:]
    ) -> (Fetch, ScriptedAsker) {
        let asker = ScriptedAsker()
        let prober = Prober(clock: clock) { _ in asker }
        return (Fetch(by: prober, waiting: waiting, environment: environment), asker)
    }

    private func outcome(_ outcome: Outcome, of id: Target.ID) -> [Finding] {
        [.observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))]
    }

    /// Whom the asker is to watch next.
    private func watched(by asker: ScriptedAsker) async -> [ProbeRequest.Assignment] {
        for await case .watch(let assignments) in asker.requests { return assignments }
        return []
    }

    @Test func `before each try it waits for both families of a name, and says why`() async throws {
        let (fetch, asker) = scripted(.beforeEachTry(atMost: nil), clock: RecordingClock())
        let (events, event) = AsyncStream<Fetch.Event>.makeStream()
        let fetching = Task {
            try await fetch.data(from: "http://nowhere.invalid:8080/", retries: 0) { event.yield($0) }
        }
        let assignments = await watched(by: asker)
        #expect(assignments.map(\.target.family) == [.v4, .v6])
        #expect(assignments.allSatisfy { $0.target.question == .tcp(host: "nowhere.invalid", port: 8_080) })
        let nobody = Outcome.failure(Failure(.nameNotFound))
        // No word of a name that may have an address of the other family.
        asker.find(outcome(nobody, of: assignments[0].id))
        asker.find(outcome(.failure(Failure(.refused)), of: assignments[1].id))
        asker.find(outcome(.reply(roundTrip: .zero), of: assignments[1].id))
        var told: [Fetch.Event] = []
        for await event in events {
            told.append(event)
            if case .asking = event { break }
        }
        #expect(told == [.waiting(for: "nowhere.invalid:8080", because: "connection refused"), .asking(try: 1)])
        _ = await fetching.result
        // Nobody is asked any more.
        for await _ in asker.batches {}
    }

    @Test func `between tries it waits for an address in its own family, and no longer than it is told`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let clock = RecordingClock()
        let (fetch, asker) = scripted(.betweenTries(atMost: .seconds(20)), clock: clock)
        #expect(try await fetch.data(from: Fetch.Request(server.url)) == Data("fine".utf8))
        // After the pause between the tries come the sleeps of the wait.
        #expect(clock.pauses.dropFirst().reduce(.zero, +) == .seconds(20))
        let assignments = asker.asked.compactMap { if case .watch(let assignments) = $0 { assignments } else { nil } }
        #expect(assignments.map { $0.map(\.target.family) } == [[.any]])
        try await server.stop()
    }

    @Test func `a wait comes before each try`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let (fetch, asker) = scripted(.beforeEachTry(atMost: .seconds(20)), clock: RecordingClock())
        let seen = Mutex<[[Int]]>([])
        _ = try await fetch.data(from: Fetch.Request(server.url)) { event in
            guard case .asking = event else { return }
            let waits = asker.asked.filter { if case .watch = $0 { true } else { false } }
            seen.withLock { $0.append([waits.count, server.requests.count]) }
        }
        #expect(seen.withLock { $0 } == [[1, 0], [2, 1]])
        try await server.stop()
    }

    @Test func `cancellation ends the wait, and asks no more`() async throws {
        let (fetch, asker) = scripted(.beforeEachTry(atMost: nil), clock: RecordingClock())
        let fetching = Task { try await fetch.data(from: "http://127.0.0.1:1/") }
        _ = await watched(by: asker)
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        // The last one to leave ends the asking.
        for await _ in asker.batches {}
    }

    @Test func `who asks through a proxy waits for the proxy`() throws {
        let environment = ["http_proxy": "http://proxy.example:3128", "no_proxy": "near.example"]
        let (fetch, _) = scripted(.never, clock: RecordingClock(), environment: environment)
        #expect(try fetch.endpoint(of: "http://far.example/") == .tcp(host: "proxy.example", port: 3_128))
        #expect(try fetch.endpoint(of: "http://near.example/") == .tcp(host: "near.example", port: 80))
        #expect(try fetch.endpoint(of: "https://far.example/") == .tcp(host: "far.example", port: 443))
    }

    @Test func `a host that comes back is asked again`() async throws {
        let closed = try await ScriptedServer.on(.say(""))
        let port = closed.port
        try await closed.stop()
        let (waits, wait) = AsyncStream<Void>.makeStream()
        var fetch = Fetch(waiting: .betweenTries(atMost: .seconds(50)), environment: [:])
        fetch.generator = Constant.low
        let fetching = Task { [fetch] in
            try await fetch.data(from: Fetch.Request("http://127.0.0.1:\(port)/"), retries: 1) { event in
                if case .waiting = event { wait.yield() }
            }
        }
        for await _ in waits { break }
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")), port: port)
        #expect(try await fetching.value == Data("fine".utf8))
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `a fetch that nobody holds is gone, and with it what it has opened`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        weak var transport: AnyObject?
        weak var prober: Prober?
        do {
            let own = Prober(clock: RecordingClock())
            let fetch = Fetch(by: own, environment: [:])
            (transport, prober) = (fetch.transport, own)
            _ = try await fetch.data(from: Fetch.Request(server.url))
        }
        while transport != nil || prober != nil { await Task.yield() }
        try await server.stop()
    }

    #if os(Linux)
        @Test func `after a hundred fetches as many descriptors are open as after ten`() async throws {
            let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            func fetch(_ count: Int) async throws {
                for _ in 0..<count {
                    let fetch = Fetch(waiting: .beforeEachTry(atMost: nil), environment: [:])
                    _ = try await fetch.data(from: Fetch.Request(server.url))
                }
            }
            try await fetch(10)
            let few = try descriptors()
            try await fetch(100)
            // They are closed in their own time; the suite's limit is far.
            while try descriptors() > few { await Task.yield() }
            try await server.stop()
        }
    #endif
}
