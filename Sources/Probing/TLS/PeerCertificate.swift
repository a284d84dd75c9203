import Monitoring
import NIOSSL

/// A server's certificate, with those of authorities that the server sent along. BoringSSL verifies it; this type finds
/// the failures to report.
struct PeerCertificate: Sendable {
    /// The number of authorities that are read. Chains have two or three; each further one multiplies the paths that a
    /// hostile peer can make us follow.
    static let mostAuthorities = 5

    private let leaf: CertificateFields
    private let authorities: [CertificateFields]

    /// Parses what the peer sent; nil if its own certificate is malformed. Malformed authorities are ignored.
    init?(der chain: [[UInt8]]) {
        guard let leaf = chain.first.flatMap({ try? CertificateFields(der: $0) }) else { return nil }
        self.leaf = leaf
        authorities = chain.dropFirst().prefix(Self.mostAuthorities).compactMap { try? CertificateFields(der: $0) }
    }

    /// Parses what the peer sent, its own certificate first.
    init?(_ chain: [NIOSSLCertificate]) {
        self.init(der: chain.prefix(Self.mostAuthorities + 1).map { (try? $0.toDERBytes()) ?? [] })
    }

    var life: CertificateLife { leaf.life }

    /// Whether it names itself as its authority.
    var isSelfIssued: Bool { leaf.isSelfIssued }

    /// Why it is not a valid certificate of `identity`, independent of its issuer; nil if it is. Expiry is reported
    /// before a wrong name, since an expired certificate is replaced anyway.
    func failure(as identity: PeerIdentity, at now: Int64) -> Failure? {
        if let failure = life.failure(at: now) { return failure }
        guard !identity.matches(leaf) else { return nil }
        guard let name = firstName else { return Failure(.certificateName, detail: "certificate without a name") }
        return Failure(.certificateName, detail: "certificate is for \(String(quoting: name.utf8))")
    }

    /// Why BoringSSL does not trust it.
    ///
    /// The names and key identifiers of the certificates tell to which anchors they may lead. Without the signatures,
    /// this explains a refusal, but is no reason to trust.
    func trustFailure(by anchors: TrustAnchors, at now: Int64) -> Failure {
        let paths = paths(from: leaf, through: authorities, to: anchors)
        let expired = paths.joined().lazy.compactMap { $0.life.failure(of: "its authority", at: now) }
        if let failure = expired.first { return failure }
        let detail =
            if !paths.isEmpty, !leaf.isForServers {
                "not for servers"
            } else if paths.contains(where: isForbidden) {
                "its authorities' rules forbid it"
            } else if isSelfIssued {
                "self-signed"
            } else {
                "signed by an unknown authority" + (authorities.isEmpty ? ", no intermediate sent" : "")
            }
        return Failure(.certificateUntrusted, detail: detail)
    }

    /// The authorities above a certificate, in every order that ends with an anchor.
    private func paths(
        from certificate: CertificateFields,
        through others: [CertificateFields],
        to anchors: TrustAnchors
    ) -> [[CertificateFields]] {
        let ends = anchors.issuers(of: certificate).map { [$0] }
        return others.indices.reduce(into: ends) { paths, index in
            guard certificate.canBeIssued(by: others[index]) else { return }
            var rest = others
            let next = rest.remove(at: index)
            paths += self.paths(from: next, through: rest, to: anchors).map { [next] + $0 }
        }
    }

    /// Whether rules of its own or of the authorities on a path can be why it is refused.
    private func isForbidden(by path: [CertificateFields]) -> Bool {
        var below = 0
        for authority in path {
            if authority.hasUnknownRule || authority.forbids(authoritiesBelow: below) { return true }
            if !authority.isSelfIssued { below += 1 }
        }
        return leaf.hasUnknownRule
    }

    /// The first name or address that it is for.
    private var firstName: String? {
        let names = (try? leaf.alternativeNames()) ?? []
        guard let name = names.first(where: { [2, 7].contains($0.tag) }) else { return leaf.commonName }
        if name.tag == 2 { return String(decoding: name.bytes, as: UTF8.self) }
        return IPAddress(bytes: name.bytes).map { "\($0)" }
    }
}
