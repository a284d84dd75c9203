import Foundation
import ReachKit
import TestSupport
import Testing

/// Own authorities and client certificates.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class FetchTLSTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.path + "/reach-tls-\(UInt64.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("ca.pem", TestCertificates.authority), ("client.pem", TestCertificates.clientChain),
            ("client.key", TestCertificates.clientKey),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func fetch(_ url: String, with tls: Fetch.TLS) async throws(Fetch.Error) -> Data {
        let fetch = Fetch(prober: Prober(clock: RecordingClock()), waiting: .never, tls: tls, environment: [:])
        return try await fetch.data(from: url, maximumRetries: 0)
    }

    private var client: Fetch.TLS.ClientCertificate {
        Fetch.TLS.ClientCertificate(chain: "\(folder)/client.pem", privateKey: "\(folder)/client.key")
    }

    @Test func `an own authority is trusted, in place of the system's`() async throws {
        let server = try await SecureServer(requiresCertificate: false)
        #expect(try await fetch(server.url, with: Fetch.TLS(authorities: "\(folder)/ca.pem")) == Data("fine".utf8))
        let error = await #expect(throws: Fetch.Error.self) { try await fetch(server.url, with: Fetch.TLS()) }
        guard case .network(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.reason.rawValue == "certificate_untrusted")
        try await server.stop()
    }

    @Test func `a server that asks for a certificate gets the client's`() async throws {
        let server = try await SecureServer(requiresCertificate: true)
        var tls = Fetch.TLS(authorities: "\(folder)/ca.pem", clientCertificate: client)
        #expect(try await fetch(server.url, with: tls) == Data("fine".utf8))
        tls.clientCertificate = nil
        await #expect(throws: Fetch.Error.self) { try await fetch(server.url, with: tls) }
        try await server.stop()
    }

    @Test func `the certificate is checked by the rules of probes`() async throws {
        let server = try await SecureServer(requiresCertificate: false)
        let tls = Fetch.TLS(authorities: "\(folder)/ca.pem")
        for host in ["localhost", "127.0.0.1"] {
            #expect(try await fetch("https://\(host):\(server.port)/", with: tls) == Data("fine".utf8))
        }
        // The certificate has another address.
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch("https://127.0.0.2:\(server.port)/", with: tls)
        }
        guard case .network(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.reason.rawValue == "certificate_name")
        #expect("\(problem)".contains("certificate is for localhost and 1 more"), "\(problem)")
        try await server.stop()
    }

    @Test func `a file that cannot be used is an error with its name`() async throws {
        let wrong = Fetch.TLS.ClientCertificate(chain: "\(folder)/client.pem", privateKey: "\(folder)/ca.pem")
        let problems = [
            (Fetch.TLS(authorities: "\(folder)/none"), "cannot read \(folder)/none: No such file or directory"),
            (Fetch.TLS(authorities: "\(folder)/client.key"), "\(folder)/client.key has no certificate in PEM format"),
            (
                Fetch.TLS(clientCertificate: wrong),
                "\(folder)/ca.pem has no private key in PEM format, or an encrypted one"
            ),
        ]
        for (tls, description) in problems {
            await #expect(throws: Fetch.Error.file(description)) { try await fetch("https://127.0.0.1:1/", with: tls) }
        }
    }

    @Test func `the files are not needed without TLS`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        #expect(try await fetch(server.url, with: Fetch.TLS(authorities: "/nowhere")) == Data("fine".utf8))
        try await server.stop()
    }
}
