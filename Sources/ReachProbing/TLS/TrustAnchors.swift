#if TLS

import NIOSSL
import ReachMonitoring
import ReachSystem
import SwiftASN1
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The trusted certificates: authorities, and server certificates that the user trusts directly.
struct TrustAnchors: CachedContent {
    private let certificates: Set<[UInt8]>
    /// The authorities among the certificates, by subject.
    private let subjects: [CanonicalName: [CertificateFields]]
    private let contexts = AnchorContexts()

    /// Malformed certificates are skipped.
    init(der certificates: [[UInt8]]) {
        let parsed = certificates.compactMap { try? CertificateFields(der: $0) }
        self.certificates = Set(parsed.map(\.der))
        subjects = Dictionary(grouping: parsed.filter(\.isAuthority), by: \.subjectName)
    }

    /// Reads PEM files. Blocks while reading.
    init(reading files: AuthorityFiles) throws(Fault) {
        var texts: [Data] = []
        if let file = files.file {
            guard let text = try? Data(contentsOf: URL(fileURLWithPath: file)) else {
                throw Fault(.noAuthorities, detail: "cannot read \(file)")
            }
            texts = [text]
        } else if files.isSystem {
            let hint = "install ca-certificates or set tls = { ca }"
            throw Fault(.noAuthorities, detail: "no trusted authorities – \(hint)")
        }
        // What else is in the folders is skipped.
        texts += files.listedFiles.compactMap { try? Data(contentsOf: URL(fileURLWithPath: $0)) }
        let documents = texts.flatMap { text in
            (try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))) ?? []
        }
        self.init(der: documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes))
        guard !certificates.isEmpty else {
            throw Fault(.noAuthorities, detail: "no certificate in \(files.title)")
        }
    }

    /// Anchors do not expire: BoringSSL checks their dates with each path.
    var isValid: Bool { true }

    static func noResponse(of files: AuthorityFiles) -> Fault { .authoritiesNotRead }

    /// The file and the folders, with their files, which may change in place.
    static func paths(of files: AuthorityFiles) -> [String] {
        (files.file.map { [$0] } ?? []) + files.folders + files.listedFiles
    }

    /// The number of certificates.
    var count: Int { certificates.count }

    /// Returns whether exactly this certificate is trusted, as a server certificate from the CA file is.
    func contains(_ certificate: CertificateFields) -> Bool {
        certificates.contains(certificate.der)
    }

    /// Returns the authorities that may have issued a certificate.
    func issuers(of certificate: CertificateFields) -> [CertificateFields] {
        (subjects[certificate.issuerName] ?? []).filter { certificate.canBeIssued(by: $0) }
    }

    /// Returns whether BoringSSL accepts a leaf with a path of authorities, of which the last is an anchor.
    func accept(_ leaf: CertificateFields, by path: [CertificateFields]) -> Bool {
        guard let anchor = path.last, let context = contexts.context(trusting: anchor) else { return false }
        return PathVerification.accepts([leaf] + path.dropLast(), by: context)
    }
}

/// The contexts that trust one anchor each, made on first use: most of the system's anchors are never used.
private final class AnchorContexts: Sendable {
    private let contexts = Mutex<[[UInt8]: NIOSSLContext]>([:])

    func context(trusting anchor: CertificateFields) -> NIOSSLContext? {
        contexts.withLock { contexts in
            if let context = contexts[anchor.der] { return context }
            guard let authority = NIOSSLCertificate.anchor(anchor.der) else { return nil }
            let context = try? TLSContexts.makeContext(trusting: [authority], newest: .tlsv12)
            contexts[anchor.der] = context
            return context
        }
    }
}

#endif
