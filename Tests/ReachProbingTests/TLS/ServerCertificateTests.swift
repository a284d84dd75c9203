import Foundation
import ReachMonitoring
import ReachSystem
import TestSupport
import Testing

@testable import ReachProbing

/// Servers of OpenSSL with keys and signatures of all kinds. Each is probed by curl too, which must agree.
@Suite(.serialized, .live, .enabled(if: OpenSSLFolder.hasCurl), .timeLimit(.minutes(2)))
struct ServerCertificateTests {
    private static let authority = ["basicConstraints = critical, CA:TRUE"]
    private static let server = ["subjectAltName = DNS:good.example"]
    private static let ecKey = "-algorithm EC -pkeyopt ec_paramgen_curve:P-256"
    private static let rsaKey = "-algorithm RSA -pkeyopt rsa_keygen_bits:2048"

    private let folder: OpenSSLFolder

    init() throws {
        folder = try OpenSSLFolder()
        try folder.makeKey("root", Self.rsaKey)
        try folder.certify("root", by: nil, Self.authority)
    }

    /// Serves the certificate `server`, and returns whether curl accepts it, and the outcome of a probe.
    private func judge(
        _ host: String = "good.example",
        chain: String? = nil,
        by options: TLSOptions? = nil,
        requiresClient: Bool = false
    ) async throws -> (curl: Bool, Outcome) {
        let port = ClosedPorts.next()
        let client = options?.certificate
        let mutual =
            client != nil || requiresClient ? ["-Verify", "1", "-verify_return_error", "-CAfile", "root.pem"] : []
        let process = try folder.serve("server", chain: chain, on: port, mutual)
        defer {
            // The tests may have blocked SIGTERM, which children inherit.
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        // The server listens once curl has an answer.
        let curl = try folder.run(
            "curl",
            [
                "--silent", "--show-error", "--retry", "20", "--retry-delay", "1", "--retry-connrefused", "--output",
                "/dev/null", "--cacert", "root.pem", "--resolve", "\(host):\(port):127.0.0.1",
                "https://\(host):\(port)/",
            ] + (client == nil ? [] : ["--cert", "client.pem", "--key", "client.key"])
        )
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let tls = options ?? TLSOptions(ca: folder.file("root.pem"))
        // A server refuses a client only after the handshake.
        let request = HTTPQuestion(isSecure: true, host: host, port: port, tls: tls)
        let question = mutual.isEmpty ? Question.tls(host: host, port: port, tls) : .http(request)
        harness.watch([question], interval: .seconds(20), timeout: .seconds(20))
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        return (curl.status == 0, observation.outcome)
    }

    private func accepts(_ outcome: Outcome) -> Bool {
        if case .reply = outcome { true } else { false }
    }

    private func untrusted(_ detail: String) -> Outcome {
        .failure(Failure(.certificateUntrusted, detail: detail))
    }

    @Test(arguments: [
        ecKey, "-algorithm EC -pkeyopt ec_paramgen_curve:P-384", "-algorithm EC -pkeyopt ec_paramgen_curve:P-521",
        "-algorithm ED25519", rsaKey,
    ])
    func `servers and authorities have keys of all kinds`(kind: String) async throws {
        try folder.makeKey("server", kind)
        try folder.certify("server", by: "root", Self.server)
        let (curl, outcome) = try await judge()
        #expect(curl && accepts(outcome), "\(outcome)")
        try folder.makeKey("middle", kind)
        try folder.certify("middle", by: "root", Self.authority)
        try folder.certify("server", by: "middle", Self.server)
        let (curlBelow, below) = try await judge(chain: "middle")
        #expect(curlBelow && accepts(below), "\(below)")
    }

    @Test(arguments: ["-algorithm ED25519", "-algorithm EC -pkeyopt ec_paramgen_curve:P-521"])
    func `a client may have keys of all kinds`(kind: String) async throws {
        for name in ["server", "client"] {
            try folder.makeKey(name, name == "client" ? kind : Self.ecKey)
            try folder.certify(name, by: "root", Self.server)
        }
        let options = TLSOptions(
            ca: folder.file("root.pem"),
            certificate: folder.file("client.pem"),
            key: folder.file("client.key")
        )
        let (curl, outcome) = try await judge(by: options)
        #expect(curl && accepts(outcome), "\(outcome)")
        // Without the certificate, both are refused.
        let (curlWithout, without) = try await judge(by: TLSOptions(ca: folder.file("root.pem")), requiresClient: true)
        #expect(!curlWithout && !accepts(without), "\(without)")
    }

    @Test func `a signature may be RSA-PSS`() async throws {
        try folder.makeKey("server", Self.ecKey)
        let option = "-sigopt rsa_padding_mode:pss"
        try folder.certify("server", by: "root", Self.server, options: "\(option) -sigopt rsa_pss_saltlen:digest")
        let (curl, outcome) = try await judge()
        #expect(curl && accepts(outcome), "\(outcome)")
        // Go and BoringSSL refuse a salt of another length.
        try folder.certify("server", by: "root", Self.server, options: "\(option) -sigopt rsa_pss_saltlen:20")
        let (_, unusual) = try await judge()
        #expect(unusual == untrusted("signed by an unknown authority, or by RSA-PSS with unusual parameters"))
    }

    @Test(arguments: [("-algorithm ED448", "Ed448"), ("-algorithm RSA-PSS -pkeyopt rsa_keygen_bits:2048", "RSA-PSS")])
    func `a kind of key that the TLS library has not is named`(kind: String, name: String) async throws {
        try folder.makeKey("server", kind)
        try folder.certify("server", by: "root", Self.server)
        let (_, outcome) = try await judge()
        let detail = "no common cipher or kind of key: handshake failure"
        #expect(outcome == .failure(Failure(.tlsFailed, detail: detail)))
        try folder.makeKey("middle", kind)
        try folder.certify("middle", by: "root", Self.authority)
        try folder.makeKey("server", Self.ecKey)
        try folder.certify("server", by: "middle", Self.server)
        let (_, below) = try await judge(chain: "middle")
        #expect(below == untrusted("an authority's kind of key is not supported: \(name)"))
    }

    @Test(arguments: [("-sha1", "SHA-1"), ("-md5", "MD5")])
    func `a weak signature is refused, except that of a root`(option: String, name: String) async throws {
        try folder.makeKey("server", Self.ecKey)
        try folder.certify("server", by: "root", Self.server, options: option)
        let (curl, outcome) = try await judge()
        #expect(!curl)
        #expect(outcome == untrusted("signed with \(name)"))
        let lax = try await judge(by: TLSOptions(verifies: false))
        #expect(accepts(lax.1), "\(lax.1)")

        try folder.makeKey("middle", Self.rsaKey)
        try folder.certify("middle", by: "root", Self.authority, options: option)
        try folder.certify("server", by: "middle", Self.server)
        let (curlBelow, below) = try await judge(chain: "middle")
        #expect(!curlBelow)
        #expect(below == untrusted("its authority is signed with \(name)"))

        try folder.certify("root", by: nil, Self.authority, options: option)
        try folder.certify("server", by: "root", Self.server)
        let (curlOfRoot, ofRoot) = try await judge()
        #expect(curlOfRoot && accepts(ofRoot), "\(ofRoot)")
    }

    @Test func `an RSA key below 1,024 bits is refused`() async throws {
        for bits in [512, 768, 1_016] {
            try folder.makeKey("server", "-algorithm RSA -pkeyopt rsa_keygen_bits:\(bits)")
            try folder.certify("server", by: "root", Self.server)
            let (curl, outcome) = try await judge()
            #expect(!curl)
            // A key of 512 bits is too short for the hash function of the handshake.
            if bits > 512 { #expect(outcome == untrusted("RSA key of \(bits) bits")) }
            #expect(!accepts(outcome))
            try folder.makeKey("middle", "-algorithm RSA -pkeyopt rsa_keygen_bits:\(bits)")
            try folder.certify("middle", by: "root", Self.authority)
            try folder.makeKey("server", Self.ecKey)
            try folder.certify("server", by: "middle", Self.server)
            let (curlBelow, below) = try await judge(chain: "middle")
            #expect(!curlBelow)
            #expect(below == untrusted("its authority has an RSA key of \(bits) bits"))
        }
    }

    @Test(arguments: [
        ("a_b.example.test", "a_b.example.test"), ("*.example.test", "a_b.example.test"),
        ("*.x_y.example.test", "a.x_y.example.test"), ("a_b.example.test", "A_B.example.test"),
    ])
    func `a name may have an underscore`(name: String, host: String) async throws {
        try folder.makeKey("server", Self.ecKey)
        try folder.certify("server", by: "root", ["subjectAltName = DNS:\(name)"])
        let (curl, outcome) = try await judge(host)
        #expect(curl && accepts(outcome), "\(outcome)")
    }

    /// curl still uses the common name; Go, browsers and blackbox_exporter do not.
    @Test func `a certificate without alternative names has no name`() async throws {
        try folder.makeKey("server", Self.ecKey)
        try folder.certify("server", by: "root", ["basicConstraints = CA:FALSE"])
        let (curl, outcome) = try await judge("server")
        #expect(curl)
        #expect(outcome == .failure(Failure(.certificateName, detail: "certificate has no subjectAltName")))
    }
}
