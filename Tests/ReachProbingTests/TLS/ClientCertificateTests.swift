import Foundation
import NIOCore
import NIOSSL
import ReachMonitoring
import TestSupport
import Testing

@testable import ReachProbing

/// Servers that require a client certificate, and files that cannot be used as one.
@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct ClientCertificateTests {
    private let root: Authority
    /// The authority of the clients.
    private let clients: Authority
    private let ca: String

    init() throws {
        root = try Authority()
        clients = try Authority("Clients")
        ca = try root.file()
    }

    private func client(days: Double = 61.5, by authority: Authority? = nil) throws -> Credential {
        try (authority ?? clients).certify(names: [], commonName: "client", days: days, usage: .client)
    }

    /// The outcomes of a probe by each method.
    private func outcomes(of server: WebServer, _ options: TLSOptions) async throws -> [Outcome] {
        let host = "good.example"
        let questions: [Question] = [
            .tls(host: host, port: server.port, options),
            .http(HTTPQuestion(isSecure: true, host: host, port: server.port, tls: options)),
        ]
        var outcomes: [Outcome] = []
        for question in questions {
            let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
            harness.watch([question], interval: .seconds(20), timeout: .seconds(20))
            outcomes.append(try #require(await harness.observations(1).first).outcome)
            await harness.engine.shutdown()
        }
        return outcomes
    }

    private func server(_ newest: TLSVersion) async throws -> WebServer {
        try await WebServer.on(tls: root.certify().context(newest: newest, requiring: clients))
    }

    @Test(arguments: [TLSVersion.tlsv12, .tlsv13], [true, false])
    func `a server that requires a certificate gets it`(newest: TLSVersion, verifies: Bool) async throws {
        let server = try await server(newest)
        let client = try client()
        let (certificate, key) = (try ScratchFile(client.certificate.pem), try ScratchFile(client.key.pem))
        let options = TLSOptions(ca: ca, verifies: verifies, certificate: certificate.path, key: key.path)
        for outcome in try await outcomes(of: server, options) {
            guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
        }
        try await server.close()
        certificate.remove()
        key.remove()
    }

    @Test func `one file may have the certificate and the key`() async throws {
        let server = try await server(.tlsv13)
        let client = try client()
        let file = try ScratchFile(client.key.pem + client.certificate.pem)
        for outcome in try await outcomes(of: server, TLSOptions(ca: ca, certificate: file.path)) {
            guard case .reply = outcome else { throw Unexpected(outcome: outcome) }
        }
        try await server.close()
        file.remove()
    }

    @Test func `the refusal of a certificate is reported in words`() async throws {
        let stranger = try client(by: Authority("Stranger"))
        let file = try ScratchFile(stranger.certificate.pem + stranger.key.pem)
        for newest in [TLSVersion.tlsv12, .tlsv13] {
            let server = try await server(newest)
            for outcome in try await outcomes(of: server, TLSOptions(ca: ca, certificate: file.path)) {
                guard case .failure(let failure) = outcome else { throw Unexpected(outcome: outcome) }
                #expect(failure.reason == .tlsFailed)
                #expect(failure.detail.hasPrefix("client certificate missing or refused: "), "\(failure.detail)")
            }
            try await server.close()
        }
        file.remove()
    }

    @Test func `without a certificate, the requirement of the server is reported`() async throws {
        let server = try await server(.tlsv13)
        let failure = Failure(.tlsFailed, detail: "the server requires a client certificate")
        // The handshake itself succeeds with TLS 1.3.
        #expect(try await outcomes(of: server, TLSOptions(ca: ca)).last == .failure(failure))
        try await server.close()
    }

    @Test func `files that cannot be used are faults`() async throws {
        let (client, other) = (try client(), try client())
        let certificate = try ScratchFile(client.certificate.pem)
        let (key, wrongKey) = (try ScratchFile(client.key.pem), try ScratchFile(other.key.pem))
        let old = try self.client(days: -3.5)
        let oldFile = try ScratchFile(old.certificate.pem + old.key.pem)
        let cases: [(certificate: String, key: String?, detail: String)] = [
            ("/nowhere.pem", nil, "cannot read /nowhere.pem"),
            (certificate.path, "/nowhere.key", "cannot read /nowhere.key"),
            (key.path, nil, "no certificate in \(key.path)"),
            (certificate.path, nil, "no private key in \(certificate.path), or an encrypted one"),
            (
                certificate.path, wrongKey.path,
                "the key in \(wrongKey.path) is not that of the certificate in \(certificate.path)"
            ), (oldFile.path, nil, "client certificate \(oldFile.path) expired 3 days ago – replace the file"),
        ]
        let server = try await server(.tlsv13)
        for (certificate, key, detail) in cases {
            let options = TLSOptions(ca: ca, certificate: certificate, key: key)
            let fault = Outcome.fault(Fault(.noCertificate, detail: detail))
            #expect(try await outcomes(of: server, options) == [fault, fault])
        }
        try await server.close()
        for file in [certificate, key, wrongKey, oldFile] { file.remove() }
    }

    @Test func `files are read again after a change`() async throws {
        let file = try ScratchFile("nothing")
        let server = try await server(.tlsv12)
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let options = TLSOptions(ca: ca, certificate: file.path)
        harness.watch(
            [.tls(host: "good.example", port: server.port, options)],
            interval: .milliseconds(100),
            timeout: .seconds(20)
        )
        func next(_ isExpected: (Outcome) -> Bool) async {
            _ = await harness.observations { $0.last.map { isExpected($0.outcome) } ?? false }
        }
        await next { if case .fault = $0 { true } else { false } }
        let client = try client()
        try file.write(client.certificate.pem + client.key.pem)
        await next { if case .reply = $0 { true } else { false } }
        let stranger = try self.client(by: Authority("Stranger"))
        try file.write(stranger.certificate.pem + stranger.key.pem + "\n")
        await next { if case .failure = $0 { true } else { false } }
        let renewed = try self.client(days: 90)
        try file.write(renewed.certificate.pem + renewed.key.pem + "\n\n")
        await next { if case .reply = $0 { true } else { false } }
        await harness.engine.shutdown()
        try await server.close()
        file.remove()
    }
}
