import Monitoring
import NIOSSL
import SwiftASN1

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The certificates that are trusted: those of authorities, and those of servers that the user named.
struct TrustAnchors: Sendable {
    /// Where systems keep theirs: Debian, Alpine and Arch; Fedora; openSUSE; macOS, FreeBSD and OpenBSD.
    private static let systemFiles = [
        "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/ca-bundle.pem",
        "/etc/ssl/cert.pem",
    ]

    /// Verifies chains by the authorities; nil if there are none, and only servers' own certificates.
    let context: NIOSSLContext?
    /// When an authority becomes valid or expires next, in seconds since 1970. The context has those that are valid now.
    let nextChange: Int64
    private let certificates: Set<[UInt8]>
    /// The authorities among them.
    private let subjects: [ArraySlice<UInt8>: [CertificateFields]]

    /// Makes the context, which takes a while. Malformed certificates are not trusted; the others still are.
    ///
    /// - Parameter now: by the system's clock, which BoringSSL verifies by.
    init(der certificates: [[UInt8]], at now: Int64 = TLSContexts.systemTime()) throws(Fault) {
        let parsed = certificates.compactMap { der in
            (try? CertificateFields(der: der)).map { (der: der, fields: $0) }
        }
        self.certificates = Set(parsed.map(\.der))
        subjects = Dictionary(grouping: parsed.map(\.fields).filter(\.isAuthority), by: \.subject)
        let changes = parsed.flatMap { [$0.fields.life.start, $0.fields.life.end + 1] }
        nextChange = changes.filter { $0 > now }.min() ?? .max
        // BoringSSL would take an expired authority before a valid one of the same name, and does not read the times of
        // an authority that is not a root.
        let authorities = parsed.filter { $0.fields.isAuthority && $0.fields.life.failure(at: now) == nil }
            .compactMap { Self.trusted($0.der) }
        do {
            context = authorities.isEmpty ? nil : try TLSContexts.makeContext(trusting: authorities)
        } catch {
            throw Fault(.internal, detail: String(quoting: "TLS: \(error)".utf8, limit: 60))
        }
    }

    /// Reads a PEM file, or the system's own where none is named, and may block meanwhile.
    init(file: String?) throws(Fault) {
        guard
            let text = Self.candidates(for: file).lazy.compactMap({ try? Data(contentsOf: URL(fileURLWithPath: $0)) })
                .first
        else {
            let hint = "install ca-certificates, or name a file as tls = { ca }"
            throw Fault(.noAuthorities, detail: file.map { "cannot read \($0)" } ?? "no trusted authorities: \(hint)")
        }
        let documents = (try? PEMDocument.parseMultiple(pemString: String(decoding: text, as: UTF8.self))) ?? []
        try self.init(der: documents.filter { $0.discriminator == "CERTIFICATE" }.map(\.derBytes))
        guard !certificates.isEmpty else {
            throw Fault(.noAuthorities, detail: "no certificate in \(file ?? "the system's authorities")")
        }
    }

    /// An authority that BoringSSL trusts for servers even if it is not a root, in OpenSSL's form of a certificate with
    /// the purposes that it is trusted for.
    private static func trusted(_ der: [UInt8]) -> NIOSSLCertificate? {
        // SEQUENCE { SEQUENCE { id-kp-serverAuth } }
        let purposes: [UInt8] = [0x30, 0x0C, 0x30, 0x0A, 0x06, 0x08, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x03, 0x01]
        let document = PEMDocument(type: "TRUSTED CERTIFICATE", derBytes: der + purposes)
        return try? NIOSSLCertificate.fromPEMBytes(Array(document.pemString.utf8)).first
    }

    /// The files that the authorities may be in, the first one counts.
    static func candidates(for file: String?) -> [String] {
        if let file { return [file] }
        let environment = ProcessInfo.processInfo.environment["SSL_CERT_FILE"].flatMap { $0.isEmpty ? nil : $0 }
        return environment.map { [$0] } ?? systemFiles
    }

    /// Reads a file, or returns why that fails.
    static func load(_ file: String?) -> Result<TrustAnchors, Fault> {
        do {
            return .success(try TrustAnchors(file: file))
        } catch {
            return .failure(error)
        }
    }

    /// The number of certificates.
    var count: Int { certificates.count }

    /// Whether this very certificate is trusted, as a server's own is that the user named.
    func contains(_ certificate: NIOSSLCertificate) -> Bool {
        (try? certificate.toDERBytes()).map { certificates.contains($0) } ?? false
    }

    /// The authorities that may have signed a certificate.
    func issuers(of certificate: CertificateFields) -> [CertificateFields] {
        (subjects[certificate.issuer] ?? []).filter { certificate.canBeIssued(by: $0) }
    }
}
