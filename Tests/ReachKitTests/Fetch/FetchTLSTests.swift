import Foundation
import NIOCore
import NIOPosix
import NIOSSL
import ReachMonitoring
import ReachProbing
import TestSupport
import Testing

@testable import ReachKit

/// Own authorities and client certificates.
@Suite(.serialized, .live, .timeLimit(.minutes(1))) final class FetchTLSTests: Sendable {
    private let folder = FileManager.default.temporaryDirectory.path + "/reach-tls-\(UInt64.random(in: .min ... .max))"

    init() throws {
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        for (name, text) in [
            ("ca.pem", TestCertificates.authority), ("client.pem", TestCertificates.clientChain),
            ("client.key", TestCertificates.clientKey), ("server.key", TestCertificates.serverKey),
            ("old-ca.pem", TestCertificates.expiredAuthority), ("old.pem", TestCertificates.expiredChain),
            ("old.key", TestCertificates.expiredKey),
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/\(name)"))
        }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func fetch(
        _ url: String,
        with tls: Fetch.TLS = Fetch.TLS(),
        environment: [String: String] = [:]
    ) async throws(Fetch.Error) -> Data {
        let prober = Prober(clock: RecordingClock())
        let fetch = Fetch(prober: prober, waiting: .never, tls: tls, environment: environment)
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

    @Test func `the authorities of SSL_CERT_FILE are trusted, unless others are named`() async throws {
        let server = try await SecureServer()
        let environment = ["SSL_CERT_FILE": "\(folder)/ca.pem"]
        #expect(try await fetch(server.url, environment: environment) == Data("fine".utf8))
        let others = Fetch.TLS(authorities: "\(folder)/old-ca.pem")
        await #expect(throws: Fetch.Error.self) {
            try await fetch(server.url, with: others, environment: environment)
        }
        await #expect(throws: Fetch.Error.file("cannot read /nowhere: No such file or directory")) {
            try await fetch(server.url, environment: ["SSL_CERT_FILE": "/nowhere"])
        }
        try await server.stop()
    }

    @Test func `the authorities of the folders in SSL_CERT_DIR are trusted, and other files there skipped`()
        async throws
    {
        let server = try await SecureServer()
        let environment = ["SSL_CERT_DIR": "/nowhere:\(folder)"]
        #expect(try await fetch(server.url, environment: environment) == Data("fine".utf8))
        let empty = "\(folder)/empty"
        try FileManager.default.createDirectory(atPath: empty, withIntermediateDirectories: true)
        await #expect(throws: Fetch.Error.file("\(empty) has no certificate in PEM format")) {
            try await fetch(server.url, environment: ["SSL_CERT_DIR": empty])
        }
        // Those of the file and the folders are trusted.
        let both = ["SSL_CERT_FILE": "\(folder)/old-ca.pem", "SSL_CERT_DIR": folder]
        #expect(try await fetch(server.url, environment: both) == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `without verification, any certificate is accepted`() async throws {
        let server = try await SecureServer(isExpired: true)
        let tls = Fetch.TLS(verifiesServer: false)
        #expect(try await fetch(server.url, with: tls) == Data("fine".utf8))
        #expect(try await fetch("https://127.0.0.2:\(server.port)/", with: tls) == Data("fine".utf8))
        try await server.stop()
    }

    @Test func `a certificate is rejected for the reason of probes`() async throws {
        let server = try await SecureServer(isExpired: true)
        let other = try await SecureServer()
        let tls = Fetch.TLS(authorities: "\(folder)/old-ca.pem")
        for (url, reason) in [
            (server.url, "certificate_expired"), ("https://127.0.0.2:\(other.port)/", "certificate_name"),
            (other.url, "certificate_untrusted"),
        ] {
            let host = try #require(URL(string: url)?.host)
            let port = try #require(URL(string: url)?.port)
            let question = Question.tls(
                host: host,
                port: UInt16(port),
                Question.TLSOptions(ca: tls.authorities)
            )
            let prober = Prober()
            let subject = Reachability.Subject(Target(probing: question))
            let status = await Reachability(of: subject, prober: prober).check()
            guard case .unreachable(.failure(let failure)) = status else {
                return #expect(Bool(false), "\(status)")
            }
            #expect(failure.reason.rawValue == reason)
            let error = await #expect(throws: Fetch.Error.self) { try await fetch(url, with: tls) }
            #expect(error == .network(Fetch.TransportError(failure)), "\(failure.detail)")
            #expect(error?.isRetryable == false)
        }
        try await server.stop()
        try await other.stop()
    }

    @Test func `a connection whose fetch was cancelled is closed as soon as it is established`() async throws {
        let (arrivals, arrival) = AsyncStream<Void>.makeStream()
        let (closures, closure) = AsyncStream<Void>.makeStream()
        let gate = MultiThreadedEventLoopGroup.singleton.next().makePromise(of: Void.self)
        let server = try await SecureServer(
            accepted: { arrival.yield() },
            gate: gate.futureResult,
            closed: { closure.yield() }
        )
        let fetch = Fetch(
            prober: Prober(clock: RecordingClock()),
            waiting: .never,
            tls: Fetch.TLS(authorities: "\(folder)/ca.pem"),
            environment: [:]
        )
        let fetching = Task { try await fetch.data(from: Fetch.Request(server.url, method: "POST", body: "payload")) }
        for await _ in arrivals { break }
        fetching.cancel()
        await #expect(throws: Fetch.Error.cancelled) { try await fetching.value }
        gate.succeed()
        // An idle connection of the client would stay for a minute.
        for await _ in closures { break }
        await fetch.shutdown()
        try await server.stop()
    }

    @Test func `the end of a connection does not wait for the server`() throws {
        #expect(try Fetch.TLS().configuration(trusting: .ofProcess).shutdownTimeout == .zero)
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
        let unfit = Fetch.TLS.ClientCertificate(chain: "\(folder)/client.pem", privateKey: "\(folder)/server.key")
        let problems = [
            (Fetch.TLS(authorities: "\(folder)/none"), "cannot read \(folder)/none: No such file or directory"),
            (Fetch.TLS(authorities: "\(folder)/client.key"), "\(folder)/client.key has no certificate in PEM format"),
            (
                Fetch.TLS(clientCertificate: wrong),
                "\(folder)/ca.pem has no private key in PEM format, or an encrypted one"
            ),
            (
                Fetch.TLS(clientCertificate: unfit),
                "the key in \(folder)/server.key is not that of the certificate in \(folder)/client.pem"
            ),
        ]
        for (tls, description) in problems {
            await #expect(throws: Fetch.Error.file(description)) { try await fetch("https://127.0.0.1:1/", with: tls) }
        }
    }

    @Test func `a client certificate that has expired is an error before the connection`() async throws {
        let old = Fetch.TLS.ClientCertificate(chain: "\(folder)/old.pem", privateKey: "\(folder)/old.key")
        let error = await #expect(throws: Fetch.Error.self) {
            try await fetch("https://127.0.0.1:1/", with: Fetch.TLS(clientCertificate: old))
        }
        guard case .file(let problem) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(problem.contains("\(folder)/old.pem") && problem.contains("expired"), "\(problem)")
    }

    @Test func `the files are not needed without TLS`() async throws {
        let server = try await ScriptedServer.on(.say(.answer("200 OK", body: "fine")))
        #expect(try await fetch(server.url, with: Fetch.TLS(authorities: "/nowhere")) == Data("fine".utf8))
        try await server.stop()
    }
}
