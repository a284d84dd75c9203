import Foundation
import ReachKit
import TestSupport
import Testing

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
