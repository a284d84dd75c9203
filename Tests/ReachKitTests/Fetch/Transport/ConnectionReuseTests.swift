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
        guard case .retriesExhausted(last: .network, tries: 1) = error else {
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
        guard case .retriesExhausted(last: .incomplete, tries: _) = error else {
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

/// Servers that speak only HTTP/2 (nghttpd).
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class HTTP2Tests: Sendable {
    private static let program = "/usr/sbin/nghttpd"
    private let folder = FileManager.default.temporaryDirectory.path + "/reach-h2-\(UInt64.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("ca.pem", TestCertificates.authority), ("server.pem", TestCertificates.serverChain),
            ("server.key", TestCertificates.serverKey), ("page", "all is fine"),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    /// Starts a server at an address. It inherits the signal mask of this thread, which may block SIGTERM: end it by SIGKILL.
    private func server(on address: String) throws -> (process: Int32, port: UInt16) {
        let port = UInt16.random(in: 12_000..<20_000)
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        process.arguments = ["-a", address, "-d", folder, "\(port)", "\(folder)/server.key", "\(folder)/server.pem"]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return (process.processIdentifier, port)
    }

    /// Fetches with the servers' authority. Each try waits for the start of a server.
    private var fetch: Fetch {
        Fetch(
            waiting: .beforeEachTry(atMost: .seconds(30)),
            tls: Fetch.TLS(authorities: "\(folder)/ca.pem"),
            environment: [:]
        )
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "nghttpd is not installed"))
    func `a request that may be sent twice is sent by HTTP/2`() async throws {
        let (process, port) = try server(on: "127.0.0.1")
        defer { kill(process, SIGKILL) }
        let fetch = fetch
        let url = "https://localhost:\(port)/page"
        #expect(try await fetch.data(from: url) == Data("all is fine".utf8))
        try await fetch.save(url, to: "\(folder)/file")
        #expect(FileManager.default.contents(atPath: "\(folder)/file") == Data("all is fine".utf8))
        let post = Fetch.Request(url, method: "POST", body: "x")
        let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: post, maximumRetries: 0) }
        #expect(error?.description == "closed")
    }

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "nghttpd is not installed"))
    func `a server of another name gets no request`() async throws {
        // The certificate has the address 127.0.0.1.
        let (process, port) = try server(on: "127.0.0.2")
        defer { kill(process, SIGKILL) }
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch.data(from: Fetch.Request("https://127.0.0.2:\(port)/page"), maximumRetries: 0)
        }
        // The check of the name, or the end of the connection by HTTP/1.1, comes first.
        #expect(["certificate is for localhost and 1 more", "closed"].contains(error?.description))
    }
}
