#if TLS
import ReachMonitoring

/// A server's certificate, with the authorities that the server sent.
struct PeerCertificate: Sendable {
    /// The maximum number of certificates to parse. Chains have two or three.
    private static let maxCertificates = 32
    /// The maximum number of authorities to search for paths.
    static let maxAuthorities = 10
    /// The maximum number of certificates that the search tries: each authority multiplies the paths that a hostile peer
    /// can force it to follow.
    private static let maxSteps = 512
    /// The maximum number of paths whose signatures are verified.
    private static let maxVerifiedPaths = 8

    let leaf: CertificateFields
    /// The authorities that the peer sent.
    private let sent: [CertificateFields]
    /// The sent authorities that are reachable from the leaf by their names, ordered by expiry, the latest first.
    private let authorities: [CertificateFields]

    /// Parses the chain that the peer sent; nil if the leaf is malformed. Malformed authorities are ignored.
    init?(der chain: [[UInt8]]) {
        guard let leaf = chain.first.flatMap({ try? CertificateFields(der: $0) }) else { return nil }
        self.leaf = leaf
        sent = chain.dropFirst().prefix(Self.maxCertificates).compactMap { try? CertificateFields(der: $0) }
        authorities = Array(
            Self.related(sent, to: leaf).sorted { $0.validity.end > $1.validity.end }.prefix(Self.maxAuthorities)
        )
    }

    /// Returns the certificates whose subject is the issuer of the leaf, or of another one of them, each once.
    private static func related(_ others: [CertificateFields], to leaf: CertificateFields) -> [CertificateFields] {
        var (found, rest) = ([leaf], others)
        var next = 0
        while next < found.count {
            let issuer = found[next].issuerName
            for certificate in rest where certificate.subjectName == issuer {
                if !found.contains(where: { $0.der == certificate.der }) { found.append(certificate) }
            }
            rest.removeAll { $0.subjectName == issuer }
            next += 1
        }
        return Array(found.dropFirst())
    }

    var validity: CertificateValidity { leaf.validity }

    /// Returns why the leaf is not valid for `identity`, regardless of its issuer; nil if it is.
    ///
    /// Expiry is reported before a wrong name: an expired certificate must be replaced anyway.
    func failure(as identity: PeerIdentity, at now: Int64) -> Failure? {
        if let failure = validity.failure(at: now) { return failure }
        return identity.matches(leaf) ? nil : Failure(.certificateName, detail: nameProblem)
    }

    /// Returns why the leaf is not trusted: its key or its issuer's signature is weak. Nil if neither is.
    func weakness(countingSignature: Bool = true) -> Failure? {
        let signature = countingSignature && !leaf.isSelfIssued ? leaf.signatureWeakness : nil
        return (leaf.keyWeakness ?? signature).map { Failure(.certificateUntrusted, detail: $0) }
    }

    /// Returns when the chain expires that lasts longest, in seconds since 1970. A chain expires with its first
    /// certificate.
    ///
    /// Candidate paths to the anchors are found by names and key identifiers. BoringSSL then verifies those without a flaw
    /// until one is valid. So a peer may send useless certificates, such as an expired one of the same authority.
    ///
    /// - Throws: Why no chain is trusted.
    func expiry(by anchors: TrustAnchors, at now: Int64) throws(Failure) -> Int64 {
        // The signature of a certificate that is trusted as it is does not count.
        let isAnchor = anchors.contains(leaf)
        if let weakness = weakness(countingSignature: !isAnchor) { throw weakness }
        if isAnchor { return validity.end }
        var steps = Self.maxSteps
        let paths = Self.paths(from: leaf, through: authorities, to: anchors, within: &steps)
        let candidates = paths.filter { Self.flaw(of: $0, at: now) == nil }
            .map { (path: $0, end: $0.reduce(validity.end) { min($0, $1.validity.end) }) }
            .sorted { $0.end > $1.end }
        if let chain = candidates.prefix(Self.maxVerifiedPaths).first(where: { anchors.accept(leaf, by: $0.path) }) {
            return chain.end
        }
        throw trustFailure(of: paths, usable: candidates.map(\.path), at: now)
    }

    /// Describes why no path of authorities to an anchor is valid.
    ///
    /// - Parameter candidates: The paths without a flaw, which BoringSSL has rejected.
    private func trustFailure(
        of paths: [[CertificateFields]],
        usable candidates: [[CertificateFields]],
        at now: Int64
    ) -> Failure {
        if candidates.isEmpty, let flaw = paths.lazy.compactMap({ Self.flaw(of: $0, at: now) }).first { return flaw }
        let detail =
            if !paths.isEmpty, !leaf.isForServers {
                "not for servers"
            } else if candidates.contains(where: isForbidden) {
                Self.forbidden
            } else if let algorithm = candidates.lazy.joined().compactMap(\.unsupportedKey).first {
                "an authority's kind of key is not supported: \(algorithm)"
            } else if leaf.isSelfIssued {
                "self-signed"
            } else if candidates.contains(where: { ([leaf] + $0.dropLast()).contains(where: \.isSignedByPSS) }) {
                "signed by an unknown authority, or by RSA-PSS with unusual parameters"
            } else {
                "signed by an unknown authority" + (sent.isEmpty ? ", no intermediate sent" : "")
            }
        return Failure(.certificateUntrusted, detail: detail)
    }

    private static let forbidden = "its authorities' rules forbid it"

    /// Returns why a path of authorities to an anchor is invalid, regardless of its signatures. The signature of the anchor
    /// does not count.
    private static func flaw(of path: [CertificateFields], at now: Int64) -> Failure? {
        let expired = path.lazy.compactMap { $0.validity.failure(of: "its authority", at: now) }
        if let failure = expired.first { return failure }
        // BoringSSL does not check these rules of an anchor.
        if let anchor = path.last, !anchor.permits(authoritiesBelow: path.dropLast().count { !$0.isSelfIssued }) {
            return Failure(.certificateUntrusted, detail: forbidden)
        }
        let weakness =
            path.dropLast().lazy.compactMap(\.signatureWeakness).first.map { "its authority is \($0)" }
            ?? path.lazy.compactMap(\.keyWeakness).first.map { "its authority has an \($0)" }
        return weakness.map { Failure(.certificateUntrusted, detail: $0) }
    }

    /// The earliest expiry of a certificate that the peer sent, in seconds since 1970.
    var earliestExpiry: Int64 {
        sent.reduce(leaf.validity.end) { min($0, $1.validity.end) }
    }

    /// Returns the candidate paths of authorities from a certificate to an anchor: all, unless the steps run out.
    private static func paths(
        from certificate: CertificateFields,
        through others: [CertificateFields],
        to anchors: TrustAnchors,
        within steps: inout Int
    ) -> [[CertificateFields]] {
        var paths = anchors.issuers(of: certificate).map { [$0] }
        for index in others.indices where steps > 0 && certificate.canBeIssued(by: others[index]) {
            steps -= 1
            var rest = others
            let next = rest.remove(at: index)
            paths += Self.paths(from: next, through: rest, to: anchors, within: &steps).map { [next] + $0 }
        }
        return paths
    }

    /// Returns whether an extension of the leaf or a constraint of an authority on the path can be the reason.
    private func isForbidden(by path: [CertificateFields]) -> Bool {
        var below = 0
        for authority in path {
            if authority.hasConstraints || !authority.permits(authoritiesBelow: below) { return true }
            if !authority.isSelfIssued { below += 1 }
        }
        return leaf.hasUnknownCriticalExtension
    }

    /// Why the leaf does not match a peer's name.
    private var nameProblem: String {
        let names = (try? leaf.alternativeNames()) ?? []
        let texts = names.compactMap { name -> String? in
            switch name.tag {
            case 2: String(quoting: name.bytes)
            case 7: IPAddress(bytes: name.bytes).map { "\($0)" }
            default: nil
            }
        }
        guard let first = texts.first else {
            return names.isEmpty ? "certificate has no subjectAltName" : "certificate is for no host"
        }
        return "certificate is for \(first)" + (texts.count > 1 ? " and \(texts.count - 1) more" : "")
    }
}
#endif
