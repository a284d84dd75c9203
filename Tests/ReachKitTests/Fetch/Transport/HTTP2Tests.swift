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

    @Test(.enabled(if: FileManager.default.isExecutableFile(atPath: program), "nghttpd is not installed"))
    func `a request that may be sent twice is sent by HTTP/2`() async throws {
        let port = UInt16.random(in: 12_000..<20_000)
        let process = Process()
        process.executableURL = URL(filePath: Self.program)
        let files = ["\(folder)/server.key", "\(folder)/server.pem"]
        process.arguments = ["-a", "127.0.0.1", "-d", folder, "\(port)"] + files
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // The server inherits the signal mask of this thread, which may block SIGTERM.
        defer { kill(process.processIdentifier, SIGKILL) }
        // Each try waits for the start of the server.
        let fetch = Fetch(
            waiting: .beforeEachTry(atMost: .seconds(30)),
            tls: Fetch.TLS(authorities: "\(folder)/ca.pem"),
            environment: [:]
        )
        let url = "https://localhost:\(port)/page"
        #expect(try await fetch.data(from: url) == Data("all is fine".utf8))
        try await fetch.save(url, to: "\(folder)/file")
        #expect(FileManager.default.contents(atPath: "\(folder)/file") == Data("all is fine".utf8))
        let post = Fetch.Request(url, method: "POST", body: "x")
        let error = await #expect(throws: Fetch.Error.self) { try await fetch.data(from: post, maximumRetries: 0) }
        #expect(error?.description == "closed")
    }
}
