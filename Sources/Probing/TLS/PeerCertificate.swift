import Monitoring
import SwiftASN1
import X509

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A server's certificate, with those of the authorities that the server sent along. Each thing that can be wrong with
/// it is judged on its own.
struct PeerCertificate: Sendable {
    /// How many certificates of authorities are looked at. Chains have two or three; each one more multiplies the ways
    /// in which a hostile peer can have them searched.
    static let mostAuthorities = 5

    private let leaf: Certificate
    private let authorities: [Certificate]

    init?(_ chain: [Certificate]) {
        guard let leaf = chain.first else { return nil }
        self.leaf = leaf
        authorities = Array(chain.dropFirst().prefix(Self.mostAuthorities))
    }

    /// Reads what the peer sent; nil if its own certificate cannot be read.
    init?(der chain: [[UInt8]]) {
        guard let leaf = chain.first.flatMap({ try? Certificate(derEncoded: $0) }) else { return nil }
        let others = chain.dropFirst().prefix(Self.mostAuthorities).compactMap { try? Certificate(derEncoded: $0) }
        self.init([leaf] + others)
    }

    var life: CertificateLife { leaf.life }

    /// Everything judged. Of several things that are wrong the one is told that is mended first: what has expired is
    /// replaced anyway, and a certificate for another name says that another server was asked.
    func verdict(for identity: PeerIdentity, by anchors: TrustAnchors, at now: Int64) async -> CertificateVerdict {
        if let failure = life.failure(at: now) { return .bad(failure) }
        if let failure = await nameFailure(for: identity) { return .bad(failure) }
        if let failure = await trustFailure(by: anchors, at: now) { return .bad(failure) }
        return .good(expiry: life.end)
    }

    /// Whether it speaks for another than `identity` (RFC 9525): its alternative names decide, and where it has none its
    /// common name.
    func nameFailure(for identity: PeerIdentity) async -> Failure? {
        // Trusted as if it were an authority, it is judged by its name alone.
        var verifier = Verifier(rootCertificates: CertificateStore([leaf])) {
            ServerIdentityPolicy(serverHostname: identity.requestedName, serverIP: identity.address)
            Indifference(to: leaf)
        }
        guard case .couldNotValidate = await verifier.validate(leaf: leaf, intermediates: CertificateStore()) else {
            return nil
        }
        guard let name = leaf.firstName else { return Failure(.certificateName, detail: "certificate without a name") }
        return Failure(.certificateName, detail: "certificate is for \(String(quoting: name.utf8))")
    }

    /// Whether no trusted authority stands behind it, or one whose own time is over.
    func trustFailure(by anchors: TrustAnchors, at now: Int64) async -> Failure? {
        guard !anchors.contains(leaf) else { return nil }
        var verifier = Verifier(rootCertificates: anchors.store) {
            RFC5280Policy()
            ServerUsage()
        }
        let result = await verifier.validate(leaf: leaf, intermediates: CertificateStore(authorities))
        guard case .couldNotValidate(let failures) = result else { return nil }
        for failure in failures {
            let expired = failure.chain.lazy.dropFirst().compactMap { $0.life.failure(of: "its authority", at: now) }
            if let expired = expired.first { return expired }
        }
        return Failure(.certificateUntrusted, detail: doubt(after: failures))
    }

    private func doubt(after failures: [CertificateValidationResult.PolicyFailure]) -> String {
        if !failures.isEmpty {
            return ServerUsage.permits(leaf) ? "its authorities' rules forbid it" : "not for servers"
        }
        if leaf.issuer == leaf.subject { return "self-signed" }
        return authorities.isEmpty
            ? "signed by an unknown authority, no intermediate sent" : "signed by an unknown authority"
    }
}

extension Certificate {
    fileprivate var life: CertificateLife {
        CertificateLife(
            start: Int64(notValidBefore.timeIntervalSince1970.rounded()),
            end: Int64(notValidAfter.timeIntervalSince1970.rounded())
        )
    }

    /// The first thing that it says it speaks for.
    fileprivate var firstName: String? {
        let names = (try? extensions.subjectAlternativeNames).flatMap { $0 } ?? SubjectAlternativeNames()
        for name in names {
            switch name {
            case .dnsName(let name): return name
            case .ipAddress(let bytes): return IPAddress(bytes: bytes.bytes).map { "\($0)" }
            default: continue
            }
        }
        return subject.lazy.flatMap { $0 }.last { $0.type == .RDNAttributeType.commonName }
            .flatMap { String($0.value) }
    }
}
