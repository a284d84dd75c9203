import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ReachKit

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
            await #expect(throws: Fetch.Error.retriesExhausted(last: .cellularNotAllowed)) {
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
