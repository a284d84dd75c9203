import Foundation
import ReachKit
import TestSupport
import Testing

/// The time limit of a whole fetch.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct FetchLimitTests {
    private func fetch(clock: RecordingClock) -> Fetch {
        Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
    }

    @Test func `a fetch within its limit is not affected`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        let fetch = fetch(clock: RecordingClock(isStanding: true))
        #expect(try await fetch.data(from: server.url, within: .seconds(60)) == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `the limit ends a try, and closes the connection`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (closed, close) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() }, onClose: { close.yield() })
        let clock = GatedClock()
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let request = Fetch.Request(server.url, timeout: .seconds(600))
        let fetching = Task { try await fetch.data(from: request, within: .seconds(60)) }
        for await _ in arrivals { break }
        clock.open()
        await #expect(throws: Fetch.Error.expired(last: nil)) { try await fetching.value }
        for await _ in closed { break }
        try await server.stop()
    }

    @Test func `the error of an expired fetch has that of the last try`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("503 Busy")))
        let clock = GatedClock()
        let fetch = Fetch(prober: Prober(clock: clock), waiting: .never, environment: [:])
        let fetching = Task {
            try await fetch.data(from: server.url, within: .seconds(60)) { event in
                if case .pausing = event { clock.open() }
            }
        }
        let error = await #expect(throws: Fetch.Error.self) { try await fetching.value }
        guard case .expired(last: .status(let response)?) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(response.status == 503)
        #expect(error?.description == "time limit exceeded, last error: HTTP 503")
        try await server.stop()
    }

    @Test func `cancellation is not the limit`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let server = try await ScriptedServer.on(.hold(""), onRequest: { arrival.yield() })
        let fetch = fetch(clock: RecordingClock(isStanding: true))
        let fetching = Task { try await fetch.data(from: server.url, within: .seconds(60)) }
        for await _ in arrivals { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        try await server.stop()
    }
}
