import Foundation
import NIOSSL
import ReachMonitoring
import SwiftASN1
import TestSupport
import Testing

@testable import ReachProbing

@Suite(.serialized, .live, .timeLimit(.minutes(1)))
struct CertificateTests {
    private let now = Int64(Date().timeIntervalSince1970)

    /// Returns the outcome of a handshake with a server with this certificate and a CA file with these authorities.
    private func outcome(
        of credential: Credential,
        chain: [Certificate] = [],
        by anchors: [Certificate],
        for name: String = "good.example"
    ) async throws -> Outcome {
        let server = try await WebServer.on(tls: credential.context(chain: chain))
        let file = try ScratchFile(anchors.map(\.pem).joined(separator: "\n"))
        defer { file.remove() }
        let harness = EngineHarness(resolve: { _ in Resolution.system("127.0.0.1") })
        let question = Question.tls(host: name, port: server.port, TLSOptions(ca: file.path))
        harness.watch([question], interval: .seconds(20), timeout: .seconds(20))
        let observation = try #require(await harness.observations(1).first)
        await harness.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func expiry(_ outcome: Outcome) throws -> Int64 {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return try #require(reply.certificateExpiry)
    }

    private func peer(_ credential: Credential) throws -> PeerCertificate {
        try #require(PeerCertificate(der: [credential.certificate.der]))
    }

    private func untrusted(_ detail: String) -> Outcome {
        .failure(Failure(.certificateUntrusted, detail: detail))
    }

    @Test func `a valid certificate is reported with its expiry`() async throws {
        let root = try Authority()
        let expiry = try expiry(await outcome(of: root.certify(), by: [root.certificate]))
        #expect(abs(expiry - now - Int64(61.5 * 86_400)) < 5)
        #expect(CertificateValidity.remainder(until: expiry, at: now) == "61 days")
    }

    @Test func `a chain with a sent intermediate is valid`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let server = try middle.certify()
        _ = try expiry(await outcome(of: server, chain: [middle.certificate], by: [root.certificate]))
        let alone = try await outcome(of: server, by: [root.certificate])
        #expect(alone == untrusted("signed by an unknown authority, no intermediate sent"))
    }

    @Test func `an authority in the CA file is trusted, root or intermediate`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let server = try middle.certify()
        _ = try expiry(await outcome(of: server, by: [middle.certificate]))
        _ = try expiry(await outcome(of: server, chain: [middle.certificate], by: [middle.certificate]))
        let expired = try Authority("Middle", under: root, twin: middle, days: -3.5)
        let failure = Failure(.certificateExpired, detail: "its authority expired 3 days ago")
        #expect(try await outcome(of: server, by: [expired.certificate]) == .failure(failure))
        // The valid one is used, in any order.
        _ = try expiry(await outcome(of: server, by: [expired.certificate, middle.certificate]))
    }

    @Test func `expiry is reported before a wrong name and missing trust`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let expired = try root.certify(names: [.dns("other.example")], days: -1.1)
        let outcome = try await outcome(of: expired, by: [stranger.certificate])
        guard case .failure(let failure) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(failure.reason == .certificateExpired && failure.detail == "expired 26 hours ago")
        #expect(abs(try #require(failure.certificateExpiry) - now + Int64(1.1 * 86_400)) < 5)
        let longAgo = try await self.outcome(of: root.certify(days: -3.5), by: [root.certificate])
        guard case .failure(let older) = longAgo else { throw Unexpected(outcome: longAgo) }
        #expect(older.reason == .certificateExpired && older.detail == "expired 3 days ago")
    }

    @Test func `a certificate from tomorrow is not valid yet`() async throws {
        let root = try Authority()
        let outcome = try await outcome(of: root.certify(from: 1), by: [root.certificate])
        guard case .failure(let failure) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(failure.reason == .certificateExpired)
        #expect(failure.detail.contains(/^not valid before \d{4}-\d{2}-\d{2}$/))
    }

    @Test func `a wrong name is reported before missing trust`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let other = try root.certify(names: [.dns("other.example"), .dns("third.example")])
        let failure = Failure(.certificateName, detail: "certificate is for other.example and 1 more")
        #expect(try await outcome(of: other, by: [stranger.certificate]) == .failure(failure))
        #expect(try await outcome(of: other, by: [root.certificate]) == .failure(failure))
    }

    @Test func `a wildcard matches one label`() throws {
        let peer = try peer(try Authority().certify(names: [.dns("*.example.com")]))
        #expect(peer.failure(as: .name("shop.example.com"), at: now) == nil)
        #expect(peer.failure(as: .name("SHOP.example.com."), at: now) == nil)
        #expect(peer.failure(as: .name("example.com"), at: now) != nil)
        #expect(peer.failure(as: .name("a.b.example.com"), at: now) != nil)
        #expect(peer.failure(as: .name(".example.com"), at: now) != nil)
    }

    @Test(arguments: [
        // A wildcard is a whole label (RFC 9525 §6.3).
        ("w*.example.com", "www.example.com", false), ("*w.example.com", "www.example.com", false),
        ("w*.example.com", "w*.example.com", false),
        ("*.*.example.com", "a.b.example.com", false), ("a.*.example.com", "a.b.example.com", false),
        ("**.example.com", "shop.example.com", false), ("xn--*.example.com", "xn--a.example.com", false),
        ("Shop.Example.com.", "shop.example.com", true), ("shop.example.com", "shop.example.com.", true),
        ("shop.example.com\u{0}", "shop.example.com", false), ("sh_p.example.com", "sh_p.example.com", true),
        ("*.example.com", "sh_p.example.com", true), ("*.s_b.example.com", "shop.s_b.example.com", true),
        ("sh_*.example.com", "sh_p.example.com", false), ("_dmarc.example.com", "dmarc.example.com", false),
        ("sh?p.example.com", "sh?p.example.com", false),
        ("*", "localhost", true), ("", "localhost", false),
    ])
    func `a name is matched by its labels`(name: String, host: String, matches: Bool) throws {
        let peer = try peer(try Authority().certify(names: [.dns(name)]))
        #expect((peer.failure(as: .name(host), at: now) == nil) == matches)
    }

    @Test func `a common name is not used`() throws {
        let root = try Authority()
        let mail = try peer(root.certify(names: [.email("a@b.example")], commonName: "good.example"))
        #expect(mail.failure(as: .name("good.example"), at: now)?.detail == "certificate is for no host")
        for name in ["good.example", "192.0.2.7"] {
            let old = try peer(root.certify(names: [], commonName: name))
            let failure = Failure(.certificateName, detail: "certificate has no subjectAltName")
            #expect(old.failure(as: PeerIdentity(name), at: now) == failure)
        }
    }

    @Test func `an address is matched with addresses only`() throws {
        let bytes: [UInt8] = [192, 0, 2, 7]
        let peer = try peer(try Authority().certify(names: [.address(bytes), .dns("192.0.2.8")]))
        #expect(peer.failure(as: PeerIdentity("192.0.2.7"), at: now) == nil)
        let failure = Failure(.certificateName, detail: "certificate is for 192.0.2.7 and 1 more")
        #expect(peer.failure(as: PeerIdentity("192.0.2.8"), at: now) == failure)
        let local: [UInt8] = [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1]
        let linkLocal = try self.peer(try Authority().certify(names: [.address(local)]))
        // Certificates have no zone identifiers.
        #expect(linkLocal.failure(as: PeerIdentity("fe80::1%1"), at: now) == nil)
        #expect(PeerIdentity("192.0.2.7").requestedName == nil)
    }

    @Test func `an unknown authority and a self-signed certificate are not trusted`() async throws {
        let (known, unknown) = (try Authority(), try Authority("Another"))
        let stranger = try await outcome(of: unknown.certify(), chain: [unknown.certificate], by: [known.certificate])
        #expect(stranger == untrusted("signed by an unknown authority"))
        let ownSignature = try await outcome(of: known.certify(isSelfSigned: true), by: [known.certificate])
        #expect(ownSignature == untrusted("self-signed"))
    }

    @Test func `a server certificate in the CA file is trusted`() async throws {
        let (root, other) = (try Authority(), try Authority("Other"))
        for credential in [try root.certify(isSelfSigned: true), try root.certify()] {
            let own = credential.certificate
            _ = try expiry(await outcome(of: credential, by: [own]))
            _ = try expiry(await outcome(of: credential, by: [other.certificate, own]))
            let name = Failure(.certificateName, detail: "certificate is for good.example")
            #expect(try await outcome(of: credential, by: [own], for: "b.example") == .failure(name))
        }
        let twin = try await outcome(
            of: root.certify(isSelfSigned: true),
            by: [root.certify(isSelfSigned: true).certificate]
        )
        #expect(twin == untrusted("self-signed"))
    }

    @Test func `an authority of the same name with another key is not trusted`() async throws {
        let (one, other) = (try Authority(), try Authority())
        let outcome = try await outcome(of: one.certify(), by: [other.certificate])
        #expect(outcome == untrusted("signed by an unknown authority, no intermediate sent"))
    }

    @Test func `an expired authority is reported`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root, days: -3.5)
        let outcome = try await outcome(of: middle.certify(), chain: [middle.certificate], by: [root.certificate])
        #expect(outcome == .failure(.init(.certificateExpired, detail: "its authority expired 3 days ago")))
        let old = try Authority("Old", days: -3.5)
        let ofRoot = try await self.outcome(of: old.certify(), by: [old.certificate, root.certificate])
        #expect(ofRoot == .failure(.init(.certificateExpired, detail: "its authority expired 3 days ago")))
    }

    @Test func `certificates that are of no use do not hide a valid path`() async throws {
        let (root, other) = (try Authority(), try Authority("Other"))
        let middle = try Authority("Middle", under: root, days: 50)
        let expired = try Authority("Middle", under: root, twin: middle, days: -3.5)
        let unknown = try Authority("Middle", under: other, twin: middle)
        let server = try middle.certify()
        let chains = [[expired, middle], [middle, expired], [unknown, middle], [expired, unknown, other, middle]]
        for chain in chains {
            let expiry = try expiry(await outcome(of: server, chain: chain.map(\.certificate), by: [root.certificate]))
            #expect(abs(expiry - now - 50 * 86_400) < 5, "a chain expires with its first certificate")
        }
        // The root signed by another one that has expired, beside the root itself.
        let cross = try Authority("Test Root", under: other, twin: root, days: -3.5)
        _ = try expiry(
            await outcome(of: server, chain: [middle.certificate, cross.certificate], by: [root.certificate])
        )
        // The path that lasts longest counts.
        let longer = try Authority("Middle", under: root, twin: middle, days: 55)
        let chain = [middle.certificate, longer.certificate]
        #expect(
            abs(try expiry(await outcome(of: server, chain: chain, by: [root.certificate])) - now - 55 * 86_400) < 5
        )
    }

    @Test func `for a client that sees no chain, expired anchors are left out and the leaf is checked`() throws {
        let (root, old) = (try Authority(), try Authority("Old", days: -3.5))
        let certificates = try [root, old].map { try NIOSSLCertificate(bytes: $0.certificate.der, format: .der) }
        #expect(NIOSSLCertificate.anchors(certificates).count == 1)
        let server = try root.certify(names: [.dns("a_b.example")]).certificate
        let leaf = try NIOSSLCertificate(bytes: server.der, format: .der)
        #expect(leaf.failure(of: "a_b.example") == nil)
        let failure = Failure(.certificateName, detail: "certificate is for a_b.example")
        #expect(leaf.failure(of: "b.example") == failure)
    }

    @Test func `anchors of the same name are all tried`() async throws {
        let (one, other) = (try Authority(), try Authority())
        for anchors in [[one, other], [other, one]] {
            _ = try expiry(await outcome(of: one.certify(), by: anchors.map(\.certificate)))
        }
    }

    @Test func `constraints of authorities are reported`() async throws {
        let root = try Authority()
        let narrow = try Authority("Narrow", under: root, maxPathLength: 0)
        let below = try Authority("Below", under: narrow)
        let tooLong = try await outcome(
            of: below.certify(),
            chain: [below.certificate, narrow.certificate],
            by: [root.certificate]
        )
        #expect(tooLong == untrusted("its authorities' rules forbid it"))
        let local = try Authority("Local", under: root, permits: "example")
        _ = try expiry(await outcome(of: local.certify(), chain: [local.certificate], by: [root.certificate]))
        let elsewhere = try local.certify(names: [.dns("good.test")])
        let forbidden = try await outcome(
            of: elsewhere,
            chain: [local.certificate],
            by: [root.certificate],
            for: "good.test"
        )
        #expect(forbidden == untrusted("its authorities' rules forbid it"))
    }

    /// BoringSSL does not check them.
    @Test func `constraints of an anchor count too`() async throws {
        let forbidden = untrusted("its authorities' rules forbid it")
        let root = try Authority(maxPathLength: 0)
        let middle = try Authority("Middle", under: root)
        let server = try await outcome(of: middle.certify(), chain: [middle.certificate], by: [root.certificate])
        #expect(server == forbidden)
        _ = try expiry(await outcome(of: root.certify(), by: [root.certificate]))
        let clients = try Authority("Clients", usage: .client)
        #expect(try await outcome(of: clients.certify(), by: [clients.certificate]) == forbidden)
    }

    @Test func `certificates of no use do not hide the valid one`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let strangers = try (0..<8).map { try Authority("Stranger \($0)").certificate }
        let old = try (1...8).map { try Authority("Middle", under: root, twin: middle, days: -Double($0)).certificate }
        let chain = strangers + old + [middle.certificate]
        _ = try expiry(await outcome(of: middle.certify(), chain: chain, by: [root.certificate]))
        let deep = try (0..<8).reduce(into: [root]) { $0.append(try Authority("Level \($1)", under: $0.last)) }
        let below = deep.dropFirst().map(\.certificate)
        _ = try expiry(await outcome(of: deep[8].certify(), chain: below, by: [root.certificate]))
    }

    @Test func `a client certificate is not for servers`() async throws {
        let root = try Authority()
        let outcome = try await outcome(of: root.certify(usage: .client), by: [root.certificate])
        #expect(outcome == untrusted("not for servers"))
    }

    @Test func `a certificate that expires soon is a concern`() {
        let end = now + 5 * CertificateValidity.day + 3_600
        #expect(CertificateValidity.concern(until: end, at: now, warnDays: 14) == "certificate expires in 5 days")
        #expect(CertificateValidity.concern(until: end, at: now, warnDays: 5) == "certificate expires in 5 days")
        #expect(CertificateValidity.concern(until: end, at: now, warnDays: 4) == nil)
        #expect(CertificateValidity.concern(until: end, at: now, warnDays: nil) == nil)
        let tomorrow = now + 86_400
        #expect(CertificateValidity.concern(until: tomorrow, at: now, warnDays: 1) == "certificate expires in 24 hours")
    }

    @Test func `a hostile chain is searched through a few authorities only`() async throws {
        // All have one name and key, so each could have issued each.
        let circle = try Authority("Circle")
        let chain = try (0..<50).map { _ in try Authority("Circle", twin: circle).certificate }
        let outcome = try await outcome(of: circle.certify(), chain: chain, by: [try Authority().certificate])
        #expect(outcome == untrusted("signed by an unknown authority"))
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")))
    func `all of the system's authorities are read`() throws {
        let file = "/etc/ssl/certs/ca-certificates.crt"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let anchors = try TrustAnchors(reading: AuthorityFiles(file))
        #expect(anchors.count == text.split(separator: "-----BEGIN CERTIFICATE-----").count)
    }

    @Test func `a file without certificates is a fault`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pem")
        try "nothing".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: Fault(.noAuthorities, detail: "no certificate in \(file.path)")) {
            try TrustAnchors(reading: AuthorityFiles(file.path))
        }
        #expect(throws: Fault(.noAuthorities, detail: "cannot read /nowhere.pem")) {
            try TrustAnchors(reading: AuthorityFiles("/nowhere.pem"))
        }
    }
}

@Suite struct CanonicalNameTests {
    /// A name with one common name.
    private func name(_ bytes: some Sequence<UInt8>, type: ASN1Identifier = .utf8String) throws -> CanonicalName {
        var coder = DER.Serializer()
        try coder.appendConstructedNode(identifier: .sequence) { parts in
            try parts.appendConstructedNode(identifier: .set) { part in
                try part.appendConstructedNode(identifier: .sequence) { part in
                    try part.serialize([2, 5, 4, 3] as ASN1ObjectIdentifier)
                    part.appendPrimitiveNode(identifier: type) { $0 += bytes }
                }
            }
        }
        return CanonicalName(der: coder.serializedBytes[...])
    }

    @Test func `the type of a text, the case and the blanks do not count`() throws {
        let root = try name("Test Root".utf8)
        #expect(try name("Test Root".utf8, type: .printableString) == root)
        #expect(try name("test ROOT".utf8, type: .ia5String) == root)
        #expect(try name("  Test   Root ".utf8, type: .visibleString) == root)
        #expect(try name("Test Root".utf16.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }, type: .bmpString) == root)
        #expect(try name("Café".utf8) == name([0x43, 0x61, 0x66, 0xE9], type: .teletexString))
    }

    @Test func `other texts, other types and malformed names differ`() throws {
        let root = try name("Test Root".utf8)
        for text in ["TestRoot", "Test Root 2", ""] { #expect(try name(text.utf8) != root) }
        #expect(try name("Test Root".utf8, type: .octetString) != root)
        // Only letters of ASCII have a case.
        #expect(try name("É".utf8) != name("é".utf8))
        #expect(CanonicalName(der: [0x05]) != CanonicalName(der: [0x06]))
        #expect(CanonicalName(der: []) != root)
    }
}
