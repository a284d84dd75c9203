import Foundation
import Monitoring
import SwiftASN1
import Testing
import X509

@testable import Probing

@Suite(.timeLimit(.minutes(1)))
struct CertificateTests {
    private let now = Int64(Date().timeIntervalSince1970)

    /// The outcome of a handshake with a server that has this certificate, by a file with these authorities.
    private func outcome(
        of credential: Credential,
        chain: [Certificate] = [],
        by anchors: [Certificate],
        for name: String = "good.example"
    ) async throws -> Outcome {
        let server = try await WebServer.on(tls: credential.context(chain: chain))
        let file = try ScratchFile(try anchors.map { try $0.serializeAsPEM().pemString }.joined(separator: "\n"))
        defer { file.remove() }
        let tower = Watchtower(resolve: { _ in Resolution.system("127.0.0.1") })
        let question = Question.tls(host: name, port: server.port, TLSOptions(ca: file.path))
        tower.watch([question], interval: .seconds(20), timeout: .seconds(20))
        let observation = try #require(await tower.observations(1).first)
        await tower.engine.shutdown()
        try await server.close()
        return observation.outcome
    }

    private func expiry(_ outcome: Outcome) throws -> Int64 {
        guard case .reply(let reply) = outcome else { throw Unexpected(outcome: outcome) }
        return try #require(reply.certificateExpiry)
    }

    private func peer(_ credential: Credential) throws -> PeerCertificate {
        try #require(PeerCertificate(der: [Array(credential.certificate.serializeAsPEM().derBytes)]))
    }

    private func untrusted(_ detail: String) -> Outcome {
        .failure(Failure(.certificateUntrusted, detail: detail))
    }

    @Test func `a good certificate says when it expires`() async throws {
        let root = try Authority()
        let expiry = try expiry(await outcome(of: root.certify(), by: [root.certificate]))
        #expect(abs(expiry - now - Int64(61.5 * 86_400)) < 5)
        #expect(CertificateLife.remainder(until: expiry, at: now) == "61 days")
    }

    @Test func `a chain through an authority that was sent along is good`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let server = try middle.certify()
        _ = try expiry(await outcome(of: server, chain: [middle.certificate], by: [root.certificate]))
        let alone = try await outcome(of: server, by: [root.certificate])
        #expect(alone == untrusted("signed by an unknown authority, no intermediate sent"))
    }

    @Test func `an authority that is named is trusted, also below another one`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let server = try middle.certify()
        _ = try expiry(await outcome(of: server, by: [middle.certificate]))
        _ = try expiry(await outcome(of: server, chain: [middle.certificate], by: [middle.certificate]))
        let expired = try Authority("Middle", under: root, twin: middle, days: -3.5)
        let failure = Failure(.certificateExpired, detail: "its authority expired 3 days ago")
        #expect(try await outcome(of: server, by: [expired.certificate]) == .failure(failure))
        // The valid one counts, whichever comes first.
        _ = try expiry(await outcome(of: server, by: [expired.certificate, middle.certificate]))
    }

    @Test func `one that expired yesterday has expired, and its name and trust no longer matter`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let expired = try root.certify(names: [.dnsName("other.example")], days: -1.1)
        let outcome = try await outcome(of: expired, by: [stranger.certificate])
        #expect(outcome == .failure(Failure(.certificateExpired, detail: "expired 26 hours ago")))
        let longAgo = try await self.outcome(of: root.certify(days: -3.5), by: [root.certificate])
        #expect(longAgo == .failure(Failure(.certificateExpired, detail: "expired 3 days ago")))
    }

    @Test func `one that begins tomorrow is not valid yet`() async throws {
        let root = try Authority()
        let outcome = try await outcome(of: root.certify(from: 1), by: [root.certificate])
        guard case .failure(let failure) = outcome else { throw Unexpected(outcome: outcome) }
        #expect(failure.reason == .certificateExpired)
        #expect(failure.detail.contains(/^not valid before \d{4}-\d{2}-\d{2}$/))
    }

    @Test func `one for another name says for which, and its trust no longer matters`() async throws {
        let (root, stranger) = (try Authority(), try Authority("Stranger"))
        let other = try root.certify(names: [.dnsName("other.example"), .dnsName("third.example")])
        let failure = Failure(.certificateName, detail: "certificate is for other.example")
        #expect(try await outcome(of: other, by: [stranger.certificate]) == .failure(failure))
        #expect(try await outcome(of: other, by: [root.certificate]) == .failure(failure))
    }

    @Test func `a wildcard stands for one label`() throws {
        let peer = try peer(try Authority().certify(names: [.dnsName("*.example.com")]))
        #expect(peer.failure(as: .name("shop.example.com"), at: now) == nil)
        #expect(peer.failure(as: .name("SHOP.example.com."), at: now) == nil)
        #expect(peer.failure(as: .name("example.com"), at: now) != nil)
        #expect(peer.failure(as: .name("a.b.example.com"), at: now) != nil)
        #expect(peer.failure(as: .name(".example.com"), at: now) != nil)
    }

    @Test(arguments: [
        ("w*.example.com", "www.example.com", true), ("w*.example.com", "shop.example.com", false),
        ("*w.example.com", "www.example.com", true), ("w*w.example.com", "w.example.com", false),
        ("*.*.example.com", "a.b.example.com", false), ("a.*.example.com", "a.b.example.com", false),
        ("**.example.com", "shop.example.com", false), ("xn--*.example.com", "xn--a.example.com", false),
        ("Shop.Example.com.", "shop.example.com", true), ("shop.example.com", "shop.example.com.", true),
        ("shop.example.com\u{0}", "shop.example.com", false), ("sh_p.example.com", "sh_p.example.com", false),
        ("*", "localhost", true), ("", "localhost", false),
    ])
    func `a name is matched by letters`(name: String, host: String, matches: Bool) throws {
        let peer = try peer(try Authority().certify(names: [.dnsName(name)]))
        #expect((peer.failure(as: .name(host), at: now) == nil) == matches)
        // The same without alternative names.
        let old = try self.peer(try Authority().certify(names: [], commonName: name))
        #expect((old.failure(as: .name(host), at: now) == nil) == matches)
    }

    @Test func `a common name counts only without alternative names, and for no address`() throws {
        let root = try Authority()
        let mail = try peer(root.certify(names: [.rfc822Name("a@b.example")], commonName: "good.example"))
        let failure = Failure(.certificateName, detail: "certificate is for good.example")
        #expect(mail.failure(as: .name("good.example"), at: now) == failure)
        let address = try peer(root.certify(names: [], commonName: "192.0.2.7"))
        #expect(address.failure(as: PeerIdentity("192.0.2.7"), at: now)?.detail == "certificate is for 192.0.2.7")
    }

    @Test func `an address is held against addresses only`() throws {
        let bytes = ASN1OctetString(contentBytes: [192, 0, 2, 7])
        let peer = try peer(try Authority().certify(names: [.ipAddress(bytes), .dnsName("192.0.2.8")]))
        #expect(peer.failure(as: PeerIdentity("192.0.2.7"), at: now) == nil)
        let failure = Failure(.certificateName, detail: "certificate is for 192.0.2.7")
        #expect(peer.failure(as: PeerIdentity("192.0.2.8"), at: now) == failure)
        let local = ASN1OctetString(contentBytes: [0xFE, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1][...])
        let linkLocal = try self.peer(try Authority().certify(names: [.ipAddress(local)]))
        // Certificates know of no interface.
        #expect(linkLocal.failure(as: PeerIdentity("fe80::1%1"), at: now) == nil)
        #expect(PeerIdentity("192.0.2.7").requestedName == nil)
    }

    @Test func `one of an unknown authority is not trusted, nor one that signed itself`() async throws {
        let (known, unknown) = (try Authority(), try Authority("Another"))
        let stranger = try await outcome(of: unknown.certify(), chain: [unknown.certificate], by: [known.certificate])
        #expect(stranger == untrusted("signed by an unknown authority"))
        let ownSignature = try await outcome(of: known.certify(isSelfSigned: true), by: [known.certificate])
        #expect(ownSignature == untrusted("self-signed"))
    }

    @Test func `a server's own certificate is trusted where the user names it`() async throws {
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

    @Test func `an authority whose own time is over is said to have expired`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root, days: -3.5)
        let outcome = try await outcome(of: middle.certify(), chain: [middle.certificate], by: [root.certificate])
        #expect(outcome == .failure(.init(.certificateExpired, detail: "its authority expired 3 days ago")))
        let old = try Authority("Old", days: -3.5)
        let ofRoot = try await self.outcome(of: old.certify(), by: [old.certificate, root.certificate])
        #expect(ofRoot == .failure(.init(.certificateExpired, detail: "its authority expired 3 days ago")))
    }

    @Test func `authorities may forbid what they have signed`() async throws {
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
        let elsewhere = try local.certify(names: [.dnsName("good.test")])
        let forbidden = try await outcome(
            of: elsewhere,
            chain: [local.certificate],
            by: [root.certificate],
            for: "good.test"
        )
        #expect(forbidden == untrusted("its authorities' rules forbid it"))
    }

    @Test func `one for clients is not for servers`() async throws {
        let root = try Authority()
        let outcome = try await outcome(of: root.certify(usage: .clientAuth), by: [root.certificate])
        #expect(outcome == untrusted("not for servers"))
    }

    @Test func `one that expires soon is a concern`() {
        let end = now + 5 * CertificateLife.day + 3_600
        #expect(CertificateLife.concern(until: end, at: now, warnDays: 14) == "certificate expires in 5 days")
        #expect(CertificateLife.concern(until: end, at: now, warnDays: 5) == "certificate expires in 5 days")
        #expect(CertificateLife.concern(until: end, at: now, warnDays: 4) == nil)
        #expect(CertificateLife.concern(until: end, at: now, warnDays: nil) == nil)
        let tomorrow = now + 86_400
        #expect(CertificateLife.concern(until: tomorrow, at: now, warnDays: 1) == "certificate expires in 24 hours")
    }

    @Test func `a hostile chain is searched no further than a few authorities`() async throws {
        // All of one name and key: each could stand behind each.
        let circle = try Authority("Circle")
        let chain = try (0..<50).map { _ in try Authority("Circle", twin: circle).certificate }
        let outcome = try await outcome(of: circle.certify(), chain: chain, by: [try Authority().certificate])
        #expect(outcome == untrusted("signed by an unknown authority"))
    }

    @Test func `authorities are read again when one expires or becomes valid`() throws {
        let (old, new) = (try Authority("Old", days: 2), try Authority("New", days: 5))
        let files = try [old, new].map { Array(try $0.certificate.serializeAsPEM().derBytes) }
        let anchors = try TrustAnchors(der: files, at: now)
        #expect(abs(anchors.nextChange - now - 2 * 86_400) < 5)
        #expect(try TrustAnchors(der: files, at: now + 3 * 86_400).nextChange > now + 4 * 86_400)
        #expect(anchors.context != nil)
        #expect(try TrustAnchors(der: files, at: now + 6 * 86_400).context == nil)
    }

    @Test(.enabled(if: FileManager.default.fileExists(atPath: "/etc/ssl/certs/ca-certificates.crt")))
    func `every one of the system's authorities is read`() throws {
        let file = "/etc/ssl/certs/ca-certificates.crt"
        let text = try String(contentsOfFile: file, encoding: .utf8)
        let anchors = try TrustAnchors(file: file)
        #expect(anchors.count == text.split(separator: "-----BEGIN CERTIFICATE-----").count)
    }

    @Test func `a file without certificates is our trouble`() throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).pem")
        try "nothing".write(to: file, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(at: file) }
        #expect(throws: Fault(.noAuthorities, detail: "no certificate in \(file.path)")) {
            try TrustAnchors(file: file.path)
        }
        #expect(throws: Fault(.noAuthorities, detail: "cannot read /nowhere.pem")) {
            try TrustAnchors(file: "/nowhere.pem")
        }
    }
}
