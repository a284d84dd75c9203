#if Fetch || TLS

import ReachSystem
import ReachMonitoring
import NIOSSL
import SwiftASN1
import Synchronization

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The trusted certificates: authorities, and server certificates that the user trusts directly.
struct TrustAnchors: Sendable {
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
        subjects = Dictionary(grouping: parsed.filter(\.isAuthority), by: \.names.subject)
    }

    /// Reads a PEM file; nil stands for the system's. Blocks while reading.
    init(file: String?) throws(Fault) {
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

    /// Returns the candidate files. The first that exists is used.
    static func candidates(for file: String?) -> [String] {
        if let file { return [file] }
        let environment = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return environment.map { [$0] } ?? systemFiles
    }

    /// Reads a file, and returns the authorities or the fault.
    static func load(_ file: String?) -> Result<TrustAnchors, Fault> {
        do {
            return .success(try TrustAnchors(file: file))
        } catch {
            return .failure(error)
        }
    }

    /// The number of certificates.
    var count: Int { certificates.count }

    /// Returns whether exactly this certificate is trusted, as a server certificate from the CA file is.
    func contains(_ certificate: CertificateFields) -> Bool {
        certificates.contains(certificate.der)
    }

    /// Returns the authorities that may have issued a certificate.
    func issuers(of certificate: CertificateFields) -> [CertificateFields] {
        (subjects[certificate.names.issuer] ?? []).filter { certificate.canBeIssued(by: $0) }
    }

    /// Returns whether BoringSSL accepts a leaf with a path of authorities, of which the last is an anchor.
    func accept(_ leaf: CertificateFields, by path: [CertificateFields]) -> Bool {
        guard let anchor = path.last, let context = contexts.context(trusting: anchor) else { return false }
        return PathVerification.accepts([leaf] + path.dropLast(), by: context)
    }
}

/// The contexts that trust one anchor each. They are made when they are needed: most anchors of the system never are.
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

/// The authorities of a CA file, and the version of the file that they were read from.
final class TrustAnchorFile: CachedFile {
    /// The minimum time between two checks of the file. A failure is not cached.
    static let recheckInterval = Duration.seconds(1)

    /// The file from the settings; nil for the system's.
    private let file: String?
    private let path: String?
    private let version: FileSignature?
    /// The time of the last check of the file.
    private let lastCheck: Mutex<ContinuousClock.Instant>
    /// The authorities, or the fault.
    let result: Result<TrustAnchors, Fault>

    /// Reads a file; nil stands for the system's. Blocks while reading.
    init(_ file: String?) {
        self.file = file
        lastCheck = Mutex(.now)
        // Taken before reading, so that a file replaced meanwhile is read again.
        let candidates = TrustAnchors.candidates(for: file).lazy.map { (path: $0, version: FileSignature(at: $0)) }
        let found = candidates.first { $0.version != nil }
        (path, version) = (found?.path, found?.version)
        result = TrustAnchors.load(file)
    }

    var isRecent: Bool {
        guard case .success = result else { return false }
        return lastCheck.withLock { ContinuousClock.now - $0 < Self.recheckInterval }
    }

    func refreshed() -> TrustAnchorFile { refreshed(after: Self.recheckInterval) }

    /// - Parameter interval: the minimum time since the last check.
    func refreshed(after interval: Duration) -> TrustAnchorFile {
        guard case .success = result, let path, let version else { return TrustAnchorFile(file) }
        let isRecent = lastCheck.withLock { lastCheck in
            let now = ContinuousClock.now
            guard now - lastCheck >= interval else { return true }
            lastCheck = now
            return false
        }
        return isRecent || FileSignature(at: path) == version ? self : TrustAnchorFile(file)
    }
}

#endif
