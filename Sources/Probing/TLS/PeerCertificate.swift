#if Fetch || TLS
import Monitoring
import NIOSSL

/// A server's certificate, with the authorities that the server sent. BoringSSL verifies it; this type derives the
/// failure to report.
struct PeerCertificate: Sendable {
    /// The maximum number of authorities to parse. Chains have two or three. Each further one multiplies the paths that
    /// a hostile peer can force the search to follow.
    static let maxAuthorities = 5

    let leaf: CertificateFields
    private let authorities: [CertificateFields]

    /// Parses the chain that the peer sent; nil if the leaf is malformed. Malformed authorities are ignored.
    init?(der chain: [[UInt8]]) {
        guard let leaf = chain.first.flatMap({ try? CertificateFields(der: $0) }) else { return nil }
        self.leaf = leaf
        authorities = chain.dropFirst().prefix(Self.maxAuthorities).compactMap { try? CertificateFields(der: $0) }
    }

    /// Parses the chain that the peer sent, the leaf first.
    init?(_ chain: [NIOSSLCertificate]) {
        self.init(der: chain.prefix(Self.maxAuthorities + 1).map { (try? $0.toDERBytes()) ?? [] })
    }

    var validity: CertificateValidity { leaf.validity }

    /// Whether the issuer and the subject have the same name.
    var isSelfIssued: Bool { leaf.isSelfIssued }

    /// Returns why the leaf is not valid for `identity`, regardless of its issuer; nil if it is.
    ///
    /// Expiry is reported before a wrong name: an expired certificate must be replaced anyway.
    func failure(as identity: PeerIdentity, at now: Int64) -> Failure? {
        if let failure = validity.failure(at: now) { return failure }
        guard !identity.matches(leaf) else { return nil }
        guard let name = firstName else { return Failure(.certificateName, detail: "certificate without a name") }
        return Failure(.certificateName, detail: "certificate is for \(String(quoting: name.utf8))")
    }

    /// Returns why BoringSSL does not trust the chain.
    ///
    /// Candidate paths to the anchors are found by names and key identifiers, without checking signatures. They explain
    /// a rejection, but never establish trust.
    func trustFailure(by anchors: TrustAnchors, at now: Int64) -> Failure {
        let paths = paths(from: leaf, through: authorities, to: anchors)
        let expired = paths.joined().lazy.compactMap { $0.validity.failure(of: "its authority", at: now) }
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

    /// The earliest expiry of a certificate that the peer sent, in seconds since 1970.
    var earliestExpiry: Int64 {
        authorities.reduce(leaf.validity.end) { min($0, $1.validity.end) }
    }

    /// Returns the latest expiry of a chain to the anchors, in seconds since 1970. A chain expires with its first
    /// certificate.
    func chainExpiry(by anchors: TrustAnchors) -> Int64 {
        let paths = paths(from: leaf, through: authorities, to: anchors)
        let ends = paths.map { $0.reduce(leaf.validity.end) { min($0, $1.validity.end) } }
        return ends.max() ?? leaf.validity.end
    }

    /// Returns every candidate path of authorities from a certificate to an anchor.
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

    /// Returns whether an extension of the leaf or a constraint of an authority on the path can be the reason.
    private func isForbidden(by path: [CertificateFields]) -> Bool {
        var below = 0
        for authority in path {
            if authority.hasUnknownCriticalExtension || authority.forbids(authoritiesBelow: below) { return true }
            if !authority.isSelfIssued { below += 1 }
        }
        return leaf.hasUnknownCriticalExtension
    }

    /// The first name or address of the leaf.
    private var firstName: String? {
        let names = (try? leaf.alternativeNames()) ?? []
        guard let name = names.first(where: { [2, 7].contains($0.tag) }) else { return leaf.commonName }
        if name.tag == 2 { return String(decoding: name.bytes, as: UTF8.self) }
        return IPAddress(bytes: name.bytes).map { "\($0)" }
    }
}
#endif
