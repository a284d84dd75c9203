import Foundation
import ReachKitTesting
import ReachMonitoring
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

/// The wait until the host accepts connections.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchWaitTests {
    /// A fetch whose prober has a scripted backend.
    private func scripted(
        _ waiting: Fetch.Waiting,
        clock: RecordingClock,
        environment: [String: String] = [:]
    ) -> (Fetch, ScriptedBackend) {
        let backend = ScriptedBackend()
        let prober = Prober(clock: clock) { _ in backend }
        return (Fetch(prober: prober, waiting: waiting, environment: environment), backend)
    }

    private func outcome(_ outcome: Outcome, of id: Target.ID) -> [Finding] {
        [.observation(Observation(target: id, sequence: 1, time: .zero, outcome: outcome))]
    }

    /// Waits for the next targets that the backend probes.
    private func watched(by backend: ScriptedBackend) async -> [ProbeRequest.Assignment] {
        for await case .watch(let assignments) in backend.requests { return assignments }
        return []
    }

    @Test func `before each try it waits for both families of a name, and reports the cause`() async throws {
        let (fetch, backend) = scripted(.beforeEachTry(atMost: nil), clock: RecordingClock())
        let (events, event) = AsyncStream<Fetch.Event>.makeStream()
        let fetching = Task {
            try await fetch.data(from: "http://nowhere.invalid:8080/", maximumRetries: 0) { event.yield($0) }
        }
        let assignments = await watched(by: backend)
        #expect(assignments.map(\.target.family) == [.v4, .v6])
        #expect(assignments.allSatisfy { $0.target.question == .tcp(host: "nowhere.invalid", port: 8_080) })
        let notFound = Outcome.failure(Failure(.nameNotFound))
        // Not reported, because the name may have an address of the other family.
        backend.report(outcome(notFound, of: assignments[0].id))
        backend.report(outcome(.failure(Failure(.refused)), of: assignments[1].id))
        backend.report(outcome(.reply(roundTrip: .zero), of: assignments[1].id))
        var received: [Fetch.Event] = []
        for await event in events {
            received.append(event)
            if case .sending = event { break }
        }
        #expect(received == [.waiting(for: "nowhere.invalid:8080", because: "refused"), .sending(try: 1)])
        _ = await fetching.result
        // The batches end when probing stops.
        for await _ in backend.batches {}
    }

    @Test func `an expired fetch has the error of the host that it waited for`() async throws {
        let backend = ScriptedBackend()
        let clock = GatedClock()
        let prober = Prober(clock: clock) { _ in backend }
        let fetch = Fetch(prober: prober, waiting: .beforeEachTry(atMost: nil), environment: [:])
        let (waits, wait) = AsyncStream<Void>.makeStream()
        let fetching = Task {
            try await fetch.data(from: "http://127.0.0.1:1/", within: .seconds(60)) { event in
                if case .waiting = event { wait.yield() }
            }
        }
        let assignments = await watched(by: backend)
        backend.report(outcome(.failure(Failure(.refused)), of: assignments[0].id))
        for await _ in waits { break }
        clock.open()
        let refused = Fetch.Error.network(Fetch.TransportError(.refused))
        await #expect(throws: Fetch.Error.expired(last: refused)) { try await fetching.value }
    }

    @Test func `between tries it waits for an address in its own family, up to the limit`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let clock = RecordingClock()
        let (fetch, backend) = scripted(.betweenTries(atMost: .seconds(20)), clock: clock)
        #expect(try await fetch.data(from: Fetch.Request(server.url)) == Data("fine".utf8))
        // The first sleep is the pause between the tries, the others are those of the wait.
        #expect(clock.pauses.dropFirst().reduce(.zero, +) == .seconds(20))
        let assignments = backend.performed.compactMap {
            if case .watch(let assignments) = $0 { assignments } else { nil }
        }
        #expect(assignments.map { $0.map(\.target.family) } == [[.any]])
        try await server.stop()
    }

    @Test func `it waits before each try`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")), .say(.answer("200 OK", body: "fine")))
        let (fetch, backend) = scripted(.beforeEachTry(atMost: .seconds(20)), clock: RecordingClock())
        let seen = Mutex<[[Int]]>([])
        _ = try await fetch.data(from: Fetch.Request(server.url)) { event in
            guard case .sending = event else { return }
            let waits = backend.performed.filter { if case .watch = $0 { true } else { false } }
            seen.withLock { $0.append([waits.count, server.requests.count]) }
        }
        #expect(seen.withLock { $0 } == [[1, 0], [2, 1]])
        try await server.stop()
    }

    @Test func `cancellation ends the wait and the probing`() async throws {
        let (fetch, backend) = scripted(.beforeEachTry(atMost: nil), clock: RecordingClock())
        let fetching = Task { try await fetch.data(from: "http://127.0.0.1:1/") }
        _ = await watched(by: backend)
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        // The batches end when probing stops.
        for await _ in backend.batches {}
    }

    @Test func `a request by a proxy waits for the proxy`() throws {
        let environment = ["http_proxy": "http://proxy.example:3128", "no_proxy": "near.example"]
        let (fetch, _) = scripted(.never, clock: RecordingClock(), environment: environment)
        #expect(try fetch.endpoint(of: "http://far.example/") == .tcp(host: "proxy.example", port: 3_128))
        #expect(try fetch.endpoint(of: "http://near.example/") == .tcp(host: "near.example", port: 80))
        #expect(try fetch.endpoint(of: "https://far.example/") == .tcp(host: "far.example", port: 443))
    }

    @Test func `a host that is back gets another try`() async throws {
        let closed = try await ScriptedServer.on(.say(""))
        let port = closed.port
        try await closed.stop()
        let (waits, wait) = AsyncStream<Void>.makeStream()
        var fetch = Fetch(waiting: .betweenTries(atMost: .seconds(50)), environment: [:])
        fetch.generator = Constant.low
        let fetching = Task { [fetch] in
            try await fetch.data(from: Fetch.Request("http://127.0.0.1:\(port)/"), maximumRetries: 1) { event in
                if case .waiting = event { wait.yield() }
            }
        }
        for await _ in waits { break }
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")), port: port)
        #expect(try await fetching.value == Data("fine".utf8))
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test func `an unused fetch is released, with its connections`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        weak var transport: AnyObject?
        weak var prober: Prober?
        do {
            let own = Prober(clock: RecordingClock())
            let fetch = Fetch(prober: own, environment: [:])
            (transport, prober) = (fetch.transport, own)
            _ = try await fetch.data(from: Fetch.Request(server.url))
        }
        while transport != nil || prober != nil { await Task.yield() }
        try await server.stop()
    }

    #if os(Linux)
    /// In a separate process, since other tests open descriptors meanwhile.
    @Test func `fetches leave no open descriptors`() async {
        await #expect(processExitsWith: .success) {
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
            // They are closed asynchronously, well within the time limit of the suite.
            while try descriptors() > few { await Task.yield() }
            try await server.stop()
        }
    }
    #endif
}

/// Which links a fetch may use.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchLinkTests {
    private let clock = RecordingClock()

    /// - Parameter links: the link at each try; the last one stays.
    private func fetch(allowCellular: Bool, links: [Reachability.Link]) -> Fetch {
        var fetch = Fetch(
            prober: Prober(clock: clock),
            waiting: .never,
            allowCellular: allowCellular,
            environment: [:]
        )
        let rest = Mutex(links)
        fetch.findLink = { _ in rest.withLock { $0.count > 1 ? $0.removeFirst() : $0[0] } }
        return fetch
    }

    @Test(arguments: Reachability.Link.allCases) func `only a mobile network is refused`(
        _ link: Reachability.Link
    ) async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = fetch(allowCellular: false, links: [link])
        if link == .cellular {
            await #expect(throws: Fetch.Error.retriesExhausted(last: .cellularNotAllowed, tries: 2)) {
                try await fetch.data(from: server.url, maximumRetries: 1)
            }
        } else {
            #expect(try await fetch.data(from: server.url, maximumRetries: 1) == Data("fine".utf8))
        }
        #expect(server.requests.count == (link == .cellular ? 0 : 1))
        try await server.stop()
    }

    @Test func `a mobile network is used by default`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = fetch(allowCellular: true, links: [.cellular])
        #expect(try await fetch.data(from: server.url) == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `a request is sent once there is another link`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = fetch(allowCellular: false, links: [.cellular, .cellular, .wifi])
        #expect(try await fetch.data(from: server.url) == Data("fine".utf8))
        #expect(clock.pauses.count == 2)
        #expect(server.requests.count == 1)
        try await server.stop()
    }

    @Test(arguments: [
        (NetworkPath(isExpensive: true), Fetch.Error.expensiveNotAllowed as Fetch.Error?),
        (NetworkPath(isConstrained: true), .constrainedNotAllowed), (NetworkPath(), nil),
    ]) func `nothing is sent by an expensive or constrained path that is not allowed`(
        path: NetworkPath,
        error: Fetch.Error?
    ) async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let network = FakeNetwork()
        network.setPath(path)
        let fetch = Fetch(
            prober: network.prober,
            waiting: .never,
            allowExpensive: false,
            allowConstrained: false,
            environment: [:]
        )
        if let error {
            await #expect(throws: Fetch.Error.retriesExhausted(last: error, tries: 1)) {
                try await fetch.data(from: server.url, maximumRetries: 0)
            }
        } else {
            #expect(try await fetch.data(from: server.url, maximumRetries: 0) == Data("fine".utf8))
        }
        #expect(server.requests.count == (error == nil ? 1 : 0))
        try await server.stop()
    }

    #if os(Linux)
    @Test func `loopback is not a mobile network`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = Fetch(waiting: .never, allowCellular: false, environment: [:])
        #expect(try await fetch.data(from: server.url) == Data("fine".utf8))
        #expect(fetch.findLink(.tcp(host: "127.0.0.1", port: 80)) == .loopback)
        try await server.stop()
    }
    #endif
}
