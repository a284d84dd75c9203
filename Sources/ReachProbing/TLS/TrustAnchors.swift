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
    /// The system's CA files of Debian, Alpine and Arch; Fedora; openSUSE; macOS, FreeBSD and OpenBSD.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

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

    /// Reads a PEM file; nil stands for the system's. Blocks while reading.
    init(reading file: String?) throws(Fault) {
        guard
            let text = Self.candidates(for: file).lazy.compactMap({ try? Data(contentsOf: URL(fileURLWithPath: $0)) })
                .first
        else {
            let hint = "install ca-certificates or set tls = { ca }"
            throw Fault(.noAuthorities, detail: file.map { "cannot read \($0)" } ?? "no trusted authorities – \(hint)")
        }
        let documents = (try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))) ?? []
        self.init(der: documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes))
        guard !certificates.isEmpty else {
            throw Fault(.noAuthorities, detail: "no certificate in \(file ?? "the system's authorities")")
        }
    }

    /// Anchors do not expire: BoringSSL checks their dates with each path.
    var isValid: Bool { true }

    static func noResponse(of file: String?) -> Fault { .authoritiesNotRead }

    /// The file that is read: the first candidate that exists.
    static func paths(of file: String?) -> [String] {
        candidates(for: file).first { FileSignature(at: $0) != nil }.map { [$0] } ?? []
    }

    /// Returns the candidate files. The first that exists is used.
    static func candidates(for file: String?) -> [String] {
        if let file { return [file] }
        let environment = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return environment.map { [$0] } ?? systemFiles
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
