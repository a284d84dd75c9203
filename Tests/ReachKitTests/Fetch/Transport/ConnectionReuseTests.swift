import Foundation
import ReachKit
import TestSupport
import Testing

/// Which requests share connections.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) struct ConnectionReuseTests {
    private let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, environment: [:])
    private static let fine = String.answer("200 OK", body: "fine")

    @Test func `twenty requests share one connection`() async throws {
        let server = try await ScriptedServer.on(.hold(Self.fine))
        for _ in 0..<20 {
            #expect(try await fetch.data(from: Fetch.Request(server.url)) == Data("fine".utf8))
        }
        #expect(server.requests.count == 20)
        #expect(server.connectionCount == 1)
        await fetch.shutdown()
        try await server.stop()
    }

    @Test func `a POST has a connection of its own`() async throws {
        let server = try await ScriptedServer.on(.hold(Self.fine))
        let post = Fetch.Request(server.url, method: "POST", body: "payload")
        for request in [Fetch.Request(server.url), post, post, Fetch.Request(server.url)] {
            #expect(try await fetch.data(from: request, maximumRetries: 0) == Data("fine".utf8))
        }
        #expect(server.requests.count == 4)
        #expect(server.connectionCount == 3)
        await fetch.shutdown()
        try await server.stop()
    }

    @Test(arguments: [ScriptedServer.Action.say(""), .breakOff(after: "")])
    func `an idempotent request on a kept connection that ends is sent again at once`(
        _ end: ScriptedServer.Action
    ) async throws {
        let server = try await ScriptedServer.on(.hold(Self.fine), end, .hold(Self.fine))
        for method in ["GET", "PUT"] {
            let request = Fetch.Request(server.url, method: method, body: method == "PUT" ? "payload" : nil)
            #expect(try await fetch.data(from: request, maximumRetries: 0) == Data("fine".utf8))
        }
        let lines = server.requests.map { $0.prefix { $0 != " " } }
        #expect(lines == ["GET", "PUT", "PUT"])
        #expect(server.requests.last?.hasSuffix("payload") == true)
        #expect(server.connectionCount == 2)
        await fetch.shutdown()
        try await server.stop()
    }

    @Test(arguments: [ScriptedServer.Action.say(""), .breakOff(after: "")])
    func `a request on a new connection that ends is not sent again without retries`(
        _ end: ScriptedServer.Action
    ) async throws {
        let server = try await ScriptedServer.on(end, .hold(Self.fine))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: Fetch.Request(server.url), maximumRetries: 0)
        }
        guard case .retriesExhausted(last: .network) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(server.requests.count == 1)
        #expect(server.connectionCount == 1)
        try await server.stop()
    }

    @Test func `a response that breaks off on a kept connection is a try`() async throws {
        let server = try await ScriptedServer.on(
            .hold(Self.fine),
            .say("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nha"),
            .hold(Self.fine)
        )
        _ = try await fetch.data(from: Fetch.Request(server.url))
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: Fetch.Request(server.url), maximumRetries: 0)
        }
        guard case .retriesExhausted(last: .incomplete) = error else {
            return #expect(Bool(false), "\(String(describing: error))")
        }
        #expect(server.requests.count == 2)
        await fetch.shutdown()
        try await server.stop()
    }

    @Test func `a retry has a new connection`() async throws {
        let server = try await ScriptedServer.on(.hold(Self.fine), .hold(.answer("503 Busy")), .hold(Self.fine))
        for _ in 0..<2 { #expect(try await fetch.data(from: server.url) == Data("fine".utf8)) }
        #expect(server.requests.count == 3)
        #expect(server.connectionCount == 2)
        await fetch.shutdown()
        try await server.stop()
    }

    @Test func `long bodies do not delay other requests`() async throws {
        let endless = ScriptedServer.Action.hold("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf")
        let server = try await ScriptedServer.on(
            endless,
            endless,
            endless,
            endless,
            endless,
            endless,
            endless,
            endless,
            endless,
            endless,
            .hold(Self.fine)
        )
        var streams: [Fetch.Stream] = []
        for _ in 0..<10 { streams.append(try await fetch.stream(from: server.url)) }
        #expect(try await fetch.data(from: server.url, maximumRetries: 0) == Data("fine".utf8))
        #expect(server.connectionCount == 11)
        await fetch.shutdown()
        withExtendedLifetime(streams) {}
        try await server.stop()
    }

    @Test func `connections that the server closes at once are never an error`() async throws {
        // The server closes after each response, at about the time of the next request.
        let server = try await ScriptedServer.on(.say(Self.fine))
        for _ in 0..<300 {
            #expect(try await fetch.data(from: Fetch.Request(server.url), maximumRetries: 0) == Data("fine".utf8))
        }
        #expect(server.requests.count == 300)
        await fetch.shutdown()
        try await server.stop()
    }
}
