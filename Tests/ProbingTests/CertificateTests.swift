import Foundation
import Monitoring
import SwiftASN1
import Testing
import X509

@testable import Probing

@Suite struct CertificateTests {
    private let now = Int64(Date().timeIntervalSince1970)

    private func verdict(
        on credential: Credential,
        chain: [Certificate] = [],
        by anchors: [Certificate],
        for identity: PeerIdentity = .name("good.example")
    ) async throws -> CertificateVerdict {
        let peer = try #require(PeerCertificate([credential.certificate] + chain))
        return await peer.verdict(for: identity, by: TrustAnchors(anchors), at: now)
    }

    @Test func `a good certificate says when it expires`() async throws {
        let root = try Authority()
        let verdict = try await verdict(on: root.certify(), by: [root.certificate])
        guard case .good(let expiry?) = verdict else { throw Wrong(verdict: verdict) }
        #expect(abs(expiry - now - Int64(61.5 * 86_400)) < 5)
        #expect(CertificateLife.remainder(until: expiry, at: now) == "61 days")
    }

    @Test func `a chain through an authority that was sent along is good`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root)
        let server = try middle.certify()
        let good = try await verdict(on: server, chain: [middle.certificate], by: [root.certificate])
        guard case .good = good else { throw Wrong(verdict: good) }
        let alone = try await verdict(on: server, by: [root.certificate])
        #expect(
            alone == .bad(.init(.certificateUntrusted, detail: "signed by an unknown authority, no intermediate sent"))
        )
    }

    @Test func `one that expired yesterday has expired, and its name and trust no longer matter`() async throws {
        let root = try Authority()
        let expired = try root.certify(names: [.dnsName("other.example")], days: -1.1)
        let verdict = try await verdict(on: expired, by: [])
        #expect(verdict == .bad(Failure(.certificateExpired, detail: "expired 26 hours ago")))
        let longAgo = try await self.verdict(on: root.certify(days: -3.5), by: [root.certificate])
        #expect(longAgo == .bad(Failure(.certificateExpired, detail: "expired 3 days ago")))
    }

    @Test func `one that begins tomorrow is not valid yet`() async throws {
        let root = try Authority()
        let verdict = try await verdict(on: root.certify(from: 1), by: [root.certificate])
        guard case .bad(let failure) = verdict else { throw Wrong(verdict: verdict) }
        #expect(failure.reason == .certificateExpired)
        #expect(failure.detail.contains(/^not valid before \d{4}-\d{2}-\d{2}$/))
    }

    @Test func `one for another name says for which, and its trust no longer matters`() async throws {
        let root = try Authority()
        let other = try root.certify(names: [.dnsName("other.example"), .dnsName("third.example")])
        let verdict = try await verdict(on: other, by: [])
        #expect(verdict == .bad(Failure(.certificateName, detail: "certificate is for other.example")))
    }

    @Test func `a wildcard stands for one label`() async throws {
        let peer = try #require(
            PeerCertificate([try Authority().certify(names: [.dnsName("*.example.com")]).certificate])
        )
        #expect(await peer.nameFailure(for: .name("shop.example.com")) == nil)
        #expect(await peer.nameFailure(for: .name("SHOP.example.com.")) == nil)
        #expect(await peer.nameFailure(for: .name("example.com")) != nil)
        #expect(await peer.nameFailure(for: .name("a.b.example.com")) != nil)
    }

    @Test func `an address is held against addresses only`() async throws {
        let bytes = ASN1OctetString(contentBytes: [192, 0, 2, 7])
        let credential = try Authority().certify(names: [.ipAddress(bytes), .dnsName("192.0.2.8")])
        let peer = try #require(PeerCertificate([credential.certificate]))
        #expect(await peer.nameFailure(for: PeerIdentity("192.0.2.7")) == nil)
        let failure = Failure(.certificateName, detail: "certificate is for 192.0.2.7")
        #expect(await peer.nameFailure(for: PeerIdentity("192.0.2.8")) == failure)
        #expect(PeerIdentity("fe80::1%1").address == "fe80::1")
        #expect(PeerIdentity("192.0.2.7").requestedName == nil)
    }

    @Test func `one of an unknown authority is not trusted, nor one that signed itself`() async throws {
        let (known, unknown) = (try Authority(), try Authority("Another"))
        let stranger = try await verdict(on: unknown.certify(), chain: [unknown.certificate], by: [known.certificate])
        #expect(stranger == .bad(.init(.certificateUntrusted, detail: "signed by an unknown authority")))
        let ownSignature = try await verdict(on: known.certify(isSelfSigned: true), by: [known.certificate])
        #expect(ownSignature == .bad(.init(.certificateUntrusted, detail: "self-signed")))
    }

    @Test func `one that signed itself is trusted where the user names it`() async throws {
        let credential = try Authority().certify(isSelfSigned: true)
        let verdict = try await verdict(on: credential, by: [credential.certificate])
        guard case .good = verdict else { throw Wrong(verdict: verdict) }
    }

    @Test func `an authority of the same name with another key is not trusted`() async throws {
        let (one, other) = (try Authority(), try Authority())
        let verdict = try await verdict(on: one.certify(), by: [other.certificate])
        guard case .bad(let failure) = verdict else { throw Wrong(verdict: verdict) }
        #expect(failure.reason == .certificateUntrusted)
    }

    @Test func `an authority whose own time is over is said to have expired`() async throws {
        let root = try Authority()
        let middle = try Authority("Middle", under: root, days: -3.5)
        let verdict = try await verdict(on: middle.certify(), chain: [middle.certificate], by: [root.certificate])
        #expect(verdict == .bad(.init(.certificateExpired, detail: "its authority expired 3 days ago")))
    }

    @Test func `one for clients is not for servers`() async throws {
        let root = try Authority()
        let verdict = try await verdict(on: root.certify(usage: .clientAuth), by: [root.certificate])
        #expect(verdict == .bad(Failure(.certificateUntrusted, detail: "not for servers")))
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
        let verdict = try await verdict(on: circle.certify(), chain: chain, by: [try Authority().certificate])
        #expect(verdict == .bad(.init(.certificateUntrusted, detail: "signed by an unknown authority")))
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

private struct Wrong: Error {
    let verdict: CertificateVerdict
}
